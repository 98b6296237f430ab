import MIDI
import Parameters
import Presets
import Scenes
import System

/// The staged scene, the only copy that is edited, and the rules for editing it: setting a knob, moving a controller,
/// recalling a preset. The instrument edits it live, and `pipit render` along a song. One thread.
public struct Stage: Sendable {
  private var storedScene: CopyOnWrite<Scene>
  /// The part in focus, 0…7, to which addresses without a part refer.
  public var focus: Int = 0 {
    didSet { focus = max(0, min(focus, Limits.parts - 1)) }
  }

  /// The tunings of the parts, nil for equal temperament. The publisher of the scene keeps them alive with it.
  public private(set) var tunings: [KeyTuning?] = Array(repeating: nil, count: Limits.parts)

  /// Semitones by which keys that are struck from now on are transposed, -12…12, except in drum parts. The knobs of
  /// the parts do not show it.
  var transposition = 0

  /// The offsets of knobs by sound controllers.
  var offsets = ControllerOffsets()

  /// The knobs that controllers of the song have moved.
  var borrowed = BorrowedKnobs()

  /// The tempo, if the song has set it. It is the song's until that has ended, also when it continues elsewhere.
  var borrowedTempo = BorrowedKnobs()

  /// Creates a stage with `scene`.
  public init(_ scene: Scene = .initial) { storedScene = CopyOnWrite(scene) }

  /// The scene that will be published next.
  public var scene: Scene {
    _read { yield storedScene.value }
    _modify { yield &storedScene.value }
  }

  /// Calls `body` with the scene in place.
  func read<Result>(_ body: (UnsafePointer<Scene>) -> Result) -> Result { storedScene.read(body) }

  /// Gives a part a new sound and increments its generation: sounding notes keep the sound that they started with.
  public mutating func recall(_ patch: Patch, part: Int) {
    var changed = scene[part]
    changed.patch = patch
    changed.generation &+= 1
    scene[part] = changed
  }

  /// Gives a part a new tuning, nil for equal temperament.
  public mutating func tune(_ part: Int, _ tuning: KeyTuning?) {
    scene[part].tuning.change(to: tuning)
    tunings[part] = tuning
  }

  /// Replaces strips, sounds and master, but not the tunings, as when the instrument is switched on.
  public mutating func restore(_ scene: Scene) {
    let before = self.scene
    self.scene = scene
    for part in 0..<Limits.parts {
      self.scene[part].generation = before[part].generation &+ 1
      self.scene[part].tuning = before[part].tuning
      self.scene[part].input = scene[part].input.settled
    }
  }

  /// The routed channels of MIDI sources: their routes replace the parts that are set to the channel.
  var routes: [UInt8: ChannelRoutes] = [:]

  /// Sets the routes of all devices; the song's routes stay.
  mutating func setRoutes(of table: DeviceTable) {
    routes = routes.filter { $0.key == UInt8(Limits.songSource) }
    for device in table.devices where !device.settings.routes.isEmpty {
      if let source = device.source { routes[source] = device.settings.routes }
    }
  }

  /// The channels that play drums, one bit each, of the sources whose programs are those of General MIDI.
  var drumChannels: [UInt8: UInt16] = [:]

  /// The order of the programs of a source.
  public func programs(of source: UInt8) -> ProgramOrder { drumChannels[source] == nil ? .pipit : .gm }

  /// The parts that play a MIDI channel 0…15 of a source: those in the routes of the device, or else those that are
  /// set to the channel. General MIDI drums are played by the drum parts, if there are any.
  public func parts(channel: Int, source: UInt8? = nil) -> [Int] {
    if let mask = source.flatMap({ routes[$0]?[channel] }) {
      return (0..<Limits.parts).filter { mask >> UInt8($0) & 1 != 0 }
    }
    if let source, isDrums(channel, of: source) {
      let drumParts = drumParts(channel)
      if !drumParts.isEmpty { return drumParts }
    }
    return (0..<Limits.parts).filter { scene[$0].strip.channels >> UInt32(channel) & 1 != 0 }
  }

  /// The knobs that a MIDI controller sets in the parts that play a channel of a source, with their values. The
  /// controllers that `ControllerOffsets.moves` names are handled by `offset` instead.
  /// - Parameter normalized: The controller's value, 0…1.
  public func knobs(controller: Int, normalized: Float, channel: Int, source: UInt8? = nil) -> [(
    knob: ParameterID, value: Float
  )] {
    guard let row = Stage.rows[controller] else { return [] }
    let kind = Table.rows[row].kind
    // A controller sweeps all choices, whereas a fader sends the choice itself.
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

// Rules for which parts play together, and which of them react to an event.

extension Stage {
  /// The parts that a keyboard on the channel of a part plays together with it, including the part: those that are
  /// switched on and on its channel. A part that is switched off plays alone.
  func companions(of part: Int) -> [Int] {
    let strip = scene[part].strip
    if strip.on < 0.5 { return [part] }
    return (0..<Limits.parts).filter { scene[$0].strip.on >= 0.5 && scene[$0].strip.channel == strip.channel }
  }

  /// Those of the given parts that follow program changes.
  public func receivingPrograms(_ parts: [Int]) -> [Int] {
    parts.filter { scene[$0].input.received.program >= 0.5 }
  }
}

extension PartInput {
  /// The input with ranges that are not empty, whatever a file contains.
  var settled: PartInput {
    var input = self
    input.highKey = max(input.lowKey, input.highKey)
    input.highVelocity = max(input.lowVelocity, input.highVelocity)
    return input
  }
}

extension Stage {
  /// Whether a channel 0…15 of a source plays the drums of General MIDI.
  public func isDrums(_ channel: Int, of source: UInt8) -> Bool {
    drumChannels[source].map { $0 >> UInt16(channel & 15) & 1 != 0 } ?? false
  }

  /// The channel, 0…15, for which program changes on a channel of a source are looked up: channel 10 for drums, and
  /// another for melodies on channel 10.
  public func programChannel(_ channel: Int, of source: UInt8) -> Int {
    guard let drums = drumChannels[source] else { return channel }
    if drums >> UInt16(channel & 15) & 1 != 0 { return Limits.drumChannel }
    return channel == Limits.drumChannel ? 0 : channel
  }

  /// Makes a channel of a source play drums, or not. True if that has changed; only General MIDI has drums.
  public mutating func setRhythm(_ event: Event) -> Bool {
    let bit = UInt16(1) << UInt16(event.target & 15)
    guard let before = drumChannels[event.source] else { return false }
    let channels = event.value >= 0.5 ? before | bit : before & ~bit
    drumChannels[event.source] = channels
    return channels != before
  }

  /// The parts that play the drums of a channel of a source: those to which the channel is routed, or else its drum
  /// parts.
  func kitParts(of source: UInt8, channel: Int) -> [Int] {
    routes[source]?[channel] == nil ? drumParts(channel) : parts(channel: channel, source: source)
  }

  /// The drum parts of General MIDI: those on channel 10.
  var drumParts: [Int] { drumParts(Limits.drumChannel) }

  /// The parts that play the drums of a channel 0…15. A part that plays every channel is not one, because a song's drums
  /// would replace its sound.
  func drumParts(_ channel: Int) -> [Int] {
    (0..<Limits.parts).filter { scene[$0].strip.on > 0 && scene[$0].strip.channel == Float(channel + 1) }
  }
}
