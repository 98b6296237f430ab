import Parameters
import Presets
import Synth
import System
import Tuning

/// The instrument: the staged scene, its publishing, and a list of features, each with its own state. It takes changes
/// from every source, publishes them to audio as whole scenes, and tells its listeners of each. Control thread only.
public final class Instrument {
  /// All presets.
  public let library: Library
  /// The notices that surfaces show.
  public let notices: NoticeBoard
  /// The health of the instrument.
  public let health: Health
  /// The presets of the parts.
  public let presets: PartPresets
  /// The page of preset buttons.
  public let page: PresetPage
  /// The tunings of the parts.
  public let tunings: PartTunings
  /// The key and velocity ranges of the parts.
  public let ranges: KeyRanges
  /// What surfaces and songs play.
  public let performance: Performance
  /// The source of the tempo.
  public let tempo: TempoSource
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

  let writer: SceneWriter
  let session: SessionKeeper
  let healthWatch: HealthWatch
  let libraryWatch: LibraryWatch

  /// An instrument whose audio side is `link`. It starts as the library's session was left, or else with the first preset.
  /// - Parameters:
  ///   - tunings: The folder of Scala files.
  ///   - log: Takes one line about each thing that went wrong.
  public init(
    link: Link, library: Library, tunings folder: TuningFolder = TuningFolder(nil),
    log: @escaping (String) -> Void
  ) {
    self.library = library
    writer = SceneWriter(link: link)
    notices = NoticeBoard(writer, log: log)
    health = Health(link)
    presets = PartPresets(writer, library, notices)
    page = PresetPage(writer, presets, notices)
    tunings = PartTunings(writer, folder, notices)
    ranges = KeyRanges(writer, notices)
    performance = Performance(writer, ranges)
    tempo = TempoSource(writer)
    devices = Devices(writer)
    learning = ControlLearn(writer, devices, notices)
    bindings = Bindings(writer, devices, learning, presets, tempo, performance)
    card = Attachment(writer, CardState(), change: .card, missing: "finds no sound output")
    recorder = Attachment(writer, RecordingState(), change: .recording, missing: "records nothing here")
    songs = Attachment(writer, SongState(), change: .song, missing: "plays no songs here")
    session = SessionKeeper(writer, presets, page, tunings)
    healthWatch = HealthWatch(writer, health, notices)
    libraryWatch = LibraryWatch(presets, session, notices)
    // Performance first: it sets what the programs of a source mean before presets are recalled for it.
    writer.features = [
      performance, presets, page, tunings, ranges, tempo, learning, bindings, SongCommands(songs), notices,
      session,
    ]
    health.problems = { [notices] in notices.problems }
    session.restore()
  }

  // MARK: - The scene

  /// The cells that audio shares.
  public var link: Link { writer.link }

  /// The scene as it will be published next.
  public var stage: Stage { writer.stage }

  /// Calls `listener` after each change, on the control thread.
  public func listen(_ listener: @escaping (Change) -> Void) { writer.listen(listener) }

  /// Sets a knob in the unit of the scene, clamped to its range; NaN is ignored.
  public func set(_ knob: ParameterID, to value: Float) { writer.set(knob, to: value) }

  /// The part that bare addresses mean, 0…7.
  public var focus: Int {
    get { writer.focus }
    set { writer.focus = newValue }
  }

  /// Has every feature carry out a command from the MIDI thread or from a song.
  public func take(_ command: Event) {
    for feature in writer.features { feature.take(command) }
  }

  // MARK: - The loop

  /// Takes a turn after every round of the loop from now on.
  public func join(_ loop: PollLoop) {
    loop.afterEachRound { [weak self] now in self?.update(now) }
    loop.afterEachRound { [weak self] now in self?.healthWatch.updateHealth(now) }
    loop.afterEachRound { [weak self] now in self?.healthWatch.updateLevels(now) }
    loop.afterEachRound { [weak self] now in self?.bindings.updateLamps(now) }
    libraryWatch.join(loop)
  }

  /// Takes the MIDI thread's commands, gives each feature its turn, publishes the scene and saves the session.
  /// - Returns: When it wants to be called again; nil when nothing waits.
  func update(_ now: Int64) -> Int64? {
    takeCommands()
    let expiry = writer.features.compactMap { $0.update(now) }.min()
    let savesSession = session.isChanged && writer.mayPublish(now)
    let published = writer.publish(now)
    if savesSession { session.save() }
    return published ?? expiry
  }

  /// Carries out the commands that have come from the MIDI thread since the last turn.
  private func takeCommands() {
    // No more than a ring holds, so that a flood of them cannot keep the thread.
    for _ in 0..<Limits.ringEvents {
      guard let command = link.commands.peek()?.pointee else { return }
      link.commands.drop()
      take(command)
    }
  }

  /// Writes what is left to be saved, for at most `seconds`, as the last thing. False when something could not be written.
  public func finish(within seconds: Double) -> Bool {
    session.save()
    return library.stop(within: seconds)
  }
}

extension ParameterID {
  /// Whether the knob is part of the sound, and so of presets.
  var isOfSound: Bool { Table.rows[row].field.scope == .patch }
}
