import EngineHarness
import Parameters
import Testing
@testable import Scenes
@testable import Synth

@Suite("Bars of a song") struct MeterTests {
  private let song = UInt8(Limits.songSource)

  @Test("count beats and bars on both sides of their beginning", arguments: [-7.0, 0, 0.5, 123.25])
  func counting(origin: Double) {
    let signatures: [(Int, Int, Double)] = [
      (6, 3, 0.5), (5, 2, 1), (7, 4, 0.25), (2, 1, 2), (3, 0, 4), (127, 6, 1.0 / 16),
    ]
    for (beats, power, unit) in signatures {
      let meter = Meter(beats: beats, power: power, origin: origin)
      #expect(meter.unit == unit && meter.bar == Double(beats) * unit)
      for beat in -300...300 {
        let number = Int64(beat)
        #expect(meter.place(of: number) == origin + Double(beat) * unit)
        #expect(meter.beat(at: meter.place(of: number)) == number)
        #expect(meter.beat(at: meter.place(of: number) + 0.99 * unit) == number)
        #expect(meter.place(inBar: number) == Int64((beat % beats + beats) % beats))
      }
      // The engine gets the same bars.
      let told = Meter(meter.event(source: song, frame: 0))
      let apart = ((told.origin - origin) / told.bar).rounded() * told.bar - (told.origin - origin)
      #expect(told.beats == beats && told.unit == unit && told.origin >= 0 && apart == 0)
      #expect(told.origin < told.bar)
    }
    let odd = Meter(Event(frame: 0, kind: .clockMeter, target: 23, note: 0, value: -1e30))
    #expect(odd.beats == 1 && odd.unit == 1.0 / 16 && odd.beat(at: 1e30) == 1_000_000_000_000_000)
  }

  @Test(
    "are struck by the click on their beats, accented on the first, to the frame, until the song ends",
    arguments: [37, 64, 1_024])
  func click(block: Int) {
    let player = Player(Scene.with([("/click/on", 1), ("/click/level", 0)]))
    // Two bars of 6/8, then 5/4, and from 400,001 on the bars of the knob.
    let events: [Event] = [
      Event(frame: 0, kind: .clockTempo, source: song, value: 120),
      .clock(.clockStart, beat: 0, source: song, frame: 0),
      Meter(beats: 6, power: 3).event(source: song, frame: 0),
      Meter(beats: 5, power: 2, origin: 6).event(source: song, frame: 144_000),
      Event(frame: 400_001, kind: .sourceGone, source: song),
    ]
    for event in events { player.link.control.push(event) }
    player.play(500_000, block: block)
    let eighths = (0..<12).map { (frame: $0 * 12_000, isAccent: $0 % 6 == 0) }
    let quarters = (0..<11).map { (frame: 144_000 + $0 * 24_000, isAccent: $0 % 5 == 0) }
    let own = (17..<21).map { (frame: $0 * 24_000, isAccent: $0 % 4 == 0) }
    let sound = ClickSound(rate: 48_000)
    defer { sound.deallocate() }
    var expected = [Float](repeating: 0, count: player.left.count + sound.frames)
    for strokes in [eighths, quarters, own] {
      for stroke in strokes {
        for i in 0..<sound.frames { expected[stroke.frame + i] += sound[stroke.isAccent][i] }
      }
    }
    #expect(player.left == Array(expected.prefix(player.left.count)))
    #expect(!player.link.beatClock.now.hasMeter)
  }

  @Test("are those of songs alone, and do not count in a count-in")
  func others() {
    var clock = BeatClock(rate: 48_000)
    clock.follow(Meter(beats: 3, power: 2).event(source: song, frame: 0), frame: 0)
    #expect(clock.bars(quarters: 7) == Meter(beats: 3, power: 2))
    clock.follow(Event(frame: 0, kind: .clockCountIn, value: 4), frame: 0)
    #expect(clock.bars(quarters: 7) == Meter(quarters: 7))
    let player = Player(Scene.initial)
    player.link.control.push(Meter(beats: 3, power: 2).event(source: 2, frame: 0))
    player.play(64)
    #expect(!player.link.beatClock.now.hasMeter)
  }
}
