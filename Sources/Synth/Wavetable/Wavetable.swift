import CRealtime

/// A wavetable in memory as the audio thread reads it. `PreparedWavetable` makes and frees it.
struct Wavetable {
  // The number of sounds that use the table. The first field, so that the address of the table is that of the
  // counter.
  private var users: UInt64 = 0
  /// The number of frames, 1 or more.
  let frames: Int
  /// The levels, by index.
  let levels: UnsafePointer<WavetableLevel>

  init(frames: Int, levels: UnsafePointer<WavetableLevel>) { (self.frames, self.levels) = (frames, levels) }

  /// Counts a sound that begins to use the table at an address; 0 for none.
  @_noLocks
  static func retain(_ address: UInt) {
    if let users = UnsafeMutablePointer<UInt64>(bitPattern: address) { _ = rt_add(users, 1) }
  }

  /// Ends the use of the table at an address by a sound, which is no longer counted; 0 for none.
  @_noLocks
  static func release(_ address: UInt) {
    if let users = UnsafeMutablePointer<UInt64>(bitPattern: address) { _ = rt_add(users, .max) }
  }
}

/// One level of a wavetable.
struct WavetableLevel {
  /// The first frame, from the sample before its first one.
  let samples: UnsafePointer<Float>
  /// Samples from one frame to the next.
  let stride: Int
  /// The samples of a period are 2 to the power of `bits`.
  let bits: UInt32
  /// The largest phase increment at which the level is read, in half periods per sample.
  let top: Float
}
