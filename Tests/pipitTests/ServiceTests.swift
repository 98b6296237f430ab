import Glibc
import Scratch
import Testing

@testable import pipit

/// The service where something is in its way: the sound is there, and what is not is said.
@Suite(.serialized) struct ServiceTests {
  @Test("It plays while another program has its port, says so once, and takes the port when it is free")
  func validated() throws {
    let (descriptor, port) = try #require(boundPort())
    let service = Service(port)
    #expect(service.waits(for: "blocks") { (Int($0) ?? 0) > 0 })
    #expect(
      service.waits(for: "complaint") { $0.contains("UDP port \(port) is taken: no tablet until it is free") }
    )
    let page = Run(["status", "--osc-port", "\(port)"])
    #expect(
      page.status == 1 && page.output.contains("Playing on  the clock") && page.output.contains("no port"))
    #expect(service.log.contains("is taken by another program"))
    close(descriptor)
    #expect(service.waits(for: "port") { $0 == "\(port)" })
    #expect(service.waits(for: "complaint") { !$0.contains("port") })
    #expect(service.log.components("is taken") == 1 && service.log.components("OSC on UDP port \(port)") == 1)
    #expect(service.stop() == 0)
  }

  @Test("Another pipit is called one only when it is one, and its port is taken over when it ends")
  func other() throws {
    let port = try #require(freePort())
    let first = Service(port)
    #expect(first.waits(for: "port") { $0 == "\(port)" })
    let second = Service(port)
    #expect(second.waits(forLog: "UDP port \(port) is taken by another pipit on this machine"))
    #expect(first.stop() == 0)
    #expect(second.waits(forLog: "OSC on UDP port \(port)"))
    #expect(second.waits(for: "state") { $0 == second.folder.path })
  }

  @Test("The command record says what it has recorded, and fails where nothing was")
  func record() throws {
    let port = try #require(freePort())
    func record(_ verb: String) -> Run { Run(["record", verb, "--osc-port", "\(port)"]) }
    #expect(record("start").status == 3)
    let service = Service(port, ["--record-format", "wav", "--record-last", "1"])
    #expect(service.waits(for: "blocks") { (Int($0) ?? 0) > 0 })
    let start = record("start")
    #expect(start.status == 0 && start.errors.isEmpty, "\(start.errors)")
    let stop = record("stop")
    #expect(
      stop.status == 0 && stop.output.hasPrefix("recorded ") && stop.output.hasSuffix(".wav\n"), "\(stop)")
    #expect(record("last").output.hasPrefix("recorded 0:0"))
    #expect(record("everything").status == 2)
    #expect(service.stop() == 0)

    let file = service.folder.file("file", "")
    let other = Service(port, ["--recordings", file, "--record-last", "1"])
    #expect(other.waits(for: "blocks") { (Int($0) ?? 0) > 0 })
    for verb in ["start", "last"] {
      let run = record(verb)
      #expect(
        run.status == 1 && run.errors.contains(": cannot ") && run.errors.hasSuffix(" in \(file)\n"),
        "\(run)")
    }
  }

  @Test("A line of the configuration that is wrong is left out, the rest holds, and status and log say so")
  func configuration() throws {
    let port = try #require(freePort())
    let folder = Folder()
    let file = folder.file(
      "pipit.conf", "\u{FEFF}# as Windows writes it\r\nrate = 44100\r\nperiod = none\r\n")
    let service = Service(port, ["--config", file])
    #expect(service.waits(for: "playing") { $0.contains("44100 Hz") })
    #expect(
      service.waits(for: "complaint") { $0.contains("pipit.conf, line 3: period must be a whole number") })
    #expect(service.log.components("line 3: period must be") == 1)
  }

  @Test("With a configuration that cannot be read it plays, lets in this machine alone, and says so")
  func unreadable() throws {
    let port = try #require(freePort())
    let folder = Folder()
    let service = Service(port, ["--config", folder.path])
    #expect(service.waits(for: "blocks") { (Int($0) ?? 0) > 0 })
    #expect(service.waits(for: "complaint") { $0.hasPrefix("tablets are locked out: ") })
    #expect(service.log.components("\(folder.path): cannot be read (Is a directory); ignored") == 1)
    #expect(service.log.components("only this machine may send OSC") == 1)
    #expect(Run(["status", "--osc-port", "\(port)"]).status == 1)
    let doctor = Run(["doctor", "--osc-port", "\(port)", "--config", folder.path])
    #expect(doctor.status == 1 && doctor.output.contains("only this machine may send OSC"), "\(doctor)")
    #expect(doctor.output.contains("cannot be read (Is a directory)"))
  }

  @Test("Where tablets reach it is logged when the network has come, and when it has changed")
  func addresses() {
    var lines: [String] = []
    var port = 0
    var log = AddressLog(port: { port }) { lines.append($0) }
    var now: Int64 = 0
    func look(_ addresses: [String]) {
      for _ in 0..<10 { now = log.update(now, addresses) ?? now }
    }
    look(["192.168.1.20"])
    port = 8000
    look([])
    #expect(lines.isEmpty)
    look(["192.168.1.20"])
    look(["192.168.1.20"])
    look([])
    look(["10.0.0.7", "192.168.1.20"])
    #expect(
      lines == [
        "tablets reach pipit at 192.168.1.20, UDP port 8000",
        "tablets reach pipit at 10.0.0.7, 192.168.1.20, UDP port 8000",
      ])
  }
}

extension String {
  /// How often some words are in it.
  fileprivate func components(_ words: String) -> Int {
    indices.count { self[$0...].hasPrefix(words) }
  }
}
