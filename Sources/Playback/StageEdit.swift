import Control
import Parameters
import Synth

extension Stage {
  /// Edits the scene as an event of a song asks for: sets a knob, or changes a program. `isDone` is false if the event is
  /// also, or only, for the engine.
  mutating func edit(_ event: Event, _ programs: inout ProgramMap?) -> (isDone: Bool, hasChanged: Bool) {
    let channel = Int(event.target)
    switch event.kind {
    case .controller where ControllerOffsets.controllers.contains(Int(event.note)):
      let (number, source) = (Int(event.note), event.source)
      return (true, offset(controller: number, normalized: event.value, source: source, channel: channel))
    case .controller:
      let knobs = knobs(controller: Int(event.note), normalized: event.value, channel: channel)
      for (knob, value) in knobs { scene[knob] = value }
      return (true, !knobs.isEmpty)
    case .program:
      let parts = hearingPrograms(parts(channel: channel))
      let (bank, program) = (Int(event.value), Int(event.note))
      guard !parts.isEmpty, let patch = programs?.patch(bank: bank, program: program, channel: channel) else {
        return (true, false)
      }
      for part in parts { recall(patch, part: part) }
      return (true, true)
    case .sourceGone, .setUp: return (false, begin(event))
    default: return (false, false)
    }
  }
}
