import CALSA

/// A sample format that pipit can write. Plain data.
struct SampleFormat: Equatable, CaseIterable {
  /// The encoding of a sample.
  enum Encoding {
    /// 32-bit floating point.
    case float
    case s32
    /// 24 bits in the low three bytes of four.
    case s24
    /// 24 bits in three bytes.
    case s24Packed
    case s16
  }

  let encoding: Encoding
  /// True if the highest byte comes first.
  var isBigEndian = false

  static var float: Self { Self(encoding: .float) }
  static var s32: Self { Self(encoding: .s32) }
  static var s24: Self { Self(encoding: .s24) }
  static var s24Packed: Self { Self(encoding: .s24Packed) }
  static var s16: Self { Self(encoding: .s16) }

  /// All formats, the best first.
  static var allCases: [Self] {
    [float, s32, s24, s24Packed, s16].flatMap { [$0, Self(encoding: $0.encoding, isBigEndian: true)] }
  }

  var alsa: snd_pcm_format_t {
    switch encoding {
    case .float: isBigEndian ? SND_PCM_FORMAT_FLOAT_BE : SND_PCM_FORMAT_FLOAT_LE
    case .s32: isBigEndian ? SND_PCM_FORMAT_S32_BE : SND_PCM_FORMAT_S32_LE
    case .s24: isBigEndian ? SND_PCM_FORMAT_S24_BE : SND_PCM_FORMAT_S24_LE
    case .s24Packed: isBigEndian ? SND_PCM_FORMAT_S24_3BE : SND_PCM_FORMAT_S24_3LE
    case .s16: isBigEndian ? SND_PCM_FORMAT_S16_BE : SND_PCM_FORMAT_S16_LE
    }
  }

  /// The name of the format in `pipit devices` and in the log.
  var name: String {
    let name =
      switch encoding {
      case .float: "float"
      case .s32: "S32"
      case .s24: "S24"
      case .s24Packed: "S24_3"
      case .s16: "S16"
      }
    return isBigEndian ? name + " big-endian" : name
  }

  /// The size of one sample in bytes.
  var bytes: Int {
    @_noLocks get {
      switch encoding {
      case .float, .s32, .s24: 4
      case .s24Packed: 3
      case .s16: 2
      }
    }
  }

  /// Interleaves two buffers into the card's samples, at the level of `fade`. Values outside -1…1 are clipped and NaN
  /// becomes 0. `dither` is added to 16-bit samples. A card of one channel gets the mean of both buffers. Otherwise
  /// they are written to the channel `channel`, counted from 0, and the next one; other channels are left unchanged.
  @_noLocks
  func write(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: Int, channels: Int, channel: Int = 0,
    to bytes: UnsafeMutableRawPointer, fade: UnsafeMutablePointer<Fade>? = nil,
    dither: UnsafeMutablePointer<Dither>? = nil
  ) {
    let size = self.bytes
    let stride = size &* channels
    let dither = encoding == .s16 ? dither : nil
    var frame = 0
    while frame < frames {
      let address = bytes + frame &* stride + channel &* size
      let gain = fade == nil ? 1 : fade.unsafelyUnwrapped.pointee.next()
      if channels == 1 {
        store((left[frame] + right[frame]) * 0.5 * gain, dither, at: address)
      } else {
        store(left[frame] * gain, dither, at: address)
        store(right[frame] * gain, dither, at: address + size)
      }
      frame &+= 1
    }
  }

  @_noLocks @inline(__always)
  private func store(
    _ sample: Float, _ dither: UnsafeMutablePointer<Dither>?, at address: UnsafeMutableRawPointer
  ) {
    // One value is drawn for each sample, used or not, so that the sequence is always the same.
    let noise = dither == nil ? 0 : dither.unsafelyUnwrapped.pointee.next()
    let x: Float = sample == sample ? sample : 0
    switch encoding {
    case .float: put(max(-1, min(x, 1)).bitPattern, at: address)
    // The limit is the largest Float below 2³¹.
    case .s32: put(UInt32(bitPattern: whole(x, 2_147_483_648, within: 2_147_483_520)), at: address)
    case .s24: put(UInt32(bitPattern: whole(x, 8_388_608, within: 8_388_607)), at: address)
    case .s24Packed:
      let value = whole(x, 8_388_608, within: 8_388_607)
      let low = isBigEndian ? 2 : 0
      address.storeBytes(of: UInt8(truncatingIfNeeded: value), toByteOffset: low, as: UInt8.self)
      address.storeBytes(of: UInt8(truncatingIfNeeded: value >> 8), toByteOffset: 1, as: UInt8.self)
      address.storeBytes(of: UInt8(truncatingIfNeeded: value >> 16), toByteOffset: 2 &- low, as: UInt8.self)
    case .s16:
      let value = whole(x, 32_768, plus: x == 0 ? 0 : noise, within: 32_767)
      let bits = UInt16(truncatingIfNeeded: value)
      address.storeBytes(of: isBigEndian ? bits.byteSwapped : bits, as: UInt16.self)
    }
  }

  /// Rounds `x` · `scale` to the nearest whole number within ±`end`. In Double, a half is exact even at 32 bits.
  @_noLocks @inline(__always)
  private func whole(_ x: Float, _ scale: Double, plus noise: Float = 0, within end: Double) -> Int32 {
    let number = max(-end, min(Double(x) * scale + Double(noise), end))
    return Int32(number + (number < 0 ? -0.5 : 0.5))
  }

  @_noLocks @inline(__always)
  private func put(_ bits: UInt32, at address: UnsafeMutableRawPointer) {
    address.storeBytes(of: isBigEndian ? bits.byteSwapped : bits, as: UInt32.self)
  }
}
