import Parameters
import Scenes
import Scratch
import Testing
@testable import Presets
@testable import Storage

/// Places of presets, and what lies in them.
struct SlotTests {
  @Test("There are 128 banks of 128 programs, and a key is spelled in one way")
  func slots() throws {
    for (bank, program) in [(0, 0), (127, 127), (1, 5)] {
      let slot = try slot(bank, program)
      #expect(slot.key == "\(bank)/\(program)" && Slot(key: slot.key) == slot)
    }
    for (bank, program) in [(-1, 0), (0, -1), (128, 0), (0, 128)] {
      #expect(Slot(bank: bank, program: program) == nil)
    }
    for key in ["", "1", "1/", "/1", "1/2/3", "01/2", "1/02", "+1/2", "1/128", "128/1", " 1/2", "a/b"] {
      #expect(Slot(key: key) == nil, "\(key)")
    }
    #expect(
      try Array(Slot.userSlots.prefix(129)).last == slot(2, 0)
        && Slot.userSlots.first { _ in true } == slot(1, 0))
    #expect(Slot.userSlots.reduce(0) { count, _ in count + 1 } == 125 * 128)
    #expect(try slot(1, 127) < slot(2, 0))
    #expect(try slot(1, 4) < slot(1, 5))
  }

  @Test("People count from 1 and call bank 0 the factory's, bank 1 their own; the wire counts from 0")
  func words() throws {
    #expect(try slot(0, 4).label == "Factory 5" && slot(1, 11).label == "Own 12")
    #expect(try slot(126, 1).label == "Factory 130" && slot(127, 1).label == "Arps 2")
    #expect(try slot(3, 6).label == "Bank 3 7" && slot(3, 6).description == "bank 3 program 6")
  }

  @Test("A page has sixteen presets, and only pages with a preset are there")
  func pages() throws {
    #expect(try slot(1, 15).page == slot(1, 0) && slot(1, 16).page == slot(1, 16))
    #expect(try slot(1, 127).page == slot(1, 112))
    let library = Library(database: nil, factory: nil, log: { _ in })
    for place in try [slot(1, 0), slot(1, 15), slot(1, 16), slot(2, 100), slot(2, 99)] {
      try library.save(.initial, slot: place)
    }
    #expect(try library.pages == [slot(1, 0), slot(1, 16), slot(2, 96)])
  }

  @Test("A new preset goes to the first free place; that of a removed one is taken when there is no other")
  func free() throws {
    let library = Library(database: nil, factory: nil, log: { _ in })
    #expect(try library.freeSlot == slot(1, 0))
    try library.save(.initial, name: "A", slot: slot(1, 0))
    try library.save(.initial, name: "C", slot: slot(1, 2))
    #expect(try library.freeSlot == slot(1, 1))
    try library.remove(slot(1, 0))
    #expect(try library.freeSlot == slot(1, 1))
    for (number, place) in Slot.userSlots.enumerated() where number > 0 {
      try library.documents.save(Document(name: "\(number)", text: "pipit preset 1\n"), .preset, place.key)
    }
    library.updateIndex()
    #expect(try library.freeSlot == slot(1, 0))
    try library.save(.initial, name: "Last")
    #expect(library.freeSlot == nil && library.presets.count == 125 * 128)
    #expect {
      try library.saveNew(.initial, name: "Too many")
    } throws: { "\($0)" == "could not save: all banks are full; give a slot to overwrite" }
    #expect {
      _ = try library.importText("pipit preset 1\nname Other\n", name: "")
    } throws: { "\($0)" == "could not import \"Other\": all banks are full" }
    // A name that is there is written over.
    #expect(try library.importText("pipit preset 1\nname LAST\n", name: "").preset.slot == slot(1, 0))
  }

  @Test(
    "The trash lists the last version of each removed preset, by place; of one name the last place is meant")
  func trash() throws {
    let library = Library(database: nil, factory: nil, log: { _ in })
    for (program, names) in [(12, ["Pad"]), (3, ["Old", "Pad"]), (7, ["Lead"])] {
      for name in names { try library.save(.initial, name: name, slot: slot(2, program)) }
      try library.remove(slot(2, program))
    }
    try library.save(.initial, name: "Kept", slot: slot(2, 1))
    #expect(
      library.listing.trash.map { "\($0.slot?.key ?? "") \($0.name)" } == ["2/3 Pad", "2/7 Lead", "2/12 Pad"])
    #expect(library.listing.trash.map(\.name) == ["Pad", "Lead", "Pad"])
    #expect(try library.removed("pad")?.slot == slot(2, 12) && library.removed("2/3")?.slot == slot(2, 3))
    // Two of one name are one meaning.
    #expect(try library.removed("p")?.slot == slot(2, 12) && library.removed("Old") == nil)
    try library.restore(slot(2, 3))
    #expect(try library[slot(2, 3)]?.name == "Pad" && library.listing.trash.count == 2)
    // What was saved before is the next that undo brings.
    #expect(try library.undo(slot(2, 3))?.name == "Old")
  }

  @Test("Of a document five versions are kept, that of now and four before; nothing else has any")
  func versions() throws {
    let kept = DocumentKind.all.map { "\($0.name) \($0.earlierVersions) \($0.textBytes)" }
    #expect(
      kept == [
        "preset 4 131072", "setup 8 1310720", "setlist 4 65536", "mark 0 4096", "factory 0 131072",
        "session 0 1310720", "clients 0 65536",
        "cards 0 65536",
        "devices 0 262144",
      ])
    let gathered = DocumentKind.all.filter { $0.gatherSeconds == 1...5 }
    #expect(gathered == [.session, .cards])
    #expect(DocumentKind.all.filter { $0.reports == .nothing } == [.factory, .clients, .cards])
    #expect(
      DocumentKind.all.filter { $0.reports == .savesAndFailures }
        == [.preset, .setup, .setlist, .mark, .devices])
  }

  @Test("A history goes back and forth without losing or doubling a version")
  func history() {
    func document(_ name: String) -> Document { Document(name: name, text: name) }
    func names(_ history: DocumentHistory) -> String {
      (history.earlier + (history.current.map { [$0] } ?? [])).map(\.name).joined()
    }
    var history = DocumentHistory()
    for name in ["a", "b", "b", "c", "d"] { history.replace(document(name), limit: 3) }
    #expect(names(history) == "abcd" && history.versions.map(\.age) == [0, 1, 2, 3])
    #expect(history.versions.map(\.document.name) == ["d", "c", "b", "a"])
    history.replace(document("e"), limit: 3)
    #expect(names(history) == "bcde")
    history.undo()
    #expect(names(history) == "ebcd")
    history.goBack(to: document("b"), limit: 3)
    #expect(names(history) == "decb")
    history.goForward(to: document("d"), limit: 3)
    #expect(names(history) == "ecbd")
    history.replace(nil, limit: 3)
    #expect(names(history) == "cbd" && history.current == nil)
    history.undo()
    #expect(names(history) == "cbd" && history.current?.name == "d")
    // What is found later becomes the oldest, once.
    let found = DocumentHistory(current: document("x"), earlier: [document("c"), document("y")])
    #expect(
      names(history.merging(older: found, limit: 4)) == "yxcbd"
        && names(history.merging(older: found, limit: 3)) == "xcbd")
    #expect(names(history.merging(older: found, limit: 0)) == "d")
    var plain = DocumentHistory()
    for name in ["a", "b"] { plain.replace(document(name), limit: 0) }
    #expect(names(plain) == "b")
  }

  @Test("A number at the end of a name is counted on up to four digits; a longer one is a part of the name")
  func counted() throws {
    let library = Library(database: nil, factory: nil, log: { _ in })
    for name in ["Take 9999", "Take 10000", "Take 0", "Take", "7", "Take -3"] {
      try library.save(.initial, name: name)
    }
    // 10000 is taken.
    #expect(library.nextName("Take 9999") == "Take 10001")
    #expect(library.nextName("Take 10000") == "Take 10000 2" && library.nextName("Take 0") == "Take 0 2")
    #expect(library.nextName("Take") == "Take 2" && library.nextName("7") == "7 2")
    #expect(library.nextName("Take -3") == "Take -3 2")
  }
}

extension Slot {
  /// The slots of the user banks, in ascending order.
  static var userSlots: [Slot] { userNumbers.compactMap { Slot(number: $0) } }
}
