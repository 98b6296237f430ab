import Parameters
import Scenes
import Storage

/// Records the sequence of a part by playing: each key that the part receives becomes the next step, and so does a
/// rest or a tie. The first step replaces the old sequence; the length follows the steps. The sequence does not play
/// meanwhile, so that keys sound as they are played. Control thread.
///
/// A recording is one step of the part's history. It ends when it is switched off, with the 64th step, by PANIC, after
/// a minute without a step, and before anything else becomes a step of that history, such as a recall, a save or undo.
public final class StepRecorder: Feature {
  private let writer: SceneWriter
  private let presets: PartPresets
  private let ranges: KeyRanges
  private let window: SequenceWindow
  private let notices: NoticeBoard
  /// The part whose sequence is recorded; nil if none is.
  public private(set) var part: Int?
  // The number of steps so far, and the last key that was struck, with its frame.
  private var count = 0
  private var lastKey: (key: Int, frame: Int64)?
  // The mode of the sequence before the recording, or the one that was chosen since.
  private var mode: Float = 0
  // When the recording ends without another step, CLOCK_MONOTONIC; nil until the next update after a step.
  private var due: Int64?

  /// Keys within this time are one step, of which the lowest key is kept, as the root of a chord. Milliseconds.
  static let chordTime: Int64 = 50

  init(
    _ writer: SceneWriter, _ presets: PartPresets, _ ranges: KeyRanges, _ window: SequenceWindow,
    _ notices: NoticeBoard
  ) {
    (self.writer, self.presets, self.ranges, self.window) = (writer, presets, ranges, window)
    self.notices = notices
    presets.onStep = { [unowned self] part in if part == self.part { end() } }
  }

  // MARK: - Beginning and ending

  /// Begins or ends the recording of a part's sequence. Beginning one ends the recording of another part.
  public func record(_ isOn: Bool, part: Int) {
    if isOn == (self.part == part) { return }
    if !isOn { return end() }
    end()
    presets.endComparing(part)
    presets.settle(part, "edits")
    (self.part, count, lastKey, due) = (part, 0, nil, nil)
    mode = writer[knob(StepRecorder.mode, part)]
    writer.set(knob(StepRecorder.mode, part), to: 0)
    writer.keyUses.insert(.recording)
    notices.post(
      "Part \(part + 1): play the steps of its sequence, with REST and TIE", about: .steps, .state, log: ""
    )
    writer.changed(.keyboard)
  }

  /// Ends the recording, if there is one.
  public func end() {
    guard let part else { return }
    stop()
    if writer[knob(StepRecorder.mode, part)] == 0 { writer.set(knob(StepRecorder.mode, part), to: mode) }
    presets.settle(part, "recording of the sequence")
  }

  /// Ends the recording, if there is one, without restoring the mode, because other steps and another mode replace
  /// those of the part.
  func stop() {
    if part == nil { return }
    part = nil
    writer.keyUses.remove(.recording)
    notices.clear(about: .steps)
    writer.changed(.keyboard)
  }

  // MARK: - The mode

  /// Notes the mode that the player chooses for the recorded sequence: it applies after the recording.
  func choose(_ knob: ParameterID, _ value: Float) {
    if let part, knob == self.knob(StepRecorder.mode, part), value.isFinite { mode = value }
  }

  /// Restores the mode of the recorded sequence in a scene that is to be saved. The recording has switched the
  /// sequence off.
  func restoreMode(in scene: inout Scene) {
    guard let part else { return }
    let knob = knob(StepRecorder.mode, part)
    if scene[knob] == 0 { scene[knob] = mode }
  }

  // MARK: - Steps

  /// Records a rest as the next step of a part's sequence.
  /// - Parameter now: CLOCK_MONOTONIC, to recognize a packet that the network has duplicated.
  public func rest(part: Int, now: Int64) throws(DocumentError) {
    try check(part)
    if writer.isDuplicate("rest", now, within: SceneWriter.pressInterval) { return }
    add(SequenceStep())
  }

  /// Extends the note of the last step by another step.
  /// - Parameter now: CLOCK_MONOTONIC, to recognize a packet that the network has duplicated.
  public func tie(part: Int, now: Int64) throws(DocumentError) {
    try check(part)
    if writer.isDuplicate("tie", now, within: SceneWriter.pressInterval) { return }
    var step = count > 0 ? writer.step(count - 1, of: part) : SequenceStep()
    if step.velocity == 0 { throw DocumentError(description: "needs a note before it") }
    step.isTie = true
    add(step)
  }

  private func check(_ part: Int) throws(DocumentError) {
    if part != self.part {
      throw DocumentError(description: "is for a sequence that is recorded; send /sequence/record 1 first")
    }
  }

  /// Records a key that `parts` receive, if the recorded part is one of them.
  /// - Parameters:
  ///   - velocity: 0…1.
  ///   - frame: When it was struck, a frame of the engine.
  func keyStruck(_ key: Int, velocity: Float, parts: [Int], frame: Int64) {
    // A key that sets a range or a chord is not a step of the sequence.
    guard let part, parts.contains(part), !ranges.isLearning else { return }
    let input = writer.stage.scene[part].input
    let stroke = Int(clamping: (velocity * 127).rounded(), to: 1...127)
    guard Float(key) >= input.lowKey, Float(key) <= input.highKey, Float(stroke) >= input.lowVelocity,
      Float(stroke) <= input.highVelocity
    else { return }
    // The part transposes it again when it plays it.
    let step = SequenceStep(note: key - StepRecorder.middle, velocity: stroke)
    let near = Int64(writer.link.clock.rate) * StepRecorder.chordTime / 1_000
    if let last = lastKey, abs(frame - last.frame) < near {
      if key < last.key {
        lastKey?.key = key
        writer.set(step: count - 1, of: part, to: step)
      }
      return
    }
    add(step)
    lastKey = (key, frame)
  }

  private func add(_ step: SequenceStep) {
    guard let part else { return }
    if count == 0 {
      for step in 1..<StepSequence.mostSteps { writer.set(step: step, of: part, to: SequenceStep()) }
    }
    writer.set(step: count, of: part, to: step)
    count += 1
    (lastKey, due) = (nil, nil)
    writer.set(knob(StepRecorder.length, part), to: Float(count))
    if part == writer.focus { window.turn(to: (count - 1) / SequenceWindow.slots + 1) }
    if count == StepSequence.mostSteps { end() }
  }

  /// Makes all steps of a part's sequence rests.
  public func clear(part: Int) {
    let before = presets.beginStep(part)
    for step in 0..<StepSequence.mostSteps { writer.set(step: step, of: part, to: SequenceStep()) }
    presets.endStep("clearing of the sequence", part, before)
  }

  // The key that plays the sequence as it was recorded.
  private static let middle = 60

  // MARK: - Feature

  func update(_ now: Int64) -> Int64? {
    guard let part else { return nil }
    let due = self.due ?? now + Limits.recordingPause
    self.due = due
    if now < due { return due }
    end()
    notices.post(
      "Part \(part + 1): its sequence is no longer recorded, after a minute without a step", about: .steps,
      log: "")
    return nil
  }

  func follow(_ change: Change) {
    // Another sound has replaced the recorded one without a step of the history, and must not be changed.
    if case .sound(let part) = change, part == self.part { stop() }
  }

  func take(_ command: Event) {
    guard part != nil, command.kind == .noteOn, command.value > 0 else { return }
    let parts = writer.stage.parts(channel: Int(command.target), source: command.source)
    keyStruck(Int(command.note), velocity: command.value, parts: parts, frame: command.frame)
  }

  private func knob(_ row: Int, _ part: Int) -> ParameterID { ParameterID(row: row, part: part) }
  private static let mode = KeyRanges.row("/sequence/mode")
  private static let length = KeyRanges.row("/sequence/length")
}
