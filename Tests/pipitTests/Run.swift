import Glibc
import Scratch

/// What a run of the built program left: its exit status (128 and the signal when one ended it) and its words.
struct Run {
  var status: Int32 = -1
  var output = ""
  var errors = ""

  /// Runs `pipit`, or another `command`, with `arguments` to its end. `environment` replaces the whole environment.
  init(
    _ arguments: [String], environment: [String] = ["HOME=/nowhere"], output path: String? = nil,
    shell: String? = nil, command: String = program
  ) {
    let folder = Folder()
    let pid = start(
      arguments, environment: environment, output: path ?? folder.path + "/out", errors: folder.path + "/err",
      shell: shell, command: command)
    if pid > 0 { status = end(of: pid) }
    if path == nil { output = text(folder.path + "/out") }
    errors = text(folder.path + "/err")
  }
}

/// Starts `pipit`, from a shell that has done something before if that is asked for, and returns its process; below
/// 0 when that failed.
func start(
  _ arguments: [String], environment: [String], output: String, errors: String, shell: String? = nil,
  command path: String = program
) -> pid_t {
  let command = shell.map { ["/bin/sh", "-c", "\($0); exec \"$0\" \"$@\"", path] } ?? [path]
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
  posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT, 0o600)
  // The program would inherit signals that a test's thread holds back, and those that a shell ignores for a command in the
  // background, with which the tests may have been started.
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var signals = sigset_t()
  sigemptyset(&signals)
  posix_spawnattr_setsigmask(&attributes, &signals)
  for ended in [SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGPIPE] { sigaddset(&signals, ended) }
  posix_spawnattr_setsigdefault(&attributes, &signals)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
  var words = (command + arguments).map { strdup($0) } + [nil]
  var variables = environment.map { strdup($0) } + [nil]
  defer { for word in words + variables { free(word) } }
  var pid: pid_t = -1
  return posix_spawn(&pid, command[0], &actions, &attributes, &words, &variables) == 0 ? pid : -1
}

/// Waits for a process to end.
func end(of pid: pid_t) -> Int32 {
  var status: Int32 = 0
  while waitpid(pid, &status, 0) < 0 { if errno != EINTR { return -1 } }
  return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
}

/// The built program: it lies beside the test bundle.
let program: String = {
  // The test runner of some toolchains is another program, which has the bundle among its arguments.
  let places = CommandLine.arguments.filter { $0.contains(".xctest") } + [real("/proc/self/exe")]
  for place in places {
    guard let slash = place.lastIndex(of: "/") else { continue }
    let beside = String(place[..<slash]) + "/pipit"
    if access(beside, X_OK) == 0 { return beside }
  }
  return "/no/pipit/was/built"
}()

/// The path without links; the path itself where there is none.
private func real(_ path: String) -> String {
  guard let real = realpath(path, nil) else { return path }
  defer { free(real) }
  return String(cString: real)
}

/// The text of a file.
func text(_ path: String) -> String { String(decoding: contents(path), as: UTF8.self) }
