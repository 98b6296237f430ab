/// The drum that a key of channel 10 plays where programs are General MIDI's.
public struct Drum: Sendable, Equatable {
  /// The key of the sound, 0…127: a kit is one sound that changes from low drums to high drums.
  public var key: UInt8
  /// Drums of the same group, 1…127, cut each other off, as the closed hi-hat does the open one; 0 for none.
  public var group: UInt8

  /// A drum on a key of the sound, in a group.
  @_noLocks
  public init(key: UInt8, group: UInt8 = 0) { (self.key, self.group) = (key, group) }

  /// The drums of a kit whose sound has them on the keys of General MIDI.
  public static let plain: [Drum] = (0..<128).map { Drum(key: $0) }
}

/// General MIDI's drums: the drums of all keys, which are constant, and the sources that have them. Owned by the link,
/// since they outlive an engine; audio thread only. A value of pointers.
struct DrumKit: @unchecked Sendable {
  private let drums: UnsafeMutablePointer<Drum>
  // Sources that have the drums, one bit each.
  private let sources: UnsafeMutablePointer<UInt32>
  private static var keys: Int { @_noLocks get { 128 } }

  /// The drums of the keys from 0 on. Keys without an entry, or with one that is out of range, play the drum of their
  /// own number.
  init(_ drums: [Drum]) {
    self.drums = .allocate(capacity: Self.keys)
    sources = .allocate(capacity: 1)
    sources.initialize(to: 0)
    for (key, plain) in Drum.plain.enumerated() {
      let drum = key < drums.count && drums[key].key < Self.keys ? drums[key] : plain
      (self.drums + key).initialize(to: drum)
    }
  }

  /// Frees the memory, which nobody may use any more.
  func deallocate() {
    drums.deallocate()
    sources.deallocate()
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

  /// The drum of a key 0…127.
  @_noLocks
  subscript(key: UInt8) -> Drum { drums[Int(key & 127)] }
}
