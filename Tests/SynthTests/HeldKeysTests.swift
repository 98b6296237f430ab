import Parameters
import Scratch
import Testing
@testable import Scenes
@testable import Synth

/// Players who do anything at all, beside a simple model of what must sound.
@Suite("Held keys beside a model") struct HeldKeysTests {
  /// An engine and the model of it, played alike.
  private final class Pair {
    var scene: Scene
    let player: Player
    var model = HeldKeysModel()
    var random: SeededRandom
    /// Sources, keys of each channel, and whether modes are turned.
    let (sources, keys, turnsModes): (Int, Int, Bool)
    static let parts = 3

    /// Where modes are not turned, the parts are poly, mono and legato.
    init(seed: UInt64, sources: Int, keys: Int, turnsModes: Bool, _ knobs: [(String, Float)] = []) {
      scene = .with([("/amp/release", 0.004)] + knobs)
      for part in 1..<Pair.parts {
        scene[part] = scene[0]
        scene[part].strip.channel = Float(part)
        if !turnsModes { scene[part].patch.play.mode = Float(part) }
      }
      player = Player(scene)
      (random, self.sources, self.keys, self.turnsModes) = (SeededRandom(seed), sources, keys, turnsModes)
      follow(recalled: nil)
    }

    /// Tells the model what the scene says.
    func follow(recalled: Int?) {
      for part in 0..<Limits.parts {
        let channels = (0..<Limits.channels).filter { scene[part].strip.channels >> UInt32($0) & 1 != 0 }
        let play = scene[part].patch.play
        model.edit(
          part, channels: Set(channels), scene[part].input, mode: Int(play.mode),
          priority: Int(play.priority),
          recall: part == recalled)
      }
      model.edited()
    }

    private func publish(recalled: Int? = nil) {
      // A scene is taken before the events of a block: those before it have been played.
      player.play(1)
      player.link.scene.publish(scene)
      player.play(1)
      follow(recalled: recalled)
    }

    /// Something that a player may do.
    func step() {
      let action = random.below(100)
      // Channels 1 to 3, or part 1 itself, whose pedals are one for all: the first source has them.
      let target = random.isOne(in: 8) ? Limits.channels : random.below(3)
      let source = target == Limits.channels && action >= 76 ? 0 : random.below(sources)
      let (key, part) = (48 + random.below(keys), random.below(Pair.parts))
      let isDown = random.isOne(in: 2)
      func send(_ kind: Event.Kind, value: Float = 0) {
        player.send(kind, source: source, target: UInt8(target), note: key, value: value)
      }
      switch action {
      case 0..<38:
        send(.noteOn, value: 0.1 + Float(random.below(9)) / 10)
        model.press(source, target, key)
        if random.isOne(in: 10) {
          send(.noteOff)
          model.lift(source, target, key)
        }
      case 38..<76:
        send(.noteOff)
        model.lift(source, target, key)
      case 76..<81:
        send(.sustain, value: isDown ? 1 : 0)
        model.sustain(source, target, isDown)
      case 81..<86:
        send(.sostenuto, value: isDown ? 1 : 0)
        model.sostenuto(source, target, isDown)
      case 86..<88 where turnsModes:
        send(.legato, value: isDown ? 1 : 0)
        model.legato(source, target, isDown)
      case 88:
        send(isDown ? .allNotesOff : .allSoundOff)
        if isDown { model.liftAll(source, target) } else { model.end(source, target) }
      case 89:
        send(.resetControllers)
        model.reset(source, target)
      case 90:
        send(.sourceGone)
        model.leave(source)
      case 91 where random.isOne(in: 3):
        send(.panic)
        model.panic()
      case 92 where turnsModes:
        send(isDown ? .mono : .poly)
        model.message(source, target, mode: isDown ? 1 : 0)
      case 93..<95 where turnsModes:
        scene[part].patch.play.mode = Float(random.below(3))
        publish()
      case 95:
        scene[part].patch.play.priority = Float(random.below(3))
        publish()
      case 96:
        moveInput(part)
        publish()
      case 97..<99:
        scene[part].generation += 1
        if turnsModes { scene[part].patch.play.mode = Float(random.below(3)) }
        publish(recalled: part)
      default:
        send(
          [.soft, .glide, .glideFrom, .notePitch, .noteGain].randomElement(using: &random) ?? .soft,
          value: 0.7)
      }
    }

    /// The part is given other keys, or moves them, or hears other controllers or another channel.
    private func moveInput(_ part: Int) {
      switch random.below(4) {
      case 0: scene[part].strip.channel = Float(random.below(4))
      case 1:
        scene[part].input.lowKey = Float(46 + random.below(4))
        scene[part].input.highKey = Float(50 + random.below(keys))
      case 2: scene[part].input.transpose = [0, 7, -12, 48, -48].randomElement(using: &random) ?? 0
      default: scene[part].input.received.pedal = Float(random.below(2))
      }
    }

    /// Lets every key and pedal go.
    func letGo() {
      for source in 0..<sources {
        for target in [0, 1, 2, Limits.channels] {
          for key in 0..<keys { player.release(48 + key, source: source, target: UInt8(target)) }
          for kind in [Event.Kind.sustain, .sostenuto, .legato] {
            player.send(kind, source: source, target: UInt8(target), value: 0)
          }
        }
        player.play(64)
      }
    }

    private var heldNotes: [Note] {
      player.voiceNumbers.map { player.engine.note($0) }.filter { $0.isHeld }
    }

    /// What is held in the engine and in the model, as words that can be compared.
    var held: (engine: [String], model: [String]) {
      (
        heldNotes.map { "\($0.part):\($0.source):\($0.target):\($0.id & 127):\($0.key)" }.sorted(),
        model.held.map { "\($0.part):\($0.source):\($0.target):\($0.key):\($0.sounding)" }.sorted()
      )
    }

    /// Whether each voice that nothing holds is on its way to its end, and each part has one voice where it is to.
    var isSound: Bool {
      let voices = player.voiceNumbers
      let ends = voices.allSatisfy { voice in
        let group = player.engine.groupAddress(of: voice)
        let bit = UInt8(1) << UInt8(voice % Limits.lanesPerGroup)
        let ending = (group.pointee.released | group.pointee.modulators.waiting) & bit != 0
        return ending != player.engine.note(voice).isHeld
      }
      let one = (0..<Limits.parts).allSatisfy { part in
        let mono = voices.filter {
          let note = player.engine.note($0)
          return note.isMono && Int(note.part) == part && player.engine.isCurrent($0)
            && player.engine.isSounding($0)
        }
        return mono.count <= 1
      }
      return ends && one
    }
  }

  /// With and without glides, and both ways of a key that is struck again. Each 3,000 steps.
  @Test(
    "During 3,000 random actions the engine holds exactly the notes that the model holds",
    arguments: 0..<4)
  func randomPlaying(seed: Int) {
    let pair = Pair(
      seed: UInt64(seed), sources: 2, keys: 6, turnsModes: true,
      [("/play/restrike", Float(seed % 2)), ("/play/glide", seed % 3 == 0 ? 0 : 0.1)])
    var most = 0
    for step in 0..<3_000 {
      pair.step()
      if pair.random.isOne(in: 3) { continue }
      pair.player.play(1 + pair.random.below(60))
      pair.player.left.removeAll(keepingCapacity: true)
      pair.player.right.removeAll(keepingCapacity: true)
      let held = pair.held
      most = max(most, held.engine.count)
      #expect(held.engine == held.model, "step \(step)")
      #expect(pair.isSound, "step \(step)")
      if held.engine != held.model { return }
    }
    #expect(most > 10)
    pair.letGo()
    pair.player.play(6_000)
    #expect(pair.player.voiceNumbers.isEmpty && pair.player.groups == 0)
    #expect(pair.player.link.meters[.refused] == 0 && pair.player.link.meters[.faults] == 0)
  }

  @Test(
    "While voices are stolen and shed, only notes of the model are held, and none hangs",
    arguments: 0..<3)
  func stolenVoices(seed: Int) {
    let pair = Pair(
      seed: UInt64(200 + seed), sources: 8, keys: 24, turnsModes: false, [("/play/restrike", Float(seed % 2))]
    )
    for step in 0..<6_000 {
      pair.step()
      if pair.random.isOne(in: 2) { continue }
      pair.player.engine.reportLoad(share: pair.random.isOne(in: 40) ? 1.5 : 0.1)
      pair.player.play(1 + pair.random.below(40))
      pair.player.left.removeAll(keepingCapacity: true)
      pair.player.right.removeAll(keepingCapacity: true)
      let held = pair.held
      var rest = held.model
      let strangers = held.engine.filter { note in
        guard let place = rest.firstIndex(of: note) else { return true }
        rest.remove(at: place)
        return false
      }
      #expect(strangers.isEmpty && pair.isSound, "step \(step): \(strangers)")
      if !strangers.isEmpty { return }
    }
    let meters = pair.player.link.meters
    #expect(meters[.stolen] > 0 && meters[.shed] > 0)
    pair.letGo()
    pair.player.play(6_000)
    #expect(pair.player.voiceNumbers.isEmpty && pair.player.groups == 0)
  }
}

extension SeededRandom {
  fileprivate mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }
  fileprivate mutating func isOne(in count: Int) -> Bool { below(count) == 0 }
}
