import MIDI
import Parameters
import Presets
import Scenes
import Synth
import Testing
@testable import Control

@Suite("Device routes") struct DeviceRouteTests {
  /// Part 1 hears every channel, part 2 that of drums alone.
  @Test("After General MIDI On, the drum channel plays only the part that is set to this channel")
  func drumPart() {
    var scene = Scene.initial
    (scene[1].strip.on, scene[1].strip.channel) = (1, 10)
    var stage = Stage(scene)
    let drums = Limits.drumChannel
    #expect(stage.parts(channel: drums, source: 3) == [0, 1])
    _ = stage.begin(.generalMIDI(source: 3))
    #expect(stage.parts(channel: drums, source: 3) == [1] && stage.parts(channel: 0, source: 3) == [0])
    #expect(stage.parts(channel: drums, source: 4) == [0, 1])
    stage.scene[1].strip.on = 0
    #expect(stage.parts(channel: drums, source: 3) == [0])
    stage.scene[1].strip.on = 1
    for end in [Event.Kind.sourceGone, .setUp] {
      _ = stage.begin(.generalMIDI(source: 3))
      #expect(stage.programs(of: 3) == .gm && stage.programs(of: 4) == .pipit)
      _ = stage.begin(Event(frame: 0, kind: end, source: 3))
      #expect(stage.programs(of: 3) == .pipit && stage.parts(channel: drums, source: 3) == [0, 1])
    }
  }

  @Test("A controller moves the knobs of exactly those parts that the device's channel is routed to")
  func routedController() {
    let library = Library(database: nil, factory: nil, log: { _ in })
    let instrument = Instrument(link: Link(.initial), library: library, log: { _ in })
    var table = DeviceTable()
    let place = Device.Address(client: 20, port: 0)
    let device = table.attach(PortIdentity(client: "Keys", port: "out"), at: place)
    table.play(place, as: 3)
    var settings = DeviceSettings()
    settings.routes = ChannelRoutes("1:2,4 2:-") ?? ChannelRoutes()
    table.set(device.id, settings)
    instrument.devices.table = table
    let row =
      Table.rows.firstIndex {
        $0.controller.map { !ControllerOffsets.moves(Int($0)) } ?? false
      } ?? 0
    let number = Table.rows[row].controller ?? 0
    func turn(source: UInt8, channel: UInt8) -> [Int] {
      let before = (0..<Limits.parts).map { instrument.stage.scene[ParameterID(row: row, part: $0)] }
      instrument.take(
        Event(frame: 0, kind: .controller, source: source, target: channel, note: number, value: 1))
      let moved = (0..<Limits.parts).filter {
        instrument.stage.scene[ParameterID(row: row, part: $0)] != before[$0]
      }
      for part in moved { instrument.set(ParameterID(row: row, part: part), to: before[part]) }
      return moved
    }
    #expect(number != 0)
    #expect(turn(source: 3, channel: 0) == [1, 3])
    #expect(turn(source: 3, channel: 1).isEmpty)
    #expect(turn(source: 3, channel: 2) == [0])
    #expect(turn(source: 4, channel: 0) == [0])
    // Gone, its number is another's.
    table.detach(client: nil)
    instrument.devices.table = table
    #expect(turn(source: 3, channel: 0) == [0])
  }
}

/// The routes of the song that plays are its own.
@Suite("Song routes") struct SongRouteTests {
  @Test("Connecting or disconnecting a keyboard leaves the routes of the playing song unchanged")
  func keyboardConnects() {
    let instrument = Instrument(link: Link(.initial), library: .none, log: { _ in })
    let song = UInt8(Limits.songSource)
    instrument.performance.route(song: ChannelRoutes("1:3 2:5"))
    func turn(_ channel: UInt8) -> [Int] {
      for part in 0..<Limits.parts { instrument.writer.stage.scene[part].strip.pan = 0 }
      instrument.take(
        Event(frame: 0, kind: .controller, source: song, target: channel, note: 10, value: 1))
      return (0..<Limits.parts).filter { instrument.stage.scene[$0].strip.pan == 1 }
    }
    #expect(turn(0) == [2] && turn(1) == [4] && turn(2) == [0])
    var table = DeviceTable()
    let place = Device.Address(client: 20, port: 0)
    _ = table.attach(PortIdentity(client: "Keys", port: "out"), at: place)
    table.play(place, as: 3)
    instrument.devices.table = table
    #expect(turn(0) == [2] && turn(1) == [4])
    table.detach(client: nil)
    instrument.devices.table = table
    #expect(turn(0) == [2] && turn(1) == [4])
    instrument.performance.route(song: nil)
    #expect(turn(0) == [0])
  }
}
