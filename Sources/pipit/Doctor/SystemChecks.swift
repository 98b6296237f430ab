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
