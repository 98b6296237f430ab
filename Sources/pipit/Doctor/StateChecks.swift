import Glibc

enum StateChecks {
  /// Nobody plays as root, so that it looks into a folder that is nobody's.
  static func rootsOwn(_ state: String) -> Finding {
    Finding(
      .warn, "presets", "\(state) is root's own folder, not the player's",
      "ask as the user who plays, without sudo, or name the folder by --state")
  }
}

// Whether presets are kept.
extension Host {
  /// The folder of the presets: that it is there, can be written to, has room, and remembers.
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
    let elsewhere = "keep \(state) on a disk of its own: /usr/share/doc/pipit/README.Debian says how"
    if volume.f_flag & UInt(ST_RDONLY) != 0 {
      return Finding(
        .fail, thing, "\(state) cannot be written to: presets last until the power goes", elsewhere)
    }
    if let forgets = forgetfulDisk(folder) {
      return Finding(.fail, thing, "\(state) lies \(forgets): presets last until the power goes", elsewhere)
    }
    let free = UInt64(volume.f_bavail) * UInt64(volume.f_frsize)
    if free < 16 << 20 {
      return Finding(.fail, thing, "\(state) has \(free >> 20) MB left", "free some space on the disk")
    }
    return Finding(.ok, thing, "\(state), \(free >> 20) MB free")
  }

  /// What of a disk that forgets a folder lies on, as "in memory"; nil for any other.
  func forgetfulDisk(_ folder: String) -> String? {
    guard let mount = mount(of: folder) else { return nil }
    switch mount.type {
    case "tmpfs", "ramfs": return "in memory"
    case "overlay":
      // A container's lies on the disk of its host.
      if exists("/.dockerenv") || exists("/run/.containerenv") { return nil }
      let upper = mount.options.split(separator: ",").first { $0.hasPrefix("upperdir=") }?.dropFirst(9)
      if let upper, let below = self.mount(of: String(upper)), below.point != mount.point {
        if !["tmpfs", "ramfs"].contains(below.type) { return nil }
      }
      return "on an overlay"
    default: return nil
    }
  }

  private struct Mount {
    let point: String
    let type: String
    let options: String
  }

  /// The mount that a folder lies in: the last of the longest.
  private func mount(of folder: String) -> Mount? {
    let mounts = (text("/proc/mounts") ?? "").split(separator: "\n").compactMap { line -> Mount? in
      let words = line.split(separator: " ")
      guard words.count > 3 else { return nil }
      return Mount(point: String(words[1]), type: String(words[2]), options: String(words[3]))
    }
    var best: Mount?
    for mount in mounts where (folder + "/").hasPrefix(mount.point == "/" ? "/" : mount.point + "/") {
      if mount.point.count >= best?.point.count ?? 0 { best = mount }
    }
    return best
  }
}
