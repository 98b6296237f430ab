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

/// The levels of a wavetable (mipmaps): the same frames with ever fewer harmonics, about two levels an octave. A
/// voice reads the one whose harmonics stay below 0.625 of the sample rate (30 kHz at 48 kHz), so that aliases lie
/// above 18 kHz.
enum WavetableLevels {
  /// Harmonics of the lowest level: up to 15 kHz at 29 Hz.
  static let mostHarmonics = 512

  /// Harmonics of each level.
  static let harmonics: [Int] = [
    512, 341, 256, 170, 128, 85, 64, 42, 32, 21, 16, 10, 8, 5, 4, 3, 2, 1,
  ]

  /// The number of levels.
  static var count: Int { @_noLocks get { 18 } }

  /// Samples of a period as a power of two: at least six for each harmonic, and at least 32. The cubic interpolation
  /// then adds images of -76 dB or less to a flat spectrum (computed from its kernel; at four samples -60 dB, at
  /// eight -81 dB), and attenuates the highest harmonic by 1.9 dB or less.
  static func bits(_ level: Int) -> Int {
    var bits = 5
    while 1 << bits < 6 * harmonics[level] { bits += 1 }
    return bits
  }

  /// Samples of a frame with those that the interpolation reads around it: one before and three after.
  static func stride(_ level: Int) -> Int { 1 << bits(level) + 4 }

  /// The largest phase increment at which a level is read, in half periods per sample.
  static func top(_ level: Int) -> Float { 1.25 / Float(harmonics[level]) }
}

/// The frames of a level of a wavetable.
struct TableFrames {
  // From the sample before the first one of the first frame.
  private let samples: UnsafePointer<Float>
  /// Samples from a frame to the next; 0 if there is only one frame.
  let stride: UInt32
  /// The samples of a period are 2 to the power of `bits`.
  let bits: UInt32
  /// The index of the last frame.
  let last: Float

  @_noLocks @inline(__always)
  init(_ level: WavetableLevel, count: Int) {
    (samples, bits, last) = (level.samples, level.bits, Float(count &- 1))
    stride = count > 1 ? UInt32(truncatingIfNeeded: level.stride) : 0
  }

  /// Four consecutive samples, the second of them at `index`, counted from the first frame, blended with those of the
  /// next frame.
  @_noLocks @inline(__always)
  func neighbours(_ index: UInt32, _ blend: Float) -> Quad {
    let (one, two) = ((samples + Int(index)).four, (samples + Int(index) + Int(stride)).four)
    // Hidden from the compiler, which would otherwise compute both halves separately.
    return rt_opaque(multiplyAdd(two - one, Quad(repeating: blend), one))
  }
}
