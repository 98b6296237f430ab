import CLiblo
import Parameters
import Scenes
import Scratch
import Testing

/// The walk over the table, through real sockets.
struct KnobTests {
  @Test("Every knob is set and read back as a fader sends it, and clamped beyond both ends")
  func fader() throws {
    let instrument = try ServedInstrument()
    let tablet = try Tablet(instrument)
    for knob in ParameterID.all where knob.part == 0 || knob.part == 7 {
      let kind = Table.rows[knob.row].kind
      guard !kind.isDiscrete else { continue }
      for way: Float in [0.25, -3, 7, 1e30] {
        tablet.send(knob.address, way)
        let expected = try #require(kind.value(fader: way))
        let answer = tablet.ask(knob.address)
        #expect(answer == .float(kind.fader(value: expected)), "\(knob.address) \(way)")
        #expect(instrument.control.stage.scene[knob] == expected)
      }
    }
  }

  @Test("Every knob with a unit is set and read back in it, and clamped beyond both ends")
  func unit() throws {
    let instrument = try ServedInstrument()
    let tablet = try Tablet(instrument)
    for row in Table.rows {
      guard let unit = row.kind.unit else { continue }
      let address = row.address + "/" + unit.rawValue
      let (low, high) = (
        row.kind.number(value: row.kind.range.lowerBound), row.kind.number(value: row.kind.range.upperBound)
      )
      for number in [low + 0.3 * (high - low), low - 100, high + 100, low, high] {
        tablet.send(address, number)
        let value = try #require(row.kind.value(unit: number))
        #expect(tablet.ask(address) == .float(row.kind.number(value: value)), "\(address) \(number)")
        #expect(tablet.ask(row.address + "/text") == .string(row.kind.text(value: value)))
      }
    }
  }

  @Test("Every toggle and every list of choices takes an index and a name, and refuses another name")
  func choices() throws {
    let instrument = try ServedInstrument()
    let tablet = try Tablet(instrument)
    var lists: Set<[String]> = []
    for row in Table.rows where row.kind.isDiscrete {
      var names = ["off", "on"]
      var (isChoice, isOpen) = (false, false)
      if case .choice(let all) = row.kind { (names, isChoice) = (all, true) }
      if case .names(let fixed, _) = row.kind { (names, isChoice, isOpen) = (fixed, true, true) }
      // The slots of the matrix have the same lists.
      if isChoice, !lists.insert(names).inserted { continue }
      for (index, name) in names.enumerated() {
        let answer: Tablet.Value = isChoice ? .int(index) : .float(Float(index))
        tablet.send(row.address, names.count - 1 - index)
        tablet.send(row.address, name)
        #expect(tablet.ask(row.address) == answer, "\(row.address) \(name)")
        tablet.send(row.address, 0)
        tablet.send(row.address, Float(index))
        #expect(tablet.ask(row.address) == answer)
        #expect(tablet.ask(row.address + "/text") == .string(name))
      }
      tablet.send(row.address, 1000)
      let last = tablet.ask(row.address)
      #expect(last == (isChoice ? .int(names.count - 1) : .float(1)))
      // No more than so many refusals are said in a second, and that of the knob before may come late.
      var why: String?
      _ = eventually {
        why = tablet.refusal(row.address, within: 300) { lo_message_add_string($0, "brontosaurus") }
        return why?.contains(row.address) == true
      }
      let known = isOpen ? "/wavetable/list" : isChoice ? names[1] : "on or off"
      #expect(why?.contains(known) == true)
    }
  }

  @Test("Every numeric type, T and F are taken for what they say")
  func types() throws {
    let tablet = try Tablet(ServedInstrument())
    let adders: [((lo_message?) -> Void, Float)] = [
      ({ lo_message_add_float($0, 0.5) }, 0.5), ({ lo_message_add_double($0, 0.25) }, 0.25),
      ({ lo_message_add_int32($0, 1) }, 1), ({ lo_message_add_int64($0, 0) }, 0),
      ({ lo_message_add_true($0) }, 1), ({ lo_message_add_false($0) }, 0),
      ({ lo_message_add_int64($0, Int64.max) }, 1), ({ lo_message_add_double($0, -1e300) }, 0),
    ]
    for (add, way) in adders {
      tablet.send("/filter/resonance", fill: add)
      #expect(tablet.ask("/filter/resonance") == .float(way))
    }
    tablet.send("/filter/cutoff/hz", "440")
    #expect(tablet.ask("/filter/cutoff/hz") == .float(440))
  }

  @Test("What makes no sense is refused with its reason, and changes nothing")
  func refusals() throws {
    let instrument = try ServedInstrument()
    let tablet = try Tablet(instrument)
    let before = instrument.knob("/filter/cutoff")
    #expect(tablet.refusal("/filter/cutoff") { lo_message_add_float($0, .nan) }?.contains("NaN") == true)
    #expect(
      tablet.refusal("/filter/cutoff") { lo_message_add_double($0, .infinity) }?.contains("NaN") == true)
    #expect(tablet.refusal("/filter/cutoff") { lo_message_add_nil($0) }?.contains("type 'N'") == true)
    #expect(
      tablet.refusal("/filter/cutoff") { lo_message_add_string($0, "loud") }?.contains("number") == true)
    #expect(
      tablet.refusal("/filter/cutoff/text") { lo_message_add_string($0, "1 kHz") }?.contains("read-only")
        == true)
    let two = tablet.refusal("/filter/cutoff") {
      lo_message_add_float($0, 0.1)
      lo_message_add_float($0, 0.1)
    }
    #expect(two == "/filter/cutoff takes one value: 0…1")
    #expect(tablet.refusal("/filter/cutof") == "/filter/cutof is no address; did you mean /filter/cutoff?")
    #expect(tablet.refusal("/part/9/level")?.contains("is no address") == true)
    #expect(tablet.refusal("/filter/../cutoff")?.contains("is no address") == true)
    #expect(instrument.knob("/filter/cutoff") == before)
  }

  @Test("A pattern reaches every address it matches")
  func patterns() throws {
    let instrument = try ServedInstrument()
    let tablet = try Tablet(instrument)
    tablet.send("/part/*/mute", 1)
    tablet.send("/osc/{1,2}/octave/octaves", -2)
    tablet.settle()
    for part in 1...8 { #expect(instrument.knob("/part/\(part)/mute") == 1) }
    #expect(instrument.knob("/osc/1/octave") == -2)
    #expect(instrument.knob("/osc/2/octave") == -2)
    #expect(tablet.refusal("/preset/*")?.contains("matches no knob") == true)
    #expect(tablet.refusal("/x/*")?.contains("matches no knob") == true)
  }

  @Test("A bundle is acted on at once, whatever its time tag says")
  func bundles() throws {
    let instrument = try ServedInstrument()
    let tablet = try Tablet(instrument)
    tablet.bundle(
      lo_timetag(sec: .max, frac: 0), [("/filter/resonance", 0.5), ("/part/2/level", 0.25)])
    tablet.settle()
    #expect(instrument.knob("/filter/resonance") == 0.5)
    #expect(instrument.knob("/part/2/level") == Float(-60 + 0.25 * 66))
  }
}
