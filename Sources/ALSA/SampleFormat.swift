import CALSA

/// The formats of samples that pipit can write, the best first.
enum SampleFormat: CaseIterable {
  case float
  case s32
  /// 24 bits in the low three bytes of four.
  case s24
  /// 24 bits in three bytes.
  case s24Packed
  case s16

  var alsa: snd_pcm_format_t {
    switch self {
    case .float: SND_PCM_FORMAT_FLOAT_LE
    case .s32: SND_PCM_FORMAT_S32_LE
    case .s24: SND_PCM_FORMAT_S24_LE
    case .s24Packed: SND_PCM_FORMAT_S24_3LE
    case .s16: SND_PCM_FORMAT_S16_LE
    }
  }

  /// What `pipit devices` and the log call it.
  var name: String {
    switch self {
    case .float: "float"
    case .s32: "S32"
    case .s24: "S24"
    case .s24Packed: "S24_3"
    case .s16: "S16"
    }
  }

  /// Bytes of one sample.
  var bytes: Int {
    switch self {
    case .float, .s32, .s24: 4
    case .s24Packed: 3
    case .s16: 2
    }
  }

  /// Interleaves two buffers into the card's samples. What lies outside -1…1 is clipped, NaN becomes 0. One channel gets the mean of both; channels beyond the second are left as they are.
  func write(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: Int, channels: Int,
    to bytes: UnsafeMutableRawPointer
  ) {
    let stride = self.bytes * channels
    for frame in 0..<frames {
      let place = bytes + frame * stride
      if channels == 1 {
        store((left[frame] + right[frame]) * 0.5, at: place)
      } else {
        store(left[frame], at: place)
        store(right[frame], at: place + self.bytes)
      }
    }
  }

  @inline(__always)
  private func store(_ sample: Float, at place: UnsafeMutableRawPointer) {
    let x: Float = sample == sample ? (sample < -1 ? -1 : (sample > 1 ? 1 : sample)) : 0
    let half: Float = x < 0 ? -0.5 : 0.5
    switch self {
    case .float: place.storeBytes(of: x, as: Float.self)
    // The largest Float that is below 2³¹.
    case .s32: place.storeBytes(of: Int32(x * 2_147_483_520), as: Int32.self)
    case .s24: place.storeBytes(of: Int32(x * 8_388_607 + half), as: Int32.self)
    case .s24Packed:
      let value = Int32(x * 8_388_607 + half)
      place.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
      place.storeBytes(of: UInt8(truncatingIfNeeded: value >> 8), toByteOffset: 1, as: UInt8.self)
      place.storeBytes(of: UInt8(truncatingIfNeeded: value >> 16), toByteOffset: 2, as: UInt8.self)
    case .s16: place.storeBytes(of: Int16(x * 32_767 + half), as: Int16.self)
    }
  }
}
