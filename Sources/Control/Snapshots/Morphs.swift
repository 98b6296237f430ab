import Parameters
import Presets
import Scenes
import Storage

/// The morphs of the parts: the position of `/morph` moves the sound of a part between two of its snapshots. A knob that
/// a hand moves stays out of the morph until the position reaches an end. Control thread.
public final class Morphs: Feature {
  private let writer: SceneWriter
  private let presets: PartPresets
  private let snapshots: SnapshotRecall
  private let mover: SoundMover
  private let notices: NoticeBoard
  private var courses: [Course?] = Array(repeating: nil, count: Limits.parts)
  private var isMoved = Array(repeating: false, count: Limits.parts)
  private var movedAt = Int64.min / 2

  /// The sounds that a part moves between.
  private struct Course {
    var blend: SoundBlend
    /// The rows of the knobs that a hand has moved since an end was reached.
    var movedRows: Set<Int> = []
    /// Whether a hand has changed steps of the sequence since then.
    var keepsSteps = false
    /// Whether the sound is kept until an end is reached.
    var isKept = false
  }

  static let position = KeyRanges.row("/morph/position")
  private static let from = KeyRanges.row("/morph/from")
  private static let to = KeyRanges.row("/morph/to")

  init(
    _ writer: SceneWriter, _ presets: PartPresets, _ snapshots: SnapshotRecall, _ mover: SoundMover,
    _ notices: NoticeBoard
  ) {
    (self.writer, self.presets, self.snapshots) = (writer, presets, snapshots)
    (self.mover, self.notices) = (mover, notices)
    mover.onEnd = { [unowned self] part in begin(part) }
  }

  /// Whether the sound of a part follows the position of its morph. It does not before the position is moved, after
  /// the sound was replaced, and while it is kept.
  public func isActive(part: Int) -> Bool { courses[part].map { !$0.isKept } ?? false }

  /// Makes the sound between the snapshots the sound of the part: a step of its history. The morph leaves it alone
  /// until the position reaches an end.
  public func keep(part: Int) throws(DocumentError) {
    guard courses[part] != nil else {
      throw DocumentError(description: "finds no morph to keep; move /morph first")
    }
    presets.onStep(part)
    presets.settle(part, "keeping of the morph")
    courses[part]?.isKept = true
    writer.changed(.snapshots(part: part))
  }

  /// Reads the stage of a session: a part whose sound is that of its morph follows it again.
  func readStage() {
    for part in 0..<Limits.parts {
      (courses[part], isMoved[part]) = (nil, false)
      snapshots.findCurrent(part: part)
      guard var blend = blend(part) else { continue }
      let scene = writer.stage.scene[part]
      let position = scene.morph.position
      var patch = blend.chosen(at: position)
      for (row, value) in blend.values(at: position) where blend.end(at: position) == nil {
        patch[Table.rows[row]] = value
      }
      for address in SoundBlend.fixed {
        let row = Table.rows[KeyRanges.row(address)]
        patch[row] = scene.patch[row]
      }
      if patch.isSame(as: scene.patch) { courses[part] = Course(blend: blend) }
    }
  }

  // MARK: - Moving

  /// The sounds between the snapshots of a part; nil while one of them is empty.
  private func blend(_ part: Int) -> SoundBlend? {
    let (morph, snapshots) = (writer.stage.scene[part].morph, presets.snapshots(part: part))
    guard let from = snapshots[Int(clamping: morph.from)], let to = snapshots[Int(clamping: morph.to)] else {
      return nil
    }
    return SoundBlend(from: from.patch, to: to.patch)
  }

  private func move(_ part: Int) {
    presets.onStep(part)
    presets.endComparing(part)
    let before = isActive(part: part)
    snapshots.stop(part: part)
    if courses[part] == nil { courses[part] = blend(part).map { Course(blend: $0) } }
    guard var course = courses[part] else { return postEmptySnapshot(part) }
    let morph = writer.stage.scene[part].morph
    let isAtEnd = course.blend.end(at: morph.position) != nil
    if isAtEnd { (course.movedRows, course.isKept, course.keepsSteps) = ([], false, false) }
    if !course.isKept {
      mover.move(
        part, along: &course.blend, to: morph.position, but: course.movedRows, keepsSteps: course.keepsSteps)
    }
    courses[part] = course
    let end = morph.position <= 0 ? morph.from : morph.to
    snapshots.choose(isAtEnd ? Int(clamping: end) : nil, part: part)
    if isActive(part: part) != before { writer.changed(.snapshots(part: part)) }
  }

  private func postEmptySnapshot(_ part: Int) {
    let (morph, snapshots) = (writer.stage.scene[part].morph, presets.snapshots(part: part))
    let empty = [morph.from, morph.to].map { Int(clamping: $0) }.filter { snapshots[$0] == nil }
    // A part without snapshots gets no notice: a pedal may be bound for other presets.
    guard !snapshots.isEmpty, let first = empty.first else { return }
    notices.post(
      "snapshot \(Table.snapshots[first].uppercased()) is empty: the morph stands still", about: .preset,
      log: "")
  }

  // MARK: - Feature

  func update(_ now: Int64) -> Int64? {
    guard isMoved.contains(true) else { return nil }
    if now < movedAt + SnapshotRecall.tick { return movedAt + SnapshotRecall.tick }
    movedAt = now
    for part in 0..<Limits.parts where isMoved[part] {
      isMoved[part] = false
      move(part)
    }
    return nil
  }

  func follow(_ change: Change) {
    switch change {
    case .knob(let knob):
      if knob.row == Morphs.position {
        isMoved[knob.part] = !mover.isMoving
        return
      }
      if knob.row == Morphs.from || knob.row == Morphs.to { return deactivate(knob.part) }
      if !mover.isMoving, knob.isOfSound { courses[knob.part]?.movedRows.insert(knob.row) }
    case .sound(let part): if !presets.isSwitchingComparison { deactivate(part) }
    case .sequence(let part): if !mover.isMoving { courses[part]?.keepsSteps = true }
    case .snapshots(let part):
      guard let course = courses[part] else { break }
      let morph = writer.stage.scene[part].morph
      let stored = presets.snapshots(part: part)
      let isSame =
        stored[Int(clamping: morph.from)]?.patch.isSame(as: course.blend.from) ?? false
        && stored[Int(clamping: morph.to)]?.patch.isSame(as: course.blend.to) ?? false
      if !isSame || self.snapshots.isRecalling(part: part) { deactivate(part) }
    default: break
    }
  }

  /// Begins at an end whose sound the part has already.
  private func begin(_ part: Int) {
    courses[part] = blend(part).map { Course(blend: $0) }
    writer.changed(.snapshots(part: part))
  }

  private func deactivate(_ part: Int) {
    isMoved[part] = false
    if courses[part] == nil { return }
    courses[part] = nil
    writer.changed(.snapshots(part: part))
  }
}
