import Parameters
import Presets
import Scenes
import Storage

/// Recalls the snapshots of parts: an edit of the sounding generation that takes the time of `/morph/time`, at once
/// or on the next beat or bar. Held notes continue; nothing restarts. A knob that a hand moves meanwhile stays where
/// the hand leaves it. Control thread.
public final class SnapshotRecall: Feature {
  let writer: SceneWriter
  private let presets: PartPresets
  private let mover: SoundMover
  private let notices: NoticeBoard
  private var courses: [Course?] = Array(repeating: nil, count: Limits.parts)
  private var waiting: [Waiting?] = Array(repeating: nil, count: Limits.parts)
  private var chosen: [Int?] = Array(repeating: nil, count: Limits.parts)

  /// A recall that takes time.
  private struct Course {
    let snapshot: Int
    var blend: SoundBlend
    let start: Int64
    let nanoseconds: Double
    var movedAt = Int64.min / 2
    /// The rows of the knobs that a hand has moved since, and whether a hand has changed steps.
    var movedRows: Set<Int> = []
    var keepsSteps = false
  }

  /// A recall that waits for a beat.
  private struct Waiting {
    let snapshot: Int
    let beat: Double
  }

  /// The time between two moves of a recall or a morph, nanoseconds: every second scene. The voices smooth the values
  /// in between.
  static let tick = 2 * SceneWriter.publishInterval

  init(_ writer: SceneWriter, _ presets: PartPresets, _ mover: SoundMover, _ notices: NoticeBoard) {
    (self.writer, self.presets, self.mover, self.notices) = (writer, presets, mover, notices)
    presets.onUndone = { [unowned self] part in findCurrent(part: part) }
  }

  /// The index of the snapshot of a part that was recalled or stored last; nil if another sound has replaced it
  /// since.
  public func current(part: Int) -> Int? {
    chosen[part].flatMap { presets.snapshots(part: part)[$0] == nil ? nil : $0 }
  }

  /// The index of the snapshot of a part whose recall waits for a beat; nil if none does.
  public func coming(part: Int) -> Int? { waiting[part]?.snapshot }

  /// Whether a recall moves the sound of a part.
  func isRecalling(part: Int) -> Bool { courses[part] != nil }

  /// Marks the snapshot whose sound a part has as the current one.
  func findCurrent(part: Int) {
    let (patch, snapshots) = (writer.stage.scene[part].patch, presets.snapshots(part: part))
    chosen[part] = snapshots.filled.first { snapshots[$0]?.patch.isSame(as: patch) ?? false }
    writer.changed(.snapshots(part: part))
  }

  /// Marks a snapshot of a part as the current one; nil for none.
  func choose(_ snapshot: Int?, part: Int) {
    if chosen[part] == snapshot { return }
    chosen[part] = snapshot
    writer.changed(.snapshots(part: part))
  }

  // MARK: - Recall

  /// Recalls a snapshot, 0…7, into the sounding generation of a part.
  /// - Parameter now: CLOCK_MONOTONIC.
  public func recall(_ snapshot: Int, part: Int, now: Int64) throws(DocumentError) {
    guard presets.snapshots(part: part)[snapshot] != nil else {
      throw DocumentError(
        description: "snapshot \(Table.snapshots[snapshot].uppercased()) is empty; hold its letter to store")
    }
    let start = SnapshotStart.at(writer.stage.scene[part].morph.quantize)
    let beat = nextBeat(start, now)
    waiting[part] = beat.map { Waiting(snapshot: snapshot, beat: $0) }
    if beat == nil { return begin(snapshot, part, now) }
    writer.changed(.snapshots(part: part))
  }

  /// Recalls a snapshot at once, whatever `/morph/time` and the beat, as an entry of a setlist does. If it is empty,
  /// a notice names it.
  func recallAtOnce(_ snapshot: Int, part: Int, now: Int64) {
    guard presets.snapshots(part: part)[snapshot] != nil else {
      return notices.post(
        "snapshot \(Table.snapshots[snapshot].uppercased()) is empty", about: .show, .moment(seconds: 5))
    }
    begin(snapshot, part, now, atOnce: true)
  }

  /// Ends a recall of a part that waits or has begun; the sound stays where it is.
  func stop(part: Int) {
    if courses[part] == nil && waiting[part] == nil { return }
    (courses[part], waiting[part]) = (nil, nil)
    writer.changed(.snapshots(part: part))
  }

  private func begin(_ index: Int, _ part: Int, _ now: Int64, atOnce: Bool = false) {
    guard let snapshot = presets.snapshots(part: part)[index] else { return stop(part: part) }
    waiting[part] = nil
    presets.onStep(part)
    presets.endComparing(part)
    presets.settle(part, "edits")
    let sound = writer.stage.scene[part]
    courses[part] = Course(
      snapshot: index, blend: SoundBlend(from: sound.patch, to: snapshot.patch), start: now,
      nanoseconds: atOnce ? 0 : Double(sound.morph.time) * 1e9)
    chosen[part] = index
    // Parameters that a morph cannot move change with the press.
    mover.set(part, to: snapshot.patch, SnapshotRecall.fixed)
    writer.changed(.snapshots(part: part))
    move(part, now)
  }

  private static let fixed = SoundBlend.fixed.map { KeyRanges.row($0) }

  private func move(_ part: Int, _ now: Int64) {
    guard var course = courses[part] else { return }
    let position = course.nanoseconds > 0 ? Double(now - course.start) / course.nanoseconds : 1
    mover.move(
      part, along: &course.blend, to: Float(max(0, min(position, 1))), but: course.movedRows,
      keepsSteps: course.keepsSteps)
    course.movedAt = now
    courses[part] = position < 1 ? course : nil
    if position < 1 { return }
    presets.settle(part, "recall of snapshot \(Table.snapshots[course.snapshot].uppercased())")
    let morph = writer.stage.scene[part].morph
    if morph.from == Float(course.snapshot) {
      mover.setPosition(part, to: 0)
    } else if morph.to == Float(course.snapshot) {
      mover.setPosition(part, to: 1)
    }
  }

  // MARK: - Feature

  func update(_ now: Int64) -> Int64? {
    var next: Int64?
    for part in 0..<Limits.parts {
      if let waiting = waiting[part] {
        if let due = dueTime(of: waiting.beat, now) {
          next = min(next ?? .max, due)
        } else {
          begin(waiting.snapshot, part, now)
        }
      }
      guard let course = courses[part] else { continue }
      if now >= course.movedAt + SnapshotRecall.tick { move(part, now) }
      if let course = courses[part] { next = min(next ?? .max, course.movedAt + SnapshotRecall.tick) }
    }
    return next
  }

  func follow(_ change: Change) {
    switch change {
    case .knob(let knob):
      if !mover.isMoving, knob.isOfSound { courses[knob.part]?.movedRows.insert(knob.row) }
    case .sequence(let part): if !mover.isMoving { courses[part]?.keepsSteps = true }
    case .sound(let part):
      stop(part: part)
      findCurrent(part: part)
    default: break
    }
  }
}

// The beat or bar that the recall of a snapshot waits for.

extension SnapshotRecall {
  /// The beat that a recall waits for; nil to begin at once, also while the transport stands still.
  func nextBeat(_ start: SnapshotStart, _ now: Int64) -> Double? {
    if start == .off || writer.link.clock.rate == 0 || isStill { return nil }
    let quarters = writer.stage.scene.master.click.beatsPerBar
    let bars = writer.link.beatClock.now.bars(quarters: quarters)
    let step = start == .bar ? bars.bar : bars.unit
    // A press on the beat begins at once.
    return bars.origin + ((beat(now) - bars.origin) / step - 1e-3).rounded(.up) * step
  }

  /// The time of the next check of a beat that a recall waits for; nil if the recall is due.
  func dueTime(of beat: Double, _ now: Int64) -> Int64? {
    let left = (beat - self.beat(now)) / Double(writer.link.beatClock.now.line.perSecond)
    // A jump of the beat line must not leave a recall waiting.
    if isStill || left <= 0 || left > SnapshotRecall.longestBar { return nil }
    return now + max(Int64(clamping: min(left, 0.1) * 1e9), SceneWriter.publishInterval / 2)
  }

  private var isStill: Bool {
    let clock = writer.link.beatClock.now
    return !clock.isRunning && clock.countIn <= 0
  }

  /// The beat of the frame that is rendered now. Scenes are rendered at once, events a latency later.
  private func beat(_ now: Int64) -> Double {
    let clock = writer.link.clock
    return writer.link.beatClock.now.line.beat(at: clock.frame(at: now) - clock.now.latency)
  }

  /// Seconds of the longest bar: twelve beats at the slowest tempo, and a little more.
  private static let longestBar = 40.0
}
