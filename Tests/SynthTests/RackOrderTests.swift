import EngineHarness
import Parameters
import Scratch
import Testing
@testable import Scenes
@testable import Synth

/// The order of the effects: what follows what, and how one order changes into another while sound rings.
@Suite("Effect order") struct RackOrderTests {
  private static let names = RackEffect.all.map(\.name)

  private static func path(_ order: EffectOrder) -> [Int] {
    (0..<EffectKnobs.count).map { Int(order.path >> UInt64(4 * $0) & 15) }
  }

  /// Sessions and tablets know an order by its number or its name.
  @Test("Effect orders keep their numbers, names and sequences, each with every effect once")
  func frozenOrders() {
    let frozen = [
      "standard: drive eq compressor phaser flanger chorus rotary delay reverb",
      "modulation-first: phaser flanger chorus drive eq compressor rotary delay reverb",
      "delay-first: drive eq compressor delay phaser flanger chorus rotary reverb",
      "reverb-first: delay reverb drive eq compressor phaser flanger chorus rotary",
      "drive-last: phaser flanger chorus rotary delay reverb drive eq compressor",
      "compressor-last: drive eq phaser flanger chorus rotary delay reverb compressor",
    ]
    // Those that came later may be anywhere among them.
    let listed = zip(EffectOrder.allCases, frozen).map { order, line in
      let older = Set(line.split(separator: " ").map(String.init))
      let names = Self.path(order).map { Self.names[$0] }.filter(older.contains)
      return ([order.rawValue + ":"] + names).joined(separator: " ")
    }
    #expect(listed == frozen && EffectOrder.allCases.count == frozen.count)
    for (choice, order) in EffectOrder.allCases.enumerated() {
      #expect(EffectOrder.at(Float(choice)) == order)
      #expect(Set(Self.path(order)).count == EffectKnobs.count)
    }
  }

  private static let everything: [(String, Float)] =
    names.map { ("/\($0)/on", 1) } + [
      ("/eq/2/gain", 9), ("/drive/gain", 18), ("/compressor/threshold", -40), ("/delay/time", 0.02),
      ("/rotary/speed", 2), ("/reverb/predelay", 0),
    ]

  private static func noise(_ count: Int) -> [Float] {
    var random = SeededRandom(5)
    return (0..<count).map { _ in Float.random(in: -0.3...0.3, using: &random) }
  }

  @Test(
    "A rack gives the same bits as its effects in separate racks, one after another in its order",
    arguments: EffectOrder.allCases)
  func serialRacks(_ order: EffectOrder) throws {
    let choice = try #require(EffectOrder.allCases.firstIndex(of: order))
    let knobs = Scene.with(Self.everything + [("/rack/order", Float(choice))])[0].patch.effects
    var (left, right) = (Self.noise(4_800), Self.noise(4_800).reversed() as [Float])
    var (l, r) = (left, right)
    EffectBench(knobs, rate: 48_000).process(&left, &right)
    for index in Self.path(order) {
      let others = Self.everything.filter { !$0.0.hasSuffix("/on") || $0.0 == "/\(Self.names[index])/on" }
      EffectBench(Scene.with(others)[0].patch.effects, rate: 48_000).process(&l, &r)
    }
    #expect(isSame(left.bits, l.bits) && isSame(right.bits, r.bits))
  }

  private static let steady: [(String, Float)] = [
    ("/drive/on", 1), ("/drive/gain", 12), ("/eq/on", 1), ("/eq/1/gain", 9), ("/eq/2/gain", -6),
    ("/compressor/on", 1), ("/compressor/threshold", -30), ("/delay/on", 1), ("/delay/mix", 0.5),
    ("/delay/time", 0.05), ("/reverb/on", 1), ("/reverb/mix", 0.5), ("/reverb/modulation", 0),
    ("/reverb/decay", 0.5), ("/phaser/on", 1), ("/phaser/depth", 0), ("/flanger/on", 1),
    ("/flanger/depth", 0), ("/amp/level", -12),
  ]

  /// Beyond ±400 Hz of a tone and its harmonics, 0.7 s before and after another order. Measured -86 to -90.
  @Test(
    "A change of effect order under a tone leaves less than -60 dB beside its harmonics",
    arguments: [(0, 1), (0, 2), (0, 3), (3, 0), (0, 4), (4, 0), (0, 5), (1, 3)] as [(Float, Float)])
  func orderChange(_ order: (from: Float, to: Float)) {
    let rest = SideProducts.jumped(KnobMove("/rack/order", order.from, order.to, Self.steady))
    print("order: from \(order.from) to \(order.to): \(rest) dB")
    #expect(rest < -60)
  }

  private static func played(_ knobs: [(String, Float)], order: Float?, after: Int) -> Player {
    var scene = Scene.with([("/amp/release", 0.02)] + knobs)
    let player = Player(scene, running: true)
    player.press(57)
    player.play(4_800)
    player.lift(57)
    player.play(4_800)
    if let order {
      scene[0].patch.effects.order = order
      player.link.scene.publish(scene)
    }
    player.left = []
    player.play(after)
    return player
  }

  @Test("Reverb and delay tails go on after the 40 ms of a change of effect order") func continuedTails() {
    let tail: [(String, Float)] = [
      ("/reverb/on", 1), ("/reverb/mix", 0.5), ("/reverb/decay", 5), ("/reverb/high", 1), ("/delay/on", 1),
      ("/delay/time", 0.1), ("/delay/mix", 0.5), ("/delay/feedback", 0.9), ("/eq/on", 1),
    ]
    func power(_ order: Float?) -> (during: Float, after: Float) {
      let left = Self.played(tail, order: order, after: 9_600).left
      func power(_ x: ArraySlice<Float>) -> Float { x.reduce(0) { $0 + $1 * $1 } / Float(x.count) }
      return (power(left[928..<992]), power(left[4_800...]))
    }
    let (plain, changed) = (power(nil), power(3))
    // In the middle of the change nothing is heard.
    #expect(changed.during < 0.001 * plain.during)
    let ratio = changed.after / plain.after
    print("order: the tail goes on at \(ratio) of its power")
    #expect(ratio > 0.7 && ratio < 1.3)
  }

  @Test(
    "A new order that keeps the sequence of the active effects does not change a bit",
    arguments: [
      [("/reverb/on", 1)], [("/delay/on", 1), ("/reverb/on", 1)], [],
    ] as [[(String, Float)]])
  func sameSequence(_ knobs: [(String, Float)]) {
    let (one, other) = (
      Self.played(knobs, order: nil, after: 4_800), Self.played(knobs, order: 3, after: 4_800)
    )
    #expect(isSame(one.left.bits, other.left.bits))
    #expect(knobs.isEmpty || one.left.peak > 0.001)
  }

  /// A rack whose knobs a test moves, tick by tick.
  private final class Playing {
    private let prepared = PreparedEffects(rate: 48_000)
    private let wet = RackBuffers()
    private var rack = Rack()
    var knobs: EffectKnobs

    init(_ knobs: [(String, Float)]) {
      self.knobs = Scene.with(knobs)[0].patch.effects
      prepared.prepare(self.knobs)
      rack.begin(prepared.effects)
    }

    deinit {
      rack.release()
      rack.deallocate()
      wet.deallocate()
    }

    func play(_ x: [Float], cuts: [Int] = [16]) -> [Float] {
      // As `playInTicks`, into buffers with room behind the last frame.
      var heard: [Float] = []
      let tick = RackBuffers()
      defer { tick.deallocate() }
      for from in stride(from: 0, to: x.count, by: 16) {
        for i in 0..<16 { (tick.left[i], tick.right[i]) = (x[from + i], x[from + i]) }
        var (at, cut) = (0, 0)
        while at < 16 {
          let frames = min(cuts[cut % cuts.count], 16 - at)
          let piece = RackBuffers()
          defer { piece.deallocate() }
          for i in 0..<frames { (piece.left[i], piece.right[i]) = (tick.left[at + i], tick.right[at + i]) }
          withUnsafePointer(to: knobs) {
            let aim = EffectAim($0, to: $0, tempo: 2, share: 0.05, isSettled: false)
            rack.process(piece.left, piece.right, wet, aim, frames: frames, ahead: 16 - at)
          }
          heard += (0..<frames).map { piece.left[$0] }
          (at, cut) = (at + frames, cut + 1)
        }
      }
      return heard
    }
  }

  @Test("After order changes that come faster than the fade, the last order is heard") func rapidChanges() {
    let knobs: [(String, Float)] = [
      ("/drive/on", 1), ("/drive/gain", 30), ("/delay/on", 1), ("/delay/time", 0.003), ("/delay/mix", 0.5),
    ]
    func settled(_ orders: [Float]) -> [Float] {
      let playing = Playing(knobs)
      for order in orders {
        playing.knobs.order = order
        _ = playing.play(Self.noise(160))
      }
      _ = playing.play(Self.noise(24_000))
      return playing.play(Self.noise(1_600))
    }
    func difference(_ one: [Float], _ other: [Float]) -> Float {
      zip(one, other).map { abs($0 - $1) }.max() ?? 1
    }
    let (first, third) = (settled([0]), settled([3]))
    print("order: the same within \(difference(settled([4, 1, 3, 2, 0, 3]), third))")
    #expect(difference(settled([4, 1, 3, 2, 0, 3]), third) < 0.02)
    #expect(difference(settled([3, 1, 3, 5, 0]), first) < 0.02)
    #expect(difference(first, third) > 0.2)
  }

  @Test("Changes of order give the same bits however control ticks are split into blocks") func tickSplits() {
    expectSameInAnySplit { cuts in
      let playing = Playing(Self.everything)
      var heard = playing.play(Self.noise(1_600), cuts: cuts)
      for order: Float in [4, 1] {
        playing.knobs.order = order
        heard += playing.play(Self.noise(1_600), cuts: cuts)
      }
      return heard.bits
    }
  }
}
