import Parameters
import Synth

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
