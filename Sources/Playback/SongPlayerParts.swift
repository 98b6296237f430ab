import Parameters
import Presets
import Scenes

/// The parts on which the player plays a song.
extension SongPlayer {
  /// The shortest time for which the parts 9 to 16 are kept after the song stops, since it may continue, nanoseconds.
  private static let kept: Int64 = 2_000_000_000

  /// The channels that the loaded song plays on parts of their own, the lowest first; none before it has been played,
  /// or if it is for pipit and changes no programs.
  public var channels: [SongChannel] {
    (assignment?.parts ?? [:]).sorted { $0.key < $1.key }.map { channel, parts in
      let names = parts.map { part in
        part < Limits.parts
          ? instrument.presets.name(part: part)
          : songParts?.preset(part - Limits.parts)
            ?? instrument.library.preset(bank: 0, program: 0, channel: Int(channel), order: order)?.name ?? ""
      }
      return SongChannel(channel: channel, parts: parts, preset: names.joined(separator: " + "))
    }
  }

  /// Makes the parts 9 to 16 if channels of the song need them, with the sound of the first program of the library or
  /// of General MIDI, until program changes choose others. They get the tuning of the instrument's eight parts if all
  /// of these have the same.
  func prepareSongParts() {
    guard let assignment, assignment.needsSongParts else { return }
    programs = ProgramMap(instrument.library, order: order)
    let scene = assignment.scene(from: Limits.parts) {
      programs?.patch(bank: 0, program: 0, channel: Int($0)) ?? .initial
    }
    let tunings = instrument.stage.tunings
    let tuning = tunings.allSatisfy { $0 === tunings[0] } ? tunings[0] : nil
    if let songParts, songParts.matchesSampleRate { return songParts.begin(scene, tuning: tuning) }
    songParts = SongPartsStage(scene, tuning: tuning, kit: instrument.library.kit, beside: instrument.link)
  }

  /// Publishes changes of the parts 9 to 16, and frees them when the song has stopped and they are silent. Returns when
  /// it is to be called again; nil if they do not wait for anything.
  func updateSongParts(_ now: Int64) -> Int64? {
    guard let songParts else { return nil }
    songParts.publish()
    if isOn || armed != nil, assignment?.needsSongParts == true { return nil }
    if !songParts.isSounding, now >= stopped + Self.kept {
      songParts.remove()
      self.songParts = nil
    }
    return now + Self.longest
  }
}

/// The assignment of a channel of a song.
public struct SongChannel: Sendable, Equatable {
  /// The channel, 0…15.
  public let channel: UInt8
  /// Its parts, 0..<`Limits.songParts`. Those from `Limits.parts` on are parts that only songs use.
  public let parts: [Int]
  /// The names of the presets of its parts, separated by ` + `; empty without one.
  public let preset: String
}
