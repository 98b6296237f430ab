import Control
import Presets
import Song
import Synth
import System

/// Plays songs on the running instrument, as a keyboard of its own: what surfaces ask for, what is due, what they see.
/// Control thread.
final class SongLink {
  /// The largest song that is taken, in bytes: reading it holds up the surfaces for hundredths of a second, and a song
  /// takes up to seventy times its bytes meanwhile.
  static let maxBytes = 1 << 20
  /// How long before its moment something is done: the control thread's timer is up to a millisecond late. Notes still
  /// sound on their sample, since they are stamped with their moment.
  private static let lead: Int64 = 2_000_000
  /// Steps of one turn, so that a storm of them cannot keep the thread.
  private static let most = 512

  private let control: Control
  private let folders: [String]
  private var name = ""
  private var playback: SongPlayback?
  // What the song does on its channels, in the order in which they first play; what its programs mean, and whether it has
  // any.
  private var uses: [ChannelUse] = []
  private var order = ProgramOrder.pipit
  private var choosesSounds = false
  // The parts that play it; nil for those that answer to its channels.
  private var cast: Cast?
  // That of the engine.
  private var rate = 0
  // Pieces of a song that is being sent.
  private var pieces: [UInt8] = []
  // The moment of the song's beginning while it is played, CLOCK_MONOTONIC; else where it stands, microseconds.
  private var origin: Int64?
  private var position: Int64 = 0

  /// Joins them for as long as `loop` runs. Songs are looked for by their names in `folders`, the first that has one.
  init(folders: [String], _ control: Control, _ loop: PollLoop) {
    (self.control, self.folders) = (control, folders)
    control.askSong = { [unowned self] in ask($0) }
    loop.afterEachRound { [self] in update($0) }
  }

  /// Why not, as a sentence without its subject; nil when it is done.
  private func ask(_ request: SongRequest) -> String? {
    switch request {
    case .play(let name?, let word):
      guard let programs = SongPrograms(rawValue: word) else { return Self.wrong(programs: word) }
      if let refusal = read(name, programs) { return refusal }
      return start()
    case .play(nil, _): return start()
    case .stop: stop(at: monotonic())
    case .move(let seconds): return move(to: seconds)
    case .locate(let quarters): return move(to: Double(playback?.time(quarters: quarters) ?? 0) / 1e6)
    case .take(let bytes, let place):
      if place == 0 { pieces = [] }
      if place != pieces.count { return "has \(pieces.count) bytes so far" }
      if place + bytes.count > Self.maxBytes { return "takes \(Self.maxBytes >> 20) MiB at most" }
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
    "takes \(SongPrograms.allCases.map(\.rawValue).joined(separator: ", ")) behind the name, not \(quoted(programs))"
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
            control.notify("\(first): \(name)", about: .song, log: "song \(name): \(all)")
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
    if programs == .gm, !control.library.hasGeneralMIDI {
      return "finds no gm.txt among the factory presets, or none that can be read"
    }
    stop(at: monotonic())
    (self.name, position) = (name, 0)
    playback = SongPlayback(song, source: UInt8(Limits.songSource))
    uses = song.uses()
    order = programs.order(of: song, control.library)
    choosesSounds = order == .gm || song.hasPrograms
    return nil
  }

  // MARK: - Playing

  private func start() -> String? {
    guard let playback else { return "has no song to play yet" }
    if control.link.clock.rate == 0 { return "has nothing to play on: no sound runs" }
    if origin != nil { return nil }
    if position >= playback.length { position = 0 }
    cast = choosesSounds ? Cast(uses, order: order, in: control.stage.scene) : nil
    if let sentence = cast?.sentence {
      control.notify(sentence, about: .song, log: "song \(name): \(sentence)")
    }
    begin(at: monotonic())
    return nil
  }

  private func begin(at now: Int64) {
    if let cast { control.route(song: cast.routes) }
    if order == .gm { send(.generalMIDI(source: UInt8(Limits.songSource)), at: now) }
    // A channel that asks for nothing has the first program, or drums.
    for use in uses where order == .gm && use.first == nil {
      control.take(
        Event(frame: 0, kind: .program, source: UInt8(Limits.songSource), target: use.channel))
    }
    for step in playback?.seek(to: position) ?? [] { take(step, at: now) }
    // Long enough for the first sound to be there.
    origin = now + 20_000_000 - position * 1_000
  }

  private func stop(at now: Int64) {
    guard let origin else { return }
    position = min(max(0, (now - origin) / 1_000), playback?.length ?? 0)
    self.origin = nil
    send(Event(frame: 0, kind: .sourceGone, source: UInt8(Limits.songSource)), at: now)
    if cast != nil { control.route(song: nil) }
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
      if !control.followsClock(at: monotonic()) { control.set(tempo: perMinute) }
    case .event(let event): send(event, at: moment)
    }
  }

  /// Has whoever it is for do what an event says.
  private func send(_ event: Event, at moment: Int64) {
    if event.kind.isForControl || event.kind.isForBoth { control.take(event) }
    if event.kind.isForControl { return }
    var event = event
    event.frame = control.link.clock.frame(at: moment)
    control.link.control.push(event)
  }

  private func update(_ now: Int64) -> Int64? {
    var isTaken = false
    // Another rate is another engine.
    if control.card.rate != rate {
      rate = control.card.rate
      if origin != nil, let cast { control.route(song: cast.routes) }
    }
    if let origin {
      var left = Self.most
      while left > 0, let (time, step) = playback?.take(by: (now + Self.lead - origin) / 1_000) {
        take(step, at: origin + time * 1_000)
        (left, isTaken) = (left - 1, true)
      }
      if let playback, playback.next == nil, now - origin >= playback.length * 1_000 { stop(at: now) }
    }
    show(now)
    guard let origin, let playback else { return nil }
    // What was changed is published in the next round.
    if isTaken { return now }
    let next = playback.next.map { origin + $0 * 1_000 - Self.lead } ?? origin + playback.length * 1_000
    return min(next, now + 500_000_000)
  }

  private func show(_ now: Int64) {
    var shown = SongState()
    (shown.name, shown.isOn) = (name, origin != nil)
    let place = origin.map { max(0, (now - $0) / 1_000) } ?? position
    shown.position = Int(place / 1_000_000)
    shown.length = Int(((playback?.length ?? 0) + 999_999) / 1_000_000)
    control.song = shown
  }
}
