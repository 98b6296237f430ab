import Parameters
import Presets
import Scenes

/// Restores the session at the start and saves it after each change: the scene, the focus, and the presets and
/// tunings of the parts. Control thread.
final class SessionKeeper: Feature {
  private let writer: SceneWriter
  private let presets: PartPresets
  private let page: PresetPage
  private let tunings: PartTunings
  private let recorder: StepRecorder
  /// The setup and the setlist of the session.
  var show: (setups: Setups, setlists: Setlists)?
  /// A preset that is only heard, and is no part of the session.
  var audition: PresetAudition?
  /// What a song has borrowed, which belongs to the session as it was.
  var borrowed: BorrowedState?
  private let morphs: Morphs
  private var library: Library { presets.library }
  // True if the session has changed since it was last saved. A session that was only restored is not saved: while the
  // database cannot be read, the initial state would replace the session stored in it.
  private(set) var isChanged = false
  // Whether the session may still come from the database: none was read at the start, and nothing has changed since.
  private var awaitsSession: Bool
  // Since when the session is not saved because a part of a packet was carried out.
  private var isHeldSince: Int64?

  init(
    _ writer: SceneWriter, _ presets: PartPresets, _ page: PresetPage, _ tunings: PartTunings,
    _ recorder: StepRecorder, _ morphs: Morphs
  ) {
    self.morphs = morphs
    (self.writer, self.presets, self.page, self.tunings) = (writer, presets, page, tunings)
    self.recorder = recorder
    awaitsSession = presets.library.session == nil
  }

  func follow(_ change: Change) { if change.altersSession { isChanged = true } }

  /// Runs `body` without marking the session as changed.
  func withoutMarkingChanged(_ body: () -> Void) {
    let before = isChanged
    body()
    isChanged = before
  }

  /// Restores the saved session, or else the first preset in part 1.
  func restore() {
    withoutMarkingChanged {
      if let session = library.session {
        writer.stage.restore(session.scene)
        writer.stage.focus = session.focus
        tunings.restore(session.tunings)
        presets.setOrigins(session.presets, session.snapshots)
        restore(session.show)
      } else if let first = library.next(after: nil) {
        presets.recall(first, part: 0)
      }
      morphs.readStage()
      presets.forgetHistory()
    }
  }

  /// Restores a session that the database has provided late, unless someone has played already. False if there is
  /// none.
  func restoreLate() -> Bool {
    let hasPlayed = writer.link.midi.taken + writer.link.control.taken > 0
    guard awaitsSession, !isChanged, !hasPlayed, let session = library.session else { return false }
    adopt(session)
    return true
  }

  /// Sets everything as in a session.
  func adopt(_ session: Session) {
    awaitsSession = false
    recorder.stop()
    for knob in ParameterID.all { writer.set(knob, to: session.scene[knob]) }
    for part in 0..<Limits.parts {
      for step in 0..<StepSequence.mostSteps {
        writer.set(step: step, of: part, to: session.scene[part].patch.sequence[step])
      }
    }
    presets.setOrigins(session.presets, session.snapshots)
    tunings.restore(session.tunings)
    writer.focus = session.focus
    restore(session.show)
    // The page still shows the preset from before.
    page.forgetTurn()
    morphs.readStage()
    presets.forgetHistory()
  }

  private var shown: ShowState {
    var state = ShowState()
    guard let show else { return state }
    (state.setup, state.tempo) = (show.setups.slot, show.setups.tempoOfEntry)
    state.transpose = writer.stage.transposition
    (state.setlist, state.position, state.cue) = (
      show.setlists.key, show.setlists.position, show.setlists.chosen
    )
    (state.wraps, state.defers) = (show.setlists.wraps, show.setlists.defers)
    return state
  }

  private func restore(_ state: ShowState) {
    guard let show else { return }
    (show.setups.slot, show.setups.tempoOfEntry) = (state.setup, state.tempo)
    show.setups.transpose(state.transpose)
    (show.setlists.key, show.setlists.position, show.setlists.chosen) = (
      state.setlist, state.position, state.cue
    )
    (show.setlists.wraps, show.setlists.defers) = (state.wraps, state.defers)
    writer.changed(.show)
  }

  /// Whether the session has changed and can be saved now: what one packet changes is saved together.
  func isDue(_ now: Int64, isAmidPacket: Bool) -> Bool {
    guard isChanged, isAmidPacket else {
      isHeldSince = nil
      return isChanged
    }
    let since = isHeldSince ?? now
    isHeldSince = since
    return now - since >= Instrument.longestHold
  }

  /// Saves the session if it has changed. This is cheap, because the library collects changes before it writes.
  /// - Parameter atOnce: Whether the player has saved something that it holds, as a snapshot.
  func save(atOnce: Bool = false) {
    // One that was saved before may still be gathered.
    if !isChanged && !atOnce { return }
    (isChanged, awaitsSession) = (false, false)
    var scene = writer.stage.scene
    // The recording has changed the mode, and after a power cut nothing would restore it.
    recorder.restoreMode(in: &scene)
    presets.restoreEdited(in: &scene)
    var session = Session(
      scene: scene, focus: writer.focus,
      presets: (0..<Limits.parts).map { presets.slot(part: $0) }, tunings: tunings.choices, show: shown,
      snapshots: (0..<Limits.parts).map { presets.snapshots(part: $0) })
    audition?.restore(in: &session)
    borrowed?.restore(in: &session)
    library.save(session, atOnce: atOnce)
  }
}
