import Foundation
import Parameters
import Scenes
import Scratch
import System
import Testing
@testable import Presets
@testable import Storage

extension Folder {
  /// Databases that were put aside.
  var damaged: [String] {
    names.filter {
      $0.hasPrefix("presets.sqlite.damaged-") && !$0.hasSuffix("-journal") && !$0.hasSuffix(".txt")
    }
  }

  /// Text files of damaged documents.
  var damagedTexts: [String] {
    names.filter { $0.hasPrefix("presets.sqlite.damaged-") && $0.hasSuffix(".txt") }
  }

  /// Runs `body` on the bytes of the database.
  func edit(_ body: (inout Data) -> Void) throws {
    var data = try Data(contentsOf: URL(fileURLWithPath: database))
    body(&data)
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: database))
    try file.truncate(atOffset: UInt64(data.count))
    try file.seek(toOffset: 0)
    try file.write(contentsOf: data)
    try file.close()
  }

  func library(factory: String? = nil) -> Library {
    Library(database: database, factory: factory) { print("log:", $0) }
  }
}

extension Disk {
  /// One that can only be read, with a preset "Old" on it.
  static func readOnly() throws -> Disk? {
    guard let disk = Disk(kilobytes: 1024) else { return nil }
    let library = disk.folder.library()
    try library.save(.initial, name: "Old")
    #expect(library.stop(within: 60))
    #expect(disk.readOnly(true))
    return disk
  }
}

extension Library {
  /// All versions of the preset in a slot.
  func history(_ slot: Slot) -> DocumentHistory { documents.history(.preset, slot.key) }
}

func slot(_ bank: Int, _ program: Int) throws -> Slot { try #require(Slot(bank: bank, program: program)) }

/// Waits for a report, and gives all that came.
func reports(_ library: Library, seconds: Double = 60, until: (Report) -> Bool) -> [Report] {
  var all = library.reports()
  let end = monotonic() + Int64(seconds * 1e9)
  while monotonic() < end && !all.contains(where: until) {
    library.documents.writer?.eventPipe.wait(end - monotonic())
    all += library.reports()
  }
  return all
}

extension Report {
  var isDurable: Bool { if case .durable = self { true } else { false } }
  var failure: StoreError? { if case .failed(let error, _) = self { error } else { nil } }
  var isReadOnly: Bool { if case .opened(isReadOnly: true) = self { true } else { false } }
  var note: String? { if case .note(let text) = self { text } else { nil } }
}

extension Library {
  /// Imports a text of one preset. Returns the preset, and warnings about lines that could not be read.
  func importText(
    _ text: String, name: String
  ) throws(DocumentError) -> (preset: Preset, warnings: [TextWarning]) {
    let imported = place(CheckedPreset(text, name: name))
    endImport()
    guard let slot = imported.slot, let preset = self[slot] else {
      throw DocumentError(description: imported.problem)
    }
    return (preset, imported.warnings)
  }

  /// Imports the presets of a bundle one after the other, and continues after one that is refused.
  func importBundle(_ text: String, name fallback: String = "") -> [ImportedPreset] {
    var imported: [ImportedPreset] = []
    var reader = try? BundleReader(FileContents(Array(text.utf8)), name: fallback)
    while let checked = reader?.next() { imported += checked.map(place) }
    endImport()
    return imported
  }
}
