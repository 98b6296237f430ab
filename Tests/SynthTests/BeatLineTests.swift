import Testing
@testable import Scenes
@testable import Synth

@Suite("The beat line") struct BeatLineTests {
  @Test("is the formula at every frame, an hour on")
  func anHour() {
    for rate in [22_050.0, 44_100, 48_000, 96_000, 192_000] {
      var line = BeatLine(rate: rate)
      line.follow(tempo: 123.4, frame: 0)
      let perSecond = Double(Float(123.4) / 60)
      for sixteenth in stride(from: 0, through: 29_616, by: 7) {
        let beat = Double(sixteenth) / 4
        let exact = beat * rate / perSecond
        #expect(line.frame(of: beat) == Int64((exact - 1e-5).rounded(.up)))
        #expect(line.beat(at: line.frame(of: beat)) > beat - 1e-9)
        #expect(line.beat(at: line.frame(of: beat) - 1) < beat)
      }
    }
  }

  @Test("keeps the beat when the tempo changes, without a jump")
  func changes() {
    var line = BeatLine(rate: 48_000)
    var beat = 0.0
    for (second, tempo) in [20, 300, 59, 61].enumerated() as EnumeratedSequence<[Float]> {
      line.follow(tempo: tempo, frame: Int64(second) * 48_000)
      #expect(abs(line.beat(at: Int64(second) * 48_000) - beat) < 1e-6)
      beat += Double(tempo) / 60
      #expect(abs(line.beat(at: Int64(second + 1) * 48_000) - beat) < 1e-6)
    }
    #expect(line.jumps == 0)
  }

  @Test("goes to a clock within half a beat, always forward, and then stays with it")
  func correction() {
    for deviation in [-0.2, -0.01, 0.01, 0.2] {
      var line = BeatLine(rate: 48_000)
      line.correct(to: 2 + deviation, frame: 48_000)
      #expect(abs(line.beat(at: 48_000) - 2) < 1e-9, "the line is not interrupted")
      for frame in stride(from: Int64(48_000), to: 96_000, by: 16) {
        #expect(line.beat(at: frame + 16) > line.beat(at: frame))
        #expect(abs(line.frame(of: line.beat(at: frame)) - frame) <= 1)
      }
      #expect(abs(line.beat(at: 60_000) - (2.5 + deviation)) < 1e-9)
      #expect(abs(line.beat(at: 96_000) - (4 + deviation)) < 1e-9)
      #expect(line.jumps == 0)
    }
  }

  @Test("jumps to a clock that is further away, and takes a number modulo 16,384 for the nearest beat")
  func jumps() {
    var line = BeatLine(rate: 48_000)
    line.correct(to: 3, frame: 48_000)
    #expect(line.beat(at: 48_000) == 3 && line.jumps == 1)
    line.jump(to: 16_384 * 3 + 10, frame: 48_000)
    line.correct(to: 10.01, frame: 48_000)
    #expect(abs(line.beat(at: 60_000) - (16_384 * 3 + 10.51)) < 1e-6 && line.jumps == 2)
    line.jump(to: 16_383.9, frame: 96_000)
    line.correct(to: 0, frame: 96_000)
    #expect(abs(line.beat(at: 108_000) - 16_384.5) < 1e-6 && line.jumps == 3)
  }
}

@Suite("The beat clock") struct BeatClockTests {
  private let source: UInt8 = 3

  @Test("follows the scene until a clock leads, and keeps the clock's tempo until the scene changes")
  func leader() {
    var clock = BeatClock(rate: 48_000)
    clock.follow(sceneTempo: 90, frame: 0)
    #expect(clock.line.perSecond == 1.5)
    clock.follow(Event(frame: 0, kind: .clockTempo, source: source, value: 123.45), frame: 100)
    clock.follow(sceneTempo: 123.4, frame: 200)
    #expect(clock.line.perSecond == Float(123.45) / 60 && clock.leader == source)
    clock.follow(Event(frame: 0, kind: .clockGone, source: 4), frame: 300)
    #expect(clock.leader == source)
    clock.follow(Event(frame: 0, kind: .clockGone, source: source), frame: 300)
    clock.follow(sceneTempo: 123.4, frame: 400)
    #expect(clock.line.perSecond == Float(123.45) / 60 && clock.leader == BeatClock.noLeader)
    clock.follow(sceneTempo: 60, frame: 500)
    #expect(clock.line.perSecond == 1)
  }

  @Test("after a song has the tempo of the scene, which was moved meanwhile or cannot be that of the song")
  func songGone() {
    let song = UInt8(Limits.songSource)
    for (tempo, shown, left) in [(120, 140, 140), (400, 300, 300), (90, 90, 90)] as [(Float, Float, Float)] {
      var clock = BeatClock(rate: 48_000)
      clock.follow(sceneTempo: 100, frame: 0)
      clock.follow(Event(frame: 0, kind: .clockTempo, source: song, value: tempo), frame: 100)
      clock.follow(sceneTempo: shown, frame: 150)
      #expect(clock.isLedBySong && clock.line.perSecond == tempo / 60)
      let beat = clock.line.beat(at: 48_000)
      clock.follow(Event(frame: 0, kind: .clockGone, source: song), frame: 48_000)
      #expect(clock.leader == BeatClock.noLeader && clock.line.perSecond == left / 60)
      #expect(abs(clock.line.beat(at: 48_000) - beat) < 1e-9)
    }
  }

  @Test("starts at a beat, stops and continues; only the leader's word counts")
  func startAndStop() {
    var clock = BeatClock(rate: 48_000)
    clock.follow(.clock(.clockStart, beat: 130.25, source: source, frame: 0), frame: 1_000)
    #expect(clock.isRunning && clock.line.beat(at: 1_000) == 130.25)
    clock.follow(Event(frame: 0, kind: .clockTempo, source: source, value: 120), frame: 1_000)
    clock.follow(Event(frame: 0, kind: .clockStop, source: 4), frame: 1_000)
    #expect(clock.isRunning)
    clock.follow(Event(frame: 0, kind: .clockStop, source: source), frame: 1_000)
    #expect(!clock.isRunning)
    clock.follow(Event(frame: 0, kind: .clockContinue, source: source), frame: 1_000)
    #expect(clock.isRunning)
  }

  @Test("A tap moves the nearest whole beat to itself, unless a clock leads")
  func tap() {
    for (frame, beat) in [(22_000, 1), (26_000, 1), (35_000, 1), (37_000, 2)] as [(Int64, Double)] {
      var clock = BeatClock(rate: 48_000)
      clock.follow(Event(frame: 0, kind: .clockTap), frame: frame)
      #expect(abs(clock.line.beat(at: frame + 48_000) - (beat + 2)) < 1e-9, "\(frame)")
      clock = BeatClock(rate: 48_000)
      clock.follow(Event(frame: 0, kind: .clockTempo, source: source, value: 120), frame: 0)
      clock.follow(Event(frame: 0, kind: .clockTap), frame: frame)
      #expect(clock.line.beat(at: 96_000) == 4)
    }
  }

  @Test("keeps the beats of an event to a hundredth of a millisecond, whatever they are")
  func beats() {
    for beat in [0, 1.0 / 24, 127.999, 128, 4_095.75, 16_383.99] {
      #expect(abs(Event.clock(.clockBeat, beat: beat, source: 0, frame: 0).beat - beat) < 1e-5)
    }
    #expect(Event.clock(.clockBeat, beat: -1, source: 0, frame: 0).beat == 16_383)
    for beat in [Double.nan, .infinity, -.infinity, 1e300] {
      let event = Event.clock(.clockBeat, beat: beat, source: 0, frame: 0)
      #expect(event.beat >= 0 && event.beat < 16_384 && event.value.isFinite)
    }
  }

  @Test("is read whole by other threads")
  func shared() {
    #expect(MemoryLayout<BeatClock>.size == SharedBeatClock.count * 8)
    let shared = SharedBeatClock()
    defer { shared.deallocate() }
    var clock = BeatClock(rate: 44_100)
    clock.follow(Event(frame: 0, kind: .clockTempo, source: source, value: 99), frame: 5)
    shared.publish(clock)
    #expect(shared.now.leader == source && shared.now.line.beat(at: 77) == clock.line.beat(at: 77))
  }

  @Test("an engine follows a clock from a ring, and shows it")
  func engine() {
    let player = Player(.with([("/tempo", 100)]))
    player.play(4_800)
    #expect(player.link.beatClock.now.line.perSecond == Float(100) / 60)
    player.link.midi.push(Event(frame: 4_900, kind: .clockTempo, source: source, value: 140))
    player.link.midi.push(.clock(.clockStart, beat: 8, source: source, frame: 4_900))
    player.play(4_800)
    let now = player.link.beatClock.now
    #expect(now.line.beat(at: 4_900) == 8 && now.leader == source && now.isRunning)
    player.link.midi.push(Event(frame: 0, kind: .sourceGone, source: source))
    player.play(100)
    #expect(player.link.beatClock.now.leader == BeatClock.noLeader)
    #expect(player.link.beatClock.now.line.perSecond == Float(140) / 60)
  }
}

@Suite("What decides which notes are played") struct ArpKnobsTests {
  @Test("follows the knobs of the sound, and is read in place")
  func layout() {
    var patch = Patch.initial
    #expect(MemoryLayout<Patch>.offset(of: \Patch.arp) == Patch.count * MemoryLayout<Float>.size)
    #expect(MemoryLayout<ArpKnobs>.offset(of: \ArpKnobs.rhythm) == ArpKnobs.rhythmOffset)
    (patch.arp.on, patch.chord.strum, patch.sequence.mode) = (1, 0.25, 2)
    (patch.arp.rhythm.step1, patch.arp.rhythm.step16) = (3, 7)
    (patch.chord.note1, patch.chord.note7) = (-12, 7)
    patch.sequence[63] = SequenceStep(note: 60, velocity: 127, gate: 200, ratchet: 4, isTie: true)
    withUnsafePointer(to: patch) {
      #expect($0.arp.pointee.on == 1 && $0.chord.pointee.strum == 0.25 && $0.sequence.pointee.mode == 2)
      #expect($0.arp.step(0) == 3 && $0.arp.step(15) == 7)
      #expect($0.chord.note(0) == -12 && $0.chord.note(6) == 7)
      #expect($0.sequence.step(63).note == 60 && $0.sequence.step(0) == SequenceStep())
    }
  }

  @Test("A step is the same after it was one number, and every number is a step")
  func steps() {
    for note in [-60, 0, 60] {
      for velocity in [0, 1, 127] {
        for gate in [2, 50, 200] {
          for ratchet in 1...4 {
            let step = SequenceStep(
              note: note, velocity: velocity, gate: gate, ratchet: ratchet, isTie: gate == 50)
            #expect(SequenceStep(packed: step.packed) == step)
          }
        }
      }
    }
    for number in [Float.nan, .infinity, -.infinity, -1, 0.5, 1e30, 16_777_215] {
      let step = SequenceStep(packed: number)
      #expect((-60...60).contains(step.note) && (1...4).contains(step.ratchet))
      #expect((2...200).contains(step.gate) && (0...127).contains(step.velocity))
    }
  }
}
