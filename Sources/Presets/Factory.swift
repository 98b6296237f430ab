import Scenes
import Storage
import System

// The factory presets: text files in a folder, and in its folders `arps` and `gm`.

/// The name of the folder of `Slot.arpBank`.
private let arpFolder = "arps"
/// The name of the folder of sounds that only General MIDI's programs and drums need. They are outside the banks.
private let generalMIDIFolder = "gm"

/// Reads a folder of presets. `07-brass.txt` is program 6 of bank 0, `129-brass.txt` program 0 of `Slot.furtherBank`,
/// and `arps/07-brass.txt` program 6 of `Slot.arpBank`; a file without a number is outside the banks and is found by
/// its name only. A file that is not a preset is skipped and logged; invalid lines of a preset are logged when it is
/// recalled. Nil if there is no such folder.
func factoryPresets(
  _ folder: String, log: (String) -> Void
) -> (presets: [Preset], leftOut: [CatalogEntry])? {
  guard var found = presets(of: 0, in: folder, log: log) else { return nil }
  if let arps = presets(of: Slot.arpBank, in: folder + "/" + arpFolder, log: log) {
    found.presets += arps.presets
    found.leftOut += arps.leftOut
  }
  if let sounds = presets(of: nil, in: folder + "/" + generalMIDIFolder, log: log) {
    found.presets += sounds.presets
    found.leftOut += sounds.leftOut
  }
  return found
}

/// Reads the presets of a bank, or of none. Nil if there is no such folder.
private func presets(
  of bank: Int?, in folder: String, log: (String) -> Void
) -> (presets: [Preset], leftOut: [CatalogEntry])? {
  guard let names = fileNames(in: folder) else { return nil }
  var presets: [Preset] = []
  var leftOut: [CatalogEntry] = []
  var taken: Set<Slot> = []
  for file in names where file.hasSuffix(".txt") && file != ProgramTable.file {
    let path = folder + "/" + file
    do {
      // Without waiting: the file may be a pipe.
      let text = String(decoding: try readFile(path, limit: Limits.presetBytes, waits: false), as: UTF8.self)
      let named = try PresetText.name(of: text)
      var stem = file.dropLast(4)
      let digits = stem.prefix { $0.isASCII && $0.isNumber }
      let slot = bank.flatMap { bank in
        Int(digits).flatMap { bank == 0 ? Slot(factoryNumber: $0) : Slot(bank: bank, program: $0 - 1) }
      }
      if slot != nil { stem = stem.dropFirst(digits.count).drop { $0 == "-" || $0 == " " } }
      if let slot, !taken.insert(slot).inserted {
        log("skipped the preset \(path): another file has its number")
        leftOut.append(
          CatalogEntry(slot: nil, name: file, isFactory: true, problem: "another file has its number"))
        continue
      }
      let name = named ?? Document.name(String(stem)) ?? "Untitled"
      presets.append(Preset(slot: slot, name: name, text: text, isFactory: true))
    } catch {
      log("skipped the preset \(path): \(error)")
      leftOut.append(CatalogEntry(slot: nil, name: file, isFactory: true, problem: "\(error)"))
    }
  }
  return (presets, leftOut)
}
