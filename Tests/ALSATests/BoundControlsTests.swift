import MIDI
import Scenes
import Synth
import System
import Testing
@testable import ALSA

@Suite("Controls that are bound") struct BoundControlsTests {
  private let place = Device.Address(client: 20, port: 0)

  private func table(_ bindings: [Binding], forAll: [Binding] = []) -> DeviceTable {
    var table = DeviceTable()
    let device = table.attach(PortIdentity(client: "Keys", port: "out"), at: place)
    table.play(place, as: 3)
    var settings = DeviceSettings()
    settings.bindings = bindings
    table.set(device.id, settings)
    table.bind(forAll)
    return table
  }

  private func movement(
    _ kind: Binding.Kind = .controller, _ number: UInt16 = 21, channel: UInt8 = 0, source: UInt8 = 3
  ) -> Movement { Movement(source: source, channel: channel, kind, number, MIDIValue(raw: 0)) }

  @Test("are those of their device and channel") func which() {
    let bound = BoundControls(
      table(
        [Binding(.controller, 21, channel: 0, to: "/a", .jump)],
        forAll: [Binding(.note, 36, to: "/panic", .press)]))
    #expect(bound.contains(movement()) && bound.contains(movement(.note, 36, channel: 9)))
    for other in [
      movement(channel: 1), movement(source: 4), movement(.controller, 22), movement(.note, 21),
      movement(.note, 36, source: 2),
    ] {
      #expect(!bound.contains(other))
    }
    #expect(!BoundControls().contains(movement()))
  }

  @Test("what they may hold down is let go when they are bound") func held() {
    let before = BoundControls(table([]))
    for (binding, isHeld) in [
      (Binding(.controller, 64, to: "/tempo/tap", .press), true), (Binding(.bend, to: "/a", .jump), true),
      (Binding(.note, 36, to: "/panic", .press), true), (Binding(.controller, 74, to: "/a", .jump), true),
      (Binding(.controller, 63, to: "/a", .jump), false), (Binding(.controller, 69, to: "/a", .jump), true),
      (Binding(.controller, 70, to: "/a", .jump), false), (Binding(.controller, 71, to: "/a", .jump), true),
      (Binding(.controller, 79, to: "/a", .jump), true), (Binding(.controller, 80, to: "/a", .jump), false),
      (Binding(.controller, 21, to: "/a", .jump), false),
      (Binding(.parameter, 64, to: "/a", .jump), false),
    ] as [(Binding, Bool)] {
      let bound = BoundControls(table([binding]))
      #expect(bound.heldSources(since: before) == (isHeld ? [3] : []))
      #expect(bound.heldSources(since: bound).isEmpty)
    }
  }

  @Test("of movements and lamps only so many wait") func room() {
    var inbox = DeviceInbox()
    for number in 0..<5_000 as Range<UInt16> {
      inbox.put(movement(.parameter, number))
      inbox.put(lamp: place, channel: 0, isNote: false, UInt8(number & 127), UInt8(number / 100))
    }
    let waiting = inbox.takeMovements()
    #expect(waiting.count <= DeviceInbox.capacity && waiting.last?.number == 4_999)
    // The oldest were dropped, and none between.
    #expect(waiting.first.map { Int($0.number) } == 5_000 - waiting.count)
    let lamps = inbox.takeLamps()
    #expect(inbox.takeMovements().isEmpty && lamps.count <= DeviceInbox.capacity)
    #expect(
      lamps.last?.number == UInt8(4_999 & 127) && lamps.first?.number == UInt8((5_000 - lamps.count) & 127))
    #expect(lamps.last?.value == 49 && lamps.first?.value == UInt8((5_000 - lamps.count) / 100))
    #expect(inbox.takeLamps().isEmpty)
  }

  /// Without a device: what the MIDI thread does with a movement, and what the control thread gets.
  @Test("a bound one is for control alone, and others are while something is learned") func inbox() {
    let sequencer = Sequencer(link: Link(.initial), wakeControl: {}, log: { _ in })
    sequencer.report(movement(), isBound: false)
    #expect(sequencer.takeMovements().isEmpty)
    sequencer.report(movement(), isBound: true)
    #expect(sequencer.takeMovements().count == 1)
    sequencer.setLearning(true)
    sequencer.report(movement(), isBound: false)
    #expect(sequencer.takeMovements().count == 1)
    sequencer.setLearning(false)
    sequencer.report(movement(), isBound: false)
    #expect(sequencer.takeMovements().isEmpty)
  }
}
