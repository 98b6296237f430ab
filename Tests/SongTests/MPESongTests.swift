import EngineHarness
import Glibc
import MIDI
import Scenes
import Song
import Synth
import Testing

/// Songs as keyboards of MPE send them, rendered, and the pitches measured.
@Suite("A song of fingers") struct MPESongTests {
  /// A chord for two seconds, and another in which each channel has a finger that bends elsewhere.
  private static let chords: [[(key: UInt8, bend: Double)]] = [
    [(45, 0.37), (52, -1.21), (57, 3.7), (64, 0), (69, -0.5), (72, 7.02)],
    [(48, -0.25), (51, 1.5), (60, -2), (62, 0.1), (67, 2.31), (81, -8.9)],
  ]

  private static var fingers: [MPEDevice.NoteExpression] {
    chords.enumerated().flatMap { index, chord in
      // Fifteen fingers for each chord: those of the second have the channels of the first, silent ones between.
      (0..<15).compactMap { place in
        let finger = chord[place % chord.count]
        let isHeld = place < chord.count
        let from = 100 + 2_000 * index + 7 * place
        return MPEDevice.NoteExpression(
          key: isHeld ? finger.key : 20, from: isHeld ? from : 2_000 * index + 1,
          to: isHeld ? 2_000 * index + 1_900 : 2_000 * index + 20, bend: finger.bend)
      }
    }
  }

  /// What is heard of a song, with a sine for each note.
  private func render(_ song: Song, mpe: MPESetting) -> Player {
    let player = Player(
      .with([
        ("/osc/1/wave", 0), ("/filter/cutoff", 20_000), ("/amp/release", 0.005), ("/lfo/1/wheel", 0),
      ]))
    var frame = 0
    for event in song.events(rate: 48_000, mpe: mpe) where !event.kind.isForControl {
      // The ring holds so many.
      if Int(event.frame) - frame > 480 {
        player.play(Int(event.frame) - frame)
        frame = Int(event.frame)
      }
      player.link.midi.push(event)
    }
    player.play(48_000)
    #expect(player.link.midi.dropped == 0 && player.voices == 0)
    return player
  }

  @Test(
    "has each note of a chord where its own finger bends it, within a cent",
    arguments: [
      MPEDevice.seaboard, .linnstrument, .osmose,
    ])
  func chords(device: MPEDevice) throws {
    let song = try Song(device.song(Self.fingers), strict: true)
    let mpe: MPESetting = device.members == nil ? .lower(15) : .auto
    #expect(song.channels(mpe: mpe) == [0])
    let player = render(song, mpe: mpe)
    for (index, chord) in Self.chords.enumerated() {
      let start = (2_000 * index + 800) * 48
      let spectrum = Spectrum(player.left[start..<start + 32_768], size: 32_768)
      for (key, bend) in chord {
        let hertz = 440 * exp2((Double(key) - 69 + bend) / 12)
        let cents = 1_200 * log2(spectrum.peak(near: hertz) / hertz)
        #expect(abs(cents) < 1, "\(device.name): key \(key) by \(bend) is \(cents) cents off")
      }
    }
  }

  @Test("plays what it has of fingers on channels of their own where MPE is off")
  func off() throws {
    let song = try Song(MPEDevice.seaboard.song(Self.fingers))
    #expect(song.channels(mpe: .off) == Array(1...15))
    #expect(song.channels(mpe: .upper(3)) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15])
  }

  @Test("is gone on with from its middle: the zone is there, and its fingers are where they were")
  func seek() throws {
    var playback = SongPlayback(try Song(MPEDevice.seaboard.song(Self.fingers)), source: 31)
    let kinds = playback.seek(to: playback.beat(at: 1.5)).map { step in
      switch step {
      case .event(let event): "\(event.kind)"
      case .tempo: "tempo"
      case .meter: "meter"
      }
    }
    #expect(kinds.prefix(2) == ["tempo", "mpeZone"] && kinds.filter { $0 == "mpeZone" }.count == 1)
    #expect(kinds.filter { $0 == "bend" }.count == 15)
  }
}
