import Foundation
import Parameters
import Scenes
import Scratch
import Testing
@testable import Presets
@testable import Storage

/// Documents of every kind there is, and how each is kept.
struct DocumentsTests {
  @Test("A document of every kind comes back after a restart, with its name and its versions before")
  func everyKind() throws {
    let folder = Folder()
    let texts = ["one", "two\n'quoted\";\u{0}ß", "three", "four", "five", "six"]
    do {
      let stepped = SteppedLibrary(folder)
      stepped.run(at: 0)
      for kind in DocumentKind.all {
        for text in texts {
          try stepped.library.documents.save(
            Document(name: "Name of \(text.count)", text: text), kind, "a key")
        }
        try stepped.library.documents.save(Document(text: kind.name), kind)
        try stepped.library.documents.save(Document(text: "gone"), kind, "removed")
        stepped.library.documents.remove(kind, "removed")
      }
      #expect(stepped.stop(at: 0))
    }
    let documents = SteppedLibrary(folder)
    documents.run(at: 0)
    for kind in DocumentKind.all {
      let found = documents.library.documents
      let count = kind.earlierVersions
      #expect(found[kind]?.text == kind.name)
      #expect(found[kind, "a key"] == Document(name: "Name of 3", text: "six"))
      #expect(found[all: kind].keys.sorted() == ["", "a key"])
      let earlier = found.history(kind, "a key").earlier.map(\.text)
      #expect(earlier == Array(texts.dropLast().suffix(count)), "\(kind)")
      // What is removed comes back where versions are kept, and is gone where none are.
      #expect(found.undo(kind, "removed") == (count > 0))
      #expect(found[kind, "removed"]?.text == (count > 0 ? "gone" : nil))
    }
  }

  @Test("The names on disk of the kinds are those they were released with")
  func names() {
    let names = ["preset", "setup", "setlist", "mark", "factory", "session", "clients", "cards", "devices"]
    #expect(DocumentKind.all.map(\.name) == names)
  }

  @Test("Each kind is gathered for as long as it says, the others are written at once")
  func gathered() throws {
    for kind in DocumentKind.all {
      let folder = Folder()
      let stepped = SteppedLibrary(folder)
      stepped.run(at: 100)
      try stepped.library.documents.save(Document(text: "text"), kind)
      func written() throws -> Bool {
        try Store(folder.database, writes: false).load(DocumentKind.all)[DocumentID(kind)].current != nil
      }
      let seconds = kind.gatherSeconds.lowerBound
      stepped.run(at: 100)
      #expect(try written() == (seconds == 0), "\(kind)")
      if seconds > 0 {
        stepped.run(at: 100 + seconds - 0.001)
        #expect(try !written(), "\(kind)")
      }
      stepped.run(at: 100 + seconds)
      #expect(try written(), "\(kind)")
    }
  }

  @Test("A text longer than its kind may be is refused, and what was there stays")
  func tooLong() throws {
    let documents = Documents(writer: nil)
    for kind in DocumentKind.all {
      let longest = String(repeating: "x", count: kind.textBytes)
      try documents.save(Document(text: longest), kind)
      #expect {
        try documents.save(Document(text: longest + "x"), kind)
      } throws: { error in
        "\(error)".hasPrefix(
          "could not save \(kind.name): it has \(kind.textBytes + 1) bytes, the limit")
      }
      #expect(documents[kind]?.text == longest)
    }
    // A session that differs in every knob is far from it.
    var session = Session()
    for knob in ParameterID.all {
      session.scene[knob] = Table.rows[knob.row].kind.range.upperBound * 0.987_654_3
    }
    #expect(session.text.utf8.count < DocumentKind.session.textBytes / 4)
  }

  @Test("A document of a kind to come survives what this pipit does to the file, its rescue too")
  func laterKind() throws {
    let folder = Folder()
    do {
      let library = folder.library()
      try library.save(.initial, name: "Mine")
      #expect(library.stop(within: 60))
    }
    try Database(folder.database, create: false).script(
      "INSERT INTO documents VALUES ('later', 'key', 0, 'Name', 'text', NULL, NULL)", "test")
    func later() throws -> [String] {
      var found: [String] = []
      try Database(folder.database, create: false).run(
        "SELECT name, text FROM documents WHERE kind = 'later' AND key = 'key' AND age = 0", [], "test"
      ) { found = [$0.text(0), $0.text(1)] }
      return found
    }
    do {
      let library = folder.library()
      try library.save(.initial, name: "Another")
      #expect(library.stop(within: 60))
    }
    #expect(try later() == ["Name", "text"])
    // The index of the table, which nothing is rescued from.
    try folder.edit { $0.replaceSubrange(2 * 4096..<3 * 4096, with: Data(repeating: 0xA5, count: 4096)) }
    let library = folder.library()
    #expect(folder.damaged.count == 1)
    #expect(library.presets.map(\.name) == ["Mine", "Another"])
    #expect(library.stop(within: 60))
    #expect(try later() == ["Name", "text"])
  }

  @Test(
    "What is on the disk already is not written again, and a text that is made is made once for each write")
  func unchanged() throws {
    let folder = Folder()
    let stepped = SteppedLibrary(folder)
    stepped.run(at: 0)
    let count = Counter()
    let session = Document {
      count.add()
      return "pipit session 1\n"
    }
    for _ in 0..<100 { try stepped.library.documents.save(session, .session) }
    try stepped.library.save(.initial, name: "Sound")
    stepped.run(at: 0)
    #expect(count.value == 1)
    // SQLite counts the changes of a file in its bytes 24 to 27.
    let before = contents(folder.database)
    try stepped.library.documents.save(session, .session)
    try stepped.library.save(.initial, name: "Sound")
    #expect(stepped.run(at: 10).map(\.isDurable) == [true])
    #expect(count.value == 2)
    #expect(contents(folder.database) == before)
    try stepped.library.save(.initial, name: "Another")
    stepped.run(at: 20)
    #expect(contents(folder.database)[24..<28] != before[24..<28])
  }

  @Test("Versions have the same times after a restart, also when texts have come back to what they were")
  func times() throws {
    let folder = Folder()
    let stepped = SteppedLibrary(folder)
    stepped.run(at: 0)
    let documents = stepped.library.documents
    func save(_ text: String, _ saved: Int) throws {
      try documents.save(Document(name: "Name", text: text, saved: saved), .setlist, "1")
    }
    func times(_ history: DocumentHistory) -> [Int?] { history.versions.map(\.document.saved) }
    func shown() -> [Int?] { times(documents.history(.setlist, "1")) }
    func stored() throws -> [Int?] {
      times(try Store(folder.database, writes: false).load(DocumentKind.all)[DocumentID(.setlist, "1")])
    }
    try save("a", 100)
    try save("b", 200)
    stepped.run(at: 1)
    // The version that is saved already.
    try save("b", 221)
    stepped.run(at: 2)
    #expect(try shown() == [200, 100] && stored() == [200, 100])
    // The other version and back, in one write.
    #expect(try documents.restore(age: 1, as: Document(name: "Name", text: "a", saved: 300), .setlist, "1"))
    #expect(try documents.restore(age: 1, as: Document(name: "Name", text: "b", saved: 321), .setlist, "1"))
    stepped.run(at: 3)
    #expect(try shown() == [321, 300] && stored() == [321, 300])
  }

  @Test("A database that is out of reach at the start brings documents when it is there; what is newer stays")
  func late() throws {
    let folder = Folder()
    do {
      let library = folder.library()
      for (kind, text) in [(DocumentKind.clients, "one"), (.session, "pipit session 1\nfocus 3\n")] {
        try library.documents.save(Document(text: text), kind)
      }
      #expect(library.stop(within: 60))
    }
    let other = try Database(folder.database, create: false)
    try other.script("BEGIN EXCLUSIVE", "hold the file")
    let stepped = SteppedLibrary(folder)
    stepped.run(at: 0)
    let documents = stepped.library.documents
    #expect(!documents.isRead && documents[.clients] == nil)
    try documents.save(Document(text: "two"), .clients)
    try other.script("COMMIT", "let go")
    stepped.run(at: 10)
    #expect(documents.isRead && documents[.clients]?.text == "two")
    #expect(stepped.library.session?.focus == 2)
    #expect(
      try Store(folder.database, writes: false).load(DocumentKind.all)[DocumentID(.clients)].current?.text
        == "two")
  }

  @Test("A database that is deleted while pipit runs gets all documents again")
  func deleted() throws {
    let folder = Folder()
    let stepped = SteppedLibrary(folder)
    stepped.run(at: 0)
    for kind in DocumentKind.all {
      try stepped.library.documents.save(Document(text: "text"), kind, "key")
    }
    stepped.run(at: 10)
    try FileManager.default.removeItem(atPath: folder.database)
    try stepped.library.save(.initial, name: "After")
    #expect(stepped.run(at: 20).contains { $0.note?.contains("deleted") == true })
    let found = try Store(folder.database, writes: false).load(DocumentKind.all)
    for kind in DocumentKind.all { #expect(found[DocumentID(kind, "key")].current?.text == "text") }
  }

  @Test("What is removed while the file is out of reach does not come back with it")
  func removed() throws {
    let folder = Folder()
    let stepped = SteppedLibrary(folder)
    stepped.run(at: 0)
    let documents = stepped.library.documents
    for kind in DocumentKind.all { try documents.save(Document(text: "text"), kind, "key") }
    stepped.run(at: 10)
    let copy = contents(folder.database)
    for kind in DocumentKind.all { documents.remove(kind, "key") }
    // Another file lies there now, with the same in it.
    try FileManager.default.removeItem(atPath: folder.database)
    folder.file("presets.sqlite", copy)
    stepped.run(at: 20)
    let found = try Store(folder.database, writes: false).load(DocumentKind.all)
    for kind in DocumentKind.all {
      #expect(documents[kind, "key"] == nil && found[DocumentID(kind, "key")].current == nil, "\(kind)")
    }
  }

  @Test("Of what is kept in silence the player hears nothing, on a disk that can only be read either")
  func silence() throws {
    guard let disk = try Disk.readOnly() else { return }
    let stepped = SteppedLibrary(disk.folder)
    stepped.run(at: 0)
    let documents = stepped.library.documents
    try documents.save(Document(text: "one"), .clients)
    for seconds in 1...60 { #expect(stepped.run(at: Double(seconds)).isEmpty) }
    // Nobody tries again and again for their sake.
    #expect(stepped.round(at: 61) == Double(Int64.max) * 1e-9)
    // When it can be written to, they follow with the next preset.
    #expect(disk.readOnly(false))
    try stepped.library.save(.initial, name: "New")
    #expect(stepped.run(at: 70).contains { $0.isDurable || $0.failure != nil })
    #expect(stepped.stop(at: 80))
    #expect(
      try Store(disk.folder.database, writes: false).load(DocumentKind.all)[DocumentID(.clients)].current?
        .text == "one")
  }

  @Test("What is kept in silence holds up nothing on a full disk, and follows when there is room")
  func full() throws {
    guard let disk = Disk(kilobytes: 96) else { return }
    let stepped = SteppedLibrary(disk.folder)
    stepped.run(at: 0)
    let documents = stepped.library.documents
    try documents.save(Document(text: "one"), .clients)
    try stepped.library.save(.initial, name: "Before")
    #expect(stepped.run(at: 1).map(\.isDurable) == [true])
    disk.folder.file("ballast", String(repeating: "x", count: 40_000))
    try documents.save(Document(text: String(repeating: "two\n", count: 15_000)), .clients)
    #expect(stepped.run(at: 2).isEmpty)
    try stepped.library.save(.initial, name: "Small")
    #expect(stepped.run(at: 3).map(\.isDurable) == [true])
    let found = try Store(disk.folder.database, writes: false).load(DocumentKind.all)
    #expect(found[DocumentID(.clients)].current?.text == "one" && found[.preset].histories.count == 2)
    #expect(disk.run("mount", "-o", "remount,size=4m", disk.folder.path))
    #expect(stepped.run(at: 13).isEmpty)
    #expect(
      try Store(disk.folder.database, writes: false).load(DocumentKind.all)[DocumentID(.clients)].current?
        .text.hasPrefix(
          "two")
        == true)
  }
}

/// Counts on any thread; the tests run everything on one.
private final class Counter: @unchecked Sendable {
  private(set) var value = 0
  func add() { value += 1 }
}
