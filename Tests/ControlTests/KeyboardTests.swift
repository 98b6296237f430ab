import Glibc
import Parameters
import Presets
import Scenes
import Scratch
import Synth
import Testing
@testable import Control

/// Which keys the parts play: set by knobs, by striking keys, by split and layer.
struct KeyboardTests {
  private let second: Int64 = 1_000_000_000
  private let link = Link(.initial)
  private let instrument: Instrument

  init() { instrument = Instrument(link: link, library: .none, log: { _ in }) }

  private func input(_ part: Int) -> PartInput { instrument.stage.scene[part].input }
  private func keys(_ part: Int) -> [Int] { [Int(input(part).lowKey), Int(input(part).highKey)] }

  /// The parts that a program change on a channel 0…15 is for.
  private func programParts(_ channel: Int) -> [Int] {
    instrument.stage.receivingPrograms(instrument.stage.parts(channel: channel))
  }

  private func set(_ address: String, _ value: Float) throws {
    instrument.set(try #require(Address(address, focus: 0)).knob, to: value)
  }

  /// A key of a MIDI keyboard as the control thread hears of it.
  private func strike(_ key: Int, _ velocity: Float = 0.8, at now: Int64 = 0) {
    link.commands.push(Event(frame: 0, kind: .noteOn, note: UInt8(key), value: velocity))
    _ = instrument.update(now)
  }

  /// What was played since, as `part:note`, note offs with a minus before them.
  private func played() -> [String] {
    var words: [String] = []
    while let event = link.control.peek()?.pointee {
      let part = Int(event.target) - Limits.channels + 1
      words.append("\(event.kind == .noteOff ? "-" : "")\(part):\(event.note)")
      link.control.drop()
    }
    return words
  }

  @Test("An end that is moved beyond the other takes it along, so that both are set in any order")
  func ends() throws {
    for (low, high) in [(80, 100), (10, 20), (60, 60), (0, 127)] {
      for lowFirst in [true, false] {
        for stem in ["/part/2/key", "/part/2/velocity"] {
          try set(stem + "/low", 40)
          try set(stem + "/high", 60)
          for isLow in [lowFirst, !lowFirst] {
            try set(stem + (isLow ? "/low" : "/high"), Float(isLow ? low : high))
          }
        }
        #expect(keys(1) == [low, high])
        #expect(Int(input(1).lowVelocity) == max(1, low) && Int(input(1).highVelocity) == max(1, high))
      }
    }
    #expect(keys(0) == [0, 127])
  }

  @Test("Two keys that are struck set a range, in either order; others do nothing")
  func learning() {
    instrument.ranges.learnKeys(part: 2, now: 0)
    #expect(
      link.keyWatch.isOn && instrument.ranges.isLearningKeys(part: 2)
        && !instrument.ranges.isLearningKeys(part: 0))
    #expect(instrument.notices.shown == "Part 3: strike its lowest and its highest key")
    strike(72)
    #expect(keys(2) == [0, 127] && link.keyWatch.isOn)
    strike(48)
    #expect(keys(2) == [48, 72] && !link.keyWatch.isOn && !instrument.ranges.isLearningKeys(part: 2))
    #expect(instrument.notices.shown == "Part 3 plays C3 to C5")
    strike(100)
    #expect(keys(2) == [48, 72])
    // One key alone.
    instrument.ranges.learnKeys(part: 2, now: second)
    for _ in 0..<2 { strike(50, at: second) }
    #expect(keys(2) == [50, 50])
    // A tablet's key is a key.
    instrument.ranges.learnKeys(part: 0, now: 2 * second)
    instrument.performance.handle(.noteOn, source: Limits.surfaceSources, part: nil, note: 40, value: 0.8)
    instrument.performance.handle(.noteOff, source: Limits.surfaceSources, part: nil, note: 40)
    instrument.performance.handle(.noteOn, source: Limits.surfaceSources, part: 4, note: 30, value: 0.8)
    #expect(keys(0) == [30, 40])
  }

  @Test("Two strokes set a range of velocities")
  func velocities() {
    instrument.ranges.learnVelocities(part: 0, now: 0)
    #expect(instrument.ranges.isLearningVelocities(part: 0))
    strike(60, 100 / 127)
    strike(64, 30 / 127)
    #expect(input(0).lowVelocity == 30 && input(0).highVelocity == 100 && keys(0) == [0, 127])
    #expect(!instrument.ranges.isLearningVelocities(part: 0) && !link.keyWatch.isOn)
    instrument.ranges.learnVelocities(part: 0, now: second)
    strike(60, 1)
    strike(60, 1e-5)
    #expect(input(0).lowVelocity == 1 && input(0).highVelocity == 127)
  }

  @Test("Ten strokes set a velocity curve by which they lie around velocity 80")
  func curve() {
    var now: Int64 = 0
    func learned(_ velocities: [Int]) -> Float {
      now += second
      instrument.ranges.learnCurve(part: 1, now: now)
      for (turn, velocity) in velocities.enumerated() {
        #expect(instrument.ranges.isLearningCurve(part: 1), "\(turn)")
        strike(60, Float(velocity) / 127, at: now)
      }
      #expect(!instrument.ranges.isLearningCurve(part: 1) && !link.keyWatch.isOn)
      return input(1).curve
    }
    #expect(abs(learned(Array(repeating: 80, count: 10))) < 0.001)
    let hands: [(String, [Int])] = [
      ("soft", [20, 30, 40, 30, 60, 70, 50, 40, 35, 25]),
      ("hard", [90, 100, 110, 95, 85, 105, 100, 120, 99, 92]),
    ]
    for (hand, velocities) in hands {
      let curve = learned(velocities)
      #expect(hand == "soft" ? curve > 0.2 : curve < -0.2, "\(hand) \(curve)")
      // As Note.shape shapes each of them.
      let shaped = velocities.map { log2(Double($0) / 127) * exp2(-1.5 * Double(curve)) }
      #expect(abs(127 * exp2(shaped.reduce(0, +) / 10) - 80) < 0.5, "\(hand)")
    }
    // At the ends of all strokes the curve is at its own.
    #expect(learned(Array(repeating: 127, count: 10)) == -1)
    #expect(learned(Array(repeating: 1, count: 10)) == 1)
    #expect(input(0).curve == 0)
  }

  @Test("A second press, another wish, or ten seconds end the wait")
  func ended() {
    instrument.ranges.learnKeys(part: 0, now: 0)
    instrument.ranges.learnKeys(part: 0, now: second / 10)
    #expect(instrument.ranges.isLearningKeys(part: 0), "the network has doubled the packet")
    instrument.ranges.learnKeys(part: 0, now: second)
    #expect(
      !instrument.ranges.isLearningKeys(part: 0) && !link.keyWatch.isOn && instrument.notices.shown.isEmpty)
    instrument.ranges.learnKeys(part: 0, now: 2 * second)
    instrument.ranges.learnSplit(now: 3 * second)
    #expect(!instrument.ranges.isLearningKeys(part: 0) && instrument.ranges.isLearningSplit)
    instrument.ranges.learnKeys(part: 1, now: 4 * second)
    #expect(!instrument.ranges.isLearningSplit && instrument.ranges.isLearningKeys(part: 1))
    _ = instrument.update(14 * second - 1)
    #expect(instrument.ranges.isLearningKeys(part: 1))
    #expect(instrument.update(14 * second) == nil)
    #expect(
      !instrument.ranges.isLearningKeys(part: 1) && !link.keyWatch.isOn && instrument.notices.shown.isEmpty)
    // The first key gives the second its time.
    instrument.ranges.learnKeys(part: 1, now: 20 * second)
    strike(60, at: 29 * second)
    _ = instrument.update(39 * second)
    #expect(instrument.ranges.isLearningKeys(part: 1))
    strike(64, at: 39 * second)
    #expect(keys(1) == [60, 64])
  }

  @Test("SPLIT and a key: part 1 below it, part 2 from there on, on the keyboard of part 1")
  func split() throws {
    try set("/part/1/channel", 5)
    try set("/part/2/velocity/low", 90)
    instrument.ranges.learnSplit(now: 0)
    #expect(
      instrument.ranges.sharing == .single && instrument.notices.shown == "Strike the lowest key of part 2")
    strike(60)
    #expect(instrument.ranges.sharing == .split && instrument.ranges.splitKey == 60 && !link.keyWatch.isOn)
    #expect(keys(0) == [0, 59] && keys(1) == [60, 127])
    #expect(instrument.ranges.keys(part: 0) == "C-1 to B3" && instrument.ranges.keys(part: 1) == "C4 to G9")
    let strips = instrument.stage.scene
    #expect(strips[1].strip.on == 1 && strips[1].strip.channel == 5 && input(1).lowVelocity == 1)
    // Another key moves it; each part keeps a key at least.
    for (key, low) in [(0, 1), (48, 48), (127, 127)] {
      instrument.ranges.learnSplit(now: Int64(key + 1) * second)
      strike(key, at: Int64(key + 1) * second)
      #expect(keys(0) == [0, low - 1] && keys(1) == [low, 127])
    }
    // A program change would give both the same sound.
    #expect(programParts(4) == [0])
    instrument.ranges.playSingle()
    #expect(instrument.ranges.sharing == .single && keys(0) == [0, 127] && keys(1) == [0, 127])
    #expect(instrument.stage.scene[1].strip.on == 0 && instrument.stage.scene[1].strip.channel == 2)
    #expect(programParts(4) == [0] && input(1).received.program == 1)
  }

  @Test("SINGLE mends what is left of a split when the mixer has switched part 2 off")
  func leftOver() throws {
    instrument.ranges.split(at: 60)
    try set("/part/2/on", 0)
    #expect(instrument.ranges.sharing == .single && keys(0) == [0, 59])
    instrument.ranges.playSingle()
    #expect(keys(0) == [0, 127] && keys(1) == [0, 127])
    #expect(instrument.stage.scene[1].strip.channel == 2 && input(1).received.program == 1)
  }

  @Test("The key of a tablet that splits sounds as it did before")
  func splittingKey() {
    instrument.ranges.learnSplit(now: 0)
    instrument.performance.handle(.noteOn, source: Limits.surfaceSources, part: nil, note: 60, value: 0.8)
    #expect(instrument.ranges.sharing == .split && played() == ["1:60"])
    instrument.performance.handle(.noteOff, source: Limits.surfaceSources, part: nil, note: 60)
    #expect(played() == ["-1:60"])
  }

  @Test("LAYER lets part 2 play what part 1 plays; parts with keyboards of their own are left alone")
  func layer() throws {
    instrument.ranges.split(at: 60)
    instrument.ranges.layer()
    #expect(instrument.ranges.sharing == .layer && keys(0) == [0, 127] && keys(1) == [0, 127])
    #expect(
      instrument.stage.parts(channel: 0) == [0, 1] && programParts(0) == [0])
    // Part 2 goes back to a keyboard of its own: nothing is shared, and SINGLE has nothing to end.
    try set("/part/2/channel", 2)
    #expect(instrument.ranges.sharing == .single)
    try set("/part/2/key/low", 30)
    instrument.ranges.playSingle()
    #expect(instrument.stage.scene[1].strip.on == 1 && keys(1) == [30, 127])
  }

  @Test(
    "A tablet's key sounds where a keyboard on the channel of the part in focus would; a part that is named, there alone"
  )
  func tablet() {
    let source = Limits.surfaceSources
    func tap(_ key: Int, part: Int? = nil) -> [String] {
      instrument.performance.handle(.noteOn, source: source, part: part, note: key, value: 0.8)
      instrument.performance.handle(.noteOff, source: source, part: part, note: key)
      return played()
    }
    #expect(tap(60) == ["1:60", "-1:60"])
    instrument.ranges.layer()
    #expect(tap(60) == ["1:60", "2:60", "-1:60", "-2:60"])
    #expect(tap(60, part: 1) == ["2:60", "-2:60"])
    instrument.focus = 1
    #expect(tap(60) == ["1:60", "2:60", "-1:60", "-2:60"])
    // One that is off, and one on a channel of its own, play alone.
    instrument.focus = 4
    #expect(tap(60) == ["5:60", "-5:60"])
    // What was taken on two parts is let go on both.
    instrument.focus = 0
    instrument.performance.handle(.noteOn, source: source, part: nil, note: 60, value: 0.8)
    instrument.performance.handle(.sustain, source: source, part: nil, value: 1)
    instrument.ranges.playSingle()
    instrument.focus = 5
    _ = played()
    instrument.performance.handle(.noteOff, source: source, part: nil, note: 60)
    #expect(played() == ["-1:60", "-2:60"])
    instrument.performance.handle(.sustain, source: source, part: nil, value: 0)
    #expect(played() == ["1:0", "2:0", "6:0"])
  }

  @Test("A finger on the plane plays the parts that a key would, and leaves them all")
  func plane() {
    instrument.ranges.layer()
    instrument.performance.playXY(x: 0.5, y: 1, isTouched: true, source: Limits.surfaceSources, part: nil)
    #expect(played().filter { $0.hasSuffix(":60") }.prefix(2) == ["1:60", "2:60"])
    instrument.ranges.playSingle()
    instrument.performance.playXY(x: 0.5, y: 1, isTouched: false, source: Limits.surfaceSources, part: nil)
    #expect(played() == ["-1:60", "-2:60"])
  }

  @Test("A program change is for the parts that hear it")
  func programs() throws {
    let folder = Folder()
    folder.file("01-a.txt", "pipit preset 1\nname A\n")
    let library = Library(database: nil, factory: folder.path, log: { _ in })
    let instrument = Instrument(link: link, library: library, log: { _ in })
    let slot = try #require(library.presets.first?.slot)
    instrument.ranges.layer()
    let before = (0..<3).map { instrument.stage.scene[$0].generation }
    instrument.take(Event(frame: 0, kind: .program, note: UInt8(slot.program), value: Float(slot.bank)))
    #expect((0..<3).map { instrument.stage.scene[$0].generation &- before[$0] } == [1, 0, 0])
  }

  @Test(
    "A restart finds the ranges, the split and what the parts hear as they were; a damaged range is made whole"
  )
  func restart() throws {
    let folder = Folder()
    func run(_ body: (Instrument) throws -> Void) throws {
      let library = Library(database: folder.database, factory: nil, log: { _ in })
      let instrument = Instrument(link: Link(.initial), library: library, log: { _ in })
      try body(instrument)
      _ = instrument.update(second)
      #expect(instrument.finish(within: 60))
    }
    let knobs: [(String, Float)] = [
      ("/part/5/key/low", 40), ("/part/5/key/high", 50), ("/part/5/key/transpose", -12),
      ("/part/5/velocity/low", 20), ("/part/5/velocity/high", 90), ("/part/5/velocity/curve", 0.25),
      ("/part/5/hear/bend", 0), ("/part/5/hear/wheel", 0), ("/part/5/hear/pedal", 0),
      ("/part/5/hear/pressure", 0), ("/part/5/hear/program", 0),
    ]
    try run { instrument in
      instrument.ranges.split(at: 64)
      for (address, value) in knobs {
        instrument.set(try #require(Address(address, focus: 0)).knob, to: value)
      }
    }
    try run { instrument in
      #expect(instrument.ranges.sharing == .split && instrument.ranges.splitKey == 64)
      for (address, value) in knobs {
        let knob = try #require(Address(address, focus: 0)).knob
        #expect(instrument.stage.scene[knob] == value, "\(address)")
      }
    }
    // A recall brings a sound and leaves all this.
    try run { instrument in
      instrument.writer.stage.recall(.initial, part: 4)
      #expect(
        instrument.stage.scene[4].input.lowKey == 40 && instrument.stage.scene[4].input.received.bend == 0)
    }
    var stage = Stage()
    var scene = Scene.initial
    (scene[2].input.lowKey, scene[2].input.highKey) = (80, 20)
    stage.restore(scene)
    #expect(stage.scene[2].input.lowKey == 80 && stage.scene[2].input.highKey == 80)
  }
}
