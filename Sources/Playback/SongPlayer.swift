import Control
import MIDI
import Presets
import Scenes
import Song
import System

/// Plays songs on the running instrument, as a separate source of notes: carries out requests, plays due events, and
/// updates the state of the song. Control thread.
///
/// A song plays along the beat line. `/clock/source` chooses what leads the line:
///
/// - `song`: the song, with its tempos; its start, stop, seeks and loops are those of the transport. At the end of
///   the song the transport keeps running, and with it latched arpeggios and sequences.
/// - `auto`: a device whose clock leads, otherwise the song. When the clock of the device is gone, a song that
///   began with it continues at the device's last tempo until the song is stopped.
/// - `own`, or a device: `/tempo`, or that device even while it is silent. The tempos of the song are ignored.
///
/// A song that follows begins with the next beat, or with the first pulse after a device has started. If that does
/// not arrive within a tenth of a second, the song begins by itself, and begins again with a pulse that arrives
/// within half a second.
public final class SongPlayer: RequestHandler {
  /// The largest song, in bytes: reading it holds up the surfaces for hundredths of a second, and needs up to seventy
  /// times its size in memory meanwhile.
  public static let maxBytes = Limits.songFileBytes
  /// How far ahead events are sent, nanoseconds. The timer of the control thread is up to a millisecond late. Notes
  /// still start on their sample, since events carry their frame.
  private static let lead: Int64 = 2_000_000
  /// The delay before a song begins, in which its first sound gets ready, seconds.
  private static let preparation = 0.02
  /// How long the song of a device that has started waits for the first pulse, nanoseconds.
  private static let timeout: Int64 = 100_000_000
  /// The shortest and the longest time between two updates while a song plays, nanoseconds.
  static let (shortest, longest): (Int64, Int64) = (500_000, 100_000_000)
  /// The most steps of one update, so that a flood of them cannot block the thread.
  private static let stepsPerTurn = 512

  let instrument: Instrument
  // The clock of the loop, CLOCK_MONOTONIC.
  let time: () -> Int64
  private let folders: [String]
  private let page: SongPage
  private var name = ""
  private(set) var course: SongCourse?
  // The use of the song's channels, in the order in which they first play; the order of its programs, and whether it
  // has any.
  private(set) var uses: [ChannelUse] = []
  private(set) var order = ProgramOrder.pipit
  // What its programs mean, in words with the reason.
  private var meaning = ""
  private(set) var choosesSounds = false
  // The parts that play the song; nil for those that are set to its channels.
  private(set) var assignment: ChannelAssignment?
  // The parts 9 to 16, while a song plays on them and until they are silent.
  var songParts: SongPartsStage?
  var programs: ProgramMap?
  // When the song was stopped, CLOCK_MONOTONIC.
  private(set) var stopped: Int64 = 0
  // The engine's sample rate, Hz.
  private var rate = 0
  // The bytes received so far of a song that is being sent.
  private var pieces: [UInt8] = []
  private(set) var isOn = false
  private var loops = false
  // The position while the song does not play, beats.
  private var position = 0.0
  // The mute and transposition of the song, the tempo in percent of its own, and a position that is dragged.
  var mix = SongMix()
  var percent = 100.0
  private var drag = SongDrag()
  // The names of the channels' sounds as found last, and when they are to be looked up again, CLOCK_MONOTONIC.
  var soundNames = SongMixState().sounds
  var soundNamesDue = Int64.min
  // Until when the song waits for the first pulse of a device, CLOCK_MONOTONIC.
  private(set) var armed: Int64?
  // Until when a song that has begun by itself begins anew with the first pulse, CLOCK_MONOTONIC, and from which beat.
  private var alone: (until: Int64, beat: Double)?

  /// A player that `loop` updates. It looks for songs by name in `folders`, in their order.
  public init(folders: [String], _ instrument: Instrument, _ loop: PollLoop) {
    (self.instrument, self.folders, page) = (instrument, folders, SongPage(folders, loop))
    time = loop.time
    instrument.songs.handler = self
    instrument.clock.songBar = { [weak self] beat in self?.course?.bar(atLine: beat) }
    loop.afterEachRound { [weak self] in self?.update($0) }
  }

  public func handle(_ request: SongRequest) -> String? {
    switch request {
    case .play(let name?, let word):
      guard let programs = SongPrograms(rawValue: word) else { return Self.wrong(programs: word) }
      if let refusal = read(name, programs) { return refusal }
      return start()
    case .play(nil, _): return start()
    case .stop: stop(at: time())
    case .pause:
      if !isOn, armed == nil { return start() }
      stop(at: time())
    case .drag(let share):
      if course == nil { return "has no song yet" }
      drag.move(to: share)
    case .mix(let request): return mix(request)
    case .page(.play(let slot)):
      guard let file = page.file(slot: slot) else { return nil }
      return read(file, .auto) ?? start()
    case .page(.turn(let forward)): page.turn(forward: forward)
    case .move(let seconds): return move(to: course?.playback.beat(at: seconds) ?? 0)
    case .locate(let beat): return locate(beat)
    case .loop(let isWanted):
      loops = isWanted
      course?.loops = isWanted
    case .arm(let beat): return arm(at: beat)
    case .begin(let beat, let frame): begin(atPulse: beat, frame)
    case .take(let bytes, let offset):
      if offset == 0 { pieces = [] }
      if offset != pieces.count { return "has \(pieces.count) bytes so far" }
      if offset + bytes.count > Self.maxBytes { return "takes \(Self.maxBytes >> 20) MiB at most" }
      pieces += bytes
    case .load(let name, let word):
      defer { pieces = [] }
      guard let programs = SongPrograms(rawValue: word) else { return Self.wrong(programs: word) }
      do throws(SongError) {
        return load(try Song(pieces), name, programs)
      } catch {
        return "cannot read \(name): \(error)"
      }
    }
    return nil
  }

  // MARK: - Songs

  private static func wrong(programs: String) -> String {
    "takes \(SongPrograms.allCases.map(\.rawValue).joined(separator: ", ")) after the name, not \(quoted(programs))"
  }

  private func read(_ written: String, _ programs: SongPrograms) -> String? {
    do throws(RequestRefused) {
      return read(try SongFiles.find(written, in: folders), programs)
    } catch {
      return error.description
    }
  }

  private func read(_ file: SongFiles.File, _ programs: SongPrograms) -> String? {
    do throws(FileError) {
      let bytes = try readFile(file.path, limit: Self.maxBytes, waits: false)
      do throws(SongError) {
        let song = try Song(bytes)
        if let refusal = load(song, file.title, programs) { return refusal }
        if let first = song.warnings.first {
          let all = song.warnings.map { "\($0)" }.joined(separator: "; ")
          instrument.notices.post("\(first): \(name)", about: .song, log: "song \(name): \(all)")
        }
      } catch {
        return "cannot read \(file.name): \(error)"
      }
    } catch {
      return error.reasonFirst
    }
    return nil
  }

  private func load(_ song: Song, _ name: String, _ programs: SongPrograms) -> String? {
    if programs == .gm, !instrument.library.hasGeneralMIDI {
      return "finds no readable gm.txt among the factory presets"
    }
    stop(at: time())
    drag.end()
    if name != self.name { (mix, percent) = (SongMix(), 100) }
    (self.name, position) = (name, 0)
    (order, meaning) = programs.order(of: song, instrument.library)
    let source = UInt8(Limits.songSource)
    course = SongCourse(SongPlayback(song, source: source, generalMIDI: order == .gm))
    course?.loops = loops
    uses = song.uses()
    choosesSounds = order == .gm || song.hasPrograms
    prepareMix()
    return nil
  }

  // MARK: - Playing

  private func start() -> String? {
    armed = nil
    if let refusal = prepare() { return refusal }
    if !isOn { begin(at: time(), timing(instrument.link.beatClock.now)) }
    return nil
  }

  /// Assigns the song's channels to parts. Returns why the song cannot play.
  private func prepare() -> String? {
    guard let course else { return "has no song to play yet" }
    if instrument.link.clock.rate == 0 { return "has no sound output to play on" }
    if isOn { return nil }
    if position >= course.playback.length { position = 0 }
    assignment = choosesSounds ? ChannelAssignment(uses, order: order, in: instrument.stage.scene) : nil
    return nil
  }

  private func begin(at now: Int64, _ timing: SongCourse.Timing) {
    let (link, clock) = (instrument.link, instrument.link.beatClock.now)
    let frame = link.clock.frame(at: now)
    let first = frame + Int64(clamping: Self.preparation * Double(link.clock.rate))
    set()
    course?.begin(at: position, frame: first, timing, clock, now: frame, send: send)
    isOn = true
  }

  /// Begins with a pulse of a device that has started, at a frame. `start` is its beat, nil where the beat line is.
  private func begin(atPulse start: Double?, _ frame: Int64) {
    if let alone, time() < alone.until {
      stop(at: time(), .seek)
      if prepare() != nil { return }
      position = alone.beat
    } else if armed == nil {
      return
    }
    armed = nil
    let link = instrument.link
    set()
    course?.begin(
      at: position, frame: frame, start: start, link.beatClock.now, now: link.clock.frame(at: time()),
      send: send)
    isOn = true
  }

  /// Prepares the parts of the song and its programs for the beginning.
  private func set() {
    instrument.borrowed.begin()
    if let assignment { instrument.performance.route(song: assignment.routes) }
    prepareSongParts()
    course?.multiple = Float(percent / 100)
    mix.drums = SongMix.kit
    var preamble: [Event] = []
    if order == .gm {
      let source = UInt8(Limits.songSource)
      preamble.append(.generalMIDI(source: source))
      // A channel without a program has the first one, or drums.
      for use in uses where use.first == nil {
        preamble.append(Event(frame: 0, kind: .program, source: source, target: use.channel))
      }
    }
    course?.preamble = preamble
  }

  /// Why a song stops.
  private enum Stop {
    /// Somebody stops it: the transport stops as well.
    case request
    /// It has ended. The transport keeps running, since the performer's latched notes are not part of the song.
    case end
    /// It begins again at another place, or with a device.
    case seek
  }

  private func stop(at now: Int64, _ stop: Stop = .request) {
    (armed, alone) = (nil, nil)
    if stop != .seek { instrument.borrowed.end(song: name) }
    if !isOn { return }
    (isOn, stopped) = (false, now)
    let frame = instrument.link.clock.frame(at: now)
    position = course?.stop(at: frame, stopsTransport: stop == .request, send: send) ?? 0
    if assignment != nil { instrument.performance.route(song: nil) }
  }

  private func move(to beat: Double) -> String? {
    drag.end()
    guard let course else { return "has no song yet" }
    let wasOn = isOn
    let (now, timing) = (time(), timing(instrument.link.beatClock.now))
    stop(at: now, .seek)
    position = min(beat, course.playback.length)
    if wasOn { begin(at: now, timing) }
    return nil
  }

  /// Handles the song position of a device. If the song follows, the beat line moves there as well, with the next
  /// pulse.
  private func locate(_ beat: Double) -> String? {
    guard isOn, course?.timing == .follows, instrument.link.beatClock.now.isLedByDevice else {
      let isArmed = armed
      defer { armed = isArmed }
      return move(to: beat)
    }
    let now = time()
    stop(at: now, .seek)
    (position, armed) = (min(beat, course?.playback.length ?? 0), now)
    begin(atPulse: beat, instrument.link.clock.frame(at: now))
    return nil
  }

  /// Handles the start of a device: the song waits at a beat, or where it is, for the first pulse.
  private func arm(at beat: Double?) -> String? {
    if beat == nil, isOn { return nil }
    stop(at: time(), .seek)
    if let beat { position = beat }
    if let refusal = prepare() { return refusal }
    armed = time() + Self.timeout
    return nil
  }

  /// The leader of the beat line while the song plays.
  private func timing(_ clock: BeatClock) -> SongCourse.Timing {
    guard let course, course.playback.hasBeats else { return .free }
    switch instrument.devices.table.clock {
    case .song: return .leads
    case .own, .device: return .follows
    case .auto: return clock.isLedByDevice || isOn && course.timing == .follows ? .follows : .leads
    }
  }

  /// Sends an event of the song as it is to be played.
  private func send(_ event: Event) {
    noteProgram(event)
    mix.pass(event, to: perform)
  }

  /// Sends an event to the engine, to the instrument's features, or to both.
  func perform(_ event: Event) {
    if assignment?.needsSongParts == true { songParts?.take(event, &programs) }
    switch event.kind {
    case .sourceGone, .setUp, .rhythm: instrument.take(event)
    default: if event.kind.isForControl { return instrument.take(event) }
    }
    instrument.link.control.push(event)
  }

  private func update(_ now: Int64) -> Int64? {
    page.update(now)
    if let share = drag.take(now), let seconds = course?.playback.seconds {
      _ = move(to: course?.playback.beat(at: share * seconds) ?? 0)
    }
    let next = [play(now), updateSongParts(now)].compactMap { $0 }.min()
    show(now)
    return [next, drag.due].compactMap { $0 }.min()
  }

  /// Plays the events that are due. Returns the time of the next call; nil if no event waits.
  private func play(_ now: Int64) -> Int64? {
    let link = instrument.link
    // A new sample rate means a new engine.
    if instrument.card.state.rate != rate {
      rate = instrument.card.state.rate
      if isOn {
        // Before the stop, so that a song that follows keeps following.
        let timing = self.timing(link.beatClock.now)
        stop(at: now, .seek)
        begin(at: now, timing)
      }
    }
    if let armed {
      if now < armed { return armed }
      if start() == nil { alone = (armed - Self.timeout + ClockFollower.pause, position) }
    }
    guard isOn else { return nil }
    let (clock, frame) = (link.beatClock.now, link.clock.frame(at: now + Self.lead))
    let hertz = Double(max(link.clock.rate, 1))
    let timing = timing(clock)
    course?.synchronize(with: clock, frame: frame, timing, rate: hertz, send: send)
    course?.play(at: Float(percent / 100), isOn: true, frame: frame, send: send)
    course?.compare(shown: instrument.stage.scene.master.tempo, at: frame, send: send)
    // Changes are published in the next round.
    if course?.play(to: frame, most: Self.stepsPerTurn, send: send) == false { return now }
    let present = link.clock.frame(at: now)
    guard let course, !course.hasEnded(at: present) else {
      stop(at: now, .end)
      position = course?.playback.length ?? 0
      // What is given back is published in the next round.
      return now
    }
    let left = Double(course.nextFrame - present) / hertz * 1e9 - Double(Self.lead)
    return now + Int64(Int(clamping: left, to: Int(Self.shortest)...Int(Self.longest)))
  }

  private func show(_ now: Int64) {
    var shown = SongState()
    (shown.name, shown.programs, shown.isOn, shown.loops) = (name, meaning, isOn, loops)
    if let course {
      let beat = isOn ? course.beat(at: instrument.link.clock.frame(at: now)) : position
      // Tenths of a second while it plays, so that clients are updated ten times a second.
      let steps = isOn ? 10.0 : 1_000
      shown.position = ((course.playback.seconds(at: beat) + 1e-6) * steps).rounded(.down) / steps
      (shown.lyric, shown.nextLyric) = course.playback.lyrics(at: beat)
      shown.marker = course.playback.marker(at: beat)
      shown.length = Int(clamping: (course.playback.seconds - 1e-6).rounded(.up))
    }
    shown.mix = mixed(now)
    shown.page = page.state(loaded: name)
    instrument.songs.state = shown
  }
}
