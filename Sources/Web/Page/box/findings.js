// The findings of the doctor: faults of the box, and possible improvements.

import { app } from "../app.js"

/** Seconds between two checks by the doctor while the findings are shown. */
export const EVERY = 15

/** The findings, the worst first: { grade: ok | warn | fail, thing, words, remedy, label, message }. */
export async function findings() {
  try {
    return published((await app.questions.list("/doctor")).map(parsed))
  } catch {
    // A box without a doctor still answers with the figures of its status.
    await app.questions.ask("/status/complaint").catch(() => {})
    return published(figured())
  }
}

function published(list) {
  app.values.set("/doctor/count", list.filter(({ grade }) => grade !== "ok").length)
  return list
}

/** A line: grade, thing, sentence, remedy, words of a button, message that it sends. */
function parsed(line) {
  const [grade = "ok", thing = "", words = "", remedy = "", label = "", message = ""] = line.split("\t")
  return { grade, thing, words, remedy, label, message }
}

/** Findings from the figures of the status. */
function figured() {
  const get = (name, other) => app.values.get(`/status/${name}`, other)
  const complaint = get("complaint", "")
  return [
    complaint && { grade: "warn", thing: "Status", words: sentence(complaint) },
    { grade: get("card", 0) ? "ok" : "warn", thing: "Sound card", words: get("card", 0) ? sentence(get("playing", "")) : "No sound card plays." },
    get("realtime", 1) ? { grade: "ok", thing: "Audio thread", words: "It has real-time priority." } : { grade: "warn", thing: "Audio thread", words: "It has no real-time priority: late blocks are likely." },
    { grade: "ok", thing: "Processor", words: `${get("load", 0)} % load, ${get("xruns", 0)} late blocks since the start.` },
  ].filter(Boolean).sort((a, b) => order(a) - order(b))
}

const order = ({ grade }) => ["fail", "warn", "ok"].indexOf(grade)

/** Words with a capital letter and a full stop. */
export function sentence(words) {
  const whole = words.charAt(0).toUpperCase() + words.slice(1)
  return /[.!?]$/.test(whole) || !whole ? whole : `${whole}.`
}
