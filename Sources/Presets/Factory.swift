import Glibc
import Synth

// The presets that pipit comes with: text files in a folder.

/// Reads a folder of presets. `07-brass.txt` is program 6 of bank 0; a file without a number lies outside the
/// banks and is found by its name. A file that is no preset is left out with a line in the log.
/// Nil when there is no such folder.
func factoryPresets(_ folder: String, log: (String) -> Void) -> [Preset]? {
  guard let names = files(folder) else { return nil }
  var presets: [Preset] = []
  var taken: Set<Slot> = []
  for file in names {
    let path = folder + "/" + file
    guard let text = contents(path) else {
      log("could not read the preset \(path): \(String(cString: strerror(errno)))")
      continue
    }
    do throws(TextRefusal) {
      let reading = try PresetText.read(text)
      for warning in reading.warnings { log("\(path), \(warning)") }
      var stem = file.dropLast(4)
      let digits = stem.prefix { $0.isASCII && $0.isNumber }
      let slot = Int(digits).flatMap { Slot(bank: 0, program: $0 - 1) }
      if slot != nil { stem = stem.dropFirst(digits.count).drop { $0 == "-" || $0 == " " } }
      if let slot, !taken.insert(slot).inserted {
        log("left out the preset \(path): another file has its number")
        continue
      }
      let name = reading.name ?? Preset.name(String(stem)) ?? "Untitled"
      presets.append(Preset(slot: slot, name: name, text: text, isFactory: true))
    } catch {
      log("left out the preset \(path): \(error)")
    }
  }
  return presets
}

private func files(_ folder: String) -> [String]? {
  guard let directory = opendir(folder) else { return nil }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name.hasSuffix(".txt"), !name.hasPrefix(".") { names.append(name) }
  }
  return names.sorted()
}

/// A regular file's text, one byte more than the limit at most; nil with `errno` set when it cannot be read.
private func contents(_ path: String) -> String? {
  // Not blocking, for a pipe that somebody left there.
  let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
  guard file >= 0 else { return nil }
  defer { close(file) }
  var bytes = [UInt8](repeating: 0, count: Limits.textBytes + 1)
  var count = 0
  while count < bytes.count {
    let got = bytes[count...].withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
    if got < 0 && errno == EINTR { continue }
    if got < 0 { return nil }
    if got == 0 { break }
    count += got
  }
  return String(decoding: bytes[..<count], as: UTF8.self)
}
