import Parameters
import Scenes

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

/// The ways in which parts 1 and 2 share a keyboard.
public enum KeyboardSharing: String, Sendable {
  /// They do not share a keyboard.
  case single
  /// Part 1 plays the keys below the split key, part 2 the split key and those above.
  case split
  /// Both play all keys.
  case layer
}

// Split and layer have no state of their own: they are derived from the key ranges, channels and switches of parts 1
// and 2. Each of these may be changed afterwards, and a restart keeps them.

extension KeyRanges {
  /// How parts 1 and 2 currently share a keyboard.
  public var sharing: KeyboardSharing {
    let (one, two) = (writer.stage.scene[0], writer.stage.scene[1])
    guard one.strip.on >= 0.5, two.strip.on >= 0.5, one.strip.channel == two.strip.channel else {
      return .single
    }
    return one.input.highKey < two.input.lowKey ? .split : .layer
  }

  /// The lowest key of part 2.
  public var splitKey: Int { Int(clamping: writer.stage.scene[1].input.lowKey) }

  /// Splits the keyboard of part 1: it keeps the keys below `key`, and part 2 plays `key` and those above. Each part
  /// plays at least one key.
  public func split(at key: Int) {
    let key = max(1, min(key, 127))
    share()
    setKeys(0...key - 1, part: 0)
    setKeys(key...127, part: 1)
    notices.post("Split: part 1 below \(keyName(key)), part 2 from there on", about: .keyboard, log: "")
  }

  /// Lets part 2 play everything that part 1 plays: the keyboard of part 1, and all keys for both.
  public func layer() {
    endKeyLearn()
    share()
    for part in 0...1 { setKeys(0...127, part: part) }
    notices.post("Layer: parts 1 and 2 play all keys", about: .keyboard, log: "")
  }

  /// Ends a split or a layer, even if part 2 was switched off in it: part 1 plays all keys, and part 2 is switched
  /// off and gets the channel of its number. If part 2 plays on another channel than part 1, it stays unchanged.
  public func playSingle() {
    endKeyLearn()
    let (one, two) = (writer.stage.scene[0].strip, writer.stage.scene[1].strip)
    let isApart = two.on >= 0.5 && two.channel != one.channel
    for part in isApart ? 0...0 : 0...1 {
      setKeys(0...127, part: part)
      setVelocities(1...127, part: part)
    }
    if !isApart {
      set(KeyRanges.isOn, 0, 1)
      set(KeyRanges.channel, Scene.initial[1].strip.channel, 1)
      set(KeyRanges.receivesProgram, 1, 1)
    }
    notices.post("Part 1 plays all keys", about: .keyboard, log: "")
  }

  /// Puts part 2 on the keyboard of part 1, with all velocities for both. Only part 1 follows program changes, which
  /// would otherwise give both parts one sound.
  private func share() {
    set(KeyRanges.channel, writer.stage.scene[0].strip.channel, 1)
    for part in 0...1 {
      set(KeyRanges.isOn, 1, part)
      setVelocities(1...127, part: part)
    }
    set(KeyRanges.receivesProgram, 0, 1)
  }
}
