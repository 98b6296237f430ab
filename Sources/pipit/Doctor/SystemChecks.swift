import Glibc

// Settings of the machine that decide whether audio has gaps.
extension Host {
  /// Whether the processor's frequency stays up.
  var governor: Finding {
    let folder = "/sys/devices/system/cpu"
    let governors = Set(
      names(folder).compactMap { line("\(folder)/\($0)/cpufreq/scaling_governor") })
    if governors.isEmpty { return Finding(.ok, "processor", "its speed is not changed here") }
    if governors == ["performance"] { return Finding(.ok, "processor", "it keeps its full speed") }
    return Finding(
      .warn, "processor",
      "it changes its speed: the governor is \(governors.sorted().joined(separator: ", "))",
      "add cpufreq.default_governor=performance to the kernel's command line; on a Pi that is cmdline.txt")
  }

  /// Whether the kernel is preemptible.
  var preemption: Finding {
    let release = line("/proc/version") ?? ""
    if release.contains("PREEMPT_RT") || line("/sys/kernel/realtime") == "1" {
      return Finding(.ok, "kernel", "real-time")
    }
    if release.contains("PREEMPT") { return Finding(.ok, "kernel", "preemptible") }
    return Finding(
      .warn, "kernel", "not preemptible, as Debian's own on arm64",
      "use Raspberry Pi OS's own kernel or Debian's linux-image-rt, or set a longer period in pipit.conf")
  }

  /// Whether Wi-Fi saves power, which delays a tablet's messages.
  var wireless: Finding {
    let thing = "Wi-Fi"
    let interfaces = names("/sys/class/net").filter { exists("/sys/class/net/\($0)/wireless") }
    if interfaces.isEmpty { return Finding(.ok, thing, "none") }
    for interface in interfaces where savesPower(interface) != false {
      let words =
        savesPower(interface) == nil
        ? "\(interface) does not say whether it saves power"
        : "\(interface) saves power, so a fader arrives late"
      return Finding(
        .warn, thing, words,
        "turn it off: sudo iw dev \(interface) set power_save off; for good, wifi.powersave = 2 in NetworkManager"
      )
    }
    return Finding(.ok, thing, "\(interfaces.joined(separator: ", ")) does not save power")
  }

  /// What the kernel says about an interface's power saving; nil when it does not.
  private func savesPower(_ interface: String) -> Bool? {
    let handle = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    guard handle >= 0 else { return nil }
    defer { close(handle) }
    // struct iwreq of <linux/wireless.h>: the name in 16 bytes, then struct iw_param: a number in 4 bytes,
    // whether it is fixed, whether it is disabled. Swift does not take that header beside its own.
    var request = [UInt8](repeating: 0, count: 32)
    for (index, byte) in interface.utf8.prefix(15).enumerated() { request[index] = byte }
    let getPower: UInt = 0x8B2D
    guard ioctl(handle, getPower, &request) == 0 else { return nil }
    return request[21] == 0
  }

  /// Whether the folder of the presets can be written to.
  func stateFolder(_ state: String) -> Finding {
    let thing = "presets"
    // It is made when pipit starts; until then, what it will lie in counts.
    var folder = state
    while !exists(folder), let slash = folder.lastIndex(of: "/"), slash > folder.startIndex {
      folder = String(folder[..<slash])
    }
    var volume = statvfs()
    guard statvfs(root + folder, &volume) == 0 else {
      return Finding(.fail, thing, "\(state): \(String(cString: strerror(errno)))", "set state in pipit.conf")
    }
    if volume.f_flag & UInt(ST_RDONLY) != 0 {
      return Finding(
        .fail, thing, "\(state) cannot be written to: presets last until the power goes",
        "set state in pipit.conf to a folder that can; see /usr/share/doc/pipit/README.Debian")
    }
    let free = UInt64(volume.f_bavail) * UInt64(volume.f_frsize)
    if free < 16 << 20 {
      return Finding(.fail, thing, "\(state) has \(free >> 20) MB left", "free some space on the disk")
    }
    return Finding(.ok, thing, "\(state), \(free >> 20) MB free")
  }
}
