import CLiblo
import Control
import OSC
import Parameters
import Scenes
import Testing
@testable import Surface

/// What is played and asked for.
struct CommandTests {
  /// Sends a message and takes what reaches the sound.
  private func events(_ tablet: Tablet, _ instrument: ServedInstrument, _ send: () -> Void) -> [Event] {
    var events: [Event] = []
    send()
    tablet.settle()
    while let event = instrument.link.control.peek() {
      events.append(event.pointee)
      instrument.link.control.drop()
    }
    return events
  }

  @Test("Notes go to the part in focus or the one that is named, and 0 is the release")
  func notes() throws {
    let instrument = try ServedInstrument()
    let tablet = try Tablet(instrument)
    let played = events(tablet, instrument) {
      tablet.send("/note/60", Float(0.5))
      tablet.send("/note/60", Float(0))
      tablet.send("/part/3/note/61", 1)
      tablet.send("/note/62") { lo_message_add_false($0) }
      tablet.send("/focus", 2)
      tablet.send("/note") {
        lo_message_add_int32($0, 127)
        lo_message_add_float($0, 7)
      }
    }
    #expect(played.map(\.kind) == [.noteOn, .noteOff, .noteOn, .noteOff, .noteOn])
    #expect(played.map(\.note) == [60, 60, 61, 62, 127])
    #expect(played.map(\.value) == [0.5, 0, 1, 0, 1])
    #expect(played.map(\.target) == [0, 0, 2, 0, 1].map { Event.part($0) })
    #expect(Set(played.map(\.source)) == [UInt8(Limits.surfaceSources)])
  }

  @Test("What is held is let go on the part where it was taken, whatever part is in focus by then")
  func held() throws {
    let instrument = try ServedInstrument()
    let tablet = try Tablet(instrument)
    let played = events(tablet, instrument) {
      for address in ["/note/60", "/sustain", "/bend"] { tablet.send(address, Float(0.5)) }
      tablet.send("/focus", 2)
      // The finger on the wheel goes on, on the part that is in focus now.
      tablet.send("/bend", Float(0.25))
      for address in ["/note/60", "/sustain", "/bend"] { tablet.send(address, Float(0)) }
      // A tablet says three times that a key was let go.
      tablet.send("/note/60", Float(0))
    }
    let kinds: [Event.Kind] = [
      .noteOn, .sustain, .bend, .bend, .noteOff, .sustain, .sustain, .bend, .bend, .noteOff,
    ]
    #expect(played.map(\.kind) == kinds)
    #expect(played.map(\.target) == [0, 0, 0, 1, 0, 0, 1, 0, 1, 1].map { Event.part($0) })
    #expect(played.dropFirst(4).allSatisfy { $0.value == 0 })
  }

  @Test("A part that is named keeps its pedal when the one in focus is let go")
  func named() throws {
    let instrument = try ServedInstrument()
    let tablet = try Tablet(instrument)
    let played = events(tablet, instrument) {
      tablet.send("/part/3/sustain", 1)
      tablet.send("/sustain", 0)
      tablet.send("/part/3/sustain", 0)
    }
    #expect(played.map(\.value) == [1, 0, 0])
    #expect(played.map(\.target) == [2, 0, 2].map { Event.part($0) })
  }

  @Test("Wheels and pedals are brought inside their range")
  func wheels() throws {
    let instrument = try ServedInstrument()
    let tablet = try Tablet(instrument)
    let played = events(tablet, instrument) {
      tablet.send("/bend", Float(-7))
      tablet.send("/part/8/wheel", Float(0.25))
      tablet.send("/pressure", 1)
      tablet.send("/expression", Float(-1))
      tablet.send("/sustain") { lo_message_add_true($0) }
    }
    #expect(played.map(\.kind) == [.bend, .wheel, .pressure, .expression, .sustain])
    #expect(played.map(\.value) == [-1, 0.25, 1, 0, 1])
    #expect(played[1].target == Event.part(7))
  }

  @Test("Senseless notes are refused and reach nothing")
  func senseless() throws {
    let instrument = try ServedInstrument()
    let tablet = try Tablet(instrument)
    let played = events(tablet, instrument) {
      for address in [
        "/note/128", "/note/-1", "/note/4294967356", "/note", "/note/60", "/bend", "/part/0/note/60",
      ] {
        #expect(tablet.refusal(address) != nil, "\(address)")
      }
      #expect(tablet.refusal("/note") { lo_message_add_float($0, 60) } != nil)
      let wild = tablet.refusal("/note") {
        lo_message_add_double($0, 1e300)
        lo_message_add_float($0, 1)
      }
      #expect(wild?.contains("0…127") == true)
      #expect(tablet.refusal("/note/60") { lo_message_add_float($0, .nan) } != nil)
      #expect(tablet.refusal("/note/60") { lo_message_add_string($0, "loud") } != nil)
    }
    #expect(played.isEmpty)
  }

  @Test("A trigger acts on the press and not on the release")
  func panic() throws {
    let instrument = try ServedInstrument()
    let tablet = try Tablet(instrument)
    let played = events(tablet, instrument) {
      tablet.send("/panic")
      tablet.send("/panic", Float(1))
      tablet.send("/panic", Float(0))
      tablet.send("/panic") { lo_message_add_false($0) }
    }
    #expect(played.map(\.kind) == [.panic, .panic])
  }

  @Test("A client that ends lets go of what it held")
  func gone() throws {
    let instrument = try ServedInstrument()
    let (tablet, idle) = (try Tablet(instrument), try Tablet(instrument))
    let played = events(tablet, instrument) {
      idle.send("/subscribe")
      tablet.send("/subscribe")
      tablet.send("/note/60", 1)
      tablet.send("/unsubscribe")
      idle.send("/unsubscribe")
    }
    #expect(played.map(\.kind) == [.noteOn, .sourceGone])
    #expect(played[0].source == played[1].source)
  }

  @Test("The least recently heard of too many clients makes room, and lets go of what it held")
  func seats() throws {
    let instrument = try ServedInstrument()
    var tablets: [Tablet] = []
    for _ in 0...Limits.surfaceClients { tablets.append(try Tablet(instrument)) }
    let played = events(tablets[tablets.count - 1], instrument) {
      for tablet in tablets {
        tablet.send("/subscribe")
        tablet.send("/note/60", 1)
        tablet.settle()
      }
    }
    #expect(played.filter { $0.kind == .noteOn }.count == Limits.surfaceClients + 1)
    #expect(played.filter { $0.kind == .sourceGone }.map(\.source) == [UInt8(Limits.surfaceSources)])
    #expect(played.allSatisfy { Int($0.source) < Limits.sources })
  }

  @Test("Every command answers, acts or is refused with a reason; none is unknown")
  func table() throws {
    for node in Node.commands {
      // Each its own, since refusals are rationed.
      let tablet = try Tablet(ServedInstrument())
      let address = node.address(number: node.numbers?.lowerBound ?? 0)
      #expect(!node.takes.isEmpty && node.about.hasSuffix("."))
      if node.hasFeedback {
        #expect(tablet.ask(address) != nil, "\(address)")
        if node.isPerPart { #expect(tablet.ask("/part/2" + address) != nil) }
      }
      let why = tablet.refusal(address) {
        lo_message_add_string($0, "")
        lo_message_add_string($0, "")
        lo_message_add_string($0, "")
        lo_message_add_string($0, "")
      }
      #expect(why != nil && why?.contains("is no address") == false, "\(address)")
    }
  }
}
