import Glibc

/// The account of the process at the other end of a local socket, as it was when the process connected.
///
/// In a user namespace, as systemd's `PrivateUsers=yes` makes one for the service, the kernel translates the ids:
/// root, the service's user and its group keep theirs; all others become `nobody`, who may change nothing.
struct LocalAccount {
  private let user: UInt32
  private let groups: [UInt32]

  /// The id of users and groups that have no id in this namespace.
  static let nobody: UInt32 = 65_534

  /// An account with a user id and group ids.
  init(user: UInt32, groups: [UInt32]) { (self.user, self.groups) = (user, groups) }

  /// The account behind a connected socket; nil if the kernel does not name it.
  init?(_ descriptor: Int32) {
    // struct ucred: process, user, group.
    var credentials: [UInt32] = [0, 0, 0]
    var length = socklen_t(12)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0, length == 12 else {
      return nil
    }
    user = credentials[1]
    groups = [credentials[2]] + LocalAccount.moreGroups(descriptor)
  }

  /// The supplementary groups; none if the kernel does not list them.
  private static func moreGroups(_ descriptor: Int32) -> [UInt32] {
    var groups = [UInt32](repeating: 0, count: 64)
    for _ in 0..<2 {
      var length = socklen_t(groups.count * 4)
      if getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, &groups, &length) == 0 {
        return Array(groups.prefix(Int(length) / 4))
      }
      // `length` is now the required size in bytes.
      guard errno == ERANGE else { return [] }
      groups = [UInt32](repeating: 0, count: Int(length) / 4)
    }
    return []
  }

  /// Whether it may change things: root, the user that runs pipit, and the members of that user's group.
  var mayChange: Bool {
    user == 0 || user == geteuid() && user != LocalAccount.nobody
      || groups.contains { $0 == getegid() && $0 != LocalAccount.nobody }
  }

  /// The refusal for all other accounts, with its remedy.
  static var refusal: String {
    let user = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "user \(geteuid())"
    let group = getgrgid(getegid()).map { String(cString: $0.pointee.gr_name) } ?? "\(getegid())"
    return "needs the rights of \(user): use sudo, or join the group once and log in again: "
      + "sudo adduser $USER \(group)"
  }
}
