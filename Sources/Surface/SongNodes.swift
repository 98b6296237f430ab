import Control
import Scenes

// Playing MIDI files.

extension Node {
  // swift-format-ignore
  static let songs: [Node] = [
    .command("/song/play", .instrument, [.string("the name of a MIDI file in the folder songs, or its beginning", optional: true), .string("what its programs mean: auto, gm or pipit", optional: true)], "Plays a song by its name from its beginning, or without a name the current song from its position. Programs mean the same as in pipit render.") { try $0.playSong() },
    .trigger("/song/pause", .instrument, "Stops a song that plays, and plays on one that stands.") { request in try request.once { try request.askSong(.pause) } },
    .trigger("/song/stop", .instrument, "Stops the song and releases its notes; the position stays.") { try $0.askSong(.stop) },
    .trigger("/song/rewind", .instrument, "Goes to the beginning; a song that plays goes on from there.") { try $0.askSong(.move(0)) },
    .setting("/song/position", .instrument, .float(0...86_400, "seconds"), "Position of the song.", read: { instrument, _, _ in .float(Float(instrument.songs.state.position)) }, write: { try $0.moveSong() }),
    .setting("/song/loop", .instrument, .int(0...1), "1: the song goes on from its end at its beginning, after a whole number of beats, or repeats the part between its loop points.", read: { instrument, _, _ in .int(instrument.songs.state.loops ? 1 : 0) }, write: { try $0.loopSong() }),
    .display("/song/playing", .instrument, .int(0...1), "1 while a song plays.") { instrument, _, _ in .int(instrument.songs.state.isOn ? 1 : 0) },
    .display("/song/name", .instrument, .string(), "Name of the song; empty without one.") { instrument, _, _ in .string(instrument.songs.state.name) },
    .display("/song/programs", .instrument, .string(), "What the programs of the song mean and why, as General MIDI, because it does not say otherwise; empty without a song.") { instrument, _, _ in .string(instrument.songs.state.programs) },
    .display("/song/length", .instrument, .float(0...86_400, "seconds"), "Length of the song.") { instrument, _, _ in .float(Float(instrument.songs.state.length)) },
    .display("/song/lyric", .instrument, .string(), "Line of the song's words at the position; empty before the first, and without words.") { instrument, _, _ in .string(instrument.songs.state.lyric) },
    .display("/song/lyric/next", .instrument, .string(), "Line that follows.") { instrument, _, _ in .string(instrument.songs.state.nextLyric) },
    .display("/song/marker", .instrument, .string(), "Marker of the song at the position, as Chorus; empty before the first.") { instrument, _, _ in .string(instrument.songs.state.marker) },
    .command("/song/data", .instrument, [.int(nil, "offset"), .text("bytes, two hexadecimal digits each")], "A piece of a MIDI file at an offset in bytes, as 'pipit play' sends it. Offset 0 begins a new file.") { try $0.takeSong() },
    .command("/song/load", .instrument, [.string("a name"), .string("what its programs mean: auto, gm or pipit", optional: true)], "Loads the file whose pieces were sent as the current song.") { try $0.loadSong() },
  ]
}

extension Request {
  fileprivate func askSong(_ request: SongRequest) throws {
    try instrument.songs.ask(request)
  }

  fileprivate func playSong() throws {
    switch arguments.first {
    case .string(let name)?: try askSong(.play(name, programs: try programs()))
    // A button sends a number; 0 is its release.
    case .number(let number)?: if number != 0 { try askSong(.play(nil)) }
    case nil: try askSong(.play(nil))
    case .other, .untagged: throw Refusal("takes a name")
    }
  }

  fileprivate func moveSong() throws {
    try askSong(.move(try number(in: 0...86_400, else: "takes seconds, 0…86400")))
  }

  fileprivate func loopSong() throws {
    try askSong(.loop(try number(in: 0...1, else: "takes 0 or 1") >= 0.5))
  }

  fileprivate func takeSong() throws {
    let (bytes, offset) = try piece()
    try askSong(.take(bytes, at: offset))
  }

  fileprivate func loadSong() throws {
    guard case .string(let name)? = arguments.first else { throw Refusal("takes a name") }
    try askSong(.load(name, programs: try programs()))
  }

  /// The meaning of programs, the argument after the name; `auto` without it.
  private func programs() throws -> String {
    if arguments.count < 2 { return "auto" }
    guard case .string(let word) = arguments[1] else {
      throw Refusal("takes auto, gm or pipit after the name", not: arguments[1])
    }
    return word
  }
}

// The mute, tempo and transposition of a song, the assignment of its channels, and the page of songs to choose from.

extension Node {
  private static let channels = 1...Limits.channels
  private static let buttons = 1...Limits.presetsPerPage

  // swift-format-ignore
  static let songMix: [Node] = [
    .setting("/song/position/fader", .instrument, .float(0...1), "Position of the song as that of a fader: its share of the length.", read: { instrument, _, _ in .float(instrument.songs.state.share) }, write: { try $0.dragSong() }),
    .display("/song/position/text", .instrument, .string(), "Text of /song/position for a label, as 1:02.") { instrument, _, _ in .string(minutes(Int(clamping: instrument.songs.state.position))) },
    .display("/song/length/text", .instrument, .string(), "Text of /song/length for a label.") { instrument, _, _ in .string(minutes(instrument.songs.state.length)) },
    .setting("/song/tempo", .instrument, .float(0...1), "Tempo of the song as the position of a fader, from a quarter to four times its own, which is in the middle. It changes at once, and the position stays. Another song begins with its own. While another clock leads, that has the tempo.", read: { instrument, _, _ in .float(Float(instrument.songs.state.mix.fader)) }, write: { try $0.setSongTempo() }),
    Node("/song/tempo/percent", .instrument, [.float(SongMixState.percents, "percent")], "Tempo of the song in percent of its own.", origin: .unit, read: { instrument, _, _ in .float(Float(instrument.songs.state.mix.percent)) }, write: { try $0.setSongPercent() }),
    .display("/song/tempo/text", .instrument, .string(), "Text of /song/tempo for a label.") { instrument, _, _ in .string("\(Int(clamping: instrument.songs.state.mix.percent.rounded())) %") },
    .setting("/song/transpose", .instrument, .int(semitones, "semitones"), "Transposition of the song from its next notes on; drums keep their keys. Another song begins without.", read: { instrument, _, _ in .int(instrument.songs.state.mix.transposition) }, write: { try $0.transposeSong() }),
    .display("/song/transpose/text", .instrument, .string(), "Text of /song/transpose for a label.") { instrument, _, _ in .string(signed(instrument.songs.state.mix.transposition)) },
    .setting("/song/channel/<n>/mute", numbers: channels, .instrument, .int(0...1), "1 mutes channel <n>, 1…16, of the song: what sounds on it ends. 0 plays it from its next notes on. Another song begins without muted channels.", read: { instrument, _, number in .int(Int(instrument.songs.state.mix.muted >> (number - 1) & 1)) }, write: { try $0.muteSong() }),
    .display("/song/channel/<n>/name", numbers: channels, .instrument, .string(), "Name of the sound that channel <n> of the song plays; empty for a channel without notes.") { instrument, _, number in .string(instrument.songs.state.mix.sounds[number - 1]) },
    .display("/song/channel/<n>/sounding", numbers: channels, .instrument, .int(0...1), "1 while notes of channel <n> of the song are held.") { instrument, _, number in .int(Int(instrument.songs.state.mix.sounding >> (number - 1) & 1)) },

    .display("/song/page", .instrument, .string(), "Numbers of the page of sixteen songs that the slots show, as 1-16 of 40; empty without songs.") { instrument, _, _ in .string(instrument.songs.state.page.title) },
    .trigger("/song/page/next", .instrument, "Turns to the next page of songs.") { request in try request.once { try request.ask(.page(.turn(forward: true))) } },
    .trigger("/song/page/previous", .instrument, "Turns to the previous page of songs.") { request in try request.once { try request.ask(.page(.turn(forward: false))) } },
    .trigger("/song/slot/<n>", numbers: buttons, .instrument, "Plays the song in slot <n>, 1…16, of the page from its beginning.") { request in try request.once { try request.ask(.page(.play(slot: request.target.number - 1))) } },
    .display("/song/slot/<n>/name", numbers: buttons, .instrument, .string(), "Name of the song in slot <n>; empty without one.") { instrument, _, number in .string(instrument.songs.state.page.names[number - 1]) },
    .display("/song/slot/<n>/current", numbers: buttons, .instrument, .int(0...1), "1 if the song in slot <n> is the current one.") { instrument, _, number in .int(instrument.songs.state.page.current == number - 1 ? 1 : 0) },
  ]

  private static let semitones =
    Double(SongMixState.semitones.lowerBound)...Double(SongMixState.semitones.upperBound)

  /// Seconds as minutes and seconds.
  private static func minutes(_ seconds: Int) -> String {
    "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
  }

  private static func signed(_ semitones: Int) -> String { "\(semitones > 0 ? "+" : "")\(semitones) st" }
}

extension SongState {
  /// The position as a share of the length, 0…1.
  fileprivate var share: Float { length > 0 ? min(Float(position) / Float(length), 1) : 0 }
}

extension Request {
  /// How long the client that drags the position receives no feedback of it, nanoseconds: its finger may rest while
  /// the song continues.
  private static let hold: Int64 = 1_000_000_000

  fileprivate func ask(_ request: SongRequest) throws { try instrument.songs.ask(request) }

  fileprivate func dragSong() throws {
    let share = try clamped(to: 0...1, else: "takes a number from 0 to 1")
    surface.feedback.hold(target, .float(Float(share)), by: client, now: now, for: Request.hold)
    try ask(.drag(share))
  }

  fileprivate func setSongTempo() throws {
    let fader = try clamped(to: 0...1, else: "takes a number from 0 to 1")
    surface.feedback.hold(target, .float(Float(fader)), by: client, now: now)
    let mix = instrument.songs.state.mix
    // A client that sends back the shown value changes nothing.
    if Float(mix.fader) == Float(fader) { return }
    try ask(.mix(.tempo(percent: SongMixState.percent(fader: fader))))
  }

  fileprivate func setSongPercent() throws {
    let range = SongMixState.percents
    let span = "takes percent, \(Int(clamping: range.lowerBound))…\(Int(clamping: range.upperBound))"
    try ask(.mix(.tempo(percent: try number(in: range, else: span))))
  }

  fileprivate func transposeSong() throws {
    let range = SongMixState.semitones
    let span = "takes semitones, \(range.lowerBound)…\(range.upperBound)"
    let semitones = try whole(in: range, else: span)
    surface.feedback.hold(target, .int(semitones), by: client, now: now)
    try ask(.mix(.transpose(semitones)))
  }

  fileprivate func muteSong() throws {
    let isMuted = try number(in: 0...1, else: "takes 0 or 1") >= 0.5
    surface.feedback.hold(target, .int(isMuted ? 1 : 0), by: client, now: now)
    try ask(.mix(.mute(channel: target.number - 1, isMuted)))
  }

  /// The only argument, clamped to a range.
  private func clamped(to range: ClosedRange<Double>, else why: String) throws -> Double {
    guard arguments.count == 1, let number, number.isFinite else { throw Refusal(why, not: arguments.first) }
    return max(range.lowerBound, min(number, range.upperBound))
  }
}
