import Parameters
import Playback
import Scenes
import Song
import Testing
@testable import pipit

/// A song that is rendered, from its first sample to the last that is heard.
@Suite("A rendered song") struct SongRendererTests {
  /// 96 ticks are half a second.
  private func song(_ track: [UInt8]) throws -> Song {
    let head: [UInt8] = [0, 0, 0, 6, 0, 0, 0, 1, 0, 96]
    var file: [UInt8] = Array("MThd".utf8)
    for part in [head, Array("MTrk".utf8), [0, 0, 0, UInt8(track.count)], track] { file += part }
    return try Song(file)
  }

  /// A sound that lasts as long as its key is down.
  private var scene: Scene {
    var scene = Scene.initial
    scene[0].patch.amplifier.envelope.sustain = 1
    scene[0].patch.amplifier.envelope.release = 0.01
    return scene
  }

  /// The renderer after all of a song, and the seconds that it took.
  private func render(_ song: Song, longest: Int = Limits.songSeconds) throws -> (SongRenderer, Double) {
    let rate = Limits.rates.lowerBound
    let renderer = SongRenderer(song, scene: scene, rate: rate, longest: longest)
    var last: Int64 = 0
    try renderer.render(block: 512) { _, _, _, position in last = position }
    return (renderer, Double(last) / Double(rate))
  }

  @Test("lets go at its end what the rest of it would have let go", arguments: [0, 64, 66, 69])
  func cutOff(pedal: UInt8) throws {
    // The key is held for four seconds, or struck for one and held by a pedal.
    let held: [UInt8] = [0, 0x90, 60, 100, 0x86, 0x00, 0x90, 60, 0]
    let sustained: [UInt8] = [
      0, 0x90, 60, 100, 0, 0xB0, pedal, 127, 0x30, 0x90, 60, 0, 0x85, 0x50, 0xB0, pedal, 0,
    ]
    let song = try song((pedal == 0 ? held : sustained) + [0, 0xFF, 0x2F, 0])
    let (renderer, seconds) = try render(song, longest: 1)
    #expect(renderer.peak > 0.01 && renderer.mostVoices == 1 && renderer.lost == 0)
    #expect(seconds >= 1 && seconds < 2, "\(seconds)")
    // All of it lasts four seconds.
    #expect(try (4..<5).contains(render(song).1))
  }

  @Test("is faded out where it would ring on for longer than a file should")
  func fadedOut() throws {
    var endless = scene
    endless[0].patch.effects.delay.on = 1
    (endless[0].patch.effects.delay.time, endless[0].patch.effects.delay.mix) = (0.1, 0.5)
    (endless[0].patch.effects.delay.feedback, endless[0].patch.effects.delay.lowpass) = (1, 20_000)
    let song = try song([0, 0x90, 60, 100, 0x60, 0x90, 60, 0, 0, 0xFF, 0x2F, 0])
    let rate = Limits.rates.lowerBound
    let renderer = SongRenderer(song, scene: endless, rate: rate)
    var samples: [Float] = []
    try renderer.render(block: 512) { left, _, frames, _ in
      samples += UnsafeBufferPointer(start: left, count: frames)
    }
    func level(_ seconds: Double) -> Float {
      samples.suffix(Int(seconds * Double(rate))).prefix(rate / 5).map(\.magnitude).max() ?? 0
    }
    #expect(renderer.isFadedOut && samples.count == Int(renderer.end) + 20 * rate)
    #expect(level(2.2) > 0.01 && level(1.1) < 0.7 * level(2.2) && level(0.2) < 0.1 * level(2.2))
    #expect(samples.suffix(10).allSatisfy { $0.magnitude < 1e-5 })
  }

  @Test("ends a tenth of a second after the last note has faded, also when it is silent")
  func silent() throws {
    let (renderer, seconds) = try render(try song([0x60, 0xFF, 0x2F, 0]))
    #expect(renderer.peak == 0 && renderer.mostVoices == 0 && abs(seconds - 0.6) < 0.001, "\(seconds)")
  }
}
