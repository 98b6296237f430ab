// The scene is everything that a preset, a tablet or a controller can change: plain data, no references.

/// The mixer strip of a part.
public struct Strip: Sendable {
  /// 1 when the part plays notes.
  public var on: Float = 0
  /// MIDI channel: 0 is omni, 1…16 one channel.
  public var channel: Float = 0
  /// Level in decibels.
  public var level: Float = 0
  /// Pan: -1 left … 1 right.
  public var pan: Float = 0
  /// 1 when muted.
  public var mute: Float = 0

  /// All knobs at zero.
  public init() {}

  /// The MIDI channels that the part receives, one bit each.
  public var channels: UInt32 {
    @_noLocks @inlinable get {
      if on < 0.5 { return 0 }
      let all = UInt32(1) << UInt32(Limits.channels) &- 1
      return channel < 1 ? all : 1 << UInt32(min(channel, Float(Limits.channels)) - 1)
    }
  }
}

/// The settings of the whole instrument, which all parts pass through.
public struct Master: Sendable {
  /// Level in decibels.
  public var level: Float = 0
  /// Concert pitch: the frequency of the A above middle C, hertz.
  public var tune: Float = 0
  /// Tempo in beats a minute.
  public var tempo: Float = 0
  /// The peaking equalizer.
  public var equalizer = EqualizerKnobs()
  /// The click.
  public var click = ClickKnobs()

  /// All knobs at zero.
  public init() {}
}

/// The peaking equalizer on the master.
public struct EqualizerKnobs: Sendable {
  /// 1 when the equalizer is bypassed.
  public var bypass: Float = 0
  /// Centre frequency, hertz.
  public var frequency: Float = 0
  /// Quality factor.
  public var q: Float = 0
  /// Gain in decibels.
  public var gain: Float = 0
}

/// One of the eight parts: its strip, its sound, the sound's generation, its tuning and its input.
public struct Part: Sendable {
  /// The mixer strip.
  public var strip = Strip()
  /// The sound.
  public var patch = Patch()
  /// Raised by each recall. A voice follows only edits of the generation it started with.
  public var generation: UInt32 = 0
  /// The tuning of its keys. It belongs to the player, not to the sound.
  public var tuning = PartTuning()
  /// Its input settings. They too belong to the player.
  public var input = PartInput()
  /// The morph between its snapshots.
  public var morph = MorphKnobs()
  /// The effects of its sound, prepared by the publisher of the scene.
  public var effects = PartEffects()
  /// The wavetables of its sound, likewise.
  public var tables = PartTables()

  /// Creates a part.
  public init(
    strip: Strip = Strip(), patch: Patch = Patch(), generation: UInt32 = 0, input: PartInput = PartInput(),
    morph: MorphKnobs = MorphKnobs()
  ) {
    self.strip = strip
    self.morph = morph
    self.input = input
    self.patch = patch
    self.generation = generation
  }

  /// Where the patch lies in a part, in bytes.
  public static var patchOffset: Int { @_noLocks @inlinable get { MemoryLayout<Strip>.stride } }
}

/// The whole instrument at one moment. The control thread edits one staged copy; the audio thread reads published
/// images.
public struct Scene: Sendable {
  private var common = Master()
  /// The parts from the first on.
  public var slots: (Part, Part, Part, Part, Part, Part, Part, Part)

  /// All knobs at zero; `Scene.initial` of the parameter table is where the instrument starts.
  public init() {
    let part = Part()
    slots = (part, part, part, part, part, part, part, part)
  }

  /// The settings of the whole instrument.
  // Computed: where a local scene's stored property is changed, Swift 6.0.3 splits the whole scene into its numbers,
  // which takes five megabytes of stack in a debug build.
  public var master: Master {
    @_noLocks get { common }
    set { common = newValue }
  }

  /// Offset of the master in bytes.
  public static let masterOffset = MemoryLayout<Scene>.offset(of: \Scene.common) ?? 0

  /// Part 0…7; other indices are clamped.
  public subscript(part: Int) -> Part {
    get { withUnsafePointer(to: self) { $0.part(part).pointee } }
    set { withUnsafeMutablePointer(to: &self) { $0.part(part).pointee = newValue } }
  }

  /// Offset of the parts, which follow the master; a test compares it with the layout.
  static var partsOffset: Int {
    @_noLocks get {
      let alignment = MemoryLayout<Part>.alignment
      return (MemoryLayout<Master>.size &+ alignment &- 1) / alignment &* alignment
    }
  }
}

extension UnsafeMutablePointer where Pointee == Scene {
  /// Part 0…7 of the scene behind this pointer, in place.
  public func part(_ index: Int) -> UnsafeMutablePointer<Part> {
    UnsafeMutableRawPointer(self).advanced(by: Scene.partsOffset).assumingMemoryBound(to: Part.self)
      .advanced(by: Scene.clamped(index))
  }
}

extension UnsafePointer where Pointee == Scene {
  /// Part 0…7 of the scene behind this pointer, in place.
  @_noLocks
  public func part(_ index: Int) -> UnsafePointer<Part> {
    UnsafeRawPointer(self).advanced(by: Scene.partsOffset).assumingMemoryBound(to: Part.self)
      .advanced(by: Scene.clamped(index))
  }
}

extension Scene {
  /// A part's index, clamped to 0..<`Limits.parts`.
  @_noLocks @inlinable
  public static func clamped(_ part: Int) -> Int { max(0, min(part, Limits.parts - 1)) }
}

/// The tuning of a part as a scene holds it: the address of a `KeyTuning`'s table, and a version number.
public struct PartTuning: @unchecked Sendable {
  /// The table; nil for equal temperament.
  private(set) var shifts: UnsafePointer<Float>?
  /// Raised whenever the part gets another tuning. Eight bytes, so that a part ends where the next begins.
  public private(set) var version: UInt64 = 0

  /// The distance of a key from equal temperament in octaves; nil for a key that is silent.
  @_noLocks
  public func shift(_ key: UInt8) -> Float? {
    guard let shifts else { return 0 }
    let shift = shifts[Int(key & 127)]
    return shift.isNaN ? nil : shift
  }

  /// Sets the tuning, which the caller must keep alive; nil for equal temperament.
  public mutating func change(to tuning: KeyTuning?) {
    shifts = tuning.map { UnsafePointer($0.shifts) }
    version &+= 1
  }
}

/// The settings of the click. They belong to the instrument: the session keeps them, presets do not.
public struct ClickKnobs: Sendable {
  /// 1 when the click plays on each beat of the running transport.
  public var on: Float = 0
  /// Level in decibels.
  public var level: Float = 0
  /// Beats of a bar, 2…12. The first is accented.
  public var beats: Float = 0
  /// Count-in: bars that the click plays before the internal clock starts, 0…4, even if the click is off.
  public var countIn: Float = 0
  /// Outputs: 0 for those that `PartOutputs` names for the click, or the number of a pair from 1.
  public var output: Float = 0
  /// 1 when recordings contain the click.
  public var record: Float = 0

  /// All knobs at zero.
  public init() {}

  /// The beats of a bar, 1 at least.
  public var beatsPerBar: Int { @_noLocks @inlinable get { Int(max(1, min(beats, 255))) } }
}

/// The morph between two snapshots of a part, and how a snapshot is recalled. It belongs to the part and not to its
/// sound. The control thread moves the sound; the audio thread does not read these knobs.
public struct MorphKnobs: Sendable {
  /// The position, 0…1: 0 is the snapshot `from`, 1 is the snapshot `to`.
  public var position: Float = 0
  /// The snapshot at position 0, by its index.
  public var from: Float = 0
  /// The snapshot at position 1, by its index.
  public var to: Float = 0
  /// Seconds that the recall of a snapshot takes, at most `Limits.morphSeconds`.
  public var time: Float = 0
  /// A `SnapshotStart`.
  public var quantize: Float = 0

  /// All knobs at zero.
  public init() {}
}

/// When the recall of a snapshot begins.
public enum SnapshotStart: Int, CaseIterable, Sendable {
  /// At once.
  case off
  /// On the next beat of the beat line.
  case beat
  /// On the next bar.
  case bar

  /// The start for a knob's value.
  public static func at(_ choice: Float) -> SnapshotStart { SnapshotStart(rawValue: Int(choice)) ?? .off }
}

/// The effects of a part as a scene holds them: only their addresses. The control thread makes them, with the memory
/// that they will need, and the image carries them to the audio thread, which uses them in place.
public struct PartEffects: @unchecked Sendable {
  // Addresses as numbers, 0 for none: Swift 6.0.3 cannot compile an optional pointer here.
  /// Address of an array of addresses, one for each effect in the order of the rack, 0 for an effect that the sound
  /// does not use. The array never changes: if the sound uses a further effect, there is a new array.
  public var row: UInt = 0
  /// Address of a counter. Its lower half is the number of sounds that use the effects; the effects are kept until that
  /// number is 0. Its upper half is the number of sounds that have ever used them.
  public var users: UInt = 0

  /// No effects.
  @_noLocks public init() {}
}

/// The wavetables of a part as a scene holds them: only their addresses, 0 for an oscillator without one. The control thread
/// prepares them, and the image carries them to the audio thread, which counts itself as a user of those that it reads.
public struct PartTables: Sendable {
  /// Addresses of a `Wavetable`, as numbers for the same reason as in `PartEffects`.
  public var first: UInt = 0
  public var second: UInt = 0
  public var third: UInt = 0

  /// No tables.
  @_noLocks public init() {}
}
