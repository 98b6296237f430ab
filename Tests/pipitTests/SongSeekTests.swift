import Control
import EngineHarness
import Glibc
import MIDI
import Parameters
import Scratch
import Song
import Testing
@testable import Playback
@testable import Scenes
@testable import Synth

/// A song on a real engine with a stage, in the engine's time. Channel and part are the same.
private final class Seeker {
  let player: EngineHarness.Player
  var course: SongCourse
  private var stage: Stage
  /// The program of each channel.
  private var programs: [UInt8: String] = [:]
  private static let ahead = 256

  init(_ song: Song) {
    var scene = Scene.initial
    for part in 0..<Limits.parts {
      scene[part].patch =
        Scene.with([
          ("/osc/1/wave", 0), ("/amp/attack", 0.002), ("/amp/sustain", 1), ("/amp/release", 0.005),
          // Nothing that a seek may change: the tail is short, the chorus stands still, and a fifth of a second is two
          // periods of the LFO. A sound without these effects would get those of General MIDI.
          ("/lfo/1/rate", 10), ("/chorus/on", 1), ("/chorus/depth", 0), ("/chorus/mix", 0.3),
          ("/reverb/on", 1), ("/reverb/decay", 0.2), ("/reverb/mix", 0.2),
        ])[0].patch
      (scene[part].strip.on, scene[part].strip.channel) = (1, Float(part + 1))
    }
    stage = Stage(scene)
    player = EngineHarness.Player(scene, running: true)
    course = SongCourse(SongPlayback(song, source: UInt8(Limits.songSource), generalMIDI: false))
  }

  private var now: Int64 { player.engine.pointee.frame }

  /// Plays from a place to another, both in seconds of the song.
  func play(from start: Double, to end: Double) {
    let beat = course.playback.beat(at: start)
    course.begin(at: beat, frame: now + 960, .leads, player.link.beatClock.now, now: now) { [self] in send($0)
    }
    let last = course.playback.beat(at: end)
    while true {
      let frame = now + Int64(Self.ahead)
      course.synchronize(with: player.link.beatClock.now, frame: frame, .leads, rate: 48_000) {
        [self] in send($0)
      }
      // What comes later than the end is sent by neither of two songs that are compared.
      let end = course.frame(of: last)
      while !course.play(to: min(frame, end), most: 512, send: { [self] in send($0) }) {}
      let left = end - now
      if left <= 0 { return }
      stage.publish(to: player.link.scene)
      player.play(Int(min(left, 128)))
      player.left = []
      player.right = []
    }
  }

  /// The levels of both sides of the next fifth of a second, decibels.
  func levels() -> (left: Double, right: Double) {
    let end = now + 9_600
    while now < end {
      while !course.play(to: now + Int64(Self.ahead), most: 512, send: { [self] in send($0) }) {}
      stage.publish(to: player.link.scene)
      player.play(Int(min(end - now, 128)))
    }
    func level(_ samples: [Float]) -> Double {
      10 * log10(max(1e-8, samples.reduce(0) { $0 + Double($1 * $1) } / Double(samples.count)))
    }
    return (level(player.left), level(player.right))
  }

  private func send(_ event: Event) {
    switch event.kind {
    case .controller where ControllerOffsets.moves(Int(event.note)):
      _ = stage.offset(
        controller: Int(event.note), normalized: event.value, source: event.source, channel: Int(event.target)
      )
    case .controller:
      let knobs = stage.borrow(
        controller: Int(event.note), normalized: event.value, channel: Int(event.target))
      for (knob, value) in knobs { stage.scene[knob] = value }
    case .modulationDepth: _ = stage.move(vibrato: event)
    case .program: programs[event.target] = "\(event.value) \(event.note)"
    case .tempo: stage.set(tempo: event.value)
    case .setUp, .sourceGone:
      for (knob, value) in stage.endBorrowing() { stage.scene[knob] = value }
      _ = stage.begin(event)
    default: break
    }
    if event.kind.isForControl { return }
    #expect(player.link.control.push(event))
  }

  /// Everything that the song has set.
  func state() -> [String] {
    let (engine, source) = (player.engine, Limits.songSource)
    var words = [
      "tempo \(stage.scene.master.tempo)",
      "master \(engine.pointee.parts.ensemble.controllers.masters[source])",
    ]
    for channel in 0..<Limits.parts {
      var state = engine.pointee.parts.ensemble.controllers.channels[source * Limits.channels + channel]
      state.glideFrom = 0
      words.append("channel \(channel): \(state), program \(programs[UInt8(channel)] ?? "none")")
      let part = engine.pointee.parts.ensemble.scene.part(channel).pointee
      words.append(
        "part \(channel): pan \(part.strip.pan), cutoff \(part.patch.filter.cutoff), "
          + "reverb \(part.patch.effects.reverb.mix), chorus \(part.patch.effects.chorus.mix), "
          + "tremolo \(part.patch.lfo.level), vibrato \(part.patch.lfo.wheel)")
      var note = Note()
      (note.source, note.target, note.zoneManager) = (UInt8(source), UInt8(channel), UInt8(channel))
      note.key = UInt8(60 + channel)
      words.append("tuning \(engine.pointee.parts.ensemble.controllers.modulation(of: note).pitch)")
    }
    return words
  }
}

@Suite("A song that is moved") struct SongSeekTests {
  /// More: `PIPIT_SONGS=20 PIPIT_PLACES=40 packaging/test --filter SongSeekTests`.
  private static let (songs, places) = (number("PIPIT_SONGS") ?? 3, number("PIPIT_PLACES") ?? 2)

  private static func number(_ variable: String) -> Int? {
    getenv(variable).flatMap { Int(String(cString: $0)) }
  }

  /// A song of 36 quarter notes of which each has one note, and between them messages of all kinds.
  private func song(_ random: inout SeededRandom, resets: Bool) throws -> Song {
    var track: [UInt8] = []
    func add(_ bytes: UInt8...) { track += bytes }
    func pick(_ range: ClosedRange<Int>) -> UInt8 { UInt8(Int.random(in: range, using: &random)) }
    for beat in 0..<36 {
      let (channel, key) = (UInt8(beat % 8), pick(50...80))
      add(0, 0x90 | channel, key, pick(60...127))
      for _ in 0..<4 {
        add(18)
        let (other, value) = (pick(0...7), pick(0...127))
        let controller = 0xB0 | other
        switch pick(0...(resets ? 18 : 16)) {
        case 0: add(0xE0 | other, value, pick(0...127))
        case 1: add(0xD0 | other, value)
        case 2: add(0xC0 | other, value)
        case 3: add(controller, 101, 0, 0, 100, 0, 0, 6, pick(1...12))
        case 4: add(controller, 101, 0, 0, 100, pick(1...2), 0, 6, pick(60...68))
        case 5: add(controller, 101, 0, 0, 100, 5, 0, 6, 0, 0, 38, value)
        case 6: add(0xFF, 0x51, 3, pick(5...9), value, value)
        case 7: add(0xF0, 7, 0x7F, 0x7F, 4, 1, 0, max(60, value), 0xF7)
        case 8: add(0xF0, 7, 0x7F, 0x7F, 4, 3, 0, value, 0xF7)
        case 9: add(0xF0, 11, 0x7F, 0, 8, 2, 0, 1, 60 + other, 61 + other, value, 0, 0xF7)
        case 10: add(controller, value < 64 ? 91 : 93, pick(0...127))
        case 11: add(controller, 92, value)
        case 12: add(controller, 74, max(40, value))
        case 13: add(controller, 7, max(40, value), 0, 39, pick(0...127))
        case 14: add(controller, 11, max(40, value))
        case 15, 16: add(controller, 10, value)
        case 17: add(controller, 121, 0)
        default: if value < 20 { add(0xF0, 5, 0x7E, 0x7F, 9, 1, 0xF7) } else { add(controller, 1, value) }
        }
      }
      add(8, 0x80 | channel, key, 0, 16, 0xB0 | channel, 3, 0)
    }
    add(0, 0xFF, 0x2F, 0)
    var file: [UInt8] = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96] + Array("MTrk".utf8)
    file += [24, 16, 8, 0].map { UInt8(track.count >> $0 & 255) }
    return try Song(file + track)
  }

  @Test("sounds a second later as if it had been played from its beginning", arguments: [false, true])
  func equal(resets: Bool) throws {
    let seed = SeededRandom.seedOfRun
    var random = SeededRandom(seed)
    for number in 0..<Self.songs {
      let song = try song(&random, resets: resets)
      // Until so many places have sounded: some are silent, because sounds have ended or begin slowly.
      var (sounding, drawn) = (0, 0)
      while sounding < Self.places && drawn < 20 * Self.places {
        drawn += 1
        let place = Double.random(in: 0...(song.length - 3), using: &random)
        let (whole, moved) = (Seeker(song), Seeker(song))
        whole.play(from: 0, to: place + 1)
        moved.play(from: place, to: place + 1)
        let comment = Comment(rawValue: "seed \(seed), song \(number) at \(place)")
        for (one, other) in zip(whole.state(), moved.state()) { #expect(one == other, comment) }
        let (one, other) = (whole.levels(), moved.levels())
        // Measured 0.08 dB in 800 places.
        if one.left > -50 || one.right > -50 { sounding += 1 }
        #expect(
          abs(one.left - other.left) < 0.5 || max(one.left, other.left) < -50,
          "left \(one.left) and \(other.left); \(comment)")
        #expect(
          abs(one.right - other.right) < 0.5 || max(one.right, other.right) < -50,
          "right \(one.right) and \(other.right); \(comment)")
      }
      #expect(sounding == Self.places, "seed \(seed), song \(number)")
    }
  }
}
