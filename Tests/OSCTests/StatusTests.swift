import Parameters
import Presets
import Scenes
import Synth
import System
import Testing
@testable import Control
@testable import OSC

/// How the instrument is, as a tablet and a script see it.
struct StatusTests {
  @Test("Every figure is told on one question, and who only asks is not shown anything else")
  func question() throws {
    let instrument = try ServedInstrument()
    let script = try Tablet(instrument)
    script.send("/status")
    script.run(60_000) { script.received.count >= StatusValue.all.count }
    #expect(script.received.map(\.address) == StatusValue.all.map { "/status/" + $0.name })
    #expect(script.values("/status/voices/limit") == [.int(Limits.voices)])
    #expect(script.ask("/status/load/worst") == .float(0))
    #expect(script.refusal("/debug/freeze")?.contains("PIPIT_DEBUG=1") == true)
  }

  private let second: Int64 = 1_000_000_000

  @Test("While nothing happens nothing is sent; load is told in steps of five, once a second at most")
  func still() throws {
    let link = Link(.initial)
    let control = Instrument(
      link: link, library: Library(database: nil, factory: nil, log: { _ in }), log: { _ in })
    var told = 0
    control.listen { if $0 == .health { told += 1 } }
    var now: Int64 = 0
    func play(seconds: Int, percent: UInt64) {
      for _ in 0..<seconds * 10 {
        now += second / 10
        link.meters.add(.busy, percent * 1_000_000)
        link.meters.add(.frames, 4_800)
        _ = control.healthWatch.updateHealth(now)
      }
    }
    play(seconds: 20, percent: 2)
    #expect(told == 0 && control.health.load == 0)
    play(seconds: 5, percent: 31)
    #expect(control.health.load == 30)
    let before = told
    // A load that wavers about a step.
    for percent in [33, 28, 32, 27, 34, 31] as [UInt64] { play(seconds: 2, percent: percent) }
    #expect(told == before)
  }

  @Test("When a block last came too late is a figure")
  func lastXrun() throws {
    let link = Link(.initial)
    let control = Instrument(
      link: link, library: Library(database: nil, factory: nil, log: { _ in }), log: { _ in })
    let figure = try #require(StatusValue.all.first { $0.name == "xruns/last" })
    #expect(figure.value(control.health) == .number(-1))
    let last = monotonic() - 5 * second
    link.meters.set(.lastXrun, UInt64(last))
    guard case .number(let seconds) = figure.value(control.health) else {
      Issue.record("no number")
      return
    }
    #expect(seconds >= 5 && seconds <= Double(monotonic() - last) * 1e-9)
  }

  @Test("A machine that is held up again and again is logged once a minute, and shown each time")
  func heldUp() throws {
    let link = Link(.initial)
    var lines: [String] = []
    let control = Instrument(
      link: link, library: Library(database: nil, factory: nil, log: { _ in }), log: { lines.append($0) })
    lines.removeAll()
    link.meters.set(.realtime, 1)
    var now: Int64 = 0
    func show(limit: UInt64) -> String {
      now += 5 * second
      link.meters.set(.limit, limit)
      link.meters.add(.frames, 48_000)
      _ = control.healthWatch.updateHealth(now)
      return control.notices.shown
    }
    _ = show(limit: 128)
    for limit in UInt64(110)..<115 {
      #expect(show(limit: limit) == "the machine was held up: it plays \(limit) voices at most")
      #expect(show(limit: 128) == "all 128 voices can play again")
    }
    #expect(
      lines == ["the machine was held up: it plays 110 voices at most", "all 128 voices can play again"])
    now += 60 * second
    _ = show(limit: 120)
    #expect(lines.count == 3 && lines.last == "the machine was held up: it plays 120 voices at most")
  }

  @Test(
    "A problem is shown for a minute, however seldom the counters are read", arguments: [1, 7, 30] as [Int64])
  func seldom(interval: Int64) throws {
    let health = Health(Link(.initial))
    var now: Int64 = 0
    func read() {
      now += interval * second
      health.link.meters.set(.realtime, 1)
      health.link.meters.add(.frames, 48_000)
      _ = health.update(now) { _ in }
    }
    for _ in 0..<10 { read() }
    health.link.meters.add(.xruns, 1)
    read()
    let seenAt = now
    while now - seenAt < 60 * second {
      #expect(health.complaint == "1 block was too late", "after \((now - seenAt) / second) s")
      read()
    }
    while now - seenAt < 60 * second + interval * second { read() }
    #expect(health.isWell)
  }

  @Test("What goes wrong is said once a minute, in words, and to the player when voices must go")
  func complaint() throws {
    let link = Link(.initial)
    var lines: [String] = []
    let control = Instrument(
      link: link, library: Library(database: nil, factory: nil, log: { _ in }), log: { lines.append($0) })
    lines.removeAll()
    link.meters.set(.realtime, 1)
    var now: Int64 = 0
    func play(seconds: Int, xruns: UInt64 = 0, load: UInt64 = 0) {
      for _ in 0..<seconds {
        now += second
        link.meters.add(.busy, load * 10_000_000)
        link.meters.add(.frames, 48_000)
        link.meters.add(.xruns, xruns)
        _ = control.healthWatch.updateHealth(now)
      }
    }
    play(seconds: 5)
    #expect(control.health.isWell && lines.isEmpty)
    play(seconds: 30, xruns: 1)
    #expect(control.health.complaint == "30 blocks were too late")
    #expect(lines == ["<4>since the start: 1 block was too late"])
    play(seconds: 100)
    // A minute after the first line: without the first of the 30 blocks.
    #expect(control.health.isWell && lines.dropFirst() == ["<4>in the last minute: 29 blocks were too late"])
    link.meters.set(.limit, 40)
    play(seconds: 1, load: 90)
    #expect(control.notices.shown == "too much for this machine: it plays 40 voices at most")
    link.meters.set(.limit, 128)
    play(seconds: 1)
    #expect(control.notices.shown == "all 128 voices can play again")
    // A machine that stood still for a moment has little to do.
    link.meters.set(.limit, 99)
    play(seconds: 1, load: 1)
    #expect(control.notices.shown == "the machine was held up: it plays 99 voices at most")
    link.meters.set(.limit, 128)
    play(seconds: 1)
    now += second
    _ = control.healthWatch.updateHealth(now)
    #expect(control.health.complaint == "the audio thread stands still")
  }
}
