import Glibc
import System

// Settings of the machine that cause or prevent gaps in audio.
extension Host {
  /// Whether the processor's frequency stays high.
  var governor: Finding {
    let governors = governors
    if governors.isEmpty { return Finding(.ok, "processor", "its speed does not change") }
    if governors == ["performance"] { return Finding(.ok, "processor", "always at full speed") }
    return Finding(
      .warn, "processor",
      "its speed changes: the governor is \(governors.joined(separator: ", "))",
      "add cpufreq.default_governor=performance to the kernel's command line; on a Pi that is cmdline.txt")
  }

  /// The frequency governors of the processors, each once, sorted; none where the frequency does not change.
  var governors: [String] {
    let folder = "/sys/devices/system/cpu"
    return Set(names(folder).compactMap { line("\(folder)/\($0)/cpufreq/scaling_governor") }).sorted()
  }

  /// The build of the running kernel, also for a service that may not see /proc/version.
  private static var kernel: String {
    var names = utsname()
    uname(&names)
    return withUnsafeBytes(of: &names.version) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// Whether the kernel is preemptible.
  var preemption: Finding {
    let release = line("/proc/version") ?? (root.isEmpty ? Host.kernel : "")
    if release.includes("PREEMPT_RT") || line("/sys/kernel/realtime") == "1" {
      return Finding(.ok, "kernel", "real-time")
    }
    if release.includes("PREEMPT") { return Finding(.ok, "kernel", "preemptible") }
    return Finding(
      .warn, "kernel", "not preemptible, like Debian's own kernel on arm64",
      "use Raspberry Pi OS's own kernel or Debian's linux-image-rt, or set a longer period in pipit.conf")
  }

  /// Whether Wi-Fi uses power saving, which delays a tablet's messages.
  var wireless: Finding {
    let thing = "Wi-Fi"
    let interfaces = names("/sys/class/net").filter { exists("/sys/class/net/\($0)/wireless") }
    if interfaces.isEmpty { return Finding(.ok, thing, "none") }
    for interface in interfaces where savesPower(interface) != false {
      let words =
        savesPower(interface) == nil
        ? "\(interface) does not say whether it saves power"
        : "\(interface) saves power, which delays messages from the tablet"
      return Finding(
        .warn, thing, words,
        "turn it off: sudo iw dev \(interface) set power_save off; for good, wifi.powersave = 2 in NetworkManager"
      )
    }
    return Finding(.ok, thing, "\(interfaces.joined(separator: ", ")) does not save power")
  }

  /// Whether an interface uses power saving; nil if the kernel does not report it.
  private func savesPower(_ interface: String) -> Bool? {
    let handle = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    guard handle >= 0 else { return nil }
    defer { close(handle) }
    // struct iwreq of <linux/wireless.h>: the name in 16 bytes, then struct iw_param, which consists of a number in 4
    // bytes, a byte for "fixed" and a byte for "disabled". Swift cannot import this header beside its own.
    var request = [UInt8](repeating: 0, count: 32)
    for (index, byte) in interface.utf8.prefix(15).enumerated() { request[index] = byte }
    let getPower: UInt = 0x8B2D
    guard ioctl(handle, getPower, &request) == 0 else { return nil }
    return request[21] == 0
  }
}

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
