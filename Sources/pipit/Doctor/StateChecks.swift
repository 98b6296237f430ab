import Glibc
import Presets
import Storage

enum StateChecks {
  /// A warning that root was asked about its own folder, although nobody plays as root.
  static func rootsOwn(_ state: String) -> Finding {
    Finding(
      .warn, "presets", "\(state) is root's own folder, not the player's",
      "run this as the user who plays, without sudo, or name the folder with --state")
  }
}

// Checks whether presets are kept.
extension Host {
  /// Checks the folder of the presets: it exists or can be made, is writable, has free space, and survives a restart.
  func stateFolder(_ state: String, of player: Account) -> Finding {
    let thing = "presets"
    // The folder is made when pipit starts. Until then, its parent folder is checked.
    var folder = state
    while !exists(folder), let slash = folder.lastIndex(of: "/"), folder != "/" {
      folder = slash > folder.startIndex ? String(folder[..<slash]) : "/"
    }
    if let finding = rights(state, in: folder, of: player) { return finding }
    var volume = statvfs()
    guard statvfs(root + folder, &volume) == 0 else {
      return Finding(.fail, thing, "\(state): \(String(cString: strerror(errno)))", "set state in pipit.conf")
    }
    let elsewhere =
      isCardImage
      ? "the second partition of the card cannot be used: write the image to this card again, or to another one"
      : "put \(state) on a disk of its own; see /usr/share/doc/pipit/README.Debian"
    if volume.f_flag & UInt(ST_RDONLY) != 0 {
      return Finding(
        .fail, thing, "\(state) is read-only: presets are lost when the power goes", elsewhere)
    }
    if let forgets = volatileState(folder) {
      return Finding(.fail, thing, "\(state) is \(forgets): presets are lost when the power goes", elsewhere)
    }
    let free = UInt64(volume.f_bavail) * UInt64(volume.f_frsize)
    if free < 16 << 20 {
      return Finding(.fail, thing, "\(state) has \(free >> 20) MB left", "free some space on the disk")
    }
    if let finding = damage(in: root + Folders.database(state)) { return finding }
    return Finding(.ok, thing, "\(state), \(free >> 20) MB free")
  }

  /// Compares the documents of a database with their checksums. Nil if none is damaged, there is no database, or this
  /// account may not read it.
  private func damage(in database: String) -> Finding? {
    if access(database, R_OK) != 0 { return nil }
    do throws(StoreError) {
      guard let damage = try Documents.damage(in: database, DocumentKind.all) else { return nil }
      return Finding(
        .fail, "presets", "damaged in \(database): \(damage)",
        "save them again if pipit still shows them, or restart pipit: what is left is moved to a text file")
    } catch {
      return error.isDamage
        ? Finding(
          .fail, "presets", "\(error)",
          "restart pipit: it keeps this file under another name, and all presets that can be read") : nil
    }
  }

  /// The reason why a player cannot write to a state, of which `folder` exists; nil if the player can.
  private func rights(_ state: String, in folder: String, of player: Account) -> Finding? {
    let lost = "presets are lost when pipit stops"
    guard let status = status(folder) else { return nil }
    if status.st_mode & S_IFMT != S_IFDIR {
      return Finding(
        .fail, "presets", "\(folder) is not a folder: \(lost)",
        "move it away, or set another state in pipit.conf")
    }
    if folder != state {
      if player.mayWrite(status) { return nil }
      return Finding(
        .fail, "presets", "\(player.name) cannot create \(state) in \(folder): \(lost)",
        "create it: sudo install -d -m 750 -o \(player.name) -g \(player.group) \(state)")
    }
    let file = Folders.database(state)
    let database = self.status(file)
    if let database, database.st_mode & S_IFMT == S_IFDIR {
      return Finding(.fail, "presets", "\(file) is a folder: \(lost)", "move it away")
    }
    if player.mayWrite(status), database.map(player.mayWrite) ?? true { return nil }
    let what = player.mayWrite(status) ? file : state
    return Finding(
      .fail, "presets", "\(player.name) may not write to \(what): \(lost)",
      "change its owner: sudo chown -R \(player.name):\(player.group) \(state)")
  }

  /// The status of a file or folder; nil if it does not exist or is hidden.
  private func status(_ path: String) -> stat? {
    var status = stat()
    return stat(root + path, &status) == 0 ? status : nil
  }

  /// The account that plays with a state: that of the running instrument, or of the service for its own state, or of
  /// this command.
  func player(process: String?, state: String) -> Account {
    if let process, let account = account(of: process) { return account }
    if hasService, state == Folders.installedState, let account = Account(named: "pipit") { return account }
    return .asking
  }

  /// The account of a process; nil if it is not visible.
  private func account(of process: String) -> Account? {
    func numbers(_ name: String) -> [UInt32] {
      let line = (text("/proc/\(process)/status") ?? "").split(separator: "\n").first { $0.hasPrefix(name) }
      return line?.split(whereSeparator: \.isWhitespace).dropFirst().compactMap { UInt32($0) } ?? []
    }
    // Real, effective, saved, and file system ids.
    let (users, groups) = (numbers("Uid:"), numbers("Gid:"))
    guard users.count == 4, groups.count == 4 else { return nil }
    return Account(user: users[1], groups: [groups[1]] + numbers("Groups:"))
  }

  /// Describes volatile storage of a folder, such as "in memory"; nil if its contents survive a restart.
  func volatileState(_ folder: String) -> String? {
    guard let mount = mount(of: folder) else { return nil }
    switch mount.type {
    case "tmpfs", "ramfs": return "in memory"
    case "overlay":
      // A container's overlay is stored on the disk of its host.
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

  /// The mount that contains a folder: the one with the longest path, and the last of several with this path.
  private func mount(of folder: String) -> Mount? {
    let mounts = (text("/proc/mounts") ?? text("/proc/self/mounts") ?? "").split(separator: "\n").compactMap {
      line -> Mount? in
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

/// The account that plays, to check its permissions to write.
struct Account {
  let user: uid_t
  let groups: [gid_t]

  init(user: uid_t, groups: [gid_t]) { (self.user, self.groups) = (user, groups) }

  /// The account that runs this command.
  static var asking: Account {
    var groups = [gid_t](repeating: 0, count: Int(max(getgroups(0, nil), 0)))
    groups = Array(groups.prefix(Int(max(getgroups(Int32(groups.count), &groups), 0))))
    return Account(user: geteuid(), groups: [getegid()] + groups)
  }

  /// The system account with a name; nil if there is none.
  init?(named name: String) {
    guard let entry = getpwnam(name) else { return nil }
    self.init(user: entry.pointee.pw_uid, groups: [entry.pointee.pw_gid])
  }

  /// The name of the user, for people.
  var name: String {
    getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "user \(user)"
  }

  /// The name of the first group.
  var group: String {
    guard let group = groups.first else { return name }
    return getgrgid(group).map { String(cString: $0.pointee.gr_name) } ?? "\(group)"
  }

  /// Whether the account may write to a folder or file with that status.
  func mayWrite(_ status: stat) -> Bool {
    if user == 0 { return true }
    let bits: mode_t = status.st_mode & S_IFMT == S_IFDIR ? 3 : 2
    if status.st_uid == user { return status.st_mode >> 6 & bits == bits }
    if groups.contains(status.st_gid) { return status.st_mode >> 3 & bits == bits }
    return status.st_mode & bits == bits
  }
}
