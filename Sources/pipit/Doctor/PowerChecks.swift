// Checks whether power or heat throttles the processor. A Pi's firmware does so by itself, whatever the governor.
extension Host {
  /// The firmware's throttling, the kernel's voltage alarm and the thermal zones.
  var supply: Finding {
    let thing = "power and heat"
    let supply =
      "use the power supply made for this Pi, a short thick cable, and a powered USB hub"
    let cooling = "cool it: a heat sink, a fan, or air around the box"
    let throttled = throttled
    if isUnderVoltage || throttled.shows(.tooLittleVoltage) {
      return Finding(.warn, thing, "the voltage is too low, which slows the processor down", supply)
    }
    let hottest = temperature
    let words = hottest.map { "\($0) degrees Celsius" }
    // A Pi slows down at 80 degrees, some models at 60.
    if hottest.map({ $0 >= 80 }) ?? false || throttled.shows(.tooHot) {
      return Finding(
        .warn, thing, [words, "where a Pi slows down"].compactMap { $0 }.joined(separator: ", "), cooling)
    }
    if !throttled.isEmpty {
      return Finding(
        .warn, thing, "the firmware slows the processor down (get_throttled \(throttled))",
        supply + "; " + cooling)
    }
    return Finding(.ok, thing, words ?? "this machine reports nothing")
  }

  /// The kernel's voltage alarm on a Pi, updated every two seconds.
  private var isUnderVoltage: Bool {
    names("/sys/class/hwmon").contains {
      line("/sys/class/hwmon/\($0)/name") == "rpi_volt"
        && line("/sys/class/hwmon/\($0)/in0_lcrit_alarm") == "1"
    }
  }

  /// Why the firmware throttles the processor, now or in the last seconds; empty if unknown. Only the kernel of
  /// Raspberry Pi OS reports this, at a path that depends on the model, and logs once that the attribute is
  /// deprecated.
  private var throttled: Throttled {
    let root = "/sys/devices/platform"
    for bus in names(root) where bus.hasPrefix("soc") {
      for device in names("\(root)/\(bus)") where device.hasSuffix(":firmware") {
        guard let line = line("\(root)/\(bus)/\(device)/get_throttled") else { continue }
        // A hexadecimal number; only the first kernels with this attribute wrote 0x before it.
        let digits = line.hasPrefix("0x") ? line.dropFirst(2) : line[...]
        if let bits = Int(digits, radix: 16) { return Throttled(rawValue: bits) }
      }
    }
    return []
  }
}

/// The bits of the firmware, as `vcgencmd get_throttled` prints them. Bits from 16 on describe the time since the
/// kernel's last reading.
private struct Throttled: OptionSet, CustomStringConvertible {
  let rawValue: Int

  static let tooLittleVoltage = Throttled(rawValue: 1 << 0 | 1 << 16)
  static let tooHot = Throttled(rawValue: 1 << 3 | 1 << 19)

  /// Whether the reason applies, now or earlier.
  func shows(_ reason: Throttled) -> Bool { !isDisjoint(with: reason) }

  var description: String { "0x" + String(rawValue, radix: 16) }
}
