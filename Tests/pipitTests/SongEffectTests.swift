import Control
import Glibc
import Playback
import Scenes
import Song
import Testing

/// What controllers of a song do to effects and vibrato, rendered. One part plays channel 1 with a sine.
@Suite("The effects of a song") struct SongEffectTests {
  /// 96 ticks are half a second.
  private func song(_ track: [UInt8]) throws -> Song {
    var file: [UInt8] = Array("MThd".utf8)
    for part in [[0, 0, 0, 6, 0, 0, 0, 1, 0, 96], Array("MTrk".utf8), [0, 0, 0, UInt8(track.count)], track] {
      file += part
    }
    return try Song(file)
  }

  private func scene(_ change: (inout Patch) -> Void = { _ in }) -> Scene {
    var scene = Scene.initial
    scene[0].patch.oscillator1.wave = 0
    scene[0].patch.filter.cutoff = 20_000
    scene[0].patch.amplifier.envelope.attack = 0.002
    scene[0].patch.amplifier.envelope.sustain = 1
    scene[0].patch.amplifier.envelope.release = 0.005
    change(&scene[0].patch)
    return scene
  }

  /// The left side at 48 kHz of a note of half a second, and as much after it.
  private func render(_ scene: Scene, _ events: [UInt8], key: UInt8 = 69) throws -> [Float] {
    let track = events + [0, 0x90, key, 100, 0x60, key, 0, 0x60, 0xFF, 0x2F, 0]
    let renderer = SongRenderer(try song(track), scene: scene, rate: 48_000)
    var left: [Float] = []
    try renderer.render(block: 480) { samples, _, count, _ in
      left += UnsafeBufferPointer(start: samples, count: count)
    }
    return left
  }

  private func level(_ samples: ArraySlice<Float>) -> Double {
    10 * log10(max(1e-20, samples.reduce(0) { $0 + Double($1 * $1) } / Double(samples.count)))
  }

  /// The level of what follows the note.
  private func tail(_ scene: Scene, _ events: [UInt8]) throws -> Double {
    level(try render(scene, events)[26_400..<40_800])
  }

  @Test("91 scales the reverb of the sound: 64 as it is, 127 the double, 0 none")
  func reverb() throws {
    let room = scene {
      ($0.effects.reverb.on, $0.effects.reverb.mix, $0.effects.reverb.modulation) = (1, 0.15, 0)
    }
    let plain = try tail(room, [])
    #expect(try tail(room, [0, 0xB0, 91, 64]) == plain)
    let (most, half) = (try tail(room, [0, 0xB0, 91, 127]), try tail(room, [0, 0xB0, 91, 32]))
    #expect(
      abs(most - plain - 6.02) < 0.2 && abs(half - plain + 6.02) < 0.2, "\(most - plain), \(half - plain)")
    #expect(try tail(room, [0, 0xB0, 91, 0]) < -150)
    // The dry sound is not taken away by the double.
    let loud = scene { ($0.effects.reverb.on, $0.effects.reverb.mix) = (1, 0.5) }
    #expect(try render(loud, [0, 0xB0, 91, 127]) == render(loud, []))
    // The controllers stay over 121, and end with a reset.
    #expect(abs(try tail(room, [0, 0xB0, 91, 127, 0, 121, 0]) - most) < 0.01)
    #expect(try tail(room, [0, 0xB0, 91, 0, 0, 0xF0, 5, 0x7E, 0x7F, 9, 1, 0xF7]) > plain - 6)
  }

  @Test("91 brings a gentle reverb to a sound that has none, from 65 on")
  func gentle() throws {
    for value in [0, 40, 64] as [UInt8] {
      #expect(try tail(scene(), [0, 0xB0, 91, value]) < -150, "\(value)")
    }
    let dry = level(try render(scene(), [])[4_800..<24_000])
    let (most, some) = (try tail(scene(), [0, 0xB0, 91, 127]), try tail(scene(), [0, 0xB0, 91, 96]))
    #expect(
      most < dry - 12 && most > dry - 40 && some < most - 4 && some > most - 8, "\(dry) \(most) \(some)")
  }

  @Test("93 scales the chorus, and brings a gentle one to a sound that has none")
  func chorus() throws {
    func change(_ scene: Scene, _ value: UInt8) throws -> Double {
      let (own, plain) = (try render(scene, [0, 0xB0, 93, value]), try render(scene, []))
      return level(zip(own, plain).map { $0 - $1 }[4_800..<24_000]) - level(plain[4_800..<24_000])
    }
    #expect(try change(scene(), 64) < -150 && change(scene(), 0) < -150)
    let gentle = try change(scene(), 127)
    #expect(gentle > -20 && gentle < 0, "\(gentle)")
    let wet = scene { ($0.effects.chorus.on, $0.effects.chorus.mix) = (1, 0.2) }
    #expect(try change(wet, 64) < -150)
    // All of it less is as much as all of it more.
    let (none, double) = (try change(wet, 0), try change(wet, 127))
    #expect(abs(none - double) < 0.5 && none > -20, "\(none) \(double)")
  }

  @Test("92 is a tremolo of 6 dB at its most, and 0 leaves the sound as it is")
  func tremolo() throws {
    func depth(_ events: [UInt8]) throws -> Double {
      let sound = try render(scene { $0.lfo.shape.rate = 8 }, events, key: 93)
      let levels = stride(from: 4_800, to: 23_000, by: 240).map { level(sound[$0..<$0 + 240]) }
      return (levels.max() ?? 0) - (levels.min() ?? 0)
    }
    let (most, half, none) = (
      try depth([0, 0xB0, 92, 127]), try depth([0, 0xB0, 92, 64]), try depth([0, 0xB0, 92, 0])
    )
    #expect(most > 5 && most < 6.5 && half > 2 && half < 3 && none < 0.2, "\(most) \(half) \(none)")
  }

  @Test("RPN 5 says how many semitones of vibrato the full wheel gives")
  func vibrato() throws {
    func width(_ events: [UInt8]) throws -> Double {
      let sound = try render(scene { ($0.lfo.shape.rate, $0.lfo.wheel) = (6, 30) }, events, key: 93)
      var periods: [Double] = []
      var last: Double?
      for at in 9_600..<23_000 where sound[at] < 0 && sound[at + 1] >= 0 {
        let place = Double(at) + Double(sound[at] / (sound[at] - sound[at + 1]))
        if let last { periods.append(place - last) }
        last = place
      }
      return 6 * log2((periods.max() ?? 1) / (periods.min() ?? 1))
    }
    let wheel: [UInt8] = [0, 0xB0, 1, 127]
    func range(_ high: UInt8, _ low: UInt8) -> [UInt8] {
      [0, 0xB0, 101, 0, 0, 100, 5, 0, 6, high, 0, 38, low] + wheel
    }
    let (own, two, half) = (try width(wheel), try width(range(2, 0)), try width(range(0, 64)))
    #expect(abs(own - 0.3) < 0.05 && abs(two - 2) < 0.1 && abs(half - 0.5) < 0.05, "\(own) \(two) \(half)")
  }

  @Test("A pan that a song has set is gone after a reset")
  func pan() throws {
    func side(_ events: [UInt8]) throws -> Double { level(try render(scene(), events)[4_800..<24_000]) }
    let (middle, right) = (try side([]), try side([0, 0xB0, 10, 127]))
    #expect(right < middle - 40)
    let reset: [UInt8] = [0, 0xB0, 10, 127, 0, 0xF0, 5, 0x7E, 0x7F, 9, 1, 0xF7, 0, 0xB0, 7, 127]
    #expect(abs(try side(reset) - middle) < 0.1)
  }
}
