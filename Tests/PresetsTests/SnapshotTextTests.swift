import Parameters
import Scenes
import Scratch
import Storage
import Synth
import Testing
@testable import Presets

/// Snapshots in the text of presets and of the session.
@Suite struct SnapshotTextTests {
  private static let head = "pipit preset 1\n"

  @Test("Every sound with snapshots reads back from its text bit for bit, and fits into a preset")
  func roundTrip() throws {
    var longest = 0
    for seed in 0..<60 {
      var sound = PartSound(patch: randomPatch(UInt64(seed)))
      for index in 0..<Limits.snapshots where (seed + index) % 3 != 0 || seed < 5 {
        let name = index % 2 == 0 ? "" : "Chör \"\(index)\" \(String(repeating: "x", count: 48))"
        sound.snapshots[index] = Snapshot(randomPatch(UInt64(1_000 + seed * 8 + index)), name: name)
      }
      let text = PresetText.write(sound, name: "Full")
      longest = max(longest, text.utf8.count)
      let reading = try PresetText.read(text)
      #expect(reading.warnings.isEmpty)
      #expect(
        bits(reading.patch) == bits(sound.patch) && reading.snapshots == sound.snapshots, "seed \(seed)")
    }
    print("snapshots: the longest preset with eight random snapshots has \(longest) bytes")
    #expect(longest < Limits.presetBytes)
  }

  @Test("The text of a snapshot holds what differs from the sound, in units, and steps that became rests")
  func onlyWhatDiffers() {
    var patch = Patch.initial
    patch.filter.cutoff = 420
    patch.sequence[2] = SequenceStep(note: 5, velocity: 90)
    var sound = PartSound(patch: patch)
    sound.snapshots[3] = Snapshot(patch)
    patch.effects.chorus.on = 1
    patch.filter.cutoff = Patch.initial.filter.cutoff
    patch.sequence[2] = SequenceStep()
    sound.snapshots[1] = Snapshot(patch, name: "Chorus")
    #expect(
      PresetText.write(sound) == """
        pipit preset 1
        /filter/cutoff/hz 420
        /sequence/step/3 5 90 50 1
        snapshot B "Chorus"
        /filter/cutoff/hz 8000
        /chorus/on on
        /sequence/step/3 rest
        snapshot D

        """)
  }

  @Test("A knob that a snapshot does not name, as a new one, has the value of the sound")
  func newKnob() throws {
    let text =
      Self.head + "/filter/cutoff/hz 420\n/macro/1/percent 30\nsnapshot b \"B\"\n/filter/cutoff/hz 90\n"
    let snapshot = try #require(try PresetText.read(text).snapshots[1])
    #expect(snapshot.patch.macro1 == 0.3 && snapshot.patch.filter.cutoff == 90)
  }

  @Test(
    "A line that names no snapshot is told with its number, and what is below it changes nothing else",
    arguments: [
      ("snapshot I \"No\"", "expected a letter from A to H, and a name in quotes"),
      ("snapshot", "expected a letter from A to H, and a name in quotes"),
      ("snapshot AB \"No\"", "expected a letter from A to H, and a name in quotes"),
      ("snapshot B Chorus", "expected a letter from A to H, and a name in quotes"),
      ("snapshot B \"Chorus", "expected a letter from A to H, and a name in quotes"),
      ("snapshot B \"", "expected a letter from A to H, and a name in quotes"),
      ("snapshot a \"Again\"", "the text has two snapshots a"),
    ])
  func wrong(_ line: String, _ problem: String) throws {
    let text =
      Self.head + "/filter/cutoff/hz 420\nsnapshot A \"First\"\n/macro/1/percent 10\n\(line)\n"
      + "/filter/cutoff/hz 99\n/filter/resonance/percent 50\nsnapshot H\n/macro/2/percent 20\n"
    let reading = try PresetText.read(text)
    #expect(reading.warnings.count == 1 && reading.warnings[0].line == 5)
    #expect(reading.warnings[0].problem.contains(problem), "\(reading.warnings)")
    #expect(reading.patch.filter.cutoff == 420 && reading.patch.filter.resonance == 0)
    #expect(reading.snapshots.filled == [0, 7])
    #expect(reading.snapshots[0]?.patch.macro1 == 0.1 && reading.snapshots[0]?.patch.filter.cutoff == 420)
    #expect(reading.snapshots[0]?.name == "First" && reading.snapshots[7]?.patch.macro2 == 0.2)
  }

  @Test("A knob of a part is told inside a snapshot as it is outside")
  func wrongKnob() throws {
    let reading = try PresetText.read(
      Self.head + "snapshot C\n/level/db -6\n/theremin 3\n/filter/cutoff/hz 1e9\n")
    #expect(reading.warnings.map(\.line) == [3, 4, 5])
    #expect(reading.snapshots[2]?.patch.filter.cutoff == 20_000)
  }

  @Test("The session keeps the snapshots of each part, and fits its document in the worst case")
  func session() throws {
    var session = Session()
    for part in 0..<Limits.parts {
      session.scene[part].patch = randomPatch(UInt64(part))
      for index in 0..<Limits.snapshots where part != 2 {
        session.snapshots[part][index] = Snapshot(
          randomPatch(UInt64(100 + part * 8 + index)), name: "S \(index)")
      }
    }
    let text = session.text
    print("snapshots: the longest session has \(text.utf8.count) bytes")
    #expect(text.utf8.count < Limits.sessionTextBytes)
    let (read, warnings) = try Session.read(text)
    #expect(warnings.isEmpty && read.snapshots == session.snapshots && read.snapshots[2].isEmpty)
    for part in 0..<Limits.parts { #expect(bits(read.scene[part].patch) == bits(session.scene[part].patch)) }
    let wrong = try Session.read("pipit session 1\nsnapshot 9 A\n/filter/cutoff/hz 99\nsnapshot 8 A \"\"\n")
    #expect(wrong.warnings.map(\.line) == [2] && wrong.session.scene[0].patch.filter.cutoff == 8_000)
    #expect(wrong.session.snapshots[7].filled == [0] && wrong.session.snapshots[0].isEmpty)
  }

  @Test("A saved sound is recalled with its snapshots, and two versions differ in what was changed in one")
  func library() throws {
    let library = Library(database: nil, factory: nil, log: { _ in })
    var snapshots = Snapshots()
    snapshots[1] = Snapshot(randomPatch(1), name: "Chorus")
    let saved = try library.save(.initial, snapshots: snapshots, name: "Mine")
    #expect(library.sound(of: saved) == PartSound(snapshots: snapshots))
    var changed = try #require(snapshots[1])
    changed.patch.filter.cutoff = changed.patch.filter.cutoff == 420 ? 421 : 420
    changed.name = "Wide"
    snapshots[1] = changed
    snapshots[7] = changed
    let other = try library.save(.initial, snapshots: snapshots, name: "Mine")
    let differences = library.differences(from: saved, to: other)
    #expect(
      differences.map(\.address) == ["/snapshot/b", "/snapshot/b/filter/cutoff", "/snapshot/h"])
    #expect(differences[0].before == "\"Chorus\"" && differences[0].after == "\"Wide\"")
    #expect(differences[2].before == "" && differences[2].after == "\"Wide\"")
  }

  @Test(
    "Whatever becomes of a text, reading ends, every knob is in its range, and it writes what it reads back")
  func fuzz() throws {
    var dice = SeededRandom(SeededRandom.chosenSeed ?? 1)
    var sound = PartSound(patch: randomPatch(1))
    for index in [0, 1, 7] {
      sound.snapshots[index] = Snapshot(randomPatch(UInt64(index)), name: "N \(index)")
    }
    let whole = Array(PresetText.write(sound, name: "Fuzz").utf8)
    let pieces = [
      "snapshot ", "snapshot A \"", "\"", "\n", " ", "B", "/sequence/step/", "\u{0}", "\u{FEFF}", "rest",
    ]
    var (refused, warned) = (0, 0)
    for _ in 0..<400 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...20, using: &dice) {
        let place = Int.random(in: 0..<bytes.count, using: &dice)
        switch Int.random(in: 0..<4, using: &dice) {
        case 0: bytes[place] = .random(in: 0...255, using: &dice)
        case 1: bytes.removeSubrange(place..<min(place + .random(in: 1...200, using: &dice), bytes.count))
        case 2: bytes.insert(contentsOf: Array((pieces.randomElement(using: &dice) ?? "").utf8), at: place)
        default: bytes.insert(contentsOf: whole[..<min(place, whole.count)].suffix(300), at: place)
        }
        if bytes.isEmpty { bytes = [10] }
      }
      let names = NameRegister()
      guard let reading = try? PresetText.read(String(decoding: bytes, as: UTF8.self), names: names) else {
        refused += 1
        continue
      }
      warned += reading.warnings.isEmpty ? 0 : 1
      let patches = [reading.patch] + reading.snapshots.filled.compactMap { reading.snapshots[$0]?.patch }
      for patch in patches {
        for row in Table.rows where row.field.scope == .patch {
          #expect(row.kind.knowing(names).range.contains(patch[row]), "\(row.address)")
        }
      }
      let text = PresetText.write(reading.patch, snapshots: reading.snapshots, names: names)
      let again = try PresetText.read(text, names: names)
      #expect(again.warnings.isEmpty && again.snapshots == reading.snapshots)
    }
    print("snapshots: of 400 damaged texts \(refused) are refused, \(warned) read with warnings")
    #expect(refused < 300 && warned > 50)
  }
}
