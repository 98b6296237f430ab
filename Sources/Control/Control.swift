import Parameters
import Synth

/// What a listener is told after it has happened; it reads the rest from the control.
public enum Change: Hashable, Sendable {
  /// One knob has another value.
  case knob(Knob)
  /// Another sound was put into a part: any of its knobs may have changed.
  case sound(part: Int)
  /// Name, place or edited mark of the preset in a part.
  case preset(part: Int)
  /// Bare addresses mean another part.
  case focus
  /// Everything may have changed.
  case scene
}

/// The one writer of the staged scene. Takes changes from every source, publishes them, coalesced, as whole
/// scenes, and tells the listeners of each. Control thread only.
public final class Control {
  /// What audio shares.
  public let link: Link
  /// The scene as it will be published next. Only control edits it.
  public internal(set) var stage: Stage
  private var listeners: [(Change) -> Void] = []
  private var dirty = false
  private var publishedAt = Int64.min / 2

  /// The least time between two published scenes, nanoseconds: about a block of audio.
  static let publishInterval: Int64 = 2_000_000
  /// How often retired scenes are looked after while any wait, nanoseconds.
  static let serviceInterval: Int64 = 10_000_000

  /// A control over `link`, whose scene becomes the stage's.
  public init(link: Link, stage: Stage = Stage()) {
    self.link = link
    self.stage = stage
    dirty = true
  }

  /// Calls `listener` after each change, on the control thread.
  public func listen(_ listener: @escaping (Change) -> Void) { listeners.append(listener) }

  /// Takes its turn after every round of the loop, from now on.
  public func join(_ loop: Loop) {
    loop.afterEachRound { [unowned self] now in turn(now) }
  }

  // MARK: - Changes, from any source

  /// Turns a knob to a value in the unit of the scene (clamped; what is no number is ignored).
  public func set(_ knob: Knob, to value: Float) {
    if stage.set(knob, to: value) { changed(.knob(knob)) }
  }

  /// The part that bare addresses mean, 0…7.
  public var focus: Int {
    get { stage.focus }
    set {
      let before = stage.focus
      stage.focus = newValue
      if stage.focus != before { changed(.focus) }
    }
  }

  /// Replaces everything, as when the instrument is switched on.
  public func restore(_ scene: Scene) {
    stage.restore(scene)
    changed(.scene)
  }

  func changed(_ change: Change) {
    dirty = true
    for listener in listeners { listener(change) }
  }

  // MARK: - Playing

  /// Sends a performance event to the sound, to be heard as soon as the constant latency allows.
  /// - Parameter source: whose hand, `Limits.oscSources` and up.
  public func play(_ kind: Event.Kind, source: Int, part: Int, note: Int = 0, value: Float = 0) {
    link.control.push(
      Event(
        frame: link.clock.frame(at: monotonic()), kind: kind, source: UInt8(clamping: source),
        target: Event.part(part), note: UInt8(clamping: note), value: value))
  }

  // MARK: - Its turn

  /// Takes the MIDI thread's commands, publishes what has changed and frees what audio is done with.
  /// Returns when it wants to be called again; nil when there is nothing to do.
  func turn(_ now: Int64) -> Int64? {
    takeCommands()
    if dirty && now - publishedAt >= Control.publishInterval {
      dirty = false
      publishedAt = now
      link.scene.publish(stage.scene)
    } else {
      link.scene.service()
    }
    if dirty { return publishedAt + Control.publishInterval }
    return link.scene.retiredCount > 0 ? now + Control.serviceInterval : nil
  }

  private func takeCommands() {
    // No more than a ring holds, so that a storm of them cannot keep the thread.
    for _ in 0..<Limits.ringEvents {
      guard let command = link.commands.peek()?.pointee else { return }
      link.commands.drop()
      switch command.kind {
      case .controller:
        for knob in stage.knobs(controller: Int(command.note), channel: Int(command.target)) {
          if let value = Table.rows[knob.row].kind.value(fader: wayOf(command.value, knob)) {
            set(knob, to: value)
          }
        }
      case .program:
        break
      default: break
      }
    }
  }

  /// A controller sweeps all choices of a knob, which count from 0; a way is 0…1.
  private func wayOf(_ value: Float, _ knob: Knob) -> Float {
    let kind = Table.rows[knob.row].kind
    return kind.isChoice ? (value * kind.range.upperBound).rounded() : value
  }
}
