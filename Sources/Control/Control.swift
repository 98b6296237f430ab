import MIDI
import Parameters
import Presets
import Synth
import System
import Tuning

/// What a listener is told after it has happened; it reads the rest from the control.
public enum Change: Hashable, Sendable {
  /// One knob has another value.
  case knob(Knob)
  /// Another sound was put into a part: any of its knobs may have changed.
  case sound(part: Int)
  /// Name, place or edited mark of the preset in a part.
  case preset(part: Int)
  /// Bare addresses mean another part.
  case focus
  /// There is another notice.
  case notice
  /// The health that surfaces show is another.
  case health
  /// The meters of what goes out show another level.
  case levels
  /// Surfaces show another page of presets.
  case page
  /// The sound card, or its volume, is another.
  case card
  /// A recording has begun, goes on or has ended.
  case recording
  /// There is another song, or it stands elsewhere.
  case song
  /// Parts have other tunings.
  case tuning
  /// Parts play other keys, or share a keyboard in another way; or keys are waited for, or no more.
  case keyboard
  /// Something is learned, or was.
  case learning

  /// Whether the scene or what is kept with it differs after it: it must be published, and the session saved.
  var isOfSession: Bool {
    switch self {
    case .knob, .sound, .preset, .focus, .tuning: true
    case .notice, .health, .levels, .page, .card, .recording, .song, .keyboard, .learning: false
    }
  }
}

/// The one writer of the staged scene. Takes changes from every source, publishes them, coalesced, as whole
/// scenes, and tells the listeners of each. Control thread only.
public final class Control {
  /// What audio shares.
  public let link: Link
  /// All presets.
  public let library: Library
  /// The scene as it will be published next. Only control edits it.
  public internal(set) var stage: Stage
  // What the player should know and has not asked for.
  private var notices = Notices()
  /// How the instrument is.
  public let health: Health
  /// The sound card as it is; set by whoever starts the output.
  public var card = CardState() { didSet { if card != oldValue { changed(.card) } } }
  /// The recording as it is; set by whoever starts the recorder.
  public var recording = RecordingState() { didSet { if recording != oldValue { changed(.recording) } } }
  /// The song as it is; set by whoever plays songs.
  public var song = SongState() { didSet { if song != oldValue { changed(.song) } } }
  /// The keyboards that are known, and which of them are there; set by whoever reads MIDI.
  public var devices = DeviceTable() {
    didSet {
      stage.routes = stage.routes.filter { $0.key == UInt8(Limits.songSource) }
      for device in devices.devices where !device.settings.routes.isEmpty {
        if let source = device.source { stage.routes[source] = device.settings.routes }
      }
      forgetHands()
      lamps.follow(devices)
    }
  }
  /// Takes what the lamp of a control is to show; set by whoever reads MIDI, and nil without it.
  public var sendLamp: ((LampMessage) -> Void)?
  /// Takes what is asked about a keyboard; set by whoever reads MIDI, and nil without it.
  public var askDevice: ((DeviceRequest) -> Void)?
  /// Takes what is asked of the player of songs, and says why not, without a subject, where it cannot be done; set by
  /// whoever plays songs.
  public var askSong: ((SongRequest) -> String?)?
  /// Takes what is asked of the recorder, and says why not, without a subject, where it cannot be done; set by whoever
  /// starts the recorder.
  public var askRecorder: ((RecordingRequest) -> String?)?
  /// Takes what is asked of the sound card; set by whoever starts the output, and nil without one.
  public var askCard: ((CardRequest) -> Void)?
  var origins: [PresetOrigin]
  let tuningFolder: TuningFolder
  var tunings = ChosenTunings()
  // What was done to each part, and what it held after the last of that.
  var histories: [History] = []
  var settled: [PartState] = []
  // What is told once everything is on the disk; empty for nothing.
  var saving = ""
  // What was asked for last that must not be done twice, and when.
  var lastWish = (wish: "", at: Int64.min / 2)
  // Until when the next button of the page is where the sound in focus is copied to; nil when it is not.
  var copyEnd: Int64?
  // The page of presets that surfaces show; nil before anybody has turned to one.
  var turnedTo: Slot?
  // The notes that fingers slide on, by source.
  var xyNotes: [Int: XYNote] = [:]
  var heldControls = HeldControls()
  // The keys that are waited for; nil when none are.
  var awaitedKeys: AwaitedKeys?
  var tapTempo = TapTempo()
  // When a clock last said the tempo, CLOCK_MONOTONIC.
  var clockHeard: Int64?
  // What is being learned, what was learned last, and when that ends by itself.
  var learning = Learning()
  var learned = ""
  var learnEnd: Int64?
  // Where the hands on bound controls are, and what the controls show.
  var hands: [BoundControl: BoundHand] = [:]
  var lamps = Lamps()
  private var listeners: [(Change) -> Void] = []
  private let log: (String) -> Void
  private var logged = RateLimiter(burst: 20, perSecond: 1)
  // That voices must go is logged once a minute, and that they can play again where it was.
  private var loggedLimits = RateLimiter(burst: 1, perSecond: 1.0 / 60)
  private var logsLimit = false
  // In the same way for what cannot be saved.
  private var loggedFailures = RateLimiter(burst: 1, perSecond: 1.0 / 60)
  private var logsFailure = false
  // Not published yet.
  private var isDirty = true
  // Not saved yet. What it starts with is not: were the database out of reach for a while, that would
  // overwrite the session that lies in it.
  private var isChanged = false
  // The session may still come: there was none yet, and nothing was changed.
  private var awaitsSession: Bool
  private var publishedAt = Int64.min / 2
  // The library's presets as they were last shown.
  private var revision: Int

  /// The least time between two published scenes, nanoseconds: about a block of audio.
  static let publishInterval: Int64 = 2_000_000
  /// How often retired scenes are looked after while any wait, nanoseconds.
  static let serviceInterval: Int64 = 10_000_000

  /// A control over `link`. It starts as the library's session was left, or else with the first preset.
  /// - Parameters:
  ///   - tunings: Where tunings are chosen from.
  ///   - log: Takes one line about each thing that went wrong.
  public init(
    link: Link, library: Library, tunings: TuningFolder = TuningFolder(nil), log: @escaping (String) -> Void
  ) {
    self.link = link
    tuningFolder = tunings
    self.library = library
    self.log = log
    revision = library.revision
    health = Health(link)
    stage = Stage()
    origins = Array(repeating: PresetOrigin(), count: Limits.parts)
    awaitsSession = library.session == nil
    forgetHistory()
    restoreSession()
    isChanged = false
  }

  /// Calls `listener` after each change, on the control thread.
  public func listen(_ listener: @escaping (Change) -> Void) { listeners.append(listener) }

  /// Takes its turn after every round of the loop, from now on, and takes the reports of what was saved.
  public func join(_ loop: PollLoop) {
    loop.afterEachRound { [weak self] now in self?.update(now) }
    loop.afterEachRound { [weak self] now in self?.updateHealth(now) }
    loop.afterEachRound { [weak self] now in self?.updateLevels(now) }
    loop.afterEachRound { [weak self] now in self?.updateLamps(now) }
    if let descriptor = library.descriptor { loop.watch(descriptor) { [weak self] in self?.takeReports() } }
    takeReports()
  }

  // MARK: - Changes, from any source

  /// Turns a knob to a value in the unit of the scene (clamped; what is no number is ignored).
  public func set(_ knob: Knob, to value: Float) {
    let before = stage.scene[knob]
    stage.scene[knob] = value
    if stage.scene[knob] == before { return }
    changed(.knob(knob))
    if Table.rows[knob.row].field.scope == .patch { mark(knob.part) }
    followRange(knob)
  }

  /// The part that bare addresses mean, 0…7.
  public var focus: Int {
    get { stage.focus }
    set {
      let before = stage.focus
      stage.focus = newValue
      if stage.focus == before { return }
      turnedTo = origins[stage.focus].slot?.page ?? turnedTo
      changed(.focus)
    }
  }

  /// What the player should know and has not asked for: a sentence, empty when there is none.
  public var notice: String { notices.shown }

  /// Tells the player something that nobody asked for, in the place of what was said about the same cause.
  /// - Parameters:
  ///   - text: At most `Notice.letters`, the reason first; longer ones are cut off.
  ///   - line: What the log takes, `text` when none is given; nothing when it is empty.
  public func notify(
    _ text: String, about cause: Notice.Cause, _ life: Notice.Life = .moment(), log line: String? = nil
  ) {
    let notice = Notice(text, cause, life)
    let line = life == .problem ? .warning(line ?? text) : line ?? text
    if !LogLine(line).text.isEmpty, logged.take(monotonic()) { log(line) }
    if notices[cause] == notice, notice.life == .problem || notice.life == .state { return }
    changeNotices { $0.put(notice) }
  }

  /// What was said about a cause holds no more.
  public func clearNotice(about cause: Notice.Cause) { changeNotices { $0.clear(cause) } }

  private func changeNotices<Value>(_ change: (inout Notices) -> Value) -> Value {
    let before = notices.shown
    let value = change(&notices)
    health.problems = notices.problems
    if notices.shown != before { changed(.notice) }
    return value
  }

  func changed(_ change: Change) {
    if change.isOfSession { (isDirty, isChanged) = (true, true) }
    for listener in listeners { listener(change) }
  }

  /// What is heard has changed, and nothing that is saved.
  func publishSoon() { isDirty = true }

  // MARK: - Its turn

  /// Takes the MIDI thread's commands, publishes what has changed and frees what audio is done with.
  /// Returns when it wants to be called again; nil when there is nothing to do.
  func update(_ now: Int64) -> Int64? {
    takeCommands()
    disarmCopy(at: now)
    endLearning(at: now)
    endAwaitedKeys(at: now)
    let ends = [copyEnd, awaitedKeys?.end, learnEnd].compactMap { $0 }
    let expiry = ([changeNotices { $0.expire(now) }].compactMap { $0 } + ends).min()
    if isDirty && now - publishedAt >= Control.publishInterval {
      isDirty = false
      publishedAt = now
      link.scene.publish(stage.heard, tunings: stage.tunings.compactMap { $0 })
      saveSession()
    } else {
      link.scene.service()
    }
    if isDirty { return publishedAt + Control.publishInterval }
    if link.scene.retiredCount > 0 { return now + Control.serviceInterval }
    return expiry
  }

  /// Reads the health, and tells when it has changed; returns when it wants to be called again.
  func updateHealth(_ now: Int64) -> Int64? {
    // Old effects that have rung on, and those of an engine that begins at another rate.
    link.scene.service()
    let limit = health.limit
    if health.update(now, log: log) { changed(.health) }
    if health.limit < Limits.voices {
      // A machine that was held up for a moment is not too slow; it may be held up again and again.
      let why = health.load < 50 ? "the machine was held up" : "too much for this machine"
      if limit == Limits.voices { logsLimit = loggedLimits.take(now) }
      let words = limit == Limits.voices ? nil : notices[.voices]?.text.split(separator: ":").first
      notify(
        "\(words ?? why[...]): it plays \(health.limit) voices at most", about: .voices, .state,
        log: limit == Limits.voices && logsLimit ? nil : "")
    } else if limit < Limits.voices {
      notify("all \(Limits.voices) voices can play again", about: .voices, log: logsLimit ? nil : "")
    }
    return health.next
  }

  /// Reads the levels of what goes out, and tells when its meters move; returns when it wants to be called again.
  func updateLevels(_ now: Int64) -> Int64? {
    if health.levels.update(link, now) { changed(.levels) }
    return health.levels.next
  }

  private func saveSession() {
    if !isChanged { return }
    (isChanged, awaitsSession) = (false, false)
    library.save(
      Session(
        scene: stage.scene, focus: stage.focus, presets: origins.indices.map { slot(part: $0) },
        tunings: tunings.choices))
  }

  /// Writes what is left to be saved, for at most `seconds`, as the last thing. False when something could not
  /// be written.
  public func finish(within seconds: Double) -> Bool {
    saveSession()
    return library.stop(within: seconds)
  }

  private func takeReports() {
    for report in library.reports() { take(report) }
    // A database that was out of reach brings its presets late, and its session, unless somebody plays already.
    if library.revision != revision {
      revision = library.revision
      let isChanged = isChanged
      movePresets(library.takeMoved())
      if awaitsSession, !isChanged, link.midi.taken + link.control.taken == 0, let session = library.session {
        awaitsSession = false
        restore(late: session)
      } else {
        for part in origins.indices where origins[part].slot != nil { readPreset(part) }
      }
      changed(.page)
      self.isChanged = isChanged
    }
  }

  private func take(_ report: Report) {
    switch report {
    case .durable:
      tellSaved()
      log("\(report)")
    case .recovered:
      clearNotice(about: .database)
      if logsFailure { log("\(report)") }
      logsFailure = false
    case .failed(let error, let waiting):
      // A full disk refuses every save.
      let isLogged = loggedFailures.take(monotonic())
      if isLogged { logsFailure = true }
      let saves = waiting == 1 ? "1 save waits" : "\(waiting) saves wait"
      let what = waiting > 0 ? "\(saves) in memory" : "presets are not kept"
      notify(
        "\(error.reason): \(what)", about: waiting > 0 ? .saving : .database, .problem,
        log: isLogged ? "\(report)" : "")
    case .opened(let isReadOnly):
      if isReadOnly {
        notify("read-only disk: what is saved stays in memory", about: .database, .problem, log: "\(report)")
      } else {
        clearNotice(about: .database)
      }
    case .note: notify("\(report)", about: .database, .moment(seconds: 60))
    }
  }
}
