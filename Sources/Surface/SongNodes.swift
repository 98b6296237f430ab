import Control

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
