import MIDI
import Parameters
import Presets
import Synth

/// The staged scene, the only copy that is ever edited, and the rules for editing it: setting a knob, moving a controller,
/// recalling a preset. The instrument edits it live, `pipit render` along a song. One thread.
public struct Stage: Sendable {
  /// The scene as it will be published next.
  public var scene: Scene
  /// The part that bare addresses mean, 0…7.
  public var focus: Int = 0 {
    didSet { focus = max(0, min(focus, Limits.parts - 1)) }
  }

  /// The tunings of the parts, nil for equal temperament. Whoever publishes the scene keeps them with it.
  public private(set) var tunings: [KeyTuning?] = Array(repeating: nil, count: Limits.parts)

  /// The offsets that the players' sound controllers give to knobs.
  var offsets = ControllerOffsets()

  /// A stage set with `scene`.
  public init(_ scene: Scene = .initial) { self.scene = scene }

  /// Gives a part another sound. Its generation goes up: notes that sound keep the sound they started with.
  public mutating func recall(_ patch: Patch, part: Int) {
    var changed = scene[part]
    changed.patch = patch
    changed.generation &+= 1
    scene[part] = changed
  }

  /// Gives a part another tuning, nil for equal temperament.
  public mutating func tune(_ part: Int, _ tuning: KeyTuning?) {
    scene[part].tuning.change(to: tuning)
    tunings[part] = tuning
  }

  /// Replaces everything but the tunings, as when the instrument is switched on: strips, sounds and master.
  public mutating func restore(_ scene: Scene) {
    let before = self.scene
    self.scene = scene
    for part in 0..<Limits.parts {
      self.scene[part].generation = before[part].generation &+ 1
      self.scene[part].tuning = before[part].tuning
      self.scene[part].input = scene[part].input.settled
    }
  }

  /// The channels of MIDI sources that play other parts than those set to the channel.
  var routes: [UInt8: ChannelRoutes] = [:]

  /// Sets the routes of all devices; the song keeps its own.
  mutating func setRoutes(of table: DeviceTable) {
    routes = routes.filter { $0.key == UInt8(Limits.songSource) }
    for device in table.devices where !device.settings.routes.isEmpty {
      if let source = device.source { routes[source] = device.settings.routes }
    }
  }

  /// The sources whose programs are General MIDI's.
  var generalMIDI: Set<UInt8> = []

  /// The order of the programs of a source.
  public func programs(of source: UInt8) -> ProgramOrder { generalMIDI.contains(source) ? .gm : .pipit }

  /// The parts that play a MIDI channel 0…15 of a source: those set to the channel, or the routes of the device. General
  /// MIDI's drums are played by the drum parts, if there are any.
  public func parts(channel: Int, source: UInt8? = nil) -> [Int] {
    if let mask = source.flatMap({ routes[$0]?[channel] }) {
      return (0..<Limits.parts).filter { mask >> UInt8($0) & 1 != 0 }
    }
    if channel == Limits.drumChannel, source.map({ generalMIDI.contains($0) }) ?? false, !drumParts.isEmpty {
      return drumParts
    }
    return (0..<Limits.parts).filter { scene[$0].strip.channels >> UInt32(channel) & 1 != 0 }
  }

  /// The knobs that a MIDI controller sets in the parts that play a channel of a source, and their values. Those of
  /// `ControllerOffsets.controllers` are moved by `offset` instead.
  /// - Parameter normalized: The controller's value, 0…1.
  public func knobs(controller: Int, normalized: Float, channel: Int, source: UInt8? = nil) -> [(
    knob: ParameterID, value: Float
  )] {
    guard let row = Stage.rows[controller] else { return [] }
    let kind = Table.rows[row].kind
    // A controller sweeps all choices; a fader's value is the choice itself.
    guard let value = kind.value(normalized: normalized) else { return [] }
    return parts(channel: channel, source: source).map { (ParameterID(row: row, part: $0), value) }
  }

  private static let rows: [Int: Int] = {
    var rows: [Int: Int] = [:]
    for (index, row) in Table.rows.enumerated() {
      if let controller = row.controller { rows[Int(controller)] = index }
    }
    return rows
  }()
}
