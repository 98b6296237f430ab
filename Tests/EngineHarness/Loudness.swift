import Glibc

/// Loudness by ITU-R BS.1770 at 48 kHz.
public enum Loudness {
  /// The two filters of the recommendation: the shelf that models the head, and the low cut.
  struct Weighting {
    private var s = 0.0, t = 0.0, u = 0.0, v = 0.0

    mutating func next(_ x: Float) -> Double {
      let a = Double(x) + 1.69065929318241 * s - 0.73248077421585 * t
      let shelf = 1.53512485958697 * a - 2.69169619938640 * s + 1.19839281085285 * t
      (t, s) = (s, a)
      let b = shelf + 1.99004745483398 * u - 0.99007225036621 * v
      let high = b - 2 * u + v
      (v, u) = (u, b)
      return high * high
    }
  }

  /// The ungated loudness of one channel in LU, with an arbitrary zero: for differences.
  public static func ungated(_ x: some Collection<Float>) -> Double {
    var weighting = Weighting()
    var sum = 0.0
    for x in x { sum += weighting.next(x) }
    return 10 * log10(sum / Double(x.count))
  }

  /// The integrated loudness of two channels in LUFS by EBU R128: the mean of the 400 ms blocks above -70 LUFS and
  /// above 10 LU below the mean of these. -infinity if there are none.
  public static func integrated(_ left: [Float], _ right: [Float]) -> Double {
    let step = 4_800
    var (one, other) = (Weighting(), Weighting())
    let steps = (0..<min(left.count, right.count) / step).map { index in
      var sum = 0.0
      for frame in index * step..<(index + 1) * step {
        sum += one.next(left[frame]) + other.next(right[frame])
      }
      return sum / Double(step)
    }
    if steps.count < 4 { return -.infinity }
    let blocks = (3..<steps.count).map { steps[$0 - 3...$0].reduce(0, +) / 4 }
    func mean(above gate: Double) -> Double {
      let heard = blocks.filter { lufs($0) > gate }
      return lufs(heard.reduce(0, +) / Double(heard.count))
    }
    return mean(above: max(-70, mean(above: -70) - 10))
  }

  private static func lufs(_ power: Double) -> Double { -0.691 + 10 * log10(power) }
}
