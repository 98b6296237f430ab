import Testing
@testable import Scenes
@testable import Synth

/// A machine that takes a share of the deadline for each group of voices that a block renders.
private struct Machine {
  var base: Float = 0.03
  var group: Float

  /// Plays `blocks` blocks of 64 frames; the shares of the deadline that they took.
  @discardableResult
  func play(_ player: Player, blocks: Int) -> [Float] {
    (0..<blocks).map { _ in
      player.play(64)
      let share = base + group * Float(player.engine.work) / 64
      player.engine.reportLoad(share: share)
      return share
    }
  }
}

@Suite("Voice shedding under overload") struct OverloadTests {
  private static let hold: [(String, Float)] = [("/amp/release", 5)]

  private func press(_ player: Player, _ notes: Range<Int>, at frame: Int) {
    for note in notes { player.press(note % 100 + 10, at: frame, source: note / 100) }
  }

  @Test("A fast enough machine keeps all 128 voices and sheds none") func fastMachine() {
    let player = Player()
    press(player, 0..<Limits.voices, at: 100)
    Machine(group: 0.04).play(player, blocks: 200)
    #expect(player.link.meters[.voices] == 128 && player.link.meters[.shed] == 0)
    #expect(player.link.meters[.limit] == 128)
  }

  /// Ten groups are the whole deadline: 78 voices and the base. Notes come one after the other.
  @Test("As notes are added, voices are shed before a block misses its deadline") func shedInTime() {
    let player = Player()
    let machine = Machine(group: 0.0969)
    machine.play(player, blocks: 100)
    for note in 0..<Limits.voices { player.press(note % 100 + 10, at: (110 + note) * 64, source: note / 100) }
    let shares = machine.play(player, blocks: 160)
    let worst = shares.max() ?? 2
    #expect(worst < 1)
    let left = Int(player.link.meters[.voices])
    #expect((40...64).contains(left))
    // What is left takes no more than was aimed at, so that the groups are packed.
    #expect((shares.last ?? 2) <= Budget.aim + machine.group)
    #expect(player.engine.work / 64 == (left + 7) / 8)
  }

  @Test("A block near its deadline sheds voices at once, released ones first and the bass never")
  func sheddingOrder() {
    let player = Player(.with(Self.hold))
    player.press(20)
    press(player, 15..<75, at: 1)
    for note in 55..<65 { player.lift(note + 10, at: 4_000) }
    Machine(group: 0.02).play(player, blocks: 100)
    #expect(player.link.meters[.voices] == 61)
    // Something else takes the machine: a group costs six times as much.
    let slow = Machine(group: 0.12)
    let shares = slow.play(player, blocks: 20)
    #expect(shares[0] > Budget.danger)
    #expect(player.link.meters[.shed] >= 15)
    let left = player.voiceNumbers.filter { player.engine.isSounding($0) }
    #expect(left.contains { player.engine.note($0).key == 20 })
    #expect(!left.contains { player.engine.isReleased($0) })
    // The voices fade in 4 ms, three blocks, and from then on the deadline is kept with room.
    #expect(shares.dropFirst(6).allSatisfy { $0 <= Budget.aim + slow.group })
  }

  @Test("The voice budget shrinks after two slow blocks and grows back to 128 in ten seconds")
  func budgetRecovery() {
    var budget = Budget()
    // Blocks of 64 frames at 48 kHz, 750 a second, with eight groups.
    func play(blocks: Int, group: Float) {
      for _ in 0..<blocks { budget.learn(share: 0.03 + 8 * group, groups: 8, seconds: 64 / 48_000) }
    }
    // One alone is a stall.
    play(blocks: 1, group: 0.2)
    #expect(budget.voices == Limits.voices)
    play(blocks: 1, group: 0.2)
    let least = budget.voices
    #expect(least < 32)
    play(blocks: 250, group: 0.01)
    #expect(budget.voices > least && budget.voices < 96)
    play(blocks: 10 * 750, group: 0.01)
    #expect(budget.voices == Limits.voices)
  }

  @Test("Even the slowest machine keeps eight voices and plays the newest key") func minimumVoices() {
    let player = Player()
    press(player, 0..<Limits.voices, at: 1)
    Machine(base: 3, group: 5).play(player, blocks: 100)
    #expect(player.link.meters[.voices] == 8)
    player.press(127, at: 101 * 64)
    Machine(base: 3, group: 5).play(player, blocks: 20)
    #expect(player.link.meters[.voices] == 8)
    #expect(player.voiceNumbers.contains { player.engine.note($0).key == 127 })
    #expect(player.engine.work / 64 <= 2)
  }

  /// A click is a corner in the wave; see StealingTests. The voices that go are quiet beside those that stay, so
  /// what is measured is the whole, and the same voices cut off as a control.
  @Test("Shedding voices and packing the others into fewer groups makes no click") func clickFreeShedding() {
    let scene = Scene.with([
      ("/osc/1/wave", 0), ("/filter/cutoff", 2_000), ("/amp/attack", 0.01), ("/amp/level", -40),
    ])
    func corner(_ disturb: (Player) -> Void) -> Float {
      let player = Player(scene)
      for index in 0..<96 { player.press(36 + index % 24, source: index / 24) }
      player.play(2_400)
      disturb(player)
      player.play(1_600)
      return player.left.suffix(1_600).map { $0 }.largestCorner
    }
    let smooth = corner { _ in }
    let shed = corner { player in for _ in 0..<20 { player.engine.reportLoad(share: 1.2) } }
    let cut = corner { player in
      for index in 0..<40 { player.engine.groups[index / 8].silence(index % 8) }
    }
    #expect(shed < 1.5 * smooth, "\(shed / smooth)")
    #expect(cut > 2 * smooth, "\(cut / smooth)")
  }

  /// The same sound, but for the order in which it is added up.
  @Test("Eight voices sound the same spread over eight groups and packed into one", arguments: [0, 1, 2, 3])
  func packedVoices(wave: Int) {
    let scene = Scene.with([
      ("/osc/1/wave", Float(wave)), ("/osc/2/wave", 4), ("/osc/2/level", 0.3), ("/lfo/1/cutoff", 2),
      ("/lfo/1/pitch", 30),
      ("/amp/attack", 0.5), ("/filter/amount", 3), ("/filter/decay", 1),
    ])
    func take(packed: Bool) -> [Float] {
      let player = Player(scene)
      player.engine.compacts = false
      for index in 0..<64 { player.press(36 + index) }
      player.play(1_001, block: 1_001)
      // All but one of each group go.
      for index in 0..<64 where index % 8 != (index / 8) % 8 { player.engine.fade(index) }
      player.play(1_001, block: 91)
      player.engine.compacts = packed
      player.play(16_000, block: 80)
      #expect(player.voices == 8)
      #expect((player.engine.work == 80) == packed)
      return player.left
    }
    let (spread, packed) = (take(packed: false), take(packed: true))
    #expect(spread.peak > 0.05)
    let difference = zip(spread, packed).map { abs($0 - $1) }.max() ?? 1
    // Measured: 1e-6 at most.
    #expect(difference < 1e-5, "\(difference)")
  }
}
