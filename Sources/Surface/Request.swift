import Control
import Scenes

/// A message to a node: its target, its arguments and its sender.
struct Request {
  let surface: ControlSurface
  let target: NodeAddress
  let arguments: [OSCArgument]
  let client: Client
  let peer: Peer
  /// When it arrived, and when it takes effect if later; CLOCK_MONOTONIC in nanoseconds.
  let now: Int64
  let moment: Int64?

  var instrument: Instrument { surface.instrument }
  /// The named part, or else the part in focus.
  var part: Int { target.part ?? instrument.focus }
  /// The source of the notes that it plays.
  var source: Int { Limits.surfaceSources + client.slot }
  /// The first argument as a number; nil for anything else.
  var number: Double? { arguments.first?.number }

  /// Runs an action, unless the network has duplicated the packet that asks for it.
  func once(_ action: () throws -> Void) throws {
    if !instrument.isDuplicate("\(surface.tree.text(target)) \(arguments)", now) { try action() }
  }

  /// The first argument as a number in a range. Throws a `Refusal` with `why` and the argument for anything else.
  func number(in range: ClosedRange<Double>, else why: String) throws -> Double {
    guard let number, range.contains(number) else { throw Refusal(why, not: arguments.first) }
    return number
  }

  /// An argument, by default the first, as the nearest whole number in a range: the number of an entry, a slot or a part.
  /// Throws a `Refusal` with `why` and the argument for anything else.
  func whole(at index: Int = 0, in range: ClosedRange<Int>, else why: String) throws -> Int {
    let argument = index < arguments.count ? arguments[index] : nil
    guard let number = argument?.number, number >= Double(range.lowerBound),
      number <= Double(range.upperBound)
    else { throw Refusal(why, not: argument) }
    return Int(clamping: number.rounded(), to: range)
  }
}
