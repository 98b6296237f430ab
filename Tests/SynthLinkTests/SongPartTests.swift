import EngineHarness
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// The parts that only songs use, in an engine that renders them.
@Suite("Song parts") struct SongPartTests {
  /// A plain sound on each of the first `count` parts, each on its own channel from `first` on.
  private func scene(_ count: Int, from first: Int = 0) -> Scene {
    let sound = Scene.with([
      ("/osc/1/level", 0.5), ("/amp/attack", 0.001), ("/amp/sustain", 1), ("/amp/release", 0.01),
      ("/delay/on", 1), ("/delay/sync", 6), ("/delay/mix", 0.3),
    ])[0]
    var scene = Scene.initial
    for part in 0..<Limits.parts {
      scene[part] = sound
      (scene[part].strip.on, scene[part].strip.channel) = (part < count ? 1 : 0, Float(first + part + 1))
      scene[part].strip.level = -20
    }
    return scene
  }

  private func on(_ channel: Int, _ frame: Int64 = 0) -> Event {
    Event(frame: frame, kind: .noteOn, target: UInt8(channel), note: UInt8(48 + channel), value: 0.5)
  }

  @Test("sound to the bit as the same parts of an instrument do, in blocks of any size")
  func same() {
    let alone = EngineHarness.Player(scene(8, from: 8))
    let events = (0..<8).map { on(8 + $0, Int64(100 + 333 * $0)) }
    for event in events { alone.link.midi.push(event) }
    alone.play(9_600)
    #expect(alone.left.contains { abs($0) > 0.01 })
    for block in [64, 100, 1_000] {
      let player = EngineHarness.Player(scene(0))
      let parts = SongParts(scene(8, from: 8), kit: Kit(), beside: player.link)
      player.link.setSongParts(parts)
      for event in events { parts.events.push(event) }
      player.play(9_600, block: block)
      #expect(player.left == alone.left && player.right == alone.right, "\(block)")
      #expect(player.link.meters[.voices] == 8 && player.link.meters[.mostVoices] == 8 && parts.isSounding)
    }
  }

  @Test("add to the parts of the instrument, and keep its beat, its pitch and its silence")
  func beside() {
    func player(_ first: Bool, _ second: Bool) -> EngineHarness.Player {
      let player = EngineHarness.Player(scene(8))
      let parts = SongParts(scene(8, from: 8), kit: Kit(), beside: player.link)
      player.link.setSongParts(parts)
      var tuned = scene(8)
      (tuned.master.tune, tuned.master.tempo) = (452, 97)
      player.link.scene.publish(tuned)
      for channel in 0..<8 where first { player.link.midi.push(on(channel)) }
      for channel in 8..<16 where second { parts.events.push(on(channel)) }
      player.play(9_600)
      return player
    }
    let (first, second, both) = (player(true, false), player(false, true), player(true, true))
    #expect(both.link.meters[.voices] == 16 && both.link.meters[.mostVoices] == 16)
    let off = zip(both.left, zip(first.left, second.left)).map { abs($0 - $1.0 - $1.1) }.max() ?? 1
    #expect(off < 1e-5, "\(off)")
    // The same from an instrument in the second tuning and tempo.
    var tuned = scene(8, from: 8)
    (tuned.master.tune, tuned.master.tempo) = (452, 97)
    let alone = EngineHarness.Player(tuned)
    for channel in 8..<16 { alone.link.midi.push(on(channel)) }
    alone.play(9_600)
    #expect(alone.left == second.left)

    both.link.control.push(Event(frame: 0, kind: .panic))
    both.render(4_800, blocks: 2)
    #expect(both.link.meters[.voices] == 0 && both.link.meters[.sounds] == 0)
  }

  @Test("release what the song holds when their events have been lost")
  func overrun() {
    let player = EngineHarness.Player(scene(0))
    let parts = SongParts(scene(8), kit: Kit(), beside: player.link)
    player.link.setSongParts(parts)
    var stroke = on(0)
    stroke.source = UInt8(Limits.songSource)
    parts.events.push(stroke)
    player.play(4_800)
    #expect(player.link.meters[.voices] == 1)
    let bend = Event(frame: 0, kind: .bend, source: stroke.source, target: stroke.target, value: 0)
    while parts.events.push(bend) {}
    player.play(9_600)
    #expect(player.link.meters[.voices] == 0)
  }

  @Test("are freed when the engine has begun a block without them, and not before")
  func freed() {
    let player = EngineHarness.Player(scene(0), running: true)
    weak var gone: SongParts?
    do {
      let parts = SongParts(scene(8), kit: Kit(), beside: player.link)
      player.link.setSongParts(parts)
      parts.events.push(on(0))
      gone = parts
    }
    player.render(64, blocks: 10)
    #expect(gone?.isSounding == true)
    player.link.setSongParts(nil)
    #expect(gone != nil && player.link.scene.retiredCount == 1)
    player.render(64)
    player.link.scene.service()
    #expect(gone == nil && player.link.scene.retiredCount == 0)
    player.render(64, blocks: 100)
    #expect(player.link.meters[.voices] == 0)
  }

  @Test("of another sample rate than the instrument are not rendered")
  func rates() {
    let player = EngineHarness.Player(scene(0), rate: 44_100)
    let parts = SongParts(scene(8), kit: Kit(), beside: player.link)
    player.link.setSongParts(parts)
    #expect(parts.matchesSampleRate)
    let other = EngineHarness.Player(player.link, running: false) { Engine(rate: 48_000, link: $0) }
    parts.events.push(on(0))
    other.render(64, blocks: 10)
    #expect(!parts.matchesSampleRate && !parts.isSounding && other.link.meters[.voices] == 0)
  }

  @Test("share the budget of a slow machine, and have all of a fast one")
  func budget() {
    let player = EngineHarness.Player(scene(8))
    let parts = SongParts(scene(8), kit: Kit(), beside: player.link)
    player.link.setSongParts(parts)
    for key in 0..<16 {
      for channel in 0..<8 {
        let event = Event(frame: 0, kind: .noteOn, target: UInt8(channel), note: UInt8(30 + key), value: 0.5)
        player.link.midi.push(event)
        parts.events.push(event)
      }
    }
    player.render(64)
    #expect(player.link.meters[.voices] == 2 * UInt64(Limits.voices) && player.link.meters[.stolen] == 0)
    for _ in 0..<500 {
      player.render(64)
      player.engine.pointee.reportLoad(share: 0.3)
    }
    #expect(player.link.meters[.voices] == 2 * UInt64(Limits.voices) && player.link.meters[.shed] == 0)
    // Twice as slow as would do.
    for _ in 0..<500 {
      player.render(64)
      let groups = Float(player.link.meters[.voices]) / 8
      player.engine.pointee.reportLoad(share: 1.4 / 32 * groups)
    }
    let left = player.link.meters[.voices]
    #expect(left >= 48 && left <= 136 && player.link.meters[.shed] == 256 - left, "\(left)")
    let here = UInt64(player.engine.pointee.parts.ensemble.voices.sounding)
    #expect(here * 3 > left && here * 3 < 2 * left, "\(here) of \(left)")
  }
}
