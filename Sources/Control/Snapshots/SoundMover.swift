import Parameters
import Scenes
import System

/// Moves the sound of a part, as an edit of the sounding generation, and distinguishes its own edits from those of a
/// hand. Control thread.
final class SoundMover {
  private let writer: SceneWriter
  /// Whether the announced change is one of its own.
  private(set) var isMoving = false
  /// Called when a part has reached the sound at an end of its morph by other means than its position.
  var onEnd: (_ part: Int) -> Void = { _ in }

  init(_ writer: SceneWriter) { self.writer = writer }

  /// Moves a part to a position of a blend, but not the knobs that a hand has taken, and not the steps of the
  /// sequence if `keepsSteps`.
  func move(
    _ part: Int, along blend: inout SoundBlend, to position: Float, but movedRows: Set<Int> = [],
    keepsSteps: Bool = false
  ) {
    if let end = blend.end(at: position) {
      set(part, to: end, SoundBlend.rows, but: movedRows)
      return moving { if !keepsSteps { setSteps(part, to: end) } }
    }
    let (values, chosen) = (blend.values(at: position), blend.chosen(at: position))
    moving {
      for (row, value) in values where !movedRows.contains(row) {
        writer.set(ParameterID(row: row, part: part), to: value)
      }
      if !keepsSteps { setSteps(part, to: chosen) }
    }
  }

  /// Gives some knobs of a part the values of a sound.
  func set(_ part: Int, to patch: Patch, _ rows: [Int], but movedRows: Set<Int> = []) {
    moving {
      for row in rows where !movedRows.contains(row) {
        writer.set(ParameterID(row: row, part: part), to: patch[Table.rows[row]])
      }
    }
  }

  /// Sets the position of a morph to the end that the sound has reached by other means.
  func setPosition(_ part: Int, to position: Float) {
    moving { writer.set(ParameterID(row: Morphs.position, part: part), to: position) }
    onEnd(part)
  }

  private func setSteps(_ part: Int, to patch: Patch) {
    for step in 0..<StepSequence.mostSteps {
      writer.set(step: step, of: part, to: patch.sequence[step])
    }
  }

  private func moving(_ body: () -> Void) {
    isMoving = true
    body()
    isMoving = false
  }
}

/// The sounds between two sounds: a pure function of the position, except that choices keep their side near the middle.
///
/// At positions 0 and 1 the values are those of the two sounds to the bit. Between them continuous knobs move in the
/// positions of their faders; effects are on where either sound has them on, and the mix of the sound that has it off
/// counts as 0; the amount of a matrix slot that has another source or target reaches 0 in the middle; all other choices
/// change in the middle. The knobs of `fixed` do not move.
struct SoundBlend {
  private let ends: CopyOnWrite<(from: Patch, to: Patch)>
  private let moves: [Move]
  // Whether choices are those of the second sound.
  private var isSecond: Bool?

  /// A value of a knob of the sound.
  typealias Value = (row: Int, value: Float)

  /// The addresses of the knobs that do not move, because they determine what a held key plays.
  static let fixed = ["/play/mode", "/play/bend", "/arp/on", "/arp/latch"]
  /// The distance beyond the middle at which choices change, so that a trembling pedal does not change them repeatedly.
  static let hysteresis: Float = 0.02

  private enum Course {
    /// From fader position to fader position.
    case glide(Float, Float)
    /// To 0 in the middle, and up to another amount.
    case throughZero(Float, Float)
    /// On all the way, because one sound has it on.
    case on
    /// From one value to the other in the middle.
    case change(Float, Float)
    /// From one source or target of a matrix slot to the other in the middle, without hysteresis: the amount of the slot
    /// is 0 there.
    case changeAtZero(Float, Float)
  }

  private struct Move {
    let row: Int
    let course: Course
  }

  /// The sounds between `from` and `to`.
  init(from: Patch, to: Patch) {
    ends = CopyOnWrite((from, to))
    moves = SoundBlend.rows.compactMap { row in
      SoundBlend.course(row, from, to).map { Move(row: row, course: $0) }
    }
  }

  /// The sound at position 0.
  var from: Patch { ends.value.from }
  /// The sound at position 1.
  var to: Patch { ends.value.to }

  /// The values of the knobs that move, at a position between 0 and 1.
  mutating func values(at position: Float) -> [Value] {
    let isSecond = side(at: position)
    return moves.compactMap { move in
      let kind = Table.rows[move.row].kind
      switch move.course {
      case .glide(let low, let high):
        return kind.value(fader: low + (high - low) * position).map { (move.row, $0) }
      case .throughZero(let low, let high):
        let amount = position >= 0.5 ? high * (2 * position - 1) : low * (1 - 2 * position)
        return kind.clamped(amount).map { (move.row, $0) }
      case .changeAtZero(let low, let high): return (move.row, position >= 0.5 ? high : low)
      case .on: return (move.row, 1)
      case .change(let low, let high): return (move.row, isSecond ? high : low)
      }
    }
  }

  /// The sound whose choices and steps hold at a position.
  mutating func chosen(at position: Float) -> Patch { side(at: position) ? to : from }

  /// The sound at one end; nil between the ends.
  func end(at position: Float) -> Patch? { position <= 0 ? from : position >= 1 ? to : nil }

  /// The rows that move at the ends: all knobs of a sound but those of `fixed`.
  static let rows: [Int] = Table.rows.indices.filter {
    Table.rows[$0].field.scope == .patch && !fixed.contains(Table.rows[$0].address)
  }

  private mutating func side(at position: Float) -> Bool {
    let isAfter = position > 0.5 + Self.hysteresis || position >= 0.5 && isSecond == nil
    let isBefore = position < 0.5 - Self.hysteresis
    let side = isAfter || !isBefore && isSecond ?? false
    isSecond = side
    return side
  }

  // MARK: - Courses

  private static func course(_ index: Int, _ from: Patch, _ to: Patch) -> Course? {
    let row = Table.rows[index]
    let (one, other) = (from[row], to[row])
    if effects.contains(row.address) { return max(one, other) >= 0.5 ? .on : nil }
    if let effect = mixes[row.address] {
      let (low, high) = (from[effect] >= 0.5 ? one : 0, to[effect] >= 0.5 ? other : 0)
      // An effect that is off in both is inaudible.
      if low == high && one == other { return nil }
      return .glide(row.kind.fader(value: low), row.kind.fader(value: high))
    }
    if let slot = slots[row.address], slot.contains(where: { from[$0] != to[$0] }) {
      return .throughZero(one, other)
    }
    if one.bitPattern == other.bitPattern { return nil }
    if row.address.hasPrefix("/mod/"), row.kind.isDiscrete { return .changeAtZero(one, other) }
    switch row.kind {
    case .linear, .exponential, .cubic:
      return .glide(row.kind.fader(value: one), row.kind.fader(value: other))
    case .steps, .choice, .names, .toggle: return .change(one, other)
    }
  }

  private static let byAddress: [String: Parameter] = Dictionary(
    uniqueKeysWithValues: Table.rows.map { ($0.address, $0) })

  /// The switches of effects: those that have a mix.
  private static let effects: Set<String> = Set(
    Table.rows.map(\.address).filter {
      $0.hasSuffix("/on") && byAddress[$0.dropLast(3) + "/mix"]?.field.scope == .patch
    })

  /// The switch of the effect, by the address of its mix.
  private static let mixes: [String: Parameter] = Dictionary(
    uniqueKeysWithValues: effects.compactMap { address in
      byAddress[address].map { (address.dropLast(3) + "/mix", $0) }
    })

  /// The source, target and scale of a matrix slot, by the address of its amount.
  private static let slots: [String: [Parameter]] = Dictionary(
    uniqueKeysWithValues: (1...Limits.slots).map { slot in
      let choices = ["source", "target", "scale"].compactMap { byAddress["/mod/\(slot)/\($0)"] }
      return ("/mod/\(slot)/amount", choices)
    })
}
