import Parameters
import Scenes
import Testing

@Suite("The parameter table") struct TableTests {
  /// The steps of the sequence end the patch; they are lines of a preset, not knobs.
  private static let sequence = StepSequence.mostSteps * MemoryLayout<Float>.size

  @Test(
    "The rows of the table cover every field of a struct exactly once",
    arguments: [
      (Field.Scope.patch, MemoryLayout<Patch>.size - Self.sequence), (.strip, MemoryLayout<Strip>.size),
      (.input, MemoryLayout<PartInput>.size), (.master, MemoryLayout<Master>.size),
    ])
  func rowsCoverFields(_ scope: Field.Scope, size: Int) {
    let offsets = Table.rows.map(\.field).filter { $0.scope == scope }.map(\.offset).sorted()
    #expect(offsets == Array(stride(from: 0, to: size, by: MemoryLayout<Float>.size)))
  }

  @Test("Addresses and controllers are unique, and no knob has a controller that plays the instrument")
  func uniqueAddresses() {
    let addresses = Table.rows.map(\.address)
    #expect(Set(addresses).count == addresses.count)
    let controllers = Table.rows.compactMap(\.controller)
    #expect(Set(controllers).count == controllers.count)
    // These play the instrument; none may turn a knob.
    let played: [UInt8] = [0, 1, 2, 6, 7, 8, 11] + (32...69) + [84, 88] + (96...101) + (120...127)
    for controller in played { #expect(!controllers.contains(controller)) }
  }

  @Test("Every row has a valid initial value, a valid range and a short description") func validRows() {
    for row in Table.rows {
      #expect(row.kind.clamped(row.initial) == row.initial, "\(row.address)")
      #expect(row.about.hasSuffix(".") && row.about.count < 90, "\(row.address)")
      #expect(row.kind.range.lowerBound < row.kind.range.upperBound)
      if case .exponential(let range, _) = row.kind { #expect(range.lowerBound > 0) }
      if case .cubic(let range, _) = row.kind { #expect(range.lowerBound == 0) }
    }
  }

  @Test("The choices of a waveform knob are the raw values of the waveform enumeration")
  func waveformChoices() {
    #expect(Waveform.allCases.map(\.choice) == Waveform.allCases.map { Float($0.rawValue) })
    #expect(Patch.initial.oscillator1.wave == Waveform.saw.choice)
  }

  @Test("The initial scene holds the initial values of the table, with only part 1 switched on")
  func initialScene() {
    for knob in ParameterID.all where !["/on", "/channel"].contains(Table.rows[knob.row].address) {
      #expect(Scene.initial[knob] == Table.rows[knob.row].initial, "\(knob.address)")
    }
    #expect(Scene.initial[0].strip.on == 1 && Scene.initial[1].strip.on == 0)
    #expect((0..<Limits.parts).map { Scene.initial[$0].strip.channel } == [0, 2, 3, 4, 5, 6, 7, 8])
  }
}

@Suite("Knobs") struct KnobTests {
  @Test("Every knob reads back the value that was written to it") func readBack() {
    var scene = Scene.initial
    for (index, knob) in ParameterID.all.enumerated() {
      let range = Table.rows[knob.row].kind.range
      scene[knob] = range.lowerBound + (range.upperBound - range.lowerBound) * Float(index % 3) / 2
    }
    for (index, knob) in ParameterID.all.enumerated() {
      let kind = Table.rows[knob.row].kind
      let written =
        kind.range.lowerBound + (kind.range.upperBound - kind.range.lowerBound) * Float(index % 3) / 2
      #expect(scene[knob] == kind.clamped(written), "\(knob.address)")
    }
  }

  @Test("A knob clamps infinite values to its range and ignores NaN") func knobLimits() {
    for row in Table.rows.indices {
      let knob = ParameterID(row: row, part: 3)
      let bounds = Table.rows[row].kind.bounds
      var scene = Scene.initial
      scene[knob] = .infinity
      #expect(scene[knob] == bounds.upperBound)
      scene[knob] = .nan
      #expect(scene[knob] == bounds.upperBound)
      scene[knob] = -.infinity
      #expect(scene[knob] == bounds.lowerBound)
    }
  }

  @Test("The address of each knob, with or without its part number, is read as that knob")
  func knobAddresses() {
    for knob in ParameterID.all {
      #expect(Address(knob.address, focus: 0)?.knob == knob)
      let row = Table.rows[knob.row]
      #expect(Address(row.address, focus: knob.part)?.knob == knob)
      #expect(Address(knob.address + "/text", focus: 0)?.spelling == .text)
      if let unit = row.kind.unit {
        #expect(Address(knob.address + "/" + unit.rawValue, focus: 0)?.spelling == .unit)
      }
    }
  }

  @Test(
    "An address that is malformed or names no knob is refused",
    arguments: [
      "", "/", "/part", "/part/", "/part/0/level", "/part/9/level", "/part/1", "/part/1/", "/part/x/level",
      "/part/1/master/level", "/filter/cutoff/", "/filter/cutoff/db", "filter/cutoff",
      "/part/99999999999999999999/level",
    ])
  func wrongAddresses(_ address: String) { #expect(Address(address, focus: 0) == nil) }
}

@Suite("Kinds of parameters") struct KindTests {
  @Test("The ends of a fader are the ends of the knob's range") func faderEnds() {
    for row in Table.rows where !row.kind.isDiscrete {
      #expect(row.kind.value(fader: 0) == row.kind.range.lowerBound)
      #expect(row.kind.value(fader: 1) == row.kind.range.upperBound)
      #expect(row.kind.value(fader: -3) == row.kind.range.lowerBound)
      #expect(row.kind.value(fader: .nan) == nil)
    }
  }

  @Test("A value that is converted to a fader position and back stays the same") func faderPosition() throws {
    for row in Table.rows where !row.kind.isDiscrete {
      for step in 0...20 {
        let way = Float(step) / 20
        let value = try #require(row.kind.value(fader: way))
        let again = try #require(row.kind.value(fader: row.kind.fader(value: value)))
        // Measured 4e-7 of the value on the longest exponential range; steps come back exactly.
        #expect(abs(again - value) <= 1e-5 * max(abs(value), 1e-3), "\(row.address) \(way)")
        if case .steps = row.kind { #expect(again == value) }
      }
    }
  }

  @Test("The exact text of any value reads back to the same bits") func exactText() {
    var random = SystemRandomNumberGenerator()
    for row in Table.rows {
      for _ in 0..<300 {
        guard let value = row.kind.clamped(.random(in: row.kind.range, using: &random)) else { continue }
        #expect(
          row.kind.value(text: row.kind.exact(value: value))?.bitPattern == value.bitPattern,
          "\(row.address) \(value)")
      }
    }
  }

  @Test(
    "Labels show values with their units and suitable numbers of decimal places",
    arguments: [
      ("/filter/cutoff", 1_200, "1.20 kHz"), ("/filter/cutoff", 20, "20.0 Hz"),
      ("/filter/cutoff", 440, "440 Hz"),
      ("/filter/cutoff", 12_345, "12.3 kHz"), ("/amp/attack", 0.001, "1.0 ms"),
      ("/amp/attack", 1.5, "1.50 s"),
      ("/level", -6, "-6.0 dB"), ("/level", -0.01, "0.0 dB"), ("/osc/1/wave", 2, "saw"), ("/mute", 1, "on"),
      ("/osc/1/level", 0.7, "70 %"), ("/osc/1/octave", -1, "-1 oct"), ("/channel", 0, "omni"),
      ("/channel", 16, "16"),
      ("/pan", -1, "-100 %"), ("/master/eq/q", 0.707, "0.71"),
    ] as [(String, Float, String)])
  func valueLabels(_ address: String, _ value: Float, _ text: String) throws {
    let row = try #require(Table.rows.first { $0.address == address })
    #expect(row.kind.text(value: value) == text)
  }

  @Test("Values may be typed as names in any case, as numbers or as percentages") func typedValues() throws {
    let wave = try #require(Table.rows.first { $0.address == "/osc/1/wave" }).kind
    #expect(wave.value(text: "Square") == 3)
    #expect(wave.value(text: "1") == 1)
    #expect(wave.value(text: "sawtooth") == nil)
    let mute = try #require(Table.rows.first { $0.address == "/mute" }).kind
    #expect(mute.value(text: "ON") == 1)
    #expect(mute.value(text: "0") == 0)
    let level = try #require(Table.rows.first { $0.address == "/osc/1/level" }).kind
    #expect(level.value(text: "50") == 0.5)
    #expect(
      level.value(text: "nan") == nil && level.value(text: "inf") == nil && level.value(text: "") == nil)
  }
}

@Suite("Key names") struct KeyNameTests {
  @Test("Each of the 128 keys is read from its name, and malformed names are refused")
  func everyKey() throws {
    #expect(keyName(0) == "C-1" && keyName(60) == "C4" && keyName(61) == "C#4" && keyName(127) == "G9")
    for key in 0...127 { #expect(keyNumber(keyName(key)) == key) }
    #expect(keyNumber("bb3") == 58 && keyNumber("Cb4") == 59 && keyNumber("B#3") == 60)
    for wrong in ["", "H2", "C", "C10", "G#9", "Cb-1", "C#", "60", "C 4", "C+4"] {
      #expect(keyNumber(wrong) == nil, "\(wrong)")
    }
    let low = try #require(Table.rows.first { $0.address == "/key/low" }).kind
    #expect(low.text(value: 61) == "C#4" && low.value(text: "db4") == 61 && low.value(text: "61") == 61)
    #expect(low.exact(value: 61) == "61" && low.value(text: "Z") == nil)
  }
}
