import Glibc
import Parameters
import Scenes
import Scratch
import Testing
@testable import Presets

/// General MIDI's programs, and what the files of a folder become.
struct ProgramTests {
  private let names: Set<String> = ["warm bass", "pad", "kit"]

  private func read(_ lines: String) throws -> (table: ProgramTable, lines: [Int]) {
    let (table, warnings) = try ProgramTable.read("pipit programs 1\n" + lines, names: names)
    return (table, warnings.map(\.line))
  }

  @Test("A line of the table is a program from 1, a preset, octaves and a comment; a wrong one is left out")
  func lines() throws {
    let (table, wrong) = try read(
      """
      1 Warm Bass +1 # Acoustic Grand
      128 PAD -2
      2 pad +9
      3 pad -9
      4 pad
      0 pad
      129 pad
      1 pad
      5 nobody
      drums Kit -1 # all of them
      x pad
      6
      """)
    typealias Entry = ProgramTable.Entry
    #expect(table.programs[0] == Entry(name: "Warm Bass", octaves: 1, standard: "Acoustic Grand"))
    #expect(table.programs[127] == Entry(name: "PAD", octaves: -2))
    #expect(table.programs[1] == Entry(name: "pad", octaves: 3))
    #expect(table.programs[2] == Entry(name: "pad", octaves: -3) && table.programs[3] == Entry(name: "pad"))
    #expect(table.drums == Entry(name: "Kit", octaves: -1, standard: "all of them"))
    #expect(table.programs.count { $0 != nil } == 5 && table.programs.count == 128)
    #expect(wrong == [7, 8, 9, 10, 12, 13])
  }

  @Test("A key of the kit is two keys and perhaps a group, once")
  func keys() throws {
    let (table, wrong) = try read(
      """
      key 0 127
      key 127 0 127
      key 42 44 1 # hat
      key 42 45
      key 43 44 0
      key 44 44 128
      key 128 1
      key 1 128
      key 5
      key 6 7 1 2
      """)
    #expect(
      table.keys == [0: Drum(key: 127), 127: Drum(key: 0, group: 127), 42: Drum(key: 44, group: 1)])
    #expect(wrong == [5, 6, 7, 8, 9, 10, 11])
  }

  @Test("A program has a tone, an attack, a velocity and a level, and a drum its own preset, once")
  func tones() throws {
    let (table, wrong) = try read(
      """
      1 Warm Bass -1 tone-0.5 velocity98 -3.5dB # Acoustic Grand
      2 Pad +2dB
      3 Pad tone+9 velocity-7 -99dB
      4 Pad tone1 +1
      5 Pad tone-1 attack-2.5 -3dB
      6 Pad attack2
      drum 36 48 Pad tone+0.5 # Bass Drum 1
      drum 36 48 Kit
      drum 128 48 Kit
      drum 37 48
      drum 38 48 nobody
      drum 39 127 Kit
      """)
    typealias Entry = ProgramTable.Entry
    let piano = Entry(
      name: "Warm Bass", octaves: -1, decibels: -3.5, tone: -0.5, velocity: 0.98, standard: "Acoustic Grand")
    #expect(table.programs[0] == piano)
    #expect(table.programs[1] == Entry(name: "Pad", decibels: 2))
    #expect(table.programs[2] == Entry(name: "Pad", decibels: -24, tone: 4, velocity: 0))
    #expect(table.programs[4] == Entry(name: "Pad", decibels: -3, tone: -1, attack: -2.5))
    #expect(table.programs[5] == Entry(name: "Pad"))
    #expect(Set(table.sounds.keys) == [36, 39])
    #expect(table.sounds[36]?.key == 48 && table.sounds[36]?.entry == Entry(name: "Pad", tone: 0.5))
    #expect(table.sounds[39]?.key == 127 && table.sounds[39]?.entry == Entry(name: "Kit"))
    #expect(wrong == [5, 9, 10, 11, 12])
    var patch = Patch.initial
    (patch.filter.cutoff, patch.amplifier.level) = (1_000, 0)
    patch.move(octaves: 0, decibels: -3, tone: -1)
    #expect(patch.filter.cutoff == 500 && patch.amplifier.level == -3)
    // Without a depth of its own, its level follows the square of the velocity, whatever the preset's does.
    patch.follow(piano)
    #expect(patch.amplifier.velocity == 0.98)
    patch.follow(Entry(name: "Pad"))
    #expect(patch.amplifier.velocity == 1)
    (patch.amplifier.envelope.attack, patch.filter.envelope.attack) = (0.8, 0.4)
    patch.follow(Entry(name: "Pad", attack: -2))
    #expect(patch.amplifier.envelope.attack == 0.2 && patch.filter.envelope.attack == 0.1)
  }

  @Test("Drums with one preset share a sound; the kit's own comes first")
  func kit() throws {
    let folder = Folder()
    for (file, cutoff) in [("kit", 50), ("gm/low", 100), ("gm/high", 200)] {
      folder.file("factory/\(file).txt", "pipit preset 1\n/filter/cutoff/hz \(cutoff)\n")
    }
    folder.file(
      "factory/gm.txt",
      "pipit programs 1\ndrums kit\nkey 40 41 2\ndrum 40 60 high\ndrum 41 61 low # x\ndrum 42 62 low\n")
    let library = Library(database: nil, factory: folder.path + "/factory") { Issue.record("\($0)") }
    let kit = library.kit
    #expect(kit.patches.map(\.filter.cutoff) == [50, 200, 100])
    #expect(kit.drums[40] == Drum(key: 41, group: 2, sound: 1, soundKey: 60))
    #expect(kit.drums[41] == Drum(key: 41, sound: 2, soundKey: 61))
    #expect(kit.drums[42] == Drum(key: 42, sound: 2, soundKey: 62) && kit.drums[43] == Drum(key: 43))
    #expect(Set(library.outside.map(\.name)) == ["kit", "low", "high"])
  }

  @Test("A line begins a kit, with a program and a preset of its own; the lines of drums after it are its")
  func kitLines() throws {
    let (table, wrong) = try read(
      """
      drums Kit
      key 40 41
      drum 40 60 pad
      kit 26 Kit tone+0.5 # TR-808
      key 40 42 1
      drum 40 61 Warm Bass
      kit 27 kit tone+0.5
      kit 1 Kit -1dB
      kit 26 Kit -1dB
      kit 9 nobody
      kit 9
      kit 9 Kit
      kit 41 Pad
      key 40 43
      key 40 44
      """)
    typealias Entry = ProgramTable.Entry
    #expect(wrong == [8, 9, 10, 11, 12, 13, 16])
    #expect(table.kits.map(\.program) == [25, 40])
    let entries = [Entry(name: "Kit", tone: 0.5, standard: "TR-808"), Entry(name: "Pad")]
    #expect(table.kits.map(\.entry) == entries)
    #expect(table.keys[40] == Drum(key: 41) && table.sounds[40]?.entry.name == "pad")
    #expect(table.kits[0].keys == [40: Drum(key: 42, group: 1)] && table.kits[0].sounds[40]?.key == 61)
    #expect(table.kits[1].keys == [40: Drum(key: 43)] && table.kits[1].sounds.isEmpty)
  }

  @Test("A kit has the standard kit's drums but for its own, and its program chooses it on channel 10")
  func kits() throws {
    let folder = Folder()
    for (file, cutoff) in [("kit", 50), ("gm/low", 100), ("gm/high", 200)] {
      folder.file("factory/\(file).txt", "pipit preset 1\n/filter/cutoff/hz \(cutoff)\n")
    }
    folder.file(
      "factory/gm.txt",
      """
      pipit programs 1
      drums kit
      key 40 41 2
      drum 40 60 high
      drum 41 61 low
      kit 26 kit -3dB
      key 40 44
      drum 41 70 high
      drum 90 71 low tone+1
      """)
    let library = Library(database: nil, factory: folder.path + "/factory") { Issue.record("\($0)") }
    let kit = library.kit
    #expect(kit.patches.map(\.filter.cutoff) == [50, 50, 200, 100, 200])
    #expect(kit.patches[1].amplifier.level == kit.patches[0].amplifier.level - 3)
    #expect(kit.drums[40] == Drum(key: 41, group: 2, sound: 2, soundKey: 60))
    #expect(kit.drums[41] == Drum(key: 41, sound: 3, soundKey: 61) && kit.drums[90] == .silent)
    let other = try #require(kit.others.first)
    #expect(kit.others.count == 1 && other[40] == Drum(key: 44, sound: 2, soundKey: 60))
    #expect(other[41] == Drum(key: 41, sound: 2, soundKey: 70))
    #expect(other[90] == Drum(key: 90, sound: 4, soundKey: 71) && other[91] == .silent)
    func level(_ bank: Int, _ program: Int, _ channel: Int) -> Float? {
      library.preset(bank: bank, program: program, channel: channel, order: .gm)
        .flatMap { library.patch(of: $0) }?.amplifier.level
    }
    let (standard, quiet) = (kit.patches[0].amplifier.level, kit.patches[1].amplifier.level)
    // On channel 10, and by the banks of drums; an unknown kit is the standard one.
    #expect(level(0, 25, 9) == quiet && level(120 * 128, 25, 0) == quiet && level(127 * 128, 25, 3) == quiet)
    for program in [0, 1, 24, 26, 127] { #expect(level(0, program, 9) == standard) }
  }

  private func library() throws -> Library {
    let folder = Folder()
    for (file, cutoff) in [("01-first", 100), ("03-third", 300), ("kit", 50)] {
      folder.file("factory/\(file).txt", "pipit preset 1\n/filter/cutoff/hz \(cutoff)\n/filter/track 1\n")
    }
    folder.file("factory/gm.txt", "pipit programs 1\n1 third\n3 first +1\ndrums kit\n")
    let library = Library(database: nil, factory: folder.path + "/factory") { Issue.record("\($0)") }
    try library.save(.initial, name: "Own", slot: slot(1, 0))
    try library.save(.initial, name: "Hidden", slot: slot(0, 2))
    return library
  }

  @Test("A bank and a program mean the same preset in either order, or General MIDI's where the song is")
  func banks() throws {
    let library = try library()
    func name(_ bank: Int, _ program: Int, on channel: Int = 0, _ order: ProgramOrder) -> String? {
      library.preset(bank: bank, program: program, channel: channel, order: order)?.name
    }
    for order in [ProgramOrder.pipit, .gm] {
      // 121 · 128 and what follows is General MIDI's bank, 120 · 128 its drums.
      for fine in [0, 127] {
        #expect(name(121 * 128 + fine, 0, order) == "third" && name(121 * 128 + fine, 1, order) == nil)
        #expect(name(120 * 128 + fine, 77, order) == "kit")
      }
      #expect(name(1, 0, order) == "Own" && name(1, 0, on: Limits.drumChannel, order) == "Own")
    }
    #expect(
      name(0, 0, .pipit) == "first" && name(0, 2, .pipit) == "Hidden" && name(0, 0, on: 9, .pipit) == "first")
    #expect(name(0, 0, .gm) == "third" && name(0, 2, .gm) == "first" && name(0, 2, on: 9, .gm) == "kit")
    // Another bank of another device, and the drums of an older one.
    #expect(name(8 * 128, 0, .gm) == "third" && name(8 * 128, 0, .pipit) == nil)
    #expect(name(127 * 128, 0, .gm) == "kit" && name(126 * 128, 0, .gm) == "third")
    #expect(name(1, 1, .gm) == nil && name(1, 1, .pipit) == nil)
    #expect(library.generalMIDI(-1) == nil && library.generalMIDI(128) == nil)
    let entries = try #require(library.generalMIDIEntries)
    #expect(entries.map(\.program) == [0, 2, nil] && entries.map(\.preset) == ["third", "first", "kit"])
    #expect(entries.map(\.octaves) == [0, 1, 0])
  }

  @Test("A preset that is moved by octaves sounds as if it were played there, its filter too")
  func octaves() throws {
    let library = try library()
    let preset = try #require(library.generalMIDI(2))
    let moved = try #require(library.patch(of: preset))
    #expect(moved.oscillator1.octave == 1 && moved.oscillator2.octave == 1 && moved.filter.cutoff == 200)
    var patch = Patch.initial
    (patch.oscillator1.octave, patch.oscillator2.octave) = (3, -1)
    (patch.filter.cutoff, patch.filter.track) = (15_000, 0.5)
    patch.move(octaves: 2)
    #expect(patch.oscillator1.octave == 3 && patch.oscillator2.octave == 1 && patch.filter.cutoff == 20_000)
    patch.filter.cutoff = 25
    patch.move(octaves: -3)
    #expect(patch.oscillator1.octave == 0 && patch.oscillator2.octave == -2 && patch.filter.cutoff == 20)
    // One that does not follow the keys stays where it is.
    patch.filter.track = 0
    patch.move(octaves: 1)
    #expect(patch.filter.cutoff == 20)
  }

  @Test(
    "A file's number is its program, counted from 1; two of one number are one, and wrong files are listed last"
  )
  func files() throws {
    let folder = Folder()
    let texts = [
      "001-first.txt": "pipit preset 1\n", "1-second.txt": "pipit preset 1\nname Second\n",
      "128 last.txt": "pipit preset 1\n", "129-more.txt": "pipit preset 1\n",
      "257-beyond.txt": "pipit preset 1\n",
      "0-zero.txt": "pipit preset 1\n",
      "7.txt": "pipit preset 1\n", "x.txt": "rubbish", "y.md": "pipit preset 1\n",
    ]
    for (name, text) in texts { folder.file("factory/" + name, text) }
    var log: [String] = []
    let library = Library(database: nil, factory: folder.path + "/factory") { log.append($0) }
    #expect(
      library.presets.map { "\($0.slot?.key ?? "") \($0.name)" } == [
        "0/0 first", "0/6 Untitled", "0/127 last", "126/0 more",
      ])
    #expect(Set(library.outside.map(\.name)) == ["257-beyond", "0-zero"])
    #expect(log.count == 2 && log[0].hasSuffix("1-second.txt: another file has its number"))
    let catalog = library.listing.catalog
    #expect(catalog.map(\.name) == ["first", "Untitled", "last", "more", "1-second.txt", "x.txt"])
    #expect(catalog.map { $0.problem.isEmpty } == [true, true, true, true, false, false])
    #expect(catalog.allSatisfy { $0.isFactory })
  }

  @Test("A factory preset that is no longer in the folder is gone from the database, too")
  func gone() throws {
    let folder = Folder()
    for name in ["01-first", "02-second", "bench"] {
      folder.file("factory/\(name).txt", "pipit preset 1\n")
    }
    for rest in [["first", "second", "bench"], ["first"]] {
      if rest.count == 1 {
        for name in ["02-second", "bench"] { unlink(folder.path + "/factory/\(name).txt") }
      }
      let stepped = SteppedLibrary(folder, factory: folder.path + "/factory")
      stepped.run(at: 0)
      #expect(stepped.stop(at: 1))
      let without = Library(database: folder.database, factory: nil, writes: false) { Issue.record("\($0)") }
      #expect((without.presets + without.outside).map(\.name) == rest)
    }
  }
}
