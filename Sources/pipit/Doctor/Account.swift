import Glibc

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
