import Control
import Synth

/// A message that has found its node: what it says and who sent it.
struct Request {
  let surface: ControlSurface
  let target: NodeAddress
  let arguments: [OSCArgument]
  let client: Client
  let peer: Peer
  /// When it came in, and when it is meant if that is later; CLOCK_MONOTONIC.
  let now: Int64
  let moment: Int64?

  var instrument: Instrument { surface.instrument }
  /// The part that is named, or else the one in focus.
  var part: Int { target.part ?? instrument.focus }
  /// Whose hand it is, for what is played.
  var source: Int { Limits.surfaceSources + client.seat }
  /// The number of the one argument.
  var number: Double? { arguments.first?.number }

  /// The one argument's number in a range; else it is refused, by what is taken and what was given.
  func number(in range: ClosedRange<Double>, else why: String) throws -> Double {
    guard let number, range.contains(number) else { throw Refusal(why, not: arguments.first) }
    return number
  }
}
