import Control
import Parameters
import Presets
import Scenes
import Storage
import Testing

/// A song at 100 beats a minute that moves channel 1 to the left. Channel 1 plays program 3, and from the second beat
/// on program 2; channel 2 plays program 2.
private func borrowing(beats: UInt8 = 40) -> [UInt8] {
  var track: [UInt8] = [0, 0xFF, 0x51, 3, 0x09, 0x27, 0xC0, 0, 0xC0, 2, 0, 0xC1, 1, 0, 0xB0, 10, 0]
  track += [0, 0x90, 60, 100, 0, 0x91, 60, 100, 96, 0xC0, 1]
  for _ in 2...beats { track += [96, 0x90, 60, 0] }
  return songFile(track + [0, 0xFF, 0x2F, 0])
}

/// What the player has, and what a song makes of it.
private struct Held: Equatable {
  var cutoffs: [Float]
  var names: [String]
  var isEdited: [Bool]
  var tempo: Float
  var pan: Float
}

extension JoinedPlayer {
  fileprivate func knob(_ address: String) throws -> ParameterID {
    try #require(Address("\(address)"[...], focus: 0)).knob
  }

  fileprivate var held: Held {
    let (scene, presets) = (instrument.stage.scene, instrument.presets)
    return Held(
      cutoffs: (0..<2).map { scene[$0].patch.filter.cutoff }, names: (0..<2).map { presets.name(part: $0) },
      isEdited: (0..<2).map { presets.isEdited(part: $0) }, tempo: scene.master.tempo,
      pan: scene[0].strip.pan)
  }

  /// Gives part 1 an edited sound, a pan and a tempo. Returns what is held now.
  fileprivate func edit() throws -> Held {
    instrument.set(try knob("/part/1/filter/cutoff"), to: 555)
    instrument.set(try knob("/part/1/pan"), to: 0.25)
    instrument.tempo.set(77)
    return held
  }

  /// Plays a song until its second program.
  fileprivate func playBorrowing(beats: UInt8 = 40) -> Held {
    #expect(play(borrowing(beats: beats)) == nil)
    #expect(until { $0.held.cutoffs == [300, 200] && $0.held.tempo == 100 && $0.held.pan == -1 })
    #expect(until { $0.held.cutoffs == [200, 200] })
    return held
  }
}

@Suite("What a song has borrowed") struct SongReturnTests {
  @Test("is given back when it is stopped, ends or is replaced, as one step of undo", arguments: 0..<3)
  func givenBack(way: Int) throws {
    let joined = try JoinedPlayer()
    let own = try joined.edit()
    #expect(own.cutoffs == [555, 8_000] && own.isEdited == [true, false])
    let song = joined.playBorrowing(beats: way == 1 ? 4 : 40)
    #expect(song.isEdited == [false, false])
    switch way {
    case 0: #expect(joined.ask(.stop) == nil)
    case 1: #expect(joined.until { !$0.instrument.songs.state.isOn })
    default: #expect(joined.ask(.take(borrowing(), at: 0)) == nil && joined.ask(.load("another")) == nil)
    }
    #expect(joined.held == own)
    let setups = joined.instrument.setups
    try setups.undo()
    #expect(joined.held == song)
    try setups.redo()
    #expect(joined.held == own)
    // A second stop gives back nothing.
    joined.instrument.tempo.set(91)
    #expect(joined.ask(.stop) == nil && joined.held.tempo == 91)
  }

  @Test("is one step of a part, however many programs it has, and the step before is the player's")
  func partSteps() throws {
    let joined = try JoinedPlayer()
    _ = try joined.edit()
    _ = joined.playBorrowing()
    #expect(joined.ask(.move(0)) == nil && joined.until { $0.held.cutoffs == [300, 200] })
    #expect(joined.until { $0.held.cutoffs == [200, 200] } && joined.ask(.stop) == nil)
    let presets = joined.instrument.presets
    for cutoff: Float in [200, 555, 100] {
      try presets.undo(part: 0)
      #expect(joined.held.cutoffs[0] == cutoff)
    }
    for cutoff: Float in [555, 200, 555] {
      try presets.redo(part: 0)
      #expect(joined.held.cutoffs[0] == cutoff)
    }
  }

  @Test("is kept through seeks, loops and pauses, and given back after all of them")
  func seeks() throws {
    let joined = try JoinedPlayer()
    let own = try joined.edit()
    let song = joined.playBorrowing(beats: 3)
    #expect(joined.ask(.loop(true)) == nil)
    joined.pass(milliseconds: 4_000)
    #expect(joined.ask(.move(1.5)) == nil && joined.held.cutoffs == song.cutoffs)
    joined.pass(milliseconds: 100)
    #expect(joined.held == song)
    #expect(joined.ask(.pause) == nil && joined.held == own)
    #expect(joined.ask(.pause) == nil && joined.until { $0.held == song })
    #expect(joined.ask(.stop) == nil && joined.held == own)
  }

  @Test("stays where a hand has changed it: an edited sound, a preset, a tempo, what undo has brought back")
  func hands() throws {
    let joined = try JoinedPlayer()
    let instrument = joined.instrument
    var own = try joined.edit()
    _ = joined.playBorrowing()
    // The preset that the song has chosen, chosen by a hand as well.
    let slot = try #require(instrument.presets.slot(part: 1))
    instrument.presets.recall(try #require(instrument.library[slot]), part: 1)
    instrument.set(try joined.knob("/part/1/filter/cutoff"), to: 444)
    instrument.tempo.set(140)
    #expect(joined.until { $0.held.tempo == 100 })
    #expect(joined.ask(.stop) == nil)
    #expect(joined.held.cutoffs == [444, 200] && joined.held.tempo == 140 && joined.held.pan == 0.25)

    // A sound of the song that was edited, and that the song itself has replaced.
    own = try joined.edit()
    #expect(joined.ask(.move(0)) == nil && joined.ask(.play(nil)) == nil)
    #expect(joined.until { $0.held.cutoffs[0] == 300 })
    instrument.set(try joined.knob("/part/1/filter/cutoff"), to: 333)
    #expect(joined.until { $0.held.cutoffs[0] == 200 } && joined.ask(.stop) == nil)
    #expect(joined.held == own)

    // Undo while it plays.
    #expect(joined.ask(.move(0)) == nil && joined.ask(.play(nil)) == nil)
    #expect(joined.until { $0.held.cutoffs[0] == 300 } && joined.until { $0.held.cutoffs[0] == 200 })
    try instrument.presets.undo(part: 0)
    #expect(joined.held.cutoffs[0] == 555 && joined.ask(.stop) == nil && joined.held == own)
  }

  @Test("is not in the session, while it plays and when pipit stops meanwhile")
  func session() throws {
    let joined = try JoinedPlayer()
    let own = try joined.edit()
    let slot = joined.instrument.presets.slot(part: 0)
    _ = joined.playBorrowing()
    let session = { try #require(joined.instrument.library.session) }
    #expect(joined.until { $0.instrument.library.session?.scene.master.tempo == 77 })
    // A change of another knob saves it again.
    joined.instrument.set(try joined.knob("/part/3/level"), to: -7)
    #expect(joined.until { $0.instrument.library.session?.scene[2].strip.level == -7 })
    #expect(joined.instrument.finish(within: 60))
    let saved = try session()
    #expect((0..<2).map { saved.scene[$0].patch.filter.cutoff } == own.cutoffs)
    #expect(saved.scene.master.tempo == 77 && saved.scene[0].strip.pan == 0.25)
    #expect(saved.presets[0] == slot && saved.presets[1] == nil)
    #expect(joined.held.cutoffs == [200, 200])
  }

  @Test("is not kept in a setup that is left while it plays")
  func setups() throws {
    let joined = try JoinedPlayer()
    let setups = joined.instrument.setups
    _ = try joined.edit()
    for name in ["B", "A"] { try setups.save(named: name) }
    setups.edits = .keep
    let stored = try setups.text(of: "A")
    _ = joined.playBorrowing()
    try setups.recall(named: "B")
    #expect(try setups.text(of: "A") == stored && setups.versions(of: "A").count == 1)
    #expect(joined.held.cutoffs == [555, 8_000] && joined.ask(.stop) == nil)
    #expect(joined.held.cutoffs == [555, 8_000] && joined.held.pan == 0.25 && joined.held.tempo == 77)
  }
}
