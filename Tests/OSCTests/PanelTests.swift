import CLiblo
import Layout
import OSC
import Parameters
import Presets
import Scenes
import Scratch
import Testing

/// The presets that pipit comes with.
let presetsFolder =
  "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/presets"

/// The front panel against the instrument: everything on the fake means something, and is told the truth.
struct PanelTests {
  /// Sends what a control would, with its values at rest, and then a little moved.
  private func send(_ message: ControlMessage, from tablet: Tablet) {
    tablet.send(message.address) { raw in
      for argument in message.arguments {
        switch argument {
        case .value(_, .float, let low, let high): lo_message_add_float(raw, Float((low + high) / 2))
        case .value(_, .int, let low, _): lo_message_add_int32(raw, Int32(low))
        case .value(_, .bool, _, _): lo_message_add_true(raw)
        case .value(_, .string, _, _): lo_message_add_string(raw, "")
        case .constant(let value, .string): lo_message_add_string(raw, value)
        case .constant(let value, .int): lo_message_add_int32(raw, Int32(value) ?? -1)
        case .constant(let value, _): lo_message_add_float(raw, Float(value) ?? -1)
        }
      }
    }
  }

  @Test("Every message that a control sends is understood", arguments: Size.allCases)
  func understood(size: Size) throws {
    let instrument = try ServedInstrument(factory: presetsFolder)
    let tablet = try Tablet(instrument)
    // Who has not answered /who yet may be told of an error, or be answered, but not both.
    tablet.settle()
    var errors: [Tablet.Received] = []
    // Port 9 is the instrument's reply port here, where nobody listens.
    let messages = TouchOSC.root(size, replyPort: 9).all.flatMap(\.messages).filter { !$0.triggers.isEmpty }
    #expect(messages.count > 150)
    for message in messages {
      tablet.received.removeAll()
      send(message, from: tablet)
      tablet.settle()
      errors += tablet.received.filter {
        guard $0.address == "/error", case .string(let why)? = $0.value else { return false }
        // There may be nothing to take back and no preset of the player's in an instrument that has just begun,
        // nothing to record where there is no recorder, no text or too much of it, no sequence that is recorded, no
        // song, no edit to compare, no morph, no setlist, and a random sound that is still being drawn.
        return ![
          "/preset/undo ", "/preset/redo ", "/preset/save ", "/preset/delete ", "/record ", "/record/last ",
          "/preset/text/", "/sequence/rest ", "/sequence/tie ", "/song/", "/clock/source ",
          "/preset/compare ",
          "/preset/random/",
          "/section/random/", "/morph/keep ", "/setup/undo ", "/setup/redo ", "/set/", "/section/paste ",
        ]
        .contains { why.hasPrefix($0) }
      }
    }
    #expect(errors.map(\.value) == [])
  }

  @Test("Everything that a control hears is sent to it", arguments: Size.allCases)
  func heard(size: Size) throws {
    let instrument = try ServedInstrument(factory: presetsFolder)
    let tablet = try Tablet(instrument)
    tablet.send("/subscribe")
    let messages = TouchOSC.root(size, replyPort: 9).all.flatMap(\.messages)
    let wanted = Set(messages.filter(\.receives).map(\.address))
    // What is not taken is shown too.
    tablet.send("/no/such/address")
    tablet.run(60_000) { wanted.isSubset(of: tablet.received.map(\.address)) }
    #expect(wanted.subtracting(tablet.received.map(\.address)).sorted() == [])
  }

  @Test("The slots of a page show their presets, load them, and light up the one that sounds")
  func slots() throws {
    let instrument = try ServedInstrument(factory: presetsFolder)
    let tablet = try Tablet(instrument)
    #expect(tablet.ask("/preset/page") == .string("Factory 1-16"))
    #expect(tablet.ask("/preset/slot/3/name") == .string("Bright Lead"))
    #expect(tablet.ask("/preset/slot/3/current") == .int(0))
    tablet.send("/preset/slot/3", 1)
    tablet.send("/preset/slot/4", 0)
    #expect(tablet.ask("/preset/name") == .string("Bright Lead"))
    #expect(tablet.ask("/preset/slot/3/current") == .int(1))
    #expect(tablet.refusal("/preset/slot/17") != nil)
    #expect(tablet.refusal("/preset/slot/0/name") != nil)
  }

  @Test("A page comes with its first preset, pages turn in a circle, and a recall turns to its own")
  func pages() throws {
    let folder = Folder()
    let instrument = try ServedInstrument(database: folder.database, factory: presetsFolder)
    let tablet = try Tablet(instrument)
    tablet.send("/preset/page/next")
    #expect(tablet.ask("/preset/page") == .string("Factory 17-32"))
    tablet.send("/preset/save", "Mine")
    #expect(tablet.ask("/preset/page") == .string("Own 1-16"))
    #expect(tablet.ask("/preset/slot/1/name") == .string("Mine"))
    #expect(tablet.ask("/preset/slot/2/name") == .string(""))
    tablet.send("/preset/slot/2", 1)
    #expect(tablet.ask("/preset/name") == .string("Mine"))
    let further = ["Factory 129-144", "Factory 145-160", "Factory 161-176", "Factory 177-192"]
    for page in further + ["Arps 1-16", "Arps 17-32", "Factory 1-16"] {
      tablet.send("/preset/page/next")
      #expect(tablet.ask("/preset/page") == .string(page))
    }
    tablet.send("/preset/page/previous", 1)
    #expect(tablet.ask("/preset/page") == .string("Arps 17-32"))
    tablet.send("/preset/load", "Brass")
    #expect(tablet.ask("/preset/page") == .string("Factory 1-16"))
  }

  @Test("A finger on the plane starts one note, which follows it in pitch and loudness until it leaves")
  func plane() throws {
    let instrument = try ServedInstrument()
    let tablet = try Tablet(instrument)
    func touch(_ x: Float, _ y: Float, _ finger: Bool?) {
      tablet.send("/play/xy") {
        lo_message_add_float($0, x)
        lo_message_add_float($0, y)
        if let finger { _ = finger ? lo_message_add_true($0) : lo_message_add_false($0) }
      }
    }
    func events() -> [Event] {
      tablet.settle()
      var events: [Event] = []
      while let event = instrument.link.control.peek()?.pointee {
        events.append(event)
        instrument.link.control.drop()
      }
      return events
    }
    touch(0.51, 0.25, true)
    let start = events()
    #expect(start.map(\.kind) == [.noteOn, .notePitch, .noteGain])
    #expect(Set(start.map(\.frame)).count == 1 && Set(start.map(\.note)) == [60])
    #expect(abs(start[1].value - 0.24) < 1e-4 && start[2].value == 0.25)
    // Another part in focus meanwhile does not take the note along.
    tablet.send("/focus", 2)
    touch(1, 1, true)
    let slide = events()
    #expect(slide.map(\.kind) == [.notePitch, .noteGain] && slide.map(\.value) == [12, 1])
    #expect(Set(slide.map(\.target)) == [Event.part(0)])
    // TouchOSC says three times that the finger has left.
    for _ in 0..<3 { touch(1, 1, false) }
    #expect(events().map(\.kind) == [.noteOff])
    // Without a word about the finger, loudness starts and ends the note.
    touch(0, 0.5, nil)
    touch(0, 0, nil)
    #expect(events().map(\.kind) == [.noteOn, .notePitch, .noteGain, .noteOff])
    touch(0, 1, true)
    tablet.send("/panic")
    touch(0, 1, false)
    #expect(events().map(\.kind) == [.noteOn, .notePitch, .noteGain, .panic])
    #expect(tablet.refusal("/play/xy") { lo_message_add_float($0, 1) } != nil)
  }
}
