import EngineHarness
import MIDI
import Parameters
import Song
@testable import Playback
@testable import Scenes
@testable import Synth

/// A song on a real engine, in the engine's time: the notes of the song and those of an arpeggiator, with their frames.
/// Part 1 has the arpeggiator and hears channel 1, part 2 plays the song on channel 2.
final class SongSpy {
  struct Stroke: Equatable, CustomStringConvertible {
    var frame: Int
    var key: Int
    var description: String { "\(key)@\(frame)" }
  }

  let player: EngineHarness.Player
  var course: SongCourse
  /// How the song is played other than it is written.
  var mix = SongMix()
  var multiple: Float = 1
  private var timing = SongCourse.Timing.leads
  /// Whether the song has been begun and not stopped.
  private(set) var isOn = false
  /// The strokes of the song and of the arpeggiator.
  private(set) var (song, arp): ([Stroke], [Stroke]) = ([], [])
  /// What the control thread was told of.
  private(set) var commands: [Event] = []
  private var clocks = Clocks()
  private var scene: Scene
  private var order: UInt64 = 0
  /// Frames between two turns of the control thread.
  let turn: Int
  /// Frames by which the control thread is ahead of the engine.
  var ahead: Int { turn + 96 }
  /// Messages of a device to come, with their seconds.
  var messages: ArraySlice<(seconds: Double, message: ClockMessage)> = []

  init(_ bytes: [UInt8], _ knobs: [(String, Float)] = [], turn: Int = 128) throws {
    let short: [(String, Float)] = [
      ("/arp/on", 1), ("/arp/sync", 9), ("/arp/gate", 0.5), ("/arp/start", 1), ("/amp/attack", 0.001),
      ("/amp/release", 0.004),
    ]
    let given = Set(knobs.map(\.0))
    var scene = Scene.with(short.filter { !given.contains($0.0) } + knobs)
    scene[0].strip.channel = 1
    scene[1] = Scene.with([("/amp/attack", 0.001), ("/amp/release", 0.004)])[0]
    (scene[1].strip.channel, scene[1].strip.on) = (2, 1)
    self.scene = scene
    player = EngineHarness.Player(scene, running: true)
    course = SongCourse(SongPlayback(try Song(bytes), source: UInt8(Limits.songSource)))
    self.turn = turn
  }

  var now: Int { Int(player.engine.pointee.frame) }
  var clock: BeatClock { player.link.beatClock.now }
  /// The keys that are held down by something, in order.
  var held: [Int] {
    voices.filter { player.engine.pointee.parts.ensemble.voices.notes[$0].isHeld }
      .map { Int(player.engine.pointee.parts.ensemble.voices.notes[$0].key) }.sorted()
  }

  /// Begins the song at a beat.
  func begin(at beat: Double = 0, _ timing: SongCourse.Timing = .leads) {
    (self.timing, isOn) = (timing, true)
    let first = Int64(now + ahead + 960)
    course.begin(at: beat, frame: first, timing, clock, now: Int64(now)) { [self] in send($0) }
  }

  /// Changes who determines the line, as the choice of a source does.
  func change(to timing: SongCourse.Timing) { self.timing = timing }

  /// Stops the song and returns its beat.
  @discardableResult
  func stop(transport: Bool = true) -> Double {
    isOn = false
    return course.stop(at: Int64(now), stopsTransport: transport) { [self] in send($0) }
  }

  /// The tempo that the knob shows.
  var shown: Float { scene.master.tempo }

  /// Moves the knob of the tempo, as far as it goes.
  func show(tempo: Float) {
    scene.turn([("/tempo", max(20, min(tempo, 300)))])
    player.link.scene.publish(scene)
  }

  func press(_ keys: Int...) { for key in keys { player.press(key) } }
  func lift(_ keys: Int...) { for key in keys { player.release(key) } }

  /// Runs up to a frame, in turns of the control thread.
  func run(to end: Int) {
    while now < end {
      look()
      render(to: min(end, now / turn * turn + turn))
    }
  }

  func run(seconds: Double) { run(to: now + Int(seconds * 48_000)) }

  private func look() {
    while let next = messages.first, Int(next.seconds * 48_000) <= now + 480 {
      messages.removeFirst()
      let frame = Int64(next.seconds * 48_000) + 480
      clocks.receive(
        next.message, source: 2, frame: frame, at: Int64(next.seconds * 1e9),
        beat: { clock.line.beat(at: frame) },
        play: { [self] event in
          if event.kind.isForControl { commands.append(event) } else { player.link.midi.push(event) }
          if event.kind == .clockStart, isOn == false {
            isOn = true
            timing = .follows
            course.begin(at: 0, frame: frame, start: event.beat, clock, now: Int64(now)) { send($0) }
          }
        })
    }
    if !isOn { return }
    let frame = Int64(now + ahead)
    course.synchronize(with: clock, frame: frame, timing, rate: 48_000) { [self] in send($0) }
    course.play(at: multiple, isOn: true, frame: frame) { [self] in send($0) }
    course.compare(shown: shown, at: frame) { [self] in send($0) }
    while !course.play(to: frame, most: 64, send: { [self] in send($0) }) {}
  }

  private func send(_ event: Event) {
    if event.kind == .tempo { show(tempo: event.value) }
    mix.pass(event) { [self] event in
      if event.kind.isForControl { return commands.append(event) }
      player.link.control.push(event)
    }
  }

  /// Renders from one due frame to the next, so that strokes are at the first frame of a block.
  private func render(to end: Int) {
    while now < end {
      let start = now
      let engine = player.engine
      var due = engine.pointee.parts.arps.nextFrame(engine.pointee.parts.ensemble.renderer.beatClock.line)
      for ring in [player.link.control, player.link.midi] {
        if let event = ring.peek()?.pointee { due = min(due, event.frame) }
      }
      player.render(due <= Int64(start) ? 1 : min(end - start, Int(min(due, Int64(end))) - start))
      listen(start)
    }
  }

  private var voices: [Int] {
    var (all, voice) = ([Int](), player.engine.pointee.parts.ensemble.voices.next(0))
    while voice < Limits.lanes {
      all.append(voice)
      voice = player.engine.pointee.parts.ensemble.voices.next(voice + 1)
    }
    return all
  }

  private func listen(_ frame: Int) {
    let notes = voices.map { player.engine.pointee.parts.ensemble.voices.notes[$0] }.filter {
      $0.order > order
    }
    for note in notes.sorted(by: { $0.order < $1.order }) {
      let stroke = Stroke(frame: frame, key: Int(note.key))
      if note.part == 0 { arp.append(stroke) } else { song.append(stroke) }
    }
    order = max(order, player.engine.pointee.parts.ensemble.voices.order)
  }
}

/// A song on channel 2 with a note on each beat, its key the number of the beat from 36 on, tempos in microseconds,
/// time signatures and other events. A beat has 96 ticks.
func beats(
  _ count: Int, tempos: [(beat: Double, microseconds: Int)] = [],
  signatures: [(beat: Double, beats: UInt8, power: UInt8)] = [], others: [(beat: Double, bytes: [UInt8])] = []
) -> [UInt8] {
  var events: [(tick: Int, order: Int, bytes: [UInt8])] = tempos.map { beat, microseconds in
    let bytes = [16, 8, 0].map { UInt8(microseconds >> $0 & 255) }
    return (Int(beat * 96), 0, [0xFF, 0x51, 3] + bytes)
  }
  for (beat, beats, power) in signatures {
    events.append((Int(beat * 96), 0, [0xFF, 0x58, 4, beats, power, 24, 8]))
  }
  events += others.map { (Int($0.beat * 96), 0, $0.bytes) }
  for beat in 0..<count {
    let key = UInt8(36 + beat % 60)
    events.append((beat * 96, 2, [0x91, key, 100]))
    events.append((beat * 96 + 40, 1, [0x81, key, 0]))
  }
  events.sort { ($0.tick, $0.order) < ($1.tick, $1.order) }
  func delta(_ value: Int) -> [UInt8] {
    (value >= 128 ? [UInt8(value >> 7 & 127) | 128] : []) + [UInt8(value & 127)]
  }
  var (track, last): ([UInt8], Int) = ([], 0)
  for (tick, _, bytes) in events {
    track += delta(tick - last) + bytes
    last = tick
  }
  track += delta(count * 96 - last) + [0xFF, 0x2F, 0]
  var file: [UInt8] = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96] + Array("MTrk".utf8)
  file += [24, 16, 8, 0].map { UInt8(track.count >> $0 & 255) }
  return file + track
}
