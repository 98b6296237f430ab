import CRealtime

/// The frames of a wavetable as sums of cosines and sines of the first `WavetableLevels.mostHarmonics` harmonics,
/// without DC: bin 0 is 0. Not on the audio thread.
public struct WaveSpectrum: Sendable {
  /// The number of frames, 1…`mostFrames`.
  public let frames: Int
  /// Amplitudes, by frame and harmonic.
  private(set) var cosines: [Float]
  private(set) var sines: [Float]

  /// The most frames.
  public static let mostFrames = 256
  /// Samples of a frame from which a spectrum is computed, as a power of two.
  static let sampledBits = 12
  private static let bins = WavetableLevels.mostHarmonics + 1

  /// Silent frames.
  init(frames: Int) {
    self.frames = max(1, min(frames, Self.mostFrames))
    cosines = [Float](repeating: 0, count: self.frames * Self.bins)
    sines = cosines
  }

  /// The amplitude of the cosine and of the sine of a harmonic of a frame.
  subscript(_ frame: Int, _ harmonic: Int) -> (cosine: Float, sine: Float) {
    get { (cosines[frame * Self.bins + harmonic], sines[frame * Self.bins + harmonic]) }
    set {
      (cosines[frame * Self.bins + harmonic], sines[frame * Self.bins + harmonic]) = (
        newValue.cosine, newValue.sine
      )
    }
  }

  /// Frames of waves that are sampled over one period each; `wave` receives the position of the frame and the phase,
  /// both 0…1.
  init(frames: Int, wave: (_ position: Float, _ phase: Float) -> Float) {
    let count = 1 << Self.sampledBits
    let transform = FourierTransform(bits: Self.sampledBits)
    self.init(frames: frames)
    for frame in 0..<self.frames {
      let position = Self.position(frame, of: self.frames)
      take((0..<count).map { wave(position, Float($0) / Float(count)) }, frame, transform)
    }
  }

  /// Frames of `length` samples each: a power of two, or any length for a single frame. An incomplete last frame and
  /// frames beyond `mostFrames` are ignored.
  public init(samples: [Float], length: Int) {
    self.init(frames: samples.count / max(length, 1))
    guard length > 1, samples.count >= length else { return }
    if length & (length - 1) != 0 {
      sum(Array(samples.prefix(length)))
      return
    }
    let transform = FourierTransform(bits: length.trailingZeroBitCount)
    for frame in 0..<frames {
      take(Array(samples[frame * length..<(frame + 1) * length]), frame, transform)
    }
  }

  /// Sets the first frame to the harmonics of one period of any number of samples.
  private mutating func sum(_ samples: [Float]) {
    let count = samples.count
    let waves = (0..<count).map { index -> (Float, Float) in
      let angle = 2 * Float.pi * Float(index) / Float(count)
      return (rt_cos(angle), rt_sin(angle))
    }
    let last = min(WavetableLevels.mostHarmonics, (count - 1) / 2)
    if last < 1 { return }
    for harmonic in 1...last {
      var (cosine, sine, index) = (Float(0), Float(0), 0)
      for sample in samples {
        cosine += sample * waves[index].0
        sine += sample * waves[index].1
        index += harmonic
        if index >= count { index -= count }
      }
      self[0, harmonic] = (cosine * 2 / Float(count), sine * 2 / Float(count))
    }
  }

  /// Frames of waves given as sums of harmonics; `partial` receives the position of the frame, 0…1, and the harmonic.
  init(frames: Int, partial: (_ position: Float, _ harmonic: Int) -> (cosine: Float, sine: Float)) {
    self.init(frames: frames)
    for frame in 0..<self.frames {
      for harmonic in 1...WavetableLevels.mostHarmonics {
        self[frame, harmonic] = partial(Self.position(frame, of: self.frames), harmonic)
      }
    }
  }

  private static func position(_ frame: Int, of frames: Int) -> Float {
    frames > 1 ? Float(frame) / Float(frames - 1) : 0
  }

  /// Sets a frame to the harmonics of the samples of one period.
  mutating func take(_ samples: [Float], _ frame: Int, _ transform: FourierTransform) {
    var (real, imaginary) = (samples, [Float](repeating: 0, count: samples.count))
    transform.transform(&real, &imaginary, sign: -1)
    let scale = 2 / Float(samples.count)
    for harmonic in 1...min(WavetableLevels.mostHarmonics, samples.count / 2 - 1) {
      self[frame, harmonic] = (real[harmonic] * scale, -imaginary[harmonic] * scale)
    }
  }

  /// Gives all frames the same power; silent ones stay silent.
  mutating func level() {
    for frame in 0..<frames {
      var power: Float = 0
      for index in frame * Self.bins..<(frame + 1) * Self.bins {
        power += cosines[index] * cosines[index] + sines[index] * sines[index]
      }
      if power < .leastNormalMagnitude { continue }
      let gain = 1 / power.squareRoot()
      for index in frame * Self.bins..<(frame + 1) * Self.bins {
        cosines[index] *= gain
        sines[index] *= gain
      }
    }
  }

  /// The samples of two frames with the harmonics of a level, the second one zeros if there is none.
  func samples(_ frame: Int, level: Int, _ transform: FourierTransform) -> ([Float], [Float]) {
    let count = transform.count
    var real = [Float](repeating: 0, count: count)
    var imaginary = real
    // Both in one transform: the first frame in the real part of the samples, the second in the imaginary part.
    let hasNext = frame + 1 < frames
    for harmonic in 1...WavetableLevels.harmonics[level] {
      let a = self[frame, harmonic]
      let b: (cosine: Float, sine: Float) = hasNext ? self[frame + 1, harmonic] : (0, 0)
      real[harmonic] = 0.5 * (a.cosine + b.sine)
      imaginary[harmonic] = 0.5 * (b.cosine - a.sine)
      real[count - harmonic] = 0.5 * (a.cosine - b.sine)
      imaginary[count - harmonic] = 0.5 * (b.cosine + a.sine)
    }
    transform.transform(&real, &imaginary, sign: 1)
    return (real, imaginary)
  }
}

extension WaveSpectrum {
  /// Its frames for display: 256 samples of one period each, with up to 32 harmonics. The largest peak is 1. Takes
  /// some milliseconds.
  public func outline() -> [[Float]] {
    let level = WavetableLevels.harmonics.firstIndex(of: 32) ?? 0
    let transform = FourierTransform(bits: WavetableLevels.bits(level))
    let all = stride(from: 0, to: frames, by: 2).flatMap { frame in
      let (one, two) = samples(frame, level: level, transform)
      return [one, two]
    }.prefix(frames)
    let peak = all.joined().reduce(0) { max($0, $1.magnitude) }
    return all.map { frame in peak > 0 ? frame.map { $0 / peak } : frame }
  }
}
