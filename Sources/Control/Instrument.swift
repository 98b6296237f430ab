import Parameters
import Presets
import Scenes
import Synth
import System
import Tuning
import Wavetables

/// The instrument: the staged scene, its publishing, and a list of features, each with its own state. It accepts
/// changes from every source, publishes them to audio as whole scenes, and tells its listeners about each change.
/// Control thread only.
public final class Instrument {
  /// All presets.
  public let library: Library
  /// The notices that surfaces show.
  public let notices: NoticeBoard
  /// The health of the instrument.
  public let health: Health
  /// Viewers of the output.
  public let monitor: Monitor
  /// The presets of the parts.
  public let presets: PartPresets
  /// Imports of presets.
  public let imports: PresetImports
  /// Random sounds.
  public let random: RandomSounds
  /// The section that was copied.
  public let clipboard: SectionClipboard
  /// The recall of snapshots.
  public let snapshots: SnapshotRecall
  /// The buttons of snapshots.
  public let snapshotButtons: SnapshotButtons
  /// The morphs of the parts.
  public let morphs: Morphs
  /// The page of preset buttons.
  public let page: PresetPage
  /// The text that is typed as a name, or for a search.
  public let typedName: TypedName
  /// The tunings of the parts.
  public let tunings: PartTunings
  /// The wavetables of the player.
  public let wavetables: UserWavetables
  /// The key and velocity ranges of the parts.
  public let ranges: KeyRanges
  /// The events that surfaces and songs play.
  public let performance: Performance
  /// Hearing presets that are not loaded.
  public let audition: PresetAudition
  /// The instrument's own clock: start, stop, and the beat that surfaces show.
  public let clock: OwnClock
  /// The arpeggiators of the parts.
  public let arpeggios: Arpeggios
  /// The steps of a sequence that surfaces show.
  public let sequenceWindow: SequenceWindow
  /// The recording of sequences by playing.
  public let stepRecorder: StepRecorder
  /// The lock of the surfaces on stage.
  public let lock: StageLock
  /// The setups.
  public let setups: Setups
  /// The setlist and the position in it.
  public let setlists: Setlists
  /// The source of the tempo.
  public let tempo: TempoSource
  /// What a song that plays has borrowed from the player.
  public let borrowed: BorrowedState
  /// The keyboards and other MIDI devices.
  public let devices: Devices
  /// The learning of bindings.
  public let learning: ControlLearn
  /// The bindings of devices' controls.
  public let bindings: Bindings
  /// The sound card.
  public let card: Attachment<CardState, CardRequest>
  /// The recorder.
  public let recorder: Attachment<RecordingState, RecordingRequest>
  /// The song player.
  public let songs: Attachment<SongState, SongRequest>

  /// The songs as files.
  public let songFiles = Inquiries<FileRequest, FileAnswer>(missing: "keeps no songs here")
  /// The checks of `pipit doctor`.
  public let doctor = Inquiries<Void, [DoctorFinding]>(missing: "checks nothing here")
  /// Backups of the whole box.
  public let backups = Inquiries<BackupRequest, BackupAnswer>(missing: "makes no backups here")
  /// Updates of the card image.
  public let updates = Inquiries<UpdateRequest, UpdateAnswer>(missing: "does not run pipit's card image")
  /// The recordings as files.
  public let recordingFiles = Inquiries<FileRequest, FileAnswer>(missing: "keeps no recordings here")

  /// Whether a surface has carried out a part of a packet, and the rest waits. The session is saved after that.
  public var isAmidPacket: () -> Bool = { false }
  /// How long what one packet changes may wait for the rest of the packet before it is written, nanoseconds.
  public static let longestHold: Int64 = 1_000_000_000
  // Makes long texts; nil without a loop.
  private var texts: Worker?

  let writer: SceneWriter
  let saving: SavingNotice
  let session: SessionKeeper
  let healthWatch: HealthWatch
  let libraryWatch: LibraryWatch

  /// Creates an instrument whose audio side is `link`. It starts with the library's saved session, or else with the
  /// first preset.
  /// - Parameters:
  ///   - tunings: The folder of Scala files.
  ///   - wavetables: The folder of wavetables.
  ///   - log: Called with one line about each problem.
  public init(
    link: Link, library: Library, tunings folder: TuningFolder = TuningFolder(nil),
    wavetables waves: WavetableFolder = WavetableFolder(nil),
    log: @escaping (String) -> Void
  ) {
    self.library = library
    writer = SceneWriter(link: link, names: library.wavetables)
    notices = NoticeBoard(writer, log: log)
    wavetables = UserWavetables(writer, waves, notices)
    health = Health(link)
    monitor = Monitor(link)
    saving = SavingNotice(library, notices)
    presets = PartPresets(writer, library, notices, saving)
    imports = PresetImports(presets)
    clipboard = SectionClipboard(presets, notices)
    random = RandomSounds(writer, presets, notices)
    let mover = SoundMover(writer)
    snapshots = SnapshotRecall(writer, presets, mover, notices)
    snapshotButtons = SnapshotButtons(writer, presets, snapshots, notices)
    morphs = Morphs(writer, presets, snapshots, mover, notices)
    page = PresetPage(writer, presets, notices)
    typedName = TypedName(writer, presets, page)
    tunings = PartTunings(writer, folder, notices)
    ranges = KeyRanges(writer, notices)
    sequenceWindow = SequenceWindow(writer)
    stepRecorder = StepRecorder(writer, presets, ranges, sequenceWindow, notices)
    performance = Performance(writer, ranges, stepRecorder)
    audition = PresetAudition(writer, presets, performance)
    clock = OwnClock(writer, notices)
    arpeggios = Arpeggios(writer)
    tempo = TempoSource(writer, clock)
    lock = StageLock(writer)
    setups = Setups(writer, presets, self.tunings, notices)
    setlists = Setlists(writer, setups, presets, tempo, notices)
    borrowed = BorrowedState(writer, presets, setups)
    devices = Devices(writer, saving)
    learning = ControlLearn(writer, devices, notices)
    bindings = Bindings(writer, devices, learning, presets, tempo, performance, snapshotButtons)
    bindings.show = (setups, setlists)
    setlists.onSnapshot = { [snapshots, writer] letter in
      guard let index = Table.snapshots.firstIndex(of: letter.lowercased()) else { return }
      snapshots.recallAtOnce(index, part: writer.focus, now: monotonic())
    }
    card = Attachment(writer, CardState(), change: .card, missing: "finds no sound output")
    recorder = Attachment(writer, RecordingState(), change: .recording, missing: "records nothing here")
    songs = Attachment(writer, SongState(), change: .song, missing: "plays no songs here")
    session = SessionKeeper(writer, presets, page, tunings, stepRecorder, morphs)
    session.show = (setups, setlists)
    (session.audition, session.borrowed) = (audition, borrowed)
    presets.saveSession = { [unowned session] in session.save(atOnce: true) }
    healthWatch = HealthWatch(writer, health, notices)
    libraryWatch = LibraryWatch(presets, session, notices, saving)
    // Performance comes first: it sets the program order of a source before presets are recalled for it. The recorder
    // precedes the ranges, so that a key that is being learned is not recorded as a step.
    writer.features = [
      performance, presets, snapshotButtons, snapshots, morphs, page, tunings, setlists, setups, stepRecorder,
      ranges, audition, tempo, clock, arpeggios, learning, bindings, SongCommands(songs), lock, notices,
      imports, session,
    ]
    health.problems = { [notices] in notices.problems }
    session.restore()
  }

  // Features and their writer refer to one another.
  deinit { writer.features = [] }

  // MARK: - The scene

  /// The cells shared with the audio thread.
  public var link: Link { writer.link }

  /// The scene that will be published next.
  public var stage: Stage { writer.stage }

  /// Calls `listener` after each change, on the control thread.
  public func listen(_ listener: @escaping (Change) -> Void) { writer.listen(listener) }

  /// The value of a knob, in the unit of the scene.
  public func value(of knob: ParameterID) -> Float { writer[knob] }

  /// Sets a knob in the unit of the scene, clamped to its range; NaN is ignored.
  public func set(_ knob: ParameterID, to value: Float) {
    stepRecorder.choose(knob, value)
    writer.set(knob, to: value)
  }

  /// A step of the sequence of a part, 0..<64.
  public func sequenceStep(_ step: Int, part: Int) -> SequenceStep {
    writer.step(step, of: part)
  }

  /// Sets a step of the sequence of a part, 0..<64.
  public func set(step: Int, of part: Int, to value: SequenceStep) {
    writer.set(step: step, of: part, to: value)
  }

  /// Whether an equal request arrived less than 60 ms ago: a packet that the network has duplicated.
  public func isDuplicate(_ request: String, _ now: Int64) -> Bool {
    writer.isDuplicate(request, now, within: SceneWriter.pressInterval)
  }

  /// The part in focus, 0…7, to which addresses without a part refer.
  public var focus: Int {
    get { writer.focus }
    set { writer.focus = newValue }
  }

  /// Passes a command from the MIDI thread or from a song to every feature.
  public func take(_ command: Event) {
    for feature in writer.features { feature.take(command) }
  }

  // MARK: - The loop

  /// From now on, updates the instrument after every round of the loop.
  public func join(_ loop: PollLoop) {
    // The sounds of the session are ready before anything is received. Later wavetables are made on a worker.
    writer.publishBeforeKey()
    wavetables.join(loop)
    presets.isInLoop = true
    random.worker = Worker(loop)
    // Workers of their own: the drawing of a random sound takes a second, and so does a long list.
    setups.worker = Worker(loop)
    imports.worker = Worker(loop)
    texts = Worker(loop)
    loop.afterEachRound { [weak self] now in self?.update(now) }
    loop.afterEachRound { [weak self] now in self?.healthWatch.updateHealth(now) }
    loop.afterEachRound { [weak self] now in self?.healthWatch.updateLevels(now) }
    loop.afterEachRound { [weak self] now in self?.bindings.updateLamps(now) }
    libraryWatch.join(loop)
  }

  /// Makes a long text or list on a worker thread, and passes it to `then` in a later round; without a loop, at once.
  public func inBackground<Value: Sendable>(
    _ make: @escaping @Sendable () -> Value, then: @escaping (Value) -> Void
  ) {
    guard let texts else { return then(make()) }
    texts.attempt(make) { then($0 ?? make()) }
  }

  /// Handles the MIDI thread's commands, updates each feature, publishes the scene and saves the session.
  /// - Returns: The time of the next call; nil if nothing waits.
  func update(_ now: Int64) -> Int64? {
    takeCommands()
    let expiry = writer.features.compactMap { $0.update(now) }.min()
    let savesSession = session.isDue(now, isAmidPacket: isAmidPacket()) && writer.mayPublish(now)
    let published = writer.publish(now)
    wavetables.report()
    if savesSession { session.save() }
    let unsaved = session.isChanged ? now + SceneWriter.publishInterval : nil
    // A retired scene waits longer than a morph does.
    return [published, expiry, unsaved].compactMap { $0 }.min()
  }

  /// Handles the commands from the MIDI thread since the last update.
  private func takeCommands() {
    // At most as many as a ring holds, so that a flood of commands cannot block the thread.
    for _ in 0..<Limits.ringEvents {
      guard let command = link.commands.peek()?.pointee else { return }
      link.commands.drop()
      take(command)
    }
  }

  /// Calls `act` once: with true when all that the player has saved is on the disk, or with false when some of it could
  /// not be written, or there is no database.
  public func whenSaved(_ act: @escaping (_ isSaved: Bool) -> Void) { saving.whenSaved(act) }

  /// Writes unsaved data before the program ends, for at most `seconds`. False if something could not be written.
  public func finish(within seconds: Double) -> Bool {
    stepRecorder.end()
    audition.end()
    imports.finish()
    presets.finishTurns()
    session.save()
    return library.stop(within: seconds)
  }
}

extension ParameterID {
  /// Whether the knob belongs to the sound, and so to presets.
  var isOfSound: Bool { Table.rows[row].field.scope == .patch }
}
