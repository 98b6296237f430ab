import MIDI
import Scenes
import Scratch
import Synth
import System
import Testing
@testable import ALSA
@testable import Control
@testable import Presets
@testable import Storage
@testable import pipit

/// The sequencer and control joined, without a kernel's sequencer: what the MIDI thread would do is done by the test.
private final class Joined {
  let loop: PollLoop
  let instrument: Instrument
  let sequencer: Sequencer
  let link: DeviceLink

  convenience init(_ database: String) throws {
    try self.init(Library(database: database, factory: nil, log: { _ in }))
  }

  init(_ library: Library) throws {
    loop = try #require(PollLoop())
    instrument = Instrument(link: Link(.initial), library: library, log: { _ in })
    instrument.join(loop)
    sequencer = Sequencer(
      link: instrument.link, devices: DeviceTable(reading: instrument.library.documents.text(.devices) ?? ""),
      wakeControl: {},
      log: { _ in })
    link = DeviceLink(sequencer, instrument, loop)
  }

  func round() { for _ in 0..<3 { loop.round(limit: 1_000_000) } }

  func plug(_ client: UInt8, path: String) {
    sequencer.change { table in
      let place = Device.Address(client: client, port: 0)
      let identity = PortIdentity(client: "Keys", port: "out", usb: "1:2", serial: "0000", path: path)
      _ = table.attach(identity, at: place)
      table.play(place, as: client)
    }
    round()
  }
}

@Suite("The sequencer joined with control") struct DeviceLinkTests {
  @Test("what is set for twins is kept over a restart, by their sockets")
  func kept() throws {
    let folder = Folder()
    for start in 0..<2 {
      let joined = try Joined(folder.database)
      // The second time in the other order.
      joined.plug(start == 0 ? 1 : 2, path: start == 0 ? "1-1" : "1-2")
      joined.plug(start == 0 ? 2 : 1, path: start == 0 ? "1-2" : "1-1")
      let one = try #require(joined.instrument.devices.table.devices.first { $0.identity.path == "1-1" })
      if start == 0 {
        _ = try joined.instrument.devices.set("\(one.id)", "clock", to: "on")
        _ = try joined.instrument.bindings.bind("\(one.id)", "cc 21 any jump 0 1 7 /filter/cutoff")
        joined.round()
      }
      let after = joined.instrument.devices.table
      #expect(after[one.id]?.settings.hasClock == true && after[one.id]?.settings.bindings.count == 1)
      #expect(after.devices.count == 2 && after.devices.count { $0.settings == DeviceSettings() } == 1)
      // What it turns goes all the way.
      let knob = try #require(after[one.id]?.source)
      let movement = Movement(source: knob, .controller, 21, MIDIValue(0, bits: 7))
      let isBound = BoundControls(after).contains(movement)
      joined.sequencer.report(movement, isBound: isBound)
      joined.round()
      #expect(isBound && joined.instrument.stage.scene[0].patch.filter.cutoff == 20)
      #expect(joined.instrument.finish(within: 60))
    }
  }

  @Test("what lies in a database that could not be read at the start is not written over when it comes")
  func late() throws {
    let folder = Folder()
    do {
      let joined = try Joined(folder.database)
      joined.plug(1, path: "1-1")
      _ = try joined.instrument.devices.set("1", "clock", to: "on")
      joined.round()
      #expect(joined.instrument.finish(within: 60))
    }
    let other = try Database(folder.database, create: false)
    try other.script("BEGIN EXCLUSIVE", "hold the file")
    let stepped = SteppedLibrary(folder)
    stepped.run(at: 0)
    let joined = try Joined(stepped.library)
    joined.plug(1, path: "1-2")
    // What is in memory only is not called saved for good.
    _ = try joined.instrument.devices.set("1", "feedback", to: "on")
    #expect(joined.instrument.notices.shown.hasSuffix("; kept until pipit ends"))
    try other.script("COMMIT", "let go")
    stepped.run(at: 10)
    joined.plug(2, path: "1-3")
    #expect(stepped.stop(at: 20))
    let kept = DeviceTable(
      reading: try Store(folder.database, writes: false).load(DocumentKind.all)[DocumentID(.devices)].current?
        .text ?? "")
    #expect(kept.devices.map(\.identity.path) == ["1-1"] && kept.devices.first?.settings.hasClock == true)
  }

  @Test("a binding and a setting are called saved when they are on the disk, at once")
  func saved() throws {
    let folder = Folder()
    let stepped = SteppedLibrary(folder)
    stepped.run(at: 0)
    let joined = try Joined(stepped.library)
    joined.plug(1, path: "1-1")
    stepped.run(at: 60)
    joined.round()
    let (bindings, devices) = (joined.instrument.bindings, joined.instrument.devices)
    func kept() throws -> String {
      try Store(folder.database, writes: false).load(DocumentKind.all)[DocumentID(.devices)].current?.text
        ?? ""
    }
    let acts: [() throws -> Void] = [
      { _ = try bindings.bind("any", "cc 21 any pickup 0 1 7 /filter/cutoff") },
      { _ = try bindings.bind("1", "cc 22 any pickup 0 1 7 /filter/resonance") },
      { _ = try bindings.set("1", "low", to: "0.5") },
      { _ = try bindings.remove("1") },
      { _ = try devices.set("1", "clock", to: "on") },
      { try devices.follow(clock: "own") },
      {
        joined.instrument.learning.press(now: monotonic())
        joined.round()
        _ = joined.instrument.learning.touch("/macro/1", now: monotonic())
        for value in 10..<20 {
          joined.sequencer.report(
            Movement(source: 1, .controller, 30, MIDIValue(UInt32(value), bits: 7)), isBound: false)
          joined.round()
        }
      },
    ]
    for (number, act) in acts.enumerated() {
      let before = try kept()
      try act()
      #expect(stepped.library.savesWaiting == 1, "\(number)")
      #expect(try kept() == before, "\(number)")
      let shown = joined.instrument.notices[.saving]?.text ?? ""
      #expect(shown.hasPrefix("Saving"), "\(number): \(shown)")
      // No second passes.
      stepped.round(at: 60)
      joined.round()
      #expect(stepped.library.savesWaiting == 0, "\(number)")
      #expect(try kept() == devices.table.text && kept() != before, "\(number)")
      let done = joined.instrument.notices[.saving]?.text ?? ""
      #expect(done.hasPrefix("Saved"), "\(number): \(done)")
    }
  }

  @Test("what is set is listed without a running service, too")
  func listed() throws {
    let folder = Folder()
    let joined = try Joined(folder.database)
    joined.plug(1, path: "1-1")
    _ = try joined.instrument.devices.set("1", "feedback", to: "on")
    joined.round()
    #expect(joined.instrument.finish(within: 60))
    // Nobody answers for that port.
    let file = folder.file("pipit.conf", Array("state = \(folder.path)\nosc-port = 1\n".utf8))
    let list = Run(["devices", "--config", file])
    let rows = list.output.split(separator: "\n").filter { $0.hasPrefix("1 ") }
    #expect(list.status == 0 && rows.count == 1)
    for words in ["Keys: out", "not there", "feedback on", "USB 1:2, serial 0000, 1-1"] {
      #expect(rows.first?.contains(words) == true)
    }
  }

  @Test("while something is learned, every movement is asked for")
  func learning() throws {
    let joined = try Joined(Folder().database)
    joined.plug(1, path: "1-1")
    joined.instrument.learning.press(now: monotonic())
    joined.round()
    _ = joined.instrument.learning.touch("/filter/cutoff", now: monotonic())
    for value in 10..<20 {
      let movement = Movement(source: 1, .controller, 30, MIDIValue(UInt32(value), bits: 7))
      joined.sequencer.report(movement, isBound: false)
    }
    joined.round()
    #expect(joined.sequencer.devices.devices.first?.settings.bindings.first?.number == 30)
  }

  @Test("a running service lists keyboards and bindings, and binds")
  func service() throws {
    let number = try #require(freePort())
    let service = Service(number)
    #expect(service.waits(for: "port") { $0 == "\(number)" })
    let port = ["--osc-port", "\(number)"]
    #expect(Run(["devices"] + port).status == 0)
    let empty = Run(["bindings"] + port)
    #expect(empty.errors.contains("LEARN") && builtIn(empty) == ["any cc 74 /filter/cutoff built in"])
    let line = "cc 21 any pickup 0 1 7 /filter/cutoff"
    let added = Run(["bindings", "add", "any", line] + port)
    #expect(added.status == 0 && added.output == "cc 21 of any device moves /filter/cutoff\n")
    let list = Run(["bindings"] + port)
    #expect(list.output.contains("/filter/cutoff") && list.output.hasPrefix("No."))
    #expect(builtIn(list).count == 1)
    _ = Run(["bindings", "add", "any", "cc 74 any jump 0 1 7 /filter/resonance"] + port)
    #expect(builtIn(Run(["bindings"] + port)).isEmpty)
    #expect(Run(["bindings", "remove", "2"] + port).status == 0)
    let wrong = Run(["bindings", "set", "1", "mode", "leap"] + port)
    #expect(wrong.status == 1 && wrong.errors.contains("signreversed"))
    #expect(Run(["bindings", "remove", "1"] + port).status == 0)
    #expect(Run(["devices", "allow", "Nobody"] + port).status == 1)
    #expect(service.stop() == 0)
  }

  /// The line of the cutoff among those that are built in.
  private func builtIn(_ list: Run) -> [String] {
    list.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }.filter {
      $0.hasPrefix("any cc 74 ") && $0.hasSuffix(" built in")
    }
  }
}
