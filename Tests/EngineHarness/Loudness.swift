import Glibc

extension Spectrum {
  /// The loudness of BS.1770 at 48 kHz, without its gates.
  public static func loudness(_ x: some Collection<Float>) -> Double {
    var (s, t, u, v, sum) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for x in x {
      let a = Double(x) + 1.69065929318241 * s - 0.73248077421585 * t
      let shelf = 1.53512485958697 * a - 2.69169619938640 * s + 1.19839281085285 * t
      (t, s) = (s, a)
      let b = shelf + 1.99004745483398 * u - 0.99007225036621 * v
      let high = b - 2 * u + v
      (v, u) = (u, b)
      sum += high * high
    }
    return 10 * log10(sum / Double(x.count))
  }
}
