import Parameters
import Synth

// The keys and velocities that parts play. A range is never empty: an end that is moved beyond the other takes it along, so
// that both may be set in either order.

extension Control {
  /// A knob was moved. When it is the end of a range and was moved beyond the other, it takes that along.
  func followRange(_ knob: Knob) {
    if [Control.lowKey, Control.highKey, Control.isOn, Control.channel].contains(knob.row) {
      changed(.keyboard)
    }
    guard let end = knob.otherEnd else { return }
    let (value, other) = (stage.scene[knob], stage.scene[end.knob])
    if end.isHigh ? other < value : other > value { set(end.knob, to: value) }
  }

  /// The keys that a part plays, as `C-1 to B3`.
  public func keys(part: Int) -> String {
    let input = stage.scene[part].input
    return "\(keyName(Int(input.lowKey))) to \(keyName(Int(input.highKey)))"
  }

  /// Gives a part the keys from one to another, and all others to nobody.
  func setKeys(_ keys: ClosedRange<Int>, part: Int) {
    set(Control.lowKey, Float(keys.lowerBound), part)
    set(Control.highKey, Float(keys.upperBound), part)
  }

  /// Gives a part the strokes from one velocity of MIDI to another.
  func setVelocities(_ velocities: ClosedRange<Int>, part: Int) {
    set(Control.lowVelocity, Float(velocities.lowerBound), part)
    set(Control.highVelocity, Float(velocities.upperBound), part)
  }

  /// Turns a knob of a part by its row.
  func set(_ row: Int, _ value: Float, _ part: Int) { set(Knob(row: row, part: part), to: value) }

  static let lowKey = row("/key/low")
  static let highKey = row("/key/high")
  static let lowVelocity = row("/velocity/low")
  static let highVelocity = row("/velocity/high")
  static let hearsProgram = row("/hear/program")
  static let isOn = row("/on")
  static let channel = row("/channel")

  private static func row(_ address: String) -> Int {
    guard let row = Table.rows.firstIndex(where: { $0.address == address }) else {
      preconditionFailure("no such knob: \(address)")
    }
    return row
  }
}

extension Stage {
  /// The parts that a keyboard on the channel of a part would play with it, itself among them: those that are on and on the
  /// same channel. A part that is off plays alone.
  func companions(of part: Int) -> [Int] {
    let strip = scene[part].strip
    if strip.on < 0.5 { return [part] }
    return (0..<Limits.parts).filter { scene[$0].strip.on >= 0.5 && scene[$0].strip.channel == strip.channel }
  }

  /// Those of some parts that hear program changes.
  public func hearingPrograms(_ parts: [Int]) -> [Int] {
    parts.filter { scene[$0].input.hears.program >= 0.5 }
  }
}

extension PartInput {
  /// With ranges that are not empty, whatever a file says.
  var settled: PartInput {
    var input = self
    input.highKey = max(input.lowKey, input.highKey)
    input.highVelocity = max(input.lowVelocity, input.highVelocity)
    return input
  }
}
