/// The numbers at which arithmetic ends, and their neighbours: both ends of 8, 16, 32 and 64 bits, the last whole numbers
/// that floating point holds exactly, and what it holds beside numbers.
public enum Extremes {
  /// Of 32 bits.
  public static let words: [Int32] = [
    .min, .min + 1, -32_769, -129, -1, 0, 1, 127, 128, 255, 256, 32_768, 65_535, 65_536, .max - 1, .max,
  ]

  /// Of 64 bits.
  public static let longs: [Int64] = {
    let ends: [Int64] = [.min, .min + 1, .min + 2, .min + 100, .max - 100, .max - 1, .max]
    let powers: [Int64] = [31, 32, 53, 62]
    return ends + powers.flatMap(around)
  }()

  /// The powers of two of both signs, and their neighbours.
  private static func around(bits: Int64) -> [Int64] {
    let power: Int64 = 1 << bits
    return [power - 1, power, power + 1, -power - 1, -power, -power + 1]
  }

  /// In single precision.
  public static let floats: [Float] = {
    let positive: [Float] = [
      0, .leastNonzeroMagnitude, .leastNormalMagnitude, 0x1p24, 0x1p31, 0x1p63, 0x1p64,
      .greatestFiniteMagnitude,
      .infinity,
    ]
    let ends: [Float] = positive + [positive[4].nextDown, positive[5].nextDown]
    return [.nan, .signalingNaN, 0.5] + ends + ends.map { -$0 }
  }()

  /// In double precision.
  public static let doubles: [Double] = {
    let positive: [Double] = [
      0, .leastNonzeroMagnitude, .leastNormalMagnitude, 0x1p31, 0x1p53, 0x1p63, 0x1p64, 0x7FFF_FFFF, 1e300,
      .greatestFiniteMagnitude, .infinity,
    ]
    let ends: [Double] = positive + [positive[3] - 0.5, positive[4] + 2, positive[5].nextDown]
    return [.nan, .signalingNaN, 0.5, 1.5] + ends + ends.map { -$0 }
  }()

  /// As words: all of them, and numbers that no type holds.
  public static let texts: [String] = {
    var numbers: [String] = words.map { "\($0)" } + longs.map { "\($0)" }
    numbers += floats.map { "\($0)" } + doubles.map { "\($0)" }
    numbers += [
      "9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
      "1e400", "-1e400", "1e-400", "0x7fffffffffffffff", "+1", "--1", "1.", ".5", "٣", "",
    ]
    var seen: Set<String> = []
    return numbers.filter { seen.insert($0).inserted }
  }()
}
