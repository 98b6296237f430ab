// Files to and from the box, by HTTP.

/** Lets the browser save an address of the box as a file. */
export function download(path, name = "") {
  const link = document.createElement("a")
  link.href = path
  link.download = name
  link.click()
}

/** Asks for files of the kinds in `accept`. */
export function chooseFiles(accept, isMany = false) {
  return new Promise((resolve) => {
    const input = document.createElement("input")
    Object.assign(input, { type: "file", accept, multiple: isMany })
    input.addEventListener("change", () => resolve([...input.files]))
    input.addEventListener("cancel", () => resolve([]))
    input.click()
  })
}

/** Puts bytes at an address of the box. The answer as text; rejects with the box's sentence. */
export async function upload(path, body) {
  let answer
  try {
    answer = await fetch(path, { method: "PUT", body, headers: { "X-Pipit": "1", "Content-Type": "application/octet-stream" } })
  } catch {
    throw new Error("The upload broke off.")
  }
  const text = (await answer.text()).trim()
  if (!answer.ok) throw Object.assign(new Error(text || `The box answered ${answer.status}.`), { status: answer.status })
  return text
}
