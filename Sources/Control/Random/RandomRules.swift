import Parameters
import Synth

/// The rules of random sounds: the knobs that are never drawn, and the limits of every drawn sound.
enum RandomRules {
  /// Knobs that are never drawn: the level; the bend range and the play mode, on which the player relies; vintage,
  /// which detunes voices; and the freeze of the reverb, which holds a sound for ever.
  private static let kept: Set<String> = [
    "/amp/level", "/play/bend", "/play/mode", "/play/vintage", "/reverb/freeze",
  ]
  /// The tuning of the oscillators, by the last words of the addresses.
  private static let tuning: Set<String> = ["octave", "semitone", "fine", "ratio", "shift"]

  /// The rows of a section, or of the whole sound, that are drawn while the sections in `locked` are locked.
  static func rows(of section: SoundSection?, locked: Set<String> = []) -> [Int] {
    let free = SoundSection.base.filter {
      !SoundSection.ofNotes.contains($0.name) && !locked.contains($0.name)
    }
    let rows = free.flatMap { $0.knobs.map(\.row) }.filter { row in
      let address = Table.rows[row].address
      return !kept.contains(address)
        && !(address.split(separator: "/").last.map { tuning.contains("\($0)") } ?? false)
    }
    guard let section else { return rows }
    let own = Set(section.knobs.map(\.row))
    return rows.filter(own.contains)
  }

  // Limits of drawn sounds.
  private static let leastSource: Float = 0.5
  private static let longestAttack: Float = 1.99
  private static let lowestCutoff: Float = 201
  private static let mostFeedback: Float = 0.79

  /// Moves the knobs of `rows` that are outside the limits into them: a source at 50 % or more, an attack under 2 s,
  /// a cutoff over 200 Hz, and feedbacks under 80 %.
  static func settle(_ sound: inout Patch, _ rows: [Int]) {
    for row in rows {
      let knob = Table.rows[row]
      if knob.address == "/amp/attack" { sound[knob] = min(sound[knob], longestAttack) }
      if knob.address == "/filter/cutoff" { sound[knob] = max(sound[knob], lowestCutoff) }
      if knob.address.hasSuffix("/feedback") { sound[knob] = min(sound[knob], mostFeedback) }
    }
    let drawn = Set(rows)
    let levels = sources.map { (row: $0, level: sound[Table.rows[$0]]) }
    let loudest = levels.filter { drawn.contains($0.row) }.max { $0.level < $1.level }
    guard let loudest, levels.allSatisfy({ $0.level < leastSource }) else { return }
    sound[Table.rows[loudest.row]] = leastSource
  }

  private static let sources: [Int] = Table.rows.indices.filter {
    ["/osc/1/level", "/osc/2/level", "/osc/3/level", "/sub/level", "/noise/level"].contains(
      Table.rows[$0].address)
  }
}
