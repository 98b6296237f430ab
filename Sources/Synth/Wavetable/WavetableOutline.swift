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
