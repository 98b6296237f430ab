/// The drum that a key of channel 10 plays where programs are General MIDI's.
public struct Drum: Sendable, Equatable {
  /// The key of the sound, 0…127: a kit is one sound that changes from low drums to high drums.
  public var key: UInt8
  /// Drums of the same group, 1…127, cut each other off, as the closed hi-hat does the open one; 0 for none.
  public var group: UInt8
  /// The drum's own sound, an index of `Kit.patches` from 1; 0 for none.
  public var sound: UInt8
  /// The key at which its own sound plays, 0…127.
  public var soundKey: UInt8
  /// Whether the key plays nothing.
  public var isSilent = false

  /// A drum on a key of the sound, in a group, and perhaps with a sound of its own.
  @_noLocks
  public init(key: UInt8, group: UInt8 = 0, sound: UInt8 = 0, soundKey: UInt8 = 60) {
    (self.key, self.group, self.sound, self.soundKey) = (key, group, sound, soundKey)
  }

  /// A key without a drum.
  public static let silent: Drum = {
    var drum = Drum(key: 0)
    drum.isSilent = true
    return drum
  }()

  /// The drums of a kit whose sound has them on the keys of General MIDI.
  public static let plain: [Drum] = (0..<128).map { Drum(key: $0) }
}

/// A kit for the drums of General MIDI: the drum of each key, and the drums' own sounds.
public struct Kit: Sendable {
  /// The drums of the keys from 0 on. Keys without an entry, or with one that is out of range, play the drum of their
  /// own number.
  public var drums: [Drum]
  /// The drums of other kits, which have presets of their own, up to `Limits.otherKits`.
  public var others: [[Drum]]
  /// The patches of the kits, up to `Limits.kitSounds`: that of the preset of `drums`, those of `others`, and then the
  /// sounds of drums. A part whose sound is that of a kit's preset plays this kit, each drum with its own sound, whose
  /// effects and arpeggiators are not used. Empty if all drums play the sound of the part.
  public var patches: [Patch]

  /// A kit, and others.
  public init(_ drums: [Drum] = [], others: [[Drum]] = [], patches: [Patch] = []) {
    (self.drums, self.others, self.patches) = (drums, others, patches)
  }
}

/// General MIDI's drums: the drums of all keys in each kit and their sounds, which are constant, and the channels of the
/// sources that play them. Owned by the link, since they outlive an engine; audio thread only. A handle: copies refer to the
/// same drums.
public struct DrumKit: @unchecked Sendable {
  private let drums: UnsafeMutablePointer<Drum>
  // For each source, the channels that play drums, one bit each, and `generalMIDI`.
  private let sources: UnsafeMutablePointer<UInt32>
  private let patches: UnsafeMutablePointer<Patch>
  private let count: Int
  private let kits: Int
  // The bit of a source whose programs are General MIDI's.
  private static var generalMIDI: UInt32 { @_noLocks get { 1 << 31 } }
  private static var keys: Int { @_noLocks get { 128 } }

  /// Copies a kit: drums of which a number is out of range play the drum of their key, or the sound of the part.
  public init(_ kit: Kit) {
    let tables = [kit.drums] + kit.others.prefix(Limits.otherKits)
    kits = tables.count
    count = min(kit.patches.count, Limits.kitSounds)
    patches = .allocate(capacity: count)
    for index in 0..<count { (patches + index).initialize(to: kit.patches[index]) }
    drums = .allocate(capacity: kits * Self.keys)
    sources = .allocate(capacity: Limits.sources)
    sources.initialize(repeating: 0, count: Limits.sources)
    for (kit, table) in tables.enumerated() {
      for (key, plain) in Drum.plain.enumerated() {
        var drum = key < table.count && table[key].key < Self.keys ? table[key] : plain
        if drum.sound >= count || drum.soundKey >= Self.keys { drum.sound = 0 }
        (drums + kit * Self.keys + key).initialize(to: drum)
      }
    }
  }

  /// Frees the memory. Nothing may use it afterwards.
  public func deallocate() {
    drums.deallocate()
    sources.deallocate()
    patches.deallocate()
  }

  /// Whether the programs of a source are General MIDI's.
  @_noLocks
  public func has(_ source: UInt8) -> Bool { sources[Int(source)] != 0 }

  /// The channels of a source that play drums, one bit each.
  @_noLocks
  public func channels(_ source: UInt8) -> UInt32 { sources[Int(source)] & ~Self.generalMIDI }

  /// Sets whether the programs of a source are General MIDI's; then its channel 10 plays drums.
  @_noLocks
  public func set(_ source: UInt8, _ isGeneralMIDI: Bool) {
    sources[Int(source)] = isGeneralMIDI ? Self.generalMIDI | 1 << UInt32(Limits.drumChannel) : 0
  }

  /// Sets whether a channel 0…15 of a source whose programs are General MIDI's plays drums.
  @_noLocks
  public func set(_ source: UInt8, channel: UInt8, _ playsDrums: Bool) {
    let bit = UInt32(1) << UInt32(channel & 15)
    let all = sources[Int(source)]
    if all != 0 { sources[Int(source)] = playsDrums ? all | bit : all & ~bit }
  }

  /// The patch of a drum's own sound, by its index in the kit (`Drum.sound`), from 1.
  @_noLocks
  public func patch(_ sound: UInt8) -> UnsafePointer<Patch> { UnsafePointer(patches + Int(sound)) }

  /// The number of the kit whose preset has a patch, from 1; 0 for none.
  @_noLocks
  public func number(of patch: UnsafePointer<Patch>) -> UInt8 {
    // Without sounds of drums all of them are the part's.
    if count <= kits { return 0 }
    var kit = 0
    while kit < kits {
      if (patches + kit).sounds(as: patch) { return UInt8(kit &+ 1) }
      kit &+= 1
    }
    return 0
  }

  /// The drum of a key 0…127 in a kit, by its number; that of the first kit for 0.
  @_noLocks
  public subscript(key: UInt8, kit number: UInt8) -> Drum {
    let kit = max(1, min(Int(number), kits)) &- 1
    return drums[kit &* Self.keys &+ Int(key & 127)]
  }
}
