import Glibc

/// Who plays, for what may be written by whom.
struct Account {
  let user: uid_t
  let groups: [gid_t]

  init(user: uid_t, groups: [gid_t]) { (self.user, self.groups) = (user, groups) }

  /// Who asks.
  static var asking: Account {
    var groups = [gid_t](repeating: 0, count: Int(max(getgroups(0, nil), 0)))
    groups = Array(groups.prefix(Int(max(getgroups(Int32(groups.count), &groups), 0))))
    return Account(user: geteuid(), groups: [getegid()] + groups)
  }

  /// An account of the system; nil when there is none of that name.
  init?(named name: String) {
    guard let entry = getpwnam(name) else { return nil }
    self.init(user: entry.pointee.pw_uid, groups: [entry.pointee.pw_gid])
  }

  /// For people.
  var name: String {
    getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "user \(user)"
  }

  /// The name of its first group.
  var group: String {
    guard let group = groups.first else { return name }
    return getgrgid(group).map { String(cString: $0.pointee.gr_name) } ?? "\(group)"
  }

  /// Whether it may write into what has a status: a folder or a file.
  func mayWrite(_ status: stat) -> Bool {
    if user == 0 { return true }
    let bits: mode_t = status.st_mode & S_IFMT == S_IFDIR ? 3 : 2
    if status.st_uid == user { return status.st_mode >> 6 & bits == bits }
    if groups.contains(status.st_gid) { return status.st_mode >> 3 & bits == bits }
    return status.st_mode & bits == bits
  }
}
