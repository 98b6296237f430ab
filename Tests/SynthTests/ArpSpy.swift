import Parameters
@testable import Scenes
@testable import Synth

/// An engine with arpeggios, and the strokes and ends of its notes, each with its frame. It renders from one due frame to
/// the next; `ArpBlockTests` show that the blocks make no difference.
final class ArpSpy {
  struct Stroke: Equatable, CustomStringConvertible {
    var frame: Int
    var key: Int
    var velocity: Float = 0
    var part = 0
    var description: String { "\(key)@\(frame)" }
  }

  var scene: Scene
  let player: Player
  private(set) var strokes: [Stroke] = []
  private(set) var ends: [Stroke] = []
  private var order: UInt64 = 0
  private var sounding: [UInt64: Stroke] = [:]

  /// A short sound with an arpeggiator whose steps are of 2,000 frames, and these knobs. It begins at a frame.
  init(_ knobs: [(String, Float)] = [], rate: Double = 48_000, frame: Int = 0) {
    let short: [(String, Float)] = [
      ("/arp/on", 1), ("/arp/sync", 0), ("/arp/rate", Float(rate / 2_000)), ("/arp/gate", 0.5),
      ("/amp/release", 0.004),
    ]
    let given = Set(knobs.map(\.0))
    scene = .with(short.filter { !given.contains($0.0) } + knobs)
    player = Player(scene, running: true) { Engine(rate: rate, link: $0, frame: Int64(frame)) }
  }

  var engine: UnsafeMutablePointer<Engine> { player.engine }
  var now: Int { Int(engine.frame) }

  /// The arpeggiator of a part.
  func arp(_ part: Int = 0) -> ArpPart { engine.arps[part].pointee }

  /// Changes the scene; the next block takes it.
  func edit(_ change: (inout Scene) -> Void) {
    change(&scene)
    player.link.scene.publish(scene)
    player.link.scene.service()
  }

  /// Sets a knob of part 1 by its address.
  func set(_ address: String, _ value: Float, recalls: Bool = false) {
    edit { scene in
      scene.turn([(address, value)])
      if recalls { scene[0].generation += 1 }
    }
  }

  /// Renders up to a frame.
  func run(to end: Int) {
    while now < end {
      let (start, due) = (now, engine.arps.nextFrame(engine.beatLine))
      var frames = min(end - start, 256)
      if due <= Int64(start) { frames = 1 } else if due < Int64(start + frames) { frames = Int(due) - start }
      player.render(frames)
      look(start)
    }
  }

  /// Renders some frames.
  func run(_ frames: Int) { run(to: now + frames) }

  private func look(_ frame: Int) {
    var held: [UInt64: Stroke] = [:]
    var new: [(UInt64, Stroke)] = []
    for voice in player.voiceNumbers {
      let note = engine.note(voice)
      let stroke = Stroke(
        frame: frame, key: Int(note.key), velocity: note.velocity, part: Int(note.part))
      if note.order > order { new.append((note.order, stroke)) }
      if note.isHeld { held[note.order] = stroke }
    }
    strokes += new.sorted { $0.0 < $1.0 }.map(\.1)
    for (order, stroke) in sounding.sorted(by: { $0.key < $1.key }) where held[order] == nil {
      ends.append(Stroke(frame: frame, key: stroke.key, velocity: stroke.velocity, part: stroke.part))
    }
    sounding = held
    order = max(order, engine.newestOrder)
  }

  /// The keys of the strokes so far, which it forgets.
  func takeKeys() -> [Int] {
    defer { (strokes, ends) = ([], []) }
    return strokes.map(\.key)
  }

  /// The frames of the strokes so far.
  var frames: [Int] { strokes.map(\.frame) }
  /// The keys that sound, held by something, in order.
  var held: [Int] { sounding.values.map(\.key).sorted() }

  func press(_ keys: Int..., source: Int = 0, target: UInt8 = 0, velocity: Float = 0.8) {
    for key in keys { player.press(key, source: source, target: target, velocity: velocity) }
  }
  func lift(_ keys: Int..., source: Int = 0, target: UInt8 = 0) {
    for key in keys { player.release(key, source: source, target: target) }
  }
  func pedal(_ isDown: Bool, source: Int = 0, target: UInt8 = 0) {
    player.send(.sustain, source: source, target: target, value: isDown ? 1 : 0)
  }
}
