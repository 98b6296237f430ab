import Control
import Presets
import Song
import Synth
import System

/// Plays songs on the running instrument, as a separate source of notes: carries out requests, plays due events, and
/// updates the state of the song. Control thread.
public final class SongPlayer: RequestHandler {
  /// The largest song, in bytes: reading it holds up the surfaces for hundredths of a second, and needs up to seventy
  /// times its size in memory meanwhile.
  public static let maxBytes = Limits.songFileBytes
  /// How long before its moment an event is sent, nanoseconds. The timer of the control thread is up to a millisecond
  /// late. Notes still start on their sample, since they carry their moment.
  private static let lead: Int64 = 2_000_000
  /// The most steps of one turn, so that a flood of them cannot keep the thread.
  private static let stepsPerTurn = 512

  private let instrument: Instrument
  private let folders: [String]
  private var name = ""
  private var playback: SongPlayback?
  // The use of the song's channels, in the order in which they first play; the order of its programs, and whether it
  // has any.
  private var uses: [ChannelUse] = []
  private var order = ProgramOrder.pipit
  private var choosesSounds = false
  // The parts that play the song; nil for those that are set to its channels.
  private var assignment: ChannelAssignment?
  // The engine's sample rate, Hz.
  private var rate = 0
  // Pieces of a song that is being sent.
  private var pieces: [UInt8] = []
  // While the song plays, the moment of its beginning, CLOCK_MONOTONIC; otherwise its position, microseconds.
  private var origin: Int64?
  private var position: Int64 = 0

  /// A player for as long as `loop` runs. It looks for songs by name in `folders`, in their order.
  public init(folders: [String], _ instrument: Instrument, _ loop: PollLoop) {
    (self.instrument, self.folders) = (instrument, folders)
    instrument.songs.handler = self
    loop.afterEachRound { [weak self] in self?.update($0) }
  }

  public func handle(_ request: SongRequest) -> String? {
    switch request {
    case .play(let name?, let word):
      guard let programs = SongPrograms(rawValue: word) else { return Self.wrong(programs: word) }
      if let refusal = read(name, programs) { return refusal }
      return start()
    case .play(nil, _): return start()
    case .stop: stop(at: monotonic())
    case .move(let seconds): return move(to: seconds)
    case .locate(let quarters): return move(to: Double(playback?.time(quarters: quarters) ?? 0) / 1e6)
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
    for folder in folders {
      let files = (fileNames(in: folder) ?? []).filter { $0.lowercased().hasSuffix(".mid") }
      let named = files.filter { $0 == written || $0.dropLast(4) == written }
      let begun = named.isEmpty ? files.filter { $0.lowercased().hasPrefix(written.lowercased()) } : named
      if begun.count > 1 { return "\(quoted(written)) may be \(begun.joined(separator: ", "))" }
      guard let file = begun.first else { continue }
      do throws(FileError) {
        let bytes = try readFile(folder + "/" + file, limit: Self.maxBytes, waits: false)
        do throws(SongError) {
          let song = try Song(bytes)
          if let refusal = load(song, String(file.dropLast(4)), programs) { return refusal }
          if let first = song.warnings.first {
            let all = song.warnings.map { "\($0)" }.joined(separator: "; ")
            instrument.notices.post("\(first): \(name)", about: .song, log: "song \(name): \(all)")
          }
        } catch {
          return "cannot read \(file): \(error)"
        }
      } catch {
        return error.reasonFirst
      }
      return nil
    }
    return "no song begins with \(quoted(written)) in \(folders.joined(separator: " or "))"
  }

  private func load(_ song: Song, _ name: String, _ programs: SongPrograms) -> String? {
    if programs == .gm, !instrument.library.hasGeneralMIDI {
      return "finds no readable gm.txt among the factory presets"
    }
    stop(at: monotonic())
    (self.name, position) = (name, 0)
    playback = SongPlayback(song, source: UInt8(Limits.songSource))
    uses = song.uses()
    order = programs.order(of: song, instrument.library)
    choosesSounds = order == .gm || song.hasPrograms
    return nil
  }

  // MARK: - Playing

  private func start() -> String? {
    guard let playback else { return "has no song to play yet" }
    if instrument.link.clock.rate == 0 { return "has no sound output to play on" }
    if origin != nil { return nil }
    if position >= playback.length { position = 0 }
    assignment = choosesSounds ? ChannelAssignment(uses, order: order, in: instrument.stage.scene) : nil
    if let sentence = assignment?.sentence {
      instrument.notices.post(sentence, about: .song, log: "song \(name): \(sentence)")
    }
    begin(at: monotonic())
    return nil
  }

  private func begin(at now: Int64) {
    if let assignment { instrument.performance.route(song: assignment.routes) }
    if order == .gm { send(.generalMIDI(source: UInt8(Limits.songSource)), at: now) }
    // A channel without a program has the first one, or drums.
    for use in uses where order == .gm && use.first == nil {
      instrument.take(
        Event(frame: 0, kind: .program, source: UInt8(Limits.songSource), target: use.channel))
    }
    for step in playback?.seek(to: position) ?? [] { take(step, at: now) }
    // A delay in which the first sound is ready.
    origin = now + 20_000_000 - position * 1_000
  }

  private func stop(at now: Int64) {
    guard let origin else { return }
    position = min(max(0, (now - origin) / 1_000), playback?.length ?? 0)
    self.origin = nil
    send(Event(frame: 0, kind: .sourceGone, source: UInt8(Limits.songSource)), at: now)
    if assignment != nil { instrument.performance.route(song: nil) }
  }

  private func move(to seconds: Double) -> String? {
    guard let playback else { return "has no song yet" }
    let wasOn = origin != nil
    let now = monotonic()
    stop(at: now)
    position = min(Int64(seconds * 1e6), playback.length)
    if wasOn { begin(at: now) }
    return nil
  }

  private func take(_ step: SongPlayback.Step, at moment: Int64) {
    switch step {
    case .tempo(let perMinute):
      if !instrument.tempo.followsClock(at: monotonic()) { instrument.tempo.set(perMinute) }
    case .event(let event): send(event, at: moment)
    }
  }

  /// Sends an event to the engine, to the instrument's features, or to both.
  private func send(_ event: Event, at moment: Int64) {
    if event.kind.isForControl || event.kind.isForBoth { instrument.take(event) }
    if event.kind.isForControl { return }
    var event = event
    event.frame = instrument.link.clock.frame(at: moment)
    instrument.link.control.push(event)
  }

  private func update(_ now: Int64) -> Int64? {
    var isTaken = false
    // Another rate is another engine.
    if instrument.card.state.rate != rate {
      rate = instrument.card.state.rate
      if origin != nil, let assignment { instrument.performance.route(song: assignment.routes) }
    }
    if let origin {
      var left = Self.stepsPerTurn
      while left > 0, let (time, step) = playback?.take(by: (now + Self.lead - origin) / 1_000) {
        take(step, at: origin + time * 1_000)
        (left, isTaken) = (left - 1, true)
      }
      if let playback, playback.next == nil, now - origin >= playback.length * 1_000 { stop(at: now) }
    }
    show(now)
    guard let origin, let playback else { return nil }
    // Changes are published in the next round.
    if isTaken { return now }
    let next = playback.next.map { origin + $0 * 1_000 - Self.lead } ?? origin + playback.length * 1_000
    return min(next, now + 500_000_000)
  }

  private func show(_ now: Int64) {
    var shown = SongState()
    (shown.name, shown.isOn) = (name, origin != nil)
    let position = origin.map { max(0, (now - $0) / 1_000) } ?? self.position
    shown.position = Int(position / 1_000_000)
    shown.length = Int(((playback?.length ?? 0) + 999_999) / 1_000_000)
    instrument.songs.state = shown
  }
}
