import TestCard

extension PCMSetup {
  private static let rates = [44_100, 48_000, 88_200, 96_000, 176_400, 192_000]
  private static let lengths = [16, 32, 64, 128, 256, 512, 1_024]

  /// Every way.
  static var all: [PCMSetup] {
    var all: [PCMSetup] = []
    for format in formats {
      for channels in 1...8 {
        for rate in rates {
          for period in lengths {
            for periods in 2...4 {
              let setup = PCMSetup(
                format: format, channels: channels, rate: rate, period: period, periods: periods)
              // The loopback's shortest period is 64 bytes.
              if period * setup.frameBytes >= 64 { all.append(setup) }
            }
          }
        }
      }
    }
    return all
  }

  /// Some of `all` in which each value of each property is met with each value of each other one.
  static func pairs(of all: [PCMSetup]) -> [PCMSetup] {
    let pairs = all.map(\.pairs)
    var open = [Bool](repeating: true, count: 1 << 16)
    var chosen: [PCMSetup] = []
    while true {
      var (best, most) = (0, 0)
      for index in all.indices {
        var count = 0
        for pair in pairs[index] where open[pair] { count += 1 }
        if count > most { (best, most) = (index, count) }
      }
      if most == 0 { return chosen }
      for pair in pairs[best] { open[pair] = false }
      chosen.append(all[best])
    }
  }

  /// Each pair of its values, as a number.
  private var pairs: [Int] {
    let values = [
      PCMSetup.formats.firstIndex(of: format) ?? 0, channels, PCMSetup.rates.firstIndex(of: rate) ?? 0,
      PCMSetup.lengths.firstIndex(of: period) ?? 0, periods,
    ]
    var found: [Int] = []
    for first in values.indices {
      for second in values.indices where second > first {
        found.append((first * 5 + second) << 8 | values[first] << 4 | values[second])
      }
    }
    return found
  }
}
