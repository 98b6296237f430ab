import Testing

@testable import Storage

@Suite("The documents of one kind") struct DocumentShelfTests {
  /// A kind as a new feature declares it: four documents with two earlier versions each.
  private static let setlist = DocumentKind(
    "setlist", earlierVersions: 2, textBytes: 200, reports: .savesAndFailures, keys: .numbers(1...12))

  private let shelf = DocumentShelf(Documents(writer: nil), Self.setlist)

  private func text(_ line: String) -> String { "pipit setlist 1\n\(line)\n" }

  private func names() -> [String] { shelf.collection.entries.map { "\($0.key) \($0.document.name)" } }

  @Test("get the first free key, keep it when they are saved again, and are listed by number")
  func save() throws {
    for number in 1...11 { try shelf.save(text("song \(number)"), named: "List \(number)") }
    #expect(try shelf.save(text("song 22"), named: "list 2") == "2")
    #expect(names().first == "1 List 1" && names().last == "11 List 11" && names().count == 11)
    #expect(try shelf.find("2").document == Document(name: "list 2", text: text("song 22")))
    try shelf.remove("List 5")
    #expect(try shelf.save(text("song"), named: "Other") == "5")
    try shelf.save(text("song"), named: "Last")
    #expect(
      throws: DocumentError(description: "could not save \"More\": no key is free for another setlist")
    ) {
      try shelf.save(text("song"), named: "More")
    }
    #expect(throws: DocumentError.self) { try shelf.save(text("song"), named: "\u{200B}\n") }
    #expect(throws: DocumentError.self) { try shelf.save(String(repeating: "x", count: 201), named: "Other") }
  }

  @Test("are found by key, by name in any case, and by the beginning of one name only")
  func find() throws {
    for name in ["Summer", "Sunday", "Winter"] { try shelf.save(text("song"), named: name) }
    #expect(try shelf.find("3").document.name == "Winter" && shelf.find("SUNDAY").key == "2")
    #expect(try shelf.find("sum").key == "1")
    #expect(throws: DocumentError(description: "\"su\" may be \"Summer\", \"Sunday\"")) {
      try shelf.find("su")
    }
    #expect(throws: DocumentError(description: "no setlist is named \"x\"")) { try shelf.find("x") }
    #expect(throws: DocumentError.self) { try shelf.find("") }
  }

  @Test("are renamed, but not to a name that another has")
  func rename() throws {
    for name in ["Summer", "Sunday"] { try shelf.save(text(name), named: name) }
    try shelf.rename("Summer", to: "June")
    try shelf.rename("June", to: "JUNE")
    #expect(names() == ["1 JUNE", "2 Sunday"])
    #expect(try shelf.find("june").document.text == text("Summer"))
    #expect(throws: DocumentError(description: "could not rename \"JUNE\": 2 is named \"sunday\"")) {
      try shelf.rename("june", to: "sunday")
    }
  }

  @Test("lie in the trash when they are removed, and come back; each change is taken back and repeated")
  func history() throws {
    try shelf.save(text("one"), named: "Summer")
    let removed = try shelf.documents.recording { () throws(DocumentError) in try shelf.remove("Summer") }
    #expect(shelf.collection.entries.isEmpty && shelf.collection.trashEntries.map(\.key) == ["1"])
    let returned = try shelf.documents.recording { () throws(DocumentError) in try shelf.restore("summer") }
    #expect(names() == ["1 Summer"] && shelf.collection.trashEntries.isEmpty)
    #expect(returned.allSatisfy { shelf.documents.undo($0) } && names().isEmpty)
    #expect(removed.allSatisfy { shelf.documents.undo($0) } && names() == ["1 Summer"])
    #expect(removed.allSatisfy { shelf.documents.redo($0) } && names().isEmpty)
    #expect(throws: DocumentError.self) { try shelf.restore("Winter") }
    // A change that was changed since is left alone.
    try shelf.save(text("two"), named: "Winter")
    #expect(removed.allSatisfy { !shelf.documents.undo($0) })
  }

  @Test("are carried elsewhere as texts, with name and key")
  func texts() throws {
    try shelf.save(text("one"), named: "Summer")
    try shelf.save(text("two"), named: "Winter")
    let exported = shelf.exported(try shelf.find("winter"))
    #expect(exported == "pipit setlist 1\nname Winter\nkey 2\ntwo\n")
    let other = DocumentShelf(Documents(writer: nil), Self.setlist)
    func imported(_ text: String, named fallback: String = "") throws(DocumentError) -> String {
      try other.save(ExportedText(text, Self.setlist, named: fallback))
    }
    #expect(try imported(exported) == "2")
    #expect(try other.find("2").document == Document(name: "Winter", text: text("two")))
    // The key is taken by another name; the name goes before the key.
    try other.rename("2", to: "Sunday")
    #expect(try imported(exported) == "1")
    #expect(try imported(exported) == "1")
    #expect(try imported(text("three"), named: "Monday") == "3")
    let foreign = exported.replacing("key 2", with: "key ../2").replacing("Winter", with: "X")
    #expect(try imported(foreign) == "4")
    for wrong in ["", "pipit preset 1\n", exported.replacing("name Winter", with: "name \n")] {
      #expect(throws: DocumentError.self) { try imported(wrong) }
    }
    let long = text(String(repeating: "x", count: 200))
    #expect(throws: DocumentError(description: "217 bytes are too many for a setlist; the limit is 200")) {
      try imported(long, named: "Long")
    }
    #expect(other.collection.entries.count == 4)
  }
}
