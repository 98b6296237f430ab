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

  /// A drum on a key of the sound, in a group, and perhaps with a sound of its own.
  @_noLocks
  public init(key: UInt8, group: UInt8 = 0, sound: UInt8 = 0, soundKey: UInt8 = 60) {
    (self.key, self.group, self.sound, self.soundKey) = (key, group, sound, soundKey)
  }

  /// The drums of a kit whose sound has them on the keys of General MIDI.
  public static let plain: [Drum] = (0..<128).map { Drum(key: $0) }
}

/// The drums of General MIDI as they are made: which drum a key plays, and the drums' own sounds.
public struct Kit: Sendable {
  /// The drums of the keys from 0 on. Keys without an entry, or with one that is out of range, play the drum of their
  /// own number.
  public var drums: [Drum]
  /// The patches of the kit, up to `Limits.kitSounds`. The first is that of the kit's preset: a part with this sound
  /// plays the others, each drum with its own. Their effects and arpeggiators are not used. Empty if all drums play
  /// the sound of the part.
  public var patches: [Patch]

  /// A kit.
  public init(_ drums: [Drum] = [], patches: [Patch] = []) { (self.drums, self.patches) = (drums, patches) }
}

/// General MIDI's drums: the drums of all keys and their sounds, which are constant, and the sources that have them. Owned by the link,
/// since they outlive an engine; audio thread only. A value of pointers.
struct DrumKit: @unchecked Sendable {
  private let drums: UnsafeMutablePointer<Drum>
  // Sources that have the drums, one bit each.
  private let sources: UnsafeMutablePointer<UInt32>
  private let patches: UnsafeMutablePointer<Patch>
  private let count: Int
  private static var keys: Int { @_noLocks get { 128 } }

  init(_ kit: Kit) {
    let drums = kit.drums
    count = min(kit.patches.count, Limits.kitSounds)
    patches = .allocate(capacity: count)
    for index in 0..<count { (patches + index).initialize(to: kit.patches[index]) }
    self.drums = .allocate(capacity: Self.keys)
    sources = .allocate(capacity: 1)
    sources.initialize(to: 0)
    for (key, plain) in Drum.plain.enumerated() {
      var drum = key < drums.count && drums[key].key < Self.keys ? drums[key] : plain
      if drum.sound >= count || drum.soundKey >= Self.keys { drum.sound = 0 }
      (self.drums + key).initialize(to: drum)
    }
  }

  /// Frees the memory, which nobody may use any more.
  func deallocate() {
    drums.deallocate()
    sources.deallocate()
    patches.deallocate()
  }

  /// Whether the programs of a source are General MIDI's, and its channel 10 plays drums.
  @_noLocks
  func has(_ source: UInt8) -> Bool { sources.pointee >> UInt32(source) & 1 != 0 }

  /// Sets whether the programs of a source are General MIDI's.
  @_noLocks
  func set(_ source: UInt8, _ isGeneralMIDI: Bool) {
    let bit = UInt32(1) << UInt32(source)
    sources.pointee = isGeneralMIDI ? sources.pointee | bit : sources.pointee & ~bit
  }

  /// The patch of a drum's own sound, an index from 1 of a drum of this kit.
  @_noLocks
  func patch(_ sound: UInt8) -> UnsafePointer<Patch> { UnsafePointer(patches + Int(sound)) }

  /// Whether a patch is that of the kit's preset.
  @_noLocks
  func isKit(_ patch: UnsafePointer<Patch>) -> Bool { count > 1 && patches.sounds(as: patch) }

  /// The drum of a key 0…127.
  @_noLocks
  subscript(key: UInt8) -> Drum { drums[Int(key & 127)] }
}
