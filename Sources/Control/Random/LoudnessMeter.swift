import Glibc

/// Loudness by ITU-R BS.1770-4 and EBU R128, at 48 kHz.
enum LoudnessMeter {
  /// The K-weighting of the recommendation: the shelf that models the head, and the high-pass.
  private struct Weighting {
    private var head = (0.0, 0.0)
    private var cut = (0.0, 0.0)

    mutating func power(_ sample: Float) -> Double {
      let one = Double(sample) + 1.69065929318241 * head.0 - 0.73248077421585 * head.1
      let shelf = 1.53512485958697 * one - 2.69169619938640 * head.0 + 1.19839281085285 * head.1
      head = (one, head.0)
      let two = shelf + 1.99004745483398 * cut.0 - 0.99007225036621 * cut.1
      let high = two - 2 * cut.0 + cut.1
      cut = (two, cut.0)
      return high * high
    }
  }

  /// The frames between two blocks: a quarter of 400 ms.
  private static let step = 4_800

  /// The integrated loudness of two channels in LUFS: the mean of the blocks above -120 LUFS that are at most 10 LU
  /// below the mean of these; -infinity without any.
  static func integrated(_ left: [Float], _ right: [Float]) -> Double {
    var (one, other) = (Weighting(), Weighting())
    let steps = (0..<left.count / step).map { index in
      (index * step..<(index + 1) * step).reduce(0.0) { $0 + one.power(left[$1]) + other.power(right[$1]) }
    }
    let blocks = steps.indices.dropFirst(3).map { steps[$0 - 3...$0].reduce(0, +) / Double(4 * step) }
    // Not -70 LUFS, the gate of the recommendation, because sounds are rendered quietly.
    let loud = mean(blocks, above: -120)
    return mean(blocks, above: loud - 10)
  }

  private static func mean(_ blocks: [Double], above gate: Double) -> Double {
    let loud = blocks.filter { decibels($0) > gate }
    return loud.isEmpty ? -.infinity : decibels(loud.reduce(0, +) / Double(loud.count))
  }

  private static func decibels(_ power: Double) -> Double { -0.691 + 10 * log10(power) }
}
