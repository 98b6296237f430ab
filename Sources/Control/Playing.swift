import Parameters
import Presets
import Synth

// What comes from the MIDI thread, and what a surface plays.

extension Control {
  /// Sends a performance event to the sound, to be heard as soon as the constant latency allows.
  /// - Parameters:
  ///   - source: whose hand, `Limits.oscSources` and up.
  ///   - moment: when it is meant, CLOCK_MONOTONIC; now when nil. Events are played in the order of these calls,
  ///     so one that is meant for later holds up those after it.
  public func play(
    _ kind: Event.Kind, source: Int, part: Int, note: Int = 0, value: Float = 0, at moment: Int64? = nil
  ) {
    switch kind {
    case .panic: slides.removeAll()
    case .sourceGone: slides[source] = nil
    default: break
    }
    link.control.push(
      Event(
        frame: link.clock.frame(at: moment ?? monotonic()), kind: kind, source: UInt8(clamping: source),
        target: Event.part(part), note: UInt8(clamping: note), value: value))
  }

  /// Takes the controllers and program changes that have come in since the last turn.
  func takeCommands() {
    // No more than a ring holds, so that a storm of them cannot keep the thread.
    for _ in 0..<Limits.ringEvents {
      guard let command = link.commands.peek()?.pointee else { return }
      link.commands.drop()
      let (number, channel) = (Int(command.note), Int(command.target))
      switch command.kind {
      case .controller:
        for (knob, value) in stage.knobs(controller: number, way: command.value, channel: channel) {
          set(knob, to: value)
        }
      case .program:
        guard let slot = Slot(bank: Int(command.value), program: number), let preset = library[slot] else {
          notify("there is no preset in bank \(Int(command.value)), program \(number + 1)")
          continue
        }
        for part in stage.parts(channel: channel) { recall(preset, part: part) }
      default: break
      }
    }
  }
}
