import Backup
import Glibc
import OSC
import Presets
import Scenes
import Storage
import System

/// `pipit backup` and `pipit restore`: by the running instrument or, without one, in the state folder that it would
/// use.
enum BackupCommand {
  /// How long a slow card may take, seconds.
  private static let timeout = 300.0

  // MARK: - Backup

  static func backup(_ arguments: CommandArguments) throws {
    let configured = try Configuration.adding([.state, .oscPort], to: arguments)
    var (name, backup, problems): (String, FileContents, [String])
    if let instrument = running("backup", arguments, configured) {
      let answers = try instrument.ask("/backup", within: timeout)
      func words(_ address: String) -> [String] {
        answers.filter { $0.address == address }.map { $0.value.words }
      }
      (name, problems) = (words("/backup/name").first ?? "pipit-backup.tar.gz", words("/backup/problem"))
      backup = FileContents(try instrument.receive())
      if words("/backup") != ["\(backup.count)"] {
        throw CommandError("backup: another command has made a backup meanwhile; try again")
      }
    } else {
      let state = try arguments[.state] ?? Folders.stateOfService(configured)
      let made = try made(state, arguments)
      (name, backup, problems) = (made.name, made.file, made.problems)
    }
    for problem in problems { Console.log(.warning("backup: \(problem)")) }
    let path = arguments.operands.first ?? name
    do throws(FileError) {
      let file = try NewFile(path)
      try file.write(backup)
      try file.finish()
    } catch { throw CommandError("backup: \(error)") }
    if path != "-" { Console.print("\(path): \((backup.count + 999) / 1_000) kB\n") }
  }

  /// A backup without an instrument.
  private static func made(_ state: String, _ arguments: CommandArguments) throws -> BoxSnapshot.Made {
    let library = Library(database: Folders.database(state), factory: nil, writes: false, log: Console.log)
    if let problem = library.problem { throw CommandError("backup: \(problem)") }
    if access(state, F_OK) != 0 { throw CommandError("backup: there is no folder \(state)") }
    do throws(BackupError) {
      return try BoxSnapshot(
        library.documents.collections(of: DocumentKind.ofPlayer), Folders.box(state, arguments),
        version: version
      ).backup()
    } catch { throw CommandError("backup: \(error)") }
  }

  // MARK: - Restore

  static func restore(_ arguments: CommandArguments) throws {
    let configured = try Configuration.adding([.state, .oscPort], to: arguments)
    let path = arguments.operands[0]
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try readFile(path == "-" ? "/dev/stdin" : path, limit: Limits.backupBytes)
    } catch { throw CommandError("restore: \(error)") }
    let instrument = running("restore", arguments, configured)
    let state = try arguments[.state] ?? Folders.stateOfService(configured)
    let folders = Folders.box(state, arguments)
    let backup: CheckedBackup
    // Checked here too, so that a wrong file is not sent.
    do throws(BackupError) { backup = try CheckedBackup(bytes, for: folders) } catch {
      throw CommandError("restore: \(path): \(error)")
    }
    let configuration = backup.changedConfiguration(folders)
    var sentences: [String]
    if let instrument {
      try instrument.send(bytes)
      sentences = try instrument.ask("/restore", within: timeout).map { $0.value.words }
    } else {
      sentences = try restore(backup, state, folders)
    }
    // This process may write where the instrument may not.
    if !configuration.isEmpty, let written = replace(configuration) {
      sentences.removeAll { $0.hasPrefix("the configuration differs") }
      sentences.append(written)
    }
    Console.print(sentences.map { $0 + "\n" }.joined())
  }

  /// Restores a backup without an instrument.
  private static func restore(_ backup: CheckedBackup, _ state: String, _ folders: BoxFolders) throws
    -> [String]
  {
    let user = (geteuid(), getegid())
    defer {
      // Root may then write the configuration.
      _ = seteuid(user.0)
      _ = setegid(user.1)
    }
    DatabaseKeeper.becomeOwner(of: state)
    let lock: StateLock
    do throws(StateLock.Held) { lock = try StateLock(state) } catch {
      throw CommandError("restore: \(error)")
    }
    defer { withExtendedLifetime(lock) {} }
    for folder in [Folders.songs(state), Folders.tunings(state), Folders.wavetables(state)] {
      mkdir(folder, 0o755)
    }
    let library = Library(database: Folders.database(state), factory: nil, log: Console.log)
    let before = BoxSnapshot(
      library.documents.collections(of: DocumentKind.ofPlayer), folders, version: version)
    let outcome: CheckedBackup.Outcome
    do throws(BackupError) { outcome = try backup.restoreFiles(over: before) } catch {
      throw CommandError("restore: \(error)")
    }
    library.restore(backup.documents, of: backup.kinds)
    if !library.stop(within: 60) {
      let reports = library.reports().map { "\($0)" }
      throw CommandError(
        "restore: the presets could not be written: \(reports.last ?? "the disk is too slow")")
    }
    return outcome.sentences
  }

  /// Replaces files of the configuration, if this account may. Returns a sentence; nil if it may not.
  private static func replace(_ files: [(path: String, bytes: [UInt8])]) -> String? {
    func folder(_ path: String) -> String {
      path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }
    var written: [String] = []
    for (path, bytes) in files {
      mkdir(folder(path), 0o755)
      guard access(folder(path), W_OK) == 0 else { return nil }
      do throws(FileError) {
        if access(path, F_OK) == 0, link(path, path + ".before") != 0 {
          unlink(path + ".before")
          if link(path, path + ".before") != 0 { throw FileError("keep", path) }
        }
        let file = try NewFile(path)
        try file.write(bytes)
        try file.finish()
        written.append(path)
      } catch {
        Console.log(.warning("restore: \(error)"))
        return nil
      }
    }
    return
      "the configuration is restored: \(written.joined(separator: ", ")); a file before has the ending .before. "
      + "It takes effect after: \(Host().restart)"
  }

  /// The running instrument, unless another state folder is given.
  private static func running(
    _ command: String, _ arguments: CommandArguments, _ configured: CommandArguments
  )
    -> RunningInstrument?
  {
    let port = configured.number(.oscPort)
    guard let keeper = RunningKeeper(port: port), arguments[.state].map({ keeper.keeps($0) }) ?? true else {
      return nil
    }
    return RunningInstrument(command: command, port: port)
  }
}
