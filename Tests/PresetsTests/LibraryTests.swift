import Glibc
import Parameters
import Scenes
import Scratch
import Testing
@testable import Presets
@testable import Storage

private let factoryFiles = [
  "01-warm-bass.txt": "pipit preset 1\nname Warm Bass\n/filter/cutoff/hz 400\n",
  "02-lead.txt": "pipit preset 1\nname Lead\n/filter/cutoff/hz 4000\n",
  "bench.txt": "pipit preset 1\n/lfo/1/rate/hz 7\n",
  "03-broken.txt": "no preset at all\n",
  "notes.md": "not read",
]

private func withFactory() throws -> Folder {
  let folder = Folder()
  for (name, text) in factoryFiles { folder.file("factory/" + name, text) }
  return folder
}

@Test("What is saved is there at once, and after a restart bit for bit")
func restart() throws {
  let folder = Folder()
  let patch = randomPatch(5)
  do {
    let library = folder.library()
    let preset = try library.save(patch, name: "  Föhn\u{7} ")
    #expect(preset.slot == Slot(bank: 1, program: 0))
    #expect(preset.name == "Föhn")
    #expect(library.named("FÖHN") == preset)
    #expect(library.stop(within: 60))
  }
  let library = folder.library()
  let preset = try #require(library.named("föhn"))
  #expect(!preset.isFactory)
  #expect(bits(try #require(library.patch(of: preset))) == bits(patch))
}

@Test("Factory presets come from the folder in its order, one without a number by its name only")
func factory() throws {
  let folder = try withFactory()
  var log: [String] = []
  do {
    let library = Library(database: folder.database, factory: folder.path + "/factory") { log.append($0) }
    #expect(library.presets.map(\.name) == ["Warm Bass", "Lead"])
    #expect(library.presets.map(\.slot) == [Slot(bank: 0, program: 0), Slot(bank: 0, program: 1)])
    #expect(library.presets.map(\.isFactory) == [true, true])
    let bench = try #require(library.named("Bench"))
    #expect(bench.slot == nil)
    #expect(library.patch(of: bench)?.lfo.shape.rate == 7)
    #expect(log.count == 1 && log[0].contains("03-broken.txt: the first line is"))
    #expect(library.stop(within: 60))
  }
  // Without the folder, the database still has them.
  let library = folder.library(factory: folder.path + "/nowhere")
  #expect(library.presets.map(\.name) == ["Warm Bass", "Lead"])
  #expect(library.named("bench") != nil)
  #expect(library.stop(within: 60))
}

@Test("A newer set of factory presets replaces the older one and leaves the player's presets alone")
func factoryUpdate() throws {
  let folder = try withFactory()
  do {
    let library = folder.library(factory: folder.path + "/factory")
    try library.save(randomPatch(1), name: "Mine", slot: slot(0, 1))
    #expect(library.stop(within: 60))
  }
  folder.file("factory/02-lead.txt", "pipit preset 1\nname New Lead\n")
  folder.file("factory/04-pad.txt", "pipit preset 1\nname Pad\n")
  do {
    let library = folder.library(factory: folder.path + "/factory")
    #expect(library.presets.map(\.name) == ["Warm Bass", "Mine", "Pad"])
    try library.remove(slot(0, 1))
    #expect(library.presets.map(\.name) == ["Warm Bass", "New Lead", "Pad"])
    #expect(library.stop(within: 60))
  }
  let library = folder.library(factory: nil)
  #expect(library.presets.map(\.name) == ["Warm Bass", "New Lead", "Pad"])
  try library.undo(slot(0, 1))
  #expect(library.presets.map(\.name) == ["Warm Bass", "Mine", "Pad"])
  #expect(library.stop(within: 60))
}

@Test("A save goes to the slot given, else over the player's own, else to the first free place")
func whereTo() throws {
  let folder = try withFactory()
  let library = folder.library(factory: folder.path + "/factory")
  let bass = try slot(0, 0)
  // From a factory preset, without a name: a copy of the player's own, found before the factory's.
  #expect(try library.save(randomPatch(1), current: bass).slot == slot(1, 0))
  #expect(library.named("warm bass")?.slot == Slot(bank: 1, program: 0))
  #expect(library[bass]?.isFactory == true)
  // Again, now from the copy: it is overwritten.
  #expect(try library.save(randomPatch(2), current: slot(1, 0)).slot == slot(1, 0))
  // A name that is new is a new preset, one that the player has is overwritten.
  #expect(try library.save(randomPatch(3), name: "Other", current: slot(1, 0)).slot == slot(1, 1))
  #expect(try library.save(randomPatch(4), name: "OTHER", current: slot(1, 0)).slot == slot(1, 1))
  // A factory preset's name alone does not overwrite it.
  #expect(try library.save(randomPatch(5), name: "Lead").slot == slot(1, 2))
  // A slot is taken, the factory's too.
  #expect(try library.save(randomPatch(6), slot: bass).name == "Warm Bass")
  #expect(library[bass]?.isFactory == false)
  #expect(try library.save(randomPatch(7), slot: slot(5, 9)).name == "Preset 5-9")
  try library.remove(bass)
  #expect(library[bass]?.isFactory == true)
  #expect(throws: DocumentError.self) { try library.remove(bass) }
  #expect(throws: DocumentError.self) { try library.remove(slot(3, 3)) }
  #expect(library.stop(within: 60))
}

@Test("Next and previous go round, from a slot that is empty too")
func around() throws {
  let folder = try withFactory()
  let library = folder.library(factory: folder.path + "/factory")
  try library.save(.initial, name: "Far", slot: slot(2, 7))
  let slots = [try slot(0, 0), try slot(0, 1), try slot(2, 7)]
  for (index, place) in slots.enumerated() {
    #expect(library.next(after: place)?.slot == slots[(index + 1) % 3])
    #expect(library.previous(before: place)?.slot == slots[(index + 2) % 3])
  }
  #expect(library.next(after: try slot(1, 50))?.slot == slots[2])
  #expect(library.previous(before: try slot(1, 50))?.slot == slots[1])
  #expect(library.next(after: nil)?.slot == slots[0])
  #expect(library.previous(before: nil)?.slot == slots[2])
  let empty = Folder().library()
  #expect(empty.next(after: nil) == nil)
  #expect(empty.previous(before: try slot(0, 0)) == nil)
}

@Test("Undo walks back through saves and removals, loses nothing, and survives a restart")
func undo() throws {
  let folder = Folder()
  let place = try slot(1, 0)
  do {
    let library = folder.library()
    try library.save(.initial, name: "One", slot: place)
    try library.save(.initial, name: "Two", slot: place)
    try library.save(.initial, name: "Two", slot: place)
    try library.save(.initial, name: "Three", slot: place)
    try library.remove(place)
    #expect(library.presets.isEmpty)
    #expect(try library.undo(place)?.name == "Three")
    #expect(try library.undo(place)?.name == "Two")
    #expect(library.stop(within: 60))
  }
  let library = folder.library()
  #expect(library[place]?.name == "Two")
  #expect(try library.undo(place)?.name == "One")
  #expect(try library.undo(place)?.name == "Three")
  for number in 0..<50 { try library.save(.initial, name: "\(number)", slot: place) }
  #expect(library.history(place).earlier.map(\.name) == ["45", "46", "47", "48"])
  #expect(throws: DocumentError.self) { try library.undo(slot(1, 1)) }
  #expect(library.stop(within: 60))
}

@Test("The session comes back, and a flood of changes is written once a second")
func session() throws {
  let folder = Folder()
  func written() -> Session? {
    Library(database: folder.database, factory: nil, writes: false) { Issue.record("\($0)") }.session
  }
  let stepped = SteppedLibrary(folder)
  stepped.run(at: 0)
  #expect(stepped.library.session == nil)
  var session = Session()
  for step in 1..<1_000 {
    session.scene.master.level = -Float(step % 50)
    session.focus = step % 8
    stepped.library.save(session)
    if step % 100 == 0 {
      stepped.run(at: Double(step) / 1_000)
      // The first hundred came at 0.1 s; nothing is written before 1.1 s.
      #expect(written() == nil, "\(step)")
    }
  }
  session.scene.master.level = -12.5
  session.presets[2] = try slot(1, 3)
  stepped.library.save(session)
  stepped.run(at: 1.099)
  #expect(written() == nil)
  stepped.run(at: 1.1)
  let found = try #require(written())
  #expect(found.scene.master.level == -12.5 && found.focus == 7)
  #expect(found.presets[2] == Slot(bank: 1, program: 3))
  // With a preset, or at the end, it does not wait.
  session.focus = 1
  stepped.library.save(session)
  try stepped.library.save(.initial, name: "Sound")
  stepped.run(at: 6)
  #expect(written()?.focus == 1)
  session.focus = 2
  stepped.library.save(session)
  #expect(stepped.stop(at: 7))
  #expect(written()?.focus == 2)
}

@Test("A start reads a thousand presets with as many statements as one, and does not look into their texts")
func thousand() throws {
  var statements: [Int] = []
  for count in [1, 1_000] {
    let folder = Folder()
    var presets: [DocumentID: DocumentHistory] = [:]
    for number in 0..<count {
      let id = DocumentID(.preset, try slot(1 + number / 128, number % 128).key)
      presets[id] = DocumentHistory(
        current: Document(name: "Preset \(number)", text: "no preset at all"),
        earlier: [Document(name: "Earlier", text: "nor this")])
    }
    try Store(folder.database, writes: true).write(presets)
    let store = try Store(folder.database, writes: true)
    #expect(try store.load(DocumentKind.all)[.preset].histories.count == count)
    statements.append(store.statementsRun)
    // That they are no presets is found out when one of them is recalled.
    var log: [String] = []
    let library = Library(database: folder.database, factory: nil) { log.append($0) }
    #expect(library.presets.count == count)
    #expect(log.isEmpty)
    #expect(library.patch(of: try #require(library.presets.last)) == nil)
    #expect(log.count == 1)
  }
  // Measured: how far it was migrated (five statements), whether it is whole, and everything.
  #expect(statements == [7, 7])
}
