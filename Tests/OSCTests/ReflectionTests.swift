import Scenes
import Scratch
import Testing
@testable import OSC
@testable import Surface

/// A datagram's source is easily forged: whoever did not ask must not be sent much for little.
struct ReflectionTests {
  static let datagrams: [[UInt8]] = [
    Corpus.osc("/here", ","), Corpus.osc("/sync", ","), Corpus.osc("/status", ","), Corpus.osc("/focus", ","),
    Corpus.osc("/presets/list", ","), Corpus.osc("/preset/list", ","), Corpus.osc("/subscribe", ","),
    Corpus.osc("/filter/cutoff", ",f") + Corpus.float(1), Corpus.osc("/no/such/address", ","),
    Corpus.osc("/part/*/level", ","),
    Corpus.bundle((1...8).map { Corpus.osc("/part/\($0)/filter/cutoff", ",") }, time: (0, 1)),
  ]

  @Test("Whoever alone is named as the sender is sent three times the bytes at most", arguments: datagrams)
  func forged(datagram: [UInt8]) throws {
    let street = try Street()
    street.receive(datagram)
    // A network may double a packet.
    street.pass(milliseconds: 50)
    street.receive(datagram)
    street.pass(milliseconds: 20_000)
    #expect(street.ear.bytes <= 2 * 3 * datagram.count)
    let asked = street.instrument.surface.clients.all.filter { _ in street.ear.bytes > 0 }
    #expect(asked.allSatisfy { !street.instrument.server.isConfirmed($0.peer) })
  }

  @Test("What was asked is answered at once where it is short")
  func short() throws {
    let street = try Street()
    street.receive(Corpus.osc("/focus", ","))
    street.pass(milliseconds: 1)
    #expect(street.ear.values("/focus") == [.int(1)])
  }

  @Test("Whoever is heard again after a moment is shown everything, as a layout that does not answer")
  func twice() throws {
    let street = try Street()
    street.receive(Corpus.osc("/subscribe", ",i") + Corpus.word(UInt32(street.ear.port)))
    street.pass(milliseconds: 200)
    #expect(!street.ear.hasSeenAll)
    street.receive(Corpus.osc("/here", ","))
    street.pass(milliseconds: 1_000)
    #expect(street.ear.hasSeenAll)
  }

  @Test("What is heard again within a tenth of a second may be doubled, and confirms nobody")
  func doubled() throws {
    for (pause, isConfirmed) in [(80, false), (110, true)] as [(Int64, Bool)] {
      let street = try Street()
      let peer = Peer(host: 0x7F00_0001, port: street.ear.port)
      street.receive(Corpus.osc("/here", ","))
      street.pass(milliseconds: pause)
      street.receive(Corpus.osc("/here", ","))
      #expect(street.instrument.server.isConfirmed(peer) == isConfirmed, "\(pause)")
    }
  }

  @Test("Whoever answers with the word of /who is shown everything within a second; with another word not")
  func answered() throws {
    for isRight in [false, true] {
      let street = try Street()
      street.receive(Corpus.osc("/here", ","))
      street.pass(milliseconds: 10)
      guard case .string(let word)? = street.ear.values("/who").last else {
        Issue.record("nobody asked")
        return
      }
      street.receive(Corpus.osc("/here", ",s", isRight ? word : "abc"))
      street.pass(milliseconds: 1_000)
      #expect(street.ear.hasSeenAll == isRight)
    }
  }

  @Test("The question is asked again after a moment, as long as the bytes suffice; packets get lost")
  func again() throws {
    let street = try Street()
    // 20 bytes, which 60 may follow: three questions of 16.
    street.receive(Corpus.osc("/subscribe", ",i") + Corpus.word(UInt32(street.ear.port)))
    street.pass(milliseconds: 90)
    #expect(street.ear.values("/who").count == 1)
    street.pass(milliseconds: 20)
    #expect(street.ear.values("/who").count == 2)
    street.pass(milliseconds: 5_000)
    #expect(street.ear.values("/who").count == 3)
  }

  @Test("A long answer waits until the asker has answered, and then comes whole")
  func waiting() throws {
    let street = try Street()
    street.receive(Corpus.osc("/status", ","))
    street.pass(milliseconds: 50)
    #expect(street.ear.values("/status/well").isEmpty)
    guard case .string(let word)? = street.ear.values("/who").last else {
      Issue.record("nobody asked")
      return
    }
    street.receive(Corpus.osc("/here", ",s", word))
    street.pass(milliseconds: 1_000)
    #expect(
      street.ear.values("/status/well").count == 1 && street.ear.values("/status/pagefaults").count == 1)
  }

  @Test("Forged senders push out nobody who is there")
  func seats() throws {
    let street = try Street()
    let tablet = Peer(host: 0xC0A8_0001, port: 50_000)
    for _ in 0..<2 {
      street.receive(Corpus.osc("/here", ","), from: tablet)
      street.pass(milliseconds: 200)
    }
    for host in 1...UInt32(1_000) {
      street.receive(Corpus.osc("/here", ","), from: Peer(host: 0x0A00_0000 + host, port: 50_000))
    }
    #expect(street.instrument.surface.clients.all.contains { $0.peer.host == tablet.host })
    #expect(street.instrument.server.isConfirmed(tablet))
    #expect(street.instrument.surface.clients.all.count == Limits.surfaceClients)
  }
}

/// A server on times of the test's own, and a socket that it reaches at its reply port and that says nothing.
private final class Street {
  let instrument: ServedInstrument
  let ear: Tablet
  private var now: Int64 = 1_000_000_000_000

  init() throws {
    ear = try Tablet(ServedInstrument())
    ear.answersWho = false
    instrument = try ServedInstrument(replyPort: ear.port, factory: presetsFolder)
    pass(milliseconds: 1)
  }

  /// Time passes.
  func pass(milliseconds: Int64) {
    for _ in 0..<milliseconds {
      now += 1_000_000
      instrument.takeTurn(now)
      ear.listen()
    }
  }

  /// A datagram comes in that says to be from the ear, or from another.
  func receive(_ datagram: [UInt8], from peer: Peer? = nil) {
    var bytes = datagram
    bytes.withUnsafeMutableBytes {
      instrument.receive($0, from: peer ?? Peer(host: 0x7F00_0001, port: ear.port), now: now)
    }
  }
}
