import Control
import Parameters
import Scenes

extension Stage {
  /// Applies an event of a song to the scene: sets a knob, or changes a program. `isDone` is false if the event is
  /// also, or only, for the engine.
  mutating func edit(_ event: Event, _ programs: inout ProgramMap?) -> (isDone: Bool, hasChanged: Bool) {
    let channel = Int(event.target)
    switch event.kind {
    case .controller where ControllerOffsets.moves(Int(event.note)):
      let (number, source) = (Int(event.note), event.source)
      return (true, offset(controller: number, normalized: event.value, source: source, channel: channel))
    case .controller:
      let knobs = borrow(controller: Int(event.note), normalized: event.value, channel: channel)
      for (knob, value) in knobs { scene[knob] = value }
      return (true, !knobs.isEmpty)
    case .program:
      return (true, recall(bank: Int(clamping: event.value), program: Int(event.note), event, &programs))
    case .modulationDepth: return (true, move(vibrato: event))
    case .sourceGone, .setUp:
      let returned = endBorrowing()
      for (knob, value) in returned { scene[knob] = value }
      return (false, begin(event) || !returned.isEmpty)
    case .rhythm:
      // The first program, or the drum kit.
      return (false, setRhythm(event) && recall(bank: 0, program: 0, event, &programs))
    default: return (false, false)
    }
  }

  /// Changes the program of the channel of an event. False if nothing has changed.
  private mutating func recall(bank: Int, program: Int, _ event: Event, _ programs: inout ProgramMap?) -> Bool
  {
    let channel = Int(event.target)
    let parts = receivingPrograms(parts(channel: channel))
    let programChannel = programChannel(channel, of: event.source)
    guard !parts.isEmpty, let patch = programs?.patch(bank: bank, program: program, channel: programChannel)
    else {
      return false
    }
    for part in parts { recall(patch, part: part) }
    return true
  }
}
