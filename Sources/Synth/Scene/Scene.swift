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
    @_noLocks get {
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
  var effects = PartEffects()
  /// The wavetables of its sound, likewise.
  var tables = PartTables()

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

  static var patchOffset: Int { @_noLocks get { MemoryLayout<Strip>.stride } }
}

/// The whole instrument at one moment. The control thread edits one staged copy; the audio thread reads published
/// images.
public struct Scene: Sendable {
  private var common = Master()
  var slots: (Part, Part, Part, Part, Part, Part, Part, Part)

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
  @_noLocks
  static func clamped(_ part: Int) -> Int { max(0, min(part, Limits.parts - 1)) }
}

/// The tuning of a part as a scene holds it: the address of a `KeyTuning`'s table, and a version number.
public struct PartTuning: @unchecked Sendable {
  /// The table; nil for equal temperament.
  private(set) var shifts: UnsafePointer<Float>?
  /// Raised whenever the part gets another tuning. Eight bytes, so that a part ends where the next begins.
  public private(set) var version: UInt64 = 0

  /// The distance of a key from equal temperament in octaves; nil for a key that is silent.
  @_noLocks
  func shift(_ key: UInt8) -> Float? {
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
