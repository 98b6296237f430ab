import Parameters
import Synth

/// The key and velocity ranges of the parts, set by knobs, by striking keys, or by a split or a layer. A range is
/// never empty: if one end is moved beyond the other, the other end follows, so that both can be set in either order.
/// Control thread.
public final class KeyRanges: Feature {
  let writer: SceneWriter
  let notices: NoticeBoard
  // The key learning in progress; nil if there is none.
  var keyLearn: KeyLearn?

  init(_ writer: SceneWriter, _ notices: NoticeBoard) { (self.writer, self.notices) = (writer, notices) }

  // MARK: - Feature

  func update(_ now: Int64) -> Int64? {
    if let end = keyLearn?.end, now >= end { endKeyLearn() }
    return keyLearn?.end
  }

  func follow(_ change: Change) {
    guard case .knob(let knob) = change else { return }
    if KeyRanges.shownRows.contains(knob.row) { writer.changed(.keyboard) }
    guard let end = knob.otherEnd else { return }
    let (value, other) = (writer[knob], writer[end.knob])
    if end.isHigh ? other < value : other > value { writer.set(end.knob, to: value) }
  }

  func take(_ command: Event) {
    if command.kind == .noteOn, command.value > 0 {
      keyStruck(Int(command.note), velocity: command.value)
    }
  }

  // MARK: - Ranges

  /// The keys that a part plays, such as `C-1 to B3`.
  public func keys(part: Int) -> String {
    let input = writer.stage.scene[part].input
    return "\(keyName(Int(clamping: input.lowKey))) to \(keyName(Int(clamping: input.highKey)))"
  }

  /// Sets the key range of a part.
  func setKeys(_ keys: ClosedRange<Int>, part: Int) {
    set(KeyRanges.lowKey, Float(keys.lowerBound), part)
    set(KeyRanges.highKey, Float(keys.upperBound), part)
  }

  /// Sets the velocity range of a part, within 1…127.
  func setVelocities(_ velocities: ClosedRange<Int>, part: Int) {
    set(KeyRanges.lowVelocity, Float(velocities.lowerBound), part)
    set(KeyRanges.highVelocity, Float(velocities.upperBound), part)
  }

  /// Sets a knob of a part by its row.
  func set(_ row: Int, _ value: Float, _ part: Int) {
    writer.set(ParameterID(row: row, part: part), to: value)
  }

  static let lowKey = row("/key/low")
  static let highKey = row("/key/high")
  static let lowVelocity = row("/velocity/low")
  static let highVelocity = row("/velocity/high")
  static let curve = row("/velocity/curve")
  static let receivesProgram = row("/hear/program")
  static let isOn = row("/on")
  static let channel = row("/channel")
  static let chordOn = row("/chord/on")
  static let chordNotes = (1...7).map { row("/chord/\($0)") }
  // The knobs that determine how parts share a keyboard.
  private static let shownRows = [lowKey, highKey, isOn, channel]

  /// The row of a knob.
  static func row(_ address: String) -> Int {
    guard let row = Table.rows.firstIndex(where: { $0.address == address }) else {
      preconditionFailure("no such knob: \(address)")
    }
    return row
  }
}
