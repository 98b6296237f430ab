import CLiblo
import Control
import Scenes
import System
import Testing
@testable import OSC
@testable import Surface

/// Who may speak.
struct AllowedNetworksTests {
  private func admits(_ list: String, _ host: String) throws -> Bool {
    let access = try #require(AllowedNetworks(list), "\(list)")
    return access.admits(try #require(HostAddress(host)))
  }

  @Test("Private networks, self-assigned addresses and the machine itself are let in, the world is not")
  func standard() throws {
    for host in [
      "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "169.254.9.9", "127.0.0.1",
    ] {
      #expect(try admits("private", host), "\(host)")
    }
    for host in [
      "9.255.255.255", "11.0.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0",
      "8.8.8.8",
      "0.0.0.0", "255.255.255.255", "169.253.0.1", "126.0.0.1", "128.0.0.1",
    ] {
      #expect(try !admits("private", host), "\(host)")
    }
  }

  @Test("A list of networks and addresses lets in these and the machine itself")
  func list() throws {
    #expect(try admits("192.168.1.0/24,10.0.0.7", "192.168.1.255"))
    #expect(try admits("192.168.1.77/24, 10.0.0.7", "10.0.0.7"))
    #expect(try admits("10.0.0.7", "127.0.0.1"))
    #expect(try !admits("192.168.1.0/24,10.0.0.7", "192.168.2.0"))
    #expect(try !admits("10.0.0.7", "10.0.0.8"))
    #expect(try admits("private,203.0.113.0/25", "203.0.113.127"))
    #expect(try !admits("private,203.0.113.0/25", "203.0.113.128"))
    #expect(try admits("any", "8.8.8.8"))
    for wrong in [
      "", ",", "192.168.1", "192.168.1.0/33", "192.168.1.0/", "1.2.3.4.5", "256.1.1.1", "home", "1.2.3.+4",
    ] {
      #expect(AllowedNetworks(wrong) == nil, "\(wrong)")
    }
  }

  @Test("A stranger is named in the log once, is not answered, and changes nothing")
  func stranger() throws {
    let instrument = try ServedInstrument(allow: "10.0.0.7")
    var datagram: [UInt8] = Array("/panic\0\0,\0\0\0".utf8)
    func from(_ address: UInt32) {
      datagram.withUnsafeMutableBytes {
        instrument.receive($0, from: Peer(host: address, port: 9), now: monotonic())
      }
    }
    for _ in 0..<3 { from(0x0808_0808) }
    #expect(instrument.link.control.peek() == nil)
    #expect(instrument.log.count == 1)
    #expect(instrument.log.first?.contains("8.8.8.8") == true)
    for address in 1...UInt32(2 * ControlSurface.loggedHosts) { from(address) }
    #expect(instrument.log.count == ControlSurface.loggedHosts)
    from(0x0A00_0007)
    #expect(instrument.link.control.peek()?.pointee.kind == .panic)
  }

  @Test("A tablet that does not listen where it sends from is told of errors where it does")
  func errors() throws {
    let probe = try Tablet(ServedInstrument())
    let instrument = try ServedInstrument(replyPort: probe.port)
    let sender = try Tablet(instrument)
    sender.send("/here")
    #expect(sender.refusal("/filter/cutof")?.contains("did you mean /filter/cutoff?") == true)
    probe.watch(instrument, 60_000) { !probe.values("/error").isEmpty }
    #expect(probe.values("/error").count == 1)
  }

  @Test("Feedback that was asked for at pipit's own port does not make it talk to itself")
  func echo() throws {
    let instrument = try ServedInstrument()
    let tablet = try Tablet(instrument)
    tablet.send("/subscribe", instrument.server.port)
    // A program beside it is shown everything, and so is pipit.
    let other = try Tablet(instrument)
    other.send("/subscribe")
    other.run(60_000) { other.hasSeenAll }
    #expect(other.hasSeenAll && instrument.surface.clients.all.count == 2)
    var datagram: [UInt8] = Array("/panic\0\0,\0\0\0".utf8)
    for port in [instrument.server.port, tablet.port] {
      datagram.withUnsafeMutableBytes {
        let source = Peer(host: 0x7F00_0001, port: port)
        instrument.receive($0, from: source, now: monotonic())
      }
      #expect((instrument.link.control.peek() == nil) == (port == instrument.server.port))
    }
  }
}
