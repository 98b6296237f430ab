import EngineHarness
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// How far controllers go, from where on switches are on, and what a reset leaves of them.
@Suite("Controller ranges, switches and resets") struct ControllerRangeTests {
  typealias Way = (
    kind: Event.Kind, path: KeyPath<ControllerState, Float> & Sendable, low: Float, high: Float
  )

  private static let ranges: [Way] = [
    (.bend, \.bend, -1, 1), (.bendRange, \.bendRange, -1, 96), (.keyBendRange, \.keyBendRange, 0, 128),
    (.tuning, \.tuning, -127, 127), (.wheel, \.wheel, 0, 1), (.pressure, \.pressure, 0, 1),
    (.timbre, \.timbre, 0, 1), (.breath, \.breath, 0, 1), (.sustain, \.pedal, 0, 1),
    (.expression, \.expression, 0, 1), (.volume, \.volume, 0, 1), (.balance, \.balance, -1, 1),
    (.soft, \.soft, 0, 1), (.glideTime, \.glideTime, 0, 5),
  ]

  @Test("A channel controller reaches both ends of its range and is clamped beyond them", arguments: ranges)
  func channelRange(_ range: Way) {
    var state = ControllerState()
    let middle = 0.25 * range.low + 0.75 * range.high
    for (value, expected) in [
      (range.low, range.low), (middle, middle), (range.high, range.high), (range.high + 0.01, range.high),
      (1e30, range.high), (range.low - 0.01, range.low), (-1e30, range.low),
    ] {
      state.move(range.kind, to: value)
      #expect(state[keyPath: range.path] == expected, "\(range.kind) to \(value)")
    }
  }

  private static let keyRanges:
    [(kind: Event.Kind, path: KeyPath<NoteExpression, Float> & Sendable, low: Float, high: Float)] = [
      (.keyBend, \.bend, -1, 1), (.keyPitch, \.pitchOffset, -127, 128), (.keyWheel, \.wheel, 0, 1),
      (.keyBreath, \.breath, 0, 1), (.keyTimbre, \.timbre, 0, 1), (.keyVolume, \.volume, 0, 1),
      (.keyExpression, \.expression, 0, 1), (.keyPan, \.pan, -1, 1),
    ]

  @Test("Per-note controllers of MIDI 2.0 are clamped, and a note at its defaults is at rest")
  func perNoteRange() {
    for range in Self.keyRanges {
      var finger = NoteExpression()
      #expect(finger.isResting)
      let rest = finger[keyPath: range.path]
      for value in [range.low, range.high, 0.25] {
        finger.move(range.kind, to: value)
        #expect(finger[keyPath: range.path] == value && finger.isResting == (value == rest))
      }
      finger.move(range.kind, to: range.high + 1)
      #expect(finger[keyPath: range.path] == range.high, "\(range.kind)")
      finger.move(range.kind, to: range.low - 1)
      #expect(finger[keyPath: range.path] == range.low, "\(range.kind)")
      finger.move(range.kind, to: rest)
      #expect(finger.isResting, "\(range.kind)")
    }
  }

  private static let switches: [(kind: Event.Kind, isOn: @Sendable (ControllerState) -> Bool)] = [
    (.sustain, { $0.sustain }), (.sustain2, { $0.sustain }), (.sostenuto, { $0.sostenuto }),
    (.legato, { $0.legato }), (.glide, { $0.glides == true }),
  ]

  @Test("Pedals and other switches are on from a value of 0.5") func switchThreshold() {
    for (kind, isOn) in Self.switches {
      var state = ControllerState()
      for value: Float in [0.5, 0.499, 1, 0] {
        state.move(kind, to: value)
        #expect(isOn(state) == (value >= 0.5), "\(kind) at \(value)")
      }
    }
  }

  @Test("A reset (RP-015) releases pedals and wheels, and keeps bend range, tuning, volume and balance")
  func controllerReset() {
    var state = ControllerState()
    let rest = ControllerState()
    for range in Self.ranges { state.move(range.kind, to: 0.75 * range.high) }
    for (kind, _) in Self.switches { state.move(kind, to: 0.75) }
    state.glideFrom = 60
    state.reset()
    let stays: [Event.Kind] = [.bendRange, .keyBendRange, .tuning, .timbre, .volume, .balance]
    for range in Self.ranges {
      let expected = stays.contains(range.kind) ? 0.75 * range.high : rest[keyPath: range.path]
      #expect(state[keyPath: range.path] == expected, "\(range.kind)")
    }
    #expect(!state.sustain && !state.sostenuto && !state.legato && state.glides == nil)
    #expect(state.glideFrom == ControllerState.noKey)
  }

  /// A tablet's controllers are the part's: each is a source as the keyboard's are, and the farther of both counts.
  @Test(
    "A tablet's controller is a modulation source of the part, beside that of the keyboard",
    arguments: [
      (Event.Kind.wheel, ModulationSource.wheel), (.pressure, .pressure), (.timbre, .timbre),
      (.breath, .breath), (.sustain, .pedal), (.bend, .bend), (.wheel, .touch), (.pressure, .touch),
      (.expression, .expression),
    ])
  func tabletSource(_ kind: Event.Kind, _ source: ModulationSource) {
    let player = Player(.with([("/osc/1/wave", 0)]))
    player.press(69)
    func value(_ channel: Float, _ part: Float) -> Float {
      player.send(kind, value: channel)
      player.link.control.push(
        Event(
          frame: 0, kind: kind, source: UInt8(Limits.surfaceSources), target: Event.part(0), value: part))
      player.play(9_600)
      let voice = player.voiceNumbers[0]
      return player.engine.source(source, of: voice)
    }
    let rest: Float = kind == .expression ? 1 : 0
    let both: Float = kind == .expression ? 0.375 : kind == .bend ? 1 : 0.75
    for (channel, part, expected) in [(rest, 0.75, 0.75), (0.75, rest, 0.75), (0.5, 0.75, both)] {
      #expect(abs(value(channel, part) - expected) < 1e-4, "\(channel), \(part)")
    }
    // When the tablet is gone, what it moved rests.
    player.send(kind, value: rest)
    player.link.control.push(Event(frame: 0, kind: .sourceGone, source: UInt8(Limits.surfaceSources)))
    player.play(9_600)
    let voice = player.voiceNumbers[0]
    #expect(abs(player.engine.source(source, of: voice) - rest) < 1e-4)
  }

  @Test("A GM reset, controllers 4 and 74, and part targets become the right engine events")
  func derivedEvents() {
    let event = Event.generalMIDI(source: 3, frame: 7)
    #expect(event.kind == .setUp && event.source == 3 && event.frame == 7 && event.note == 1)
    #expect(event.value == Float(100) / 127)
    for note in 0...127 as ClosedRange<UInt8> {
      let knob = Event(frame: 5, kind: .controller, source: 2, target: 9, note: note, value: 0.3)
      let moved = knob.engineEvent
      #expect((moved != nil) == (note == 74 || note == 4))
      if let moved {
        #expect(moved.kind == (note == 74 ? .timbre : .assignable) && moved.frame == 5)
        #expect(moved.source == 2 && moved.target == 9 && moved.value == 0.3)
      }
    }
    #expect(Event(frame: 0, kind: .wheel, note: 74).engineEvent == nil)
    #expect(Event.part(-1) == 16 && Event.part(7) == 23 && Event.part(8) == 23)
  }

  @Test("A strip receives all channels when omni, one when set, and none while off") func stripChannels() {
    var strip = Strip()
    strip.on = 1
    #expect(strip.channels == 0xffff)
    for channel in 1...16 {
      strip.channel = Float(channel)
      #expect(strip.channels == 1 << UInt32(channel - 1))
    }
    strip.channel = 17
    #expect(strip.channels == 1 << 15)
    (strip.on, strip.channel) = (0.4, 0)
    #expect(strip.channels == 0)
  }
}
