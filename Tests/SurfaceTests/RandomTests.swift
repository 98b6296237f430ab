import Parameters
import Presets
import Scenes
import Scratch
import System
import Testing
@testable import Control
@testable import Surface

/// Random sounds, for seeds that the tests choose.
struct RandomTests {
  private let folder = Folder()

  /// A player with three presets, two of one category.
  private func player(seed: UInt64 = 1) -> Player {
    folder.file(
      "01-x.txt", "pipit preset 1\nname Glass\ncategory pads\n/filter/cutoff/hz 900\n/delay/on on\n")
    folder.file(
      "02-x.txt", "pipit preset 1\nname Fog\ncategory pads\n/filter/cutoff/hz 5000\n/osc/1/wave square\n")
    folder.file("03-x.txt", "pipit preset 1\nname Low\ncategory basses\n/filter/cutoff/hz 300\n")
    let player = Player(Library(database: nil, factory: folder.path, log: { _ in }))
    player.say("/preset/load", "Glass")
    player.control.random.seed = seed
    return player
  }

  private func sound(_ player: Player) -> Patch { player.control.stage.scene[0].patch }

  private func press(_ player: Player, _ address: String, _ words: String...) {
    player.pass(milliseconds: 300)
    if words.isEmpty { player.say(address, 1) } else { player.say(address, words.map { .string($0) }) }
  }

  private func moved(_ one: Patch, _ other: Patch) -> Set<String> {
    Set(Table.rows.filter { $0.field.scope == .patch && one[$0] != other[$0] }.map(\.address))
  }

  private static let kept: [String] = [
    "/play/bend", "/play/mode", "/osc/1/octave", "/osc/2/semitone", "/osc/1/fine", "/reverb/freeze",
    "/arp/on",
    "/arp/gate", "/chord/1", "/sequence/length",
  ]

  @Test("A sound near the present one moves many knobs a little, keeps what is never drawn, and is one step")
  func near() {
    let player = player()
    let before = sound(player)
    press(player, "/preset/random/near")
    let moved = moved(sound(player), before)
    #expect(moved.count > 60 && moved.isDisjoint(with: Self.kept))
    #expect(
      moved.allSatisfy { address in
        Table.rows.contains { $0.address == address && !$0.kind.isDiscrete }
      })
    #expect(player["/preset/edited"] == .int(1) && player["/preset/name"] == .string("Glass"))
    player.say("/preset/undo", 1)
    #expect(sound(player).isSame(as: before))
  }

  @Test("One seed draws one sound, another another")
  func seeds() {
    let sounds = ([7, 7, 8] as [UInt64]).map { seed -> Patch in
      let player = player(seed: seed)
      press(player, "/preset/random/near")
      return sound(player)
    }
    #expect(sounds[0].isSame(as: sounds[1]) && !sounds[0].isSame(as: sounds[2]))
  }

  @Test("The steps are of normal distribution, 15 % of the fader at the full amount")
  func deviation() throws {
    let row = try #require(Table.rows.firstIndex { $0.address == "/filter/resonance" })
    var patch = Patch.initial
    patch.filter.resonance = 0.5
    for amount: Float in [0.2, 1] {
      var generator = SeededGenerator(seed: 3)
      let steps: [Float] = (0..<4_000).map { _ in
        RandomDraw([row], .near, amount: amount).sound(from: patch, &generator).filter.resonance - 0.5
      }
      let variance = steps.reduce(0) { $0 + $1 * $1 } / 4_000
      #expect((variance.squareRoot() / (0.15 * amount) - 1).magnitude < 0.05)
      #expect((steps.reduce(0, +) / 4_000).magnitude < 0.01)
    }
  }

  @Test("Far is between two presets of the category; half the amount is half the way")
  func far() throws {
    let row = try #require(Table.rows.firstIndex { $0.address == "/filter/cutoff" })
    let player = player()
    var sides: Set<Float> = []
    for _ in 0..<12 {
      player.say("/random/amount", 1)
      press(player, "/preset/random/far")
      #expect((899...5_001).contains(sound(player).filter.cutoff))
      sides.insert(sound(player).oscillator1.wave)
    }
    #expect(sides.count == 2)
    var (one, other) = (Patch.initial, Patch.initial)
    (one.filter.cutoff, other.filter.cutoff) = (20_000, 20_000)
    var (generator, patch) = (SeededGenerator(seed: 1), Patch.initial)
    patch.filter.cutoff = 800
    let half = RandomDraw([row], .far(one, other), amount: 0.5).sound(from: patch, &generator)
    #expect((half.filter.cutoff / 4_000 - 1).magnitude < 1e-3)
  }

  @Test("A preset alone in its category has nothing to draw from")
  func alone() {
    let player = player()
    player.say("/preset/load", "Low")
    player.pass(milliseconds: 300)
    #expect(player.refusal("/preset/random/far", .number(1))?.contains("category basses") == true)
  }

  @Test("A section is drawn alone, but for the level that keeps the loudness")
  func section() {
    let player = player()
    let before = sound(player)
    press(player, "/section/random/near", "filter")
    let moved = moved(sound(player), before).subtracting(["/amp/level"])
    #expect(!moved.isEmpty && moved.allSatisfy { $0.hasPrefix("/filter/") })
    for never in ["arp", "chord", "sequence"] {
      player.pass(milliseconds: 300)
      #expect(player.refusal("/section/random/near", .string(never))?.contains("never drawn") == true)
    }
    #expect(player.refusal("/section/random/far", .string("flter"))?.contains("takes a section") == true)
  }

  @Test("The sections that can be locked are those of which something is drawn")
  func lockable() {
    let drawn = SoundSection.base.filter { !RandomSounds.rows(of: $0).isEmpty }
    #expect(RandomSounds.sections.map(\.name) == drawn.map(\.name))
  }

  @Test("Locked sections stay to the bit, and a lock is told to tablets")
  func locks() {
    let player = player()
    player.say("/here")
    player.say("/random/lock/filter", 1)
    player.say("/random/lock/amp", 1)
    player.pass(milliseconds: 1_000)
    #expect(player.shown["/random/lock/filter"] == .int(1) && player.shown["/random/lock/osc-1"] == .int(0))
    let before = sound(player)
    player.say("/random/amount", 0.3)
    press(player, "/preset/random/near")
    let moved = moved(sound(player), before)
    #expect(!moved.isEmpty && moved.allSatisfy { !$0.hasPrefix("/filter/") && !$0.hasPrefix("/amp/") })
    player.pass(milliseconds: 300)
    #expect(player.refusal("/section/random/near", .string("filter"))?.contains("it is locked") == true)
    for section in RandomSounds.sections { player.say("/random/lock/\(section.name)", 1) }
    player.pass(milliseconds: 300)
    #expect(player.refusal("/preset/random/near", .number(1))?.contains("all sections are locked") == true)
    player.say("/random/lock/filter", 0)
    press(player, "/section/random/near", "filter")
    #expect(sound(player).filter.cutoff != before.filter.cutoff)
  }

  @Test("Drawn sounds fulfil the rules")
  func rules() {
    let rows = RandomRules.rows(of: nil)
    var (generator, wild) = (SeededGenerator(seed: 5), Patch.initial)
    (wild.amplifier.envelope.attack, wild.filter.cutoff, wild.effects.delay.feedback) = (10, 20, 1.1)
    (wild.oscillator1.level, wild.oscillator2.level) = (0.1, 0)
    for _ in 0..<300 {
      let sound = RandomDraw(rows, .near, amount: 1).sound(from: wild, &generator)
      let sources: [Float] = [
        sound.oscillator1.level, sound.oscillator2.level, sound.oscillator3.level, sound.sub.level,
        sound.noise.level,
      ]
      #expect(sources.contains { $0 >= 0.5 })
      #expect(sound.amplifier.envelope.attack < 2 && sound.filter.cutoff > 200)
      #expect(sound.effects.delay.feedback < 0.8 && sound.oscillator1.feedback < 0.8)
    }
  }

  @Test("A sound that is silent at its level is levelled, and one that stays silent is never played")
  func silent() {
    var quiet = Patch.initial
    quiet.amplifier.level = -30
    let audition = SoundAudition(isLow: false)
    let levelled = audition.levelled(quiet)
    #expect(
      levelled.map { (audition.measure($0).loudness + 18).magnitude < 1.5 || $0.amplifier.level == 12 }
        == true)
    quiet.oscillator1.level = 0
    #expect(audition.levelled(quiet) == nil && !audition.accepts(quiet))
    var loud = Patch.initial
    loud.amplifier.level = 12
    #expect(!audition.accepts(loud) && audition.accepts(audition.levelled(loud) ?? loud))
    let nothing = AuditionedDraw(RandomDraw([], .near, amount: 1), from: quiet, seed: 1, isLow: false)
    #expect(nothing.run() == nil)
  }

  @Test("Seeded draws near and far are audible by other keys than those of the draw, and peak below -1 dBFS")
  func draws() throws {
    let rows = RandomRules.rows(of: nil)
    var other = Patch.initial
    (other.oscillator1.wave, other.filter.cutoff, other.effects.delay.on) = (3, 400, 1)
    for seed: UInt64 in 1...6 {
      let reach: RandomDraw.Reach = seed % 2 == 0 ? .near : .far(.initial, other)
      let draw = AuditionedDraw(
        RandomDraw(rows, reach, amount: 1), from: .initial, seed: seed, isLow: false)
      let measure = SoundAudition(isLow: true).measure(try #require(draw.run()))
      #expect(measure.loudness > -50 && measure.peak < -1, "\(seed): \(measure)")
    }
  }

  @Test("On a loop, the sound is played on another thread, and what changes meanwhile stays")
  func worker() throws {
    let player = player()
    let loop = try #require(PollLoop())
    player.control.join(loop)
    let before = sound(player)
    press(player, "/preset/random/near")
    #expect(sound(player).isSame(as: before))
    #expect(player.refusal("/preset/random/far", .number(1))?.contains("still drawing") == true)
    let end = monotonic() + 60_000_000_000
    while sound(player).isSame(as: before), monotonic() < end { loop.round(limit: 10_000_000) }
    #expect(!sound(player).isSame(as: before))
  }

  @Test("What a hand or a morph moves while a sound is drawn stays as it is, and the player is told")
  func meanwhile() throws {
    let player = player()
    let loop = try #require(PollLoop())
    for (letter, cutoff) in [("a", 0.9), ("b", 0.1)] {
      player.say("/filter/cutoff", cutoff)
      player.say("/snapshot/store")
      player.say("/snapshot/\(letter)")
      player.pass(milliseconds: 300)
    }
    player.control.join(loop)
    let end = monotonic() + 60_000_000_000
    for address in ["/filter/resonance", "/morph/position"] {
      press(player, "/preset/random/near")
      player.say(address, 0.7)
      player.pass(milliseconds: 20)
      let before = sound(player)
      player.control.notices.clear(about: .preset)
      while !player.control.notices.shown.contains("changed meanwhile"), monotonic() < end {
        loop.round(limit: 10_000_000)
      }
      #expect(player.control.notices.shown.contains("changed meanwhile"), "\(address)")
      let isKept = sound(player).isSame(as: before)
      #expect(isKept, "\(address)")
    }
    #expect(player["/morph/active"] == .int(1))
  }
}
