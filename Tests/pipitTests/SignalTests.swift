import Glibc
import Testing

@testable import pipit

/// What signals do to the running instrument.
@Suite(.serialized) struct SignalTests {
  private func service() throws -> Service {
    let port = try #require(freePort())
    let service = Service(port)
    #expect(service.waits(for: "blocks") { (Int($0) ?? 0) > 0 })
    return service
  }

  @Test("It plays on through signals that mean nothing to it")
  func ignored() throws {
    let service = try service()
    for signal in [SIGUSR1, SIGUSR2, SIGALRM] { service.send(signal) }
    let figure = Status.figures(port: service.port)?.first { $0.name == "blocks" }?.value
    let before = try #require(figure.flatMap { Int($0) })
    // A tenth of a second and more.
    #expect(service.waits(for: "blocks") { (Int($0) ?? 0) > before + 50 })
    #expect(service.stop() == 0)
  }

  @Test(
    "It ends cleanly, and prints nothing but that it stops",
    arguments: [SIGQUIT, SIGHUP, SIGINT, SIGTERM])
  func ending(signal: Int32) throws {
    let service = try service()
    #expect(service.stop(signal) == 0)
    #expect(service.log.hasSuffix("pipit: stopping\n"), "\(service.log.suffix(300))")
  }
}
