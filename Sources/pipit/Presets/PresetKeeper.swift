import Control
import Glibc
import OSC
import Presets
import Scenes
import Storage
import Surface
import Synth
import System

/// The owner of the presets, which answers OSC messages about them: the running instrument, or this process.
protocol PresetKeeper {
  /// Returns the answers to a message. Throws if it is refused.
  func ask(_ address: String, _ words: [String]) throws -> [LocalQuery.Answer]
  /// Imports the text of a document of any length, by an address that takes it and a name. Returns the answers.
  func importText(_ address: String, _ text: String, named name: String) throws -> [LocalQuery.Answer]
  /// Waits until all changes are on the disk. Throws if they cannot be written.
  func finish() throws
  /// The name of the command, at the beginning of its error messages.
  var command: String { get }
}

extension PresetKeeper {
  func importText(_ address: String, _ text: String, named name: String) throws -> [LocalQuery.Answer] {
    try ask(address, [text, name])
  }

  /// Returns the answers, or throws if one of them is a refusal.
  fileprivate func checked(_ answers: [LocalQuery.Answer], _ address: String) throws -> [LocalQuery.Answer] {
    if answers.isEmpty { throw CommandError("\(command): refused, because too many requests failed at once") }
    guard let error = answers.first(where: { $0.address == "/error" }) else { return answers }
    let why = error.value.words
    // The refusal begins with the address, which the user of a command has not typed.
    throw CommandError(
      "\(command): " + (why.hasPrefix(address + " ") ? why.dropFirst(address.count + 1) : why[...]))
  }
}

/// The running instrument.
struct RunningKeeper: PresetKeeper {
  let command: String
  private let port: Int

  /// Nil if no instrument answers.
  init?(port: Int, command: String = "presets") {
    (self.port, self.command) = (port, command)
    if LocalQuery.ask(RunningInstrument.waiting, port: port)?.isEmpty ?? true { return nil }
  }

  /// Whether the instrument uses the presets of a state folder.
  func keeps(_ folder: String) -> Bool {
    let state = Status.figures(port: port)?.first { $0.name == "state" }?.value ?? ""
    var (asked, own) = (stat(), stat())
    return stat(folder, &asked) == 0 && stat(state, &own) == 0 && asked.st_dev == own.st_dev
      && asked.st_ino == own.st_ino
  }

  func ask(_ address: String, _ words: [String]) throws -> [LocalQuery.Answer] {
    let bytes = words.reduce(0) { $0 + $1.utf8.count }
    if bytes > LocalQuery.wordBytes {
      throw CommandError(
        "\(command): \(bytes) bytes are too many for a \(command.dropLast()); the limit is \(Limits.presetBytes)"
      )
    }
    guard let answers = LocalQuery.ask(address, words.map { .string($0) }, port: port) else {
      throw CommandError.noInstrument(command, port)
    }
    return try checked(answers, address)
  }

  /// A text that is too long for a message is sent in pieces.
  func importText(_ address: String, _ text: String, named name: String) throws -> [LocalQuery.Answer] {
    if text.utf8.count + name.utf8.count <= LocalQuery.wordBytes { return try ask(address, [text, name]) }
    try RunningInstrument(command: command, port: port).send(Array(text.utf8))
    return try ask(address, ["", name])
  }

  func finish() throws { try RunningInstrument(command: command, port: port).finish() }
}

/// This process, with a database that no instrument uses.
final class DatabaseKeeper: PresetKeeper {
  /// Collects the answers.
  private final class Answers: Transport {
    var answers: [LocalQuery.Answer] = []
    let replyPort: Int? = nil
    let keepsClients = false
    let budget = PacketBudget(packetBytes: .max, interval: 0, isLossy: false)
    let messageBytes = Int.max
    func send(_ messages: [OSCMessage], to peer: Peer) -> Bool { true }
    func answer(_ messages: [OSCMessage], to peer: Peer) -> Bool {
      answers += messages.map { message in
        switch message.value {
        case .string(let text): (message.address, .string(text))
        case .int(let number): (message.address, .number(Double(number)))
        case .float(let number): (message.address, .number(Double(number)))
        case .truth(let isTrue): (message.address, .number(isTrue ? 1 : 0))
        }
      }
      return true
    }
  }

  let command: String
  private let instrument: Instrument
  private let surface: ControlSurface
  private let transport = Answers()
  private let lock: StateLock?

  /// Opens the database in a state folder. A database that cannot be read is an error.
  /// - Parameter writes: False for reading only: then a missing database is not made.
  init(_ state: String, factory: String, writes: Bool, command: String = "presets") throws {
    self.command = command
    let database = Folders.database(state)
    if writes {
      DatabaseKeeper.becomeOwner(of: state)
      do throws(StateLock.Held) { lock = try StateLock(state) } catch {
        throw CommandError("\(command): \(error)")
      }
    } else {
      lock = nil
    }
    let library = Library(database: database, factory: factory, writes: writes, log: Console.log)
    if let error = library.problem { throw CommandError("\(command): \(error)") }
    instrument = Instrument(link: Link(.initial), library: library, log: Console.log)
    surface = ControlSurface(instrument, log: Console.log)
  }

  func ask(_ address: String, _ words: [String]) throws -> [LocalQuery.Answer] {
    transport.answers = []
    surface.receive(
      address, words.map { .string($0) }, from: Peer(.thisMachine, connection: 0), over: transport,
      now: monotonic())
    return try checked(transport.answers, address)
  }

  func finish() throws {
    if instrument.finish(within: 10) { return }
    let why = instrument.library.reports().compactMap { report in
      if case .failed(let error, _) = report { "\(error)" } else { nil as String? }
    }
    throw CommandError("\(command): " + (why.last ?? "not everything could be saved"))
  }

  /// As root, this process changes to the owner of the folder, because the instrument could not write to a file of
  /// root's.
  static func becomeOwner(of folder: String) {
    var status = stat()
    guard geteuid() == 0, stat(folder, &status) == 0, status.st_uid != 0 else { return }
    _ = setegid(status.st_gid)
    _ = seteuid(status.st_uid)
  }
}
