import Glibc
import Presets
import Scratch
import Storage
import Testing

@testable import OSC
@testable import pipit

/// Who may change things by a command. Without the right to be another user there is nothing to show.
@Suite(.serialized) struct LocalUserTests {
  private let folder = Folder()
  private static let (user, group, stranger, nobody): (uid_t, gid_t, uid_t, uid_t) = (
    1_234, 1_235, 1_300, 65_534
  )

  /// The words before a command that is run as a user with some groups.
  private func become(_ user: uid_t, _ groups: gid_t...) -> [String] {
    let rest = groups.dropFirst().map { "\($0)" }.joined(separator: ",")
    return ["setpriv", "--reuid=\(user)", "--regid=\(groups[0])"]
      + [rest.isEmpty ? "--clear-groups" : "--groups=\(rest)"]
  }

  private func pipit(_ who: [String], _ words: String...) -> Run {
    Run(who + [program] + words, command: "/usr/bin/env")
  }

  /// A user namespace of its own, whose maps are written from outside: what comes behind waits for them.
  private static let namespace = [
    "unshare", "--user", "sh", "-c",
    "until grep -q 1234 /proc/self/uid_map; do sleep 0.1; done; exec \"$@\"", "sh",
  ]

  /// Maps as systemd's `PrivateUsers=yes` has them: root, the service's user and its group keep their numbers, nobody else.
  private static func map(_ process: pid_t) {
    for (name, number) in [("gid_map", group), ("uid_map", user)] {
      let lines = "0 0 1\n\(number) \(number) 1\n"
      // Until it is in its namespace, the process has the maps of this one.
      let isMapped = eventually {
        let file = open("/proc/\(process)/\(name)", O_WRONLY | O_CLOEXEC)
        defer { close(file) }
        return write(file, lines, lines.utf8.count) == lines.utf8.count
      }
      #expect(isMapped, "\(name)")
    }
  }

  @Test(
    "Root, the user that pipit runs as and the members of its group change things; all others look, and are told how",
    arguments: [false, true])
  func changes(inNamespace: Bool) throws {
    let spell = (inNamespace ? Self.namespace : []) + become(Self.user, Self.group)
    guard geteuid() == 0, pipit(become(Self.user, Self.group), "--version").status == 0 else {
      return print("skipped: another user needs root, setpriv, and a program that he may read")
    }
    if inNamespace, Run(["unshare", "--user", "true"], command: "/usr/bin/env").status != 0 {
      return print("skipped: no user namespace can be made here; in a chroot the kernel refuses one")
    }
    chmod(folder.path, 0o711)
    let home = folder.path + "/home"
    #expect(mkdir(home, 0o755) == 0 && chown(home, Self.user, Self.group) == 0)
    // Of its own: tests of other suites have services at the same time.
    let port = try #require(freePort())
    let state = home + "/state"
    let service = start(
      spell + [
        program, "--device", "clock", "--state", state, "--osc-port", "\(port)", "--presets", "/nowhere",
      ],
      environment: ["HOME=/nowhere"], output: folder.path + "/out", errors: folder.path + "/err",
      shell: "umask 0", command: "/usr/bin/env")
    if inNamespace { Self.map(service) }
    defer {
      kill(service, SIGKILL)
      _ = end(of: service)
    }
    // Where none answers, the commands below would work on the folder of whoever runs the tests.
    try #require(eventually { Status.figures(port: port) != nil })
    let preset = folder.file("one.txt", "pipit preset 1\nname One\n")
    chmod(preset, 0o644)
    let at = ["--osc-port", "\(port)"]
    func presets(_ who: [String], _ words: String...) -> Run {
      Run(who + [program, "presets"] + words + at, command: "/usr/bin/env")
    }
    let root = become(0, 0)
    #expect(presets(root, "import", preset).status == 0)
    for other in [become(Self.nobody, Self.nobody), become(Self.stranger, Self.stranger, 4_000)] {
      #expect(presets(other).output.contains("One"))
      #expect(presets(other, "show", "One").output.hasPrefix("pipit preset 1"))
      let forbidden: [[String]] = [
        ["presets", "delete", "One"], ["record", "start"], ["devices", "forget", "1"], ["backup", "-"],
        ["songs", "delete", "x"], ["songs", "export", "x", "-o", "/dev/null"],
      ]
      for words in forbidden {
        let refused = Run(other + [program] + words + at, command: "/usr/bin/env")
        #expect(refused.status != 0 && refused.output.isEmpty)
        #expect(
          refused.errors.contains("needs the rights of user \(Self.user): use sudo, or join the group")
            && refused.errors.contains("sudo adduser $USER \(Self.group)"), "\(refused.errors)")
      }
      #expect(Run(other + [program, "songs"] + at, command: "/usr/bin/env").status == 0)
      #expect(Run(other + [program, "status"] + at, command: "/usr/bin/env").output.contains("Playing on"))
    }
    let member = become(Self.stranger, Self.stranger, 4_000, Self.group)
    #expect(presets(member, "rename", "One", "Two").status == 0)
    #expect(presets(become(Self.user, 99), "delete", "Two").status == 0)
    #expect(presets(root, "restore", "Two").status == 0)
    // Others look by a command only.
    var status = stat()
    #expect(stat(state, &status) == 0 && status.st_mode & 0o777 == 0o750)
    #expect(stat(Folders.database(state), &status) == 0 && status.st_mode & 0o777 == 0o640)
  }

  @Test("A folder and a database of an older pipit are closed to others; what the player has set stays")
  func modes() throws {
    func mode(_ path: String) -> mode_t {
      var status = stat()
      return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }
    let state = folder.path + "/state"
    for (before, after) in [(0o755, 0o750), (0o700, 0o700), (0o775, 0o770)] as [(mode_t, mode_t)] {
      mkdir(state, before)
      chmod(state, before)
      StateFolder.close(state)
      #expect(mode(state) == after)
    }
    let database = folder.file("state/presets.sqlite", "")
    chmod(database, 0o644)
    #expect(Library(database: database, factory: nil, log: { _ in }).stop(within: 60))
    #expect(mode(database) == 0o640)
    unlink(database)
    // Whatever the shell takes from new files.
    let preset = folder.file("one.txt", "pipit preset 1\nname One\n")
    for mask in ["0", "077"] {
      let new = folder.path + "/new\(mask)"
      #expect(Run(["presets", "import", preset, "--state", new], shell: "umask \(mask)").status == 0)
      #expect(mode(new) == 0o750 && mode(Folders.database(new)) == 0o640)
    }
  }

  @Test("An account without a number here is nobody, whoever pipit runs as")
  func numbers() {
    #expect(LocalAccount(user: 0, groups: [0]).mayChange)
    #expect(LocalAccount(user: geteuid(), groups: []).mayChange)
    #expect(LocalAccount(user: 4_321, groups: [77, getegid()]).mayChange)
    #expect(!LocalAccount(user: 4_321, groups: [4_321, 65_534]).mayChange)
    #expect(!LocalAccount(user: LocalAccount.nobody, groups: [LocalAccount.nobody]).mayChange)
  }
}
