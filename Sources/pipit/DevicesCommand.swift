import ALSA
import MIDI
import OSC
import Presets
import Surface
import System

/// `pipit devices`: lists the sound cards and the keyboards, and sets what the running instrument does with a keyboard.
enum DevicesCommand {
  /// What it can do besides listing, and how many words that takes.
  static let actions = ["allow": 1, "deny": 1, "set": 3, "forget": 1]

  static func run(_ arguments: CommandArguments) throws {
    let port = try Configuration.adding([.oscPort], to: arguments).number(.oscPort)
    guard let action = arguments.operands.first else {
      cards(port)
      return keyboards(port, arguments)
    }
    guard let count = actions[action] else {
      let near = nearest(to: action, among: actions.keys.sorted()).map { " (did you mean '\($0)'?)" } ?? ""
      throw CommandError.usage("devices: unknown action '\(action)'" + near, "pipit devices --help")
    }
    let words = Array(arguments.operands.dropFirst())
    guard words.count == count else {
      let what = count == 1 ? "a device" : "a device, what to set, and a value"
      throw CommandError.usage("devices: '\(action)' takes \(what)", "pipit devices --help")
    }
    for text in try ask("devices", "/device/\(action)", words, port) { Console.print(text + "\n") }
  }

  /// What the running instrument answers to a message of a command, in words; throws what it refuses.
  static func ask(_ command: String, _ address: String, _ words: [String], _ port: Int) throws -> [String] {
    guard let answers = Question.ask(address, words.map { .string($0) }, port: port) else {
      throw CommandError("\(command): no pipit answers for OSC port \(port)")
    }
    if let error = answers.first(where: { $0.address == "/error" }) {
      let text = error.value.words
      // The refusal begins with the address, which whoever types a command has not written.
      throw CommandError(
        "\(command): " + (text.hasPrefix(address + " ") ? text.dropFirst(address.count + 1) : text[...]))
    }
    return answers.map(\.value.words)
  }

  private static func cards(_ port: Int) {
    let cards = Card.ranked(Card.all())
    if cards.isEmpty { Console.log("no sound card that can play; 'pipit serve' plays when one appears") }
    // What plays, only the instrument knows.
    func answer(_ address: String) -> String? {
      guard case .string(let text)? = Question.ask(address, port: port)?.first?.value else { return nil }
      return text
    }
    let playing = cards.isEmpty ? nil : answer("/card")
    let reason = playing.flatMap { $0.isEmpty ? nil : answer("/card/reason") }
    var table = [["Device", "Automatic", "Name", "Why"]]
    for (index, ranked) in cards.enumerated() {
      let place = !ranked.isAutomatic ? "no" : index == 0 ? "first" : "\(index + 1)."
      let isPlaying = ranked.card.id == playing
      let why = isPlaying ? "plays" + (reason.map { ": " + $0 } ?? "") : ranked.reason
      table.append([ranked.card.pcm, place, ranked.card.name, why])
    }
    if !cards.isEmpty { Console.print(Lists.aligned(table)) }
  }

  /// The keyboards as the running instrument knows them, or else those that are there or were, with what is kept of them.
  private static func keyboards(_ port: Int, _ arguments: CommandArguments) {
    var table = [["No.", "Keyboard", "State", "Parts", "Set", "Known by"]]
    if let answers = Question.ask("/device/list", port: port) {
      for answer in answers where answer.address != "/device/list" {
        let cells = answer.value.words.split(separator: "\t", omittingEmptySubsequences: false).map(
          String.init)
        guard cells.count == 6 else { continue }
        table.append([cells[0], cells[2], cells[1], cells[4], cells[5], cells[3]])
      }
    } else {
      table = [["No.", "Keyboard", "State", "Set", "Known by"]] + kept(arguments)
    }
    if table.count == 1 { return Console.log("no MIDI keyboard; one is played as soon as it is plugged in") }
    Console.print(Lists.aligned(table))
  }

  /// Those that are there or were, in rows, without an instrument.
  private static func kept(_ arguments: CommandArguments) -> [[String]] {
    let configured = try? Configuration.adding([.state, .oscPort], to: arguments)
    let state = configured.flatMap { try? Folders.stateOfService($0) }
    let library = Library(
      database: state.map(Folders.database), factory: nil, writes: false, log: { Console.log($0) })
    var table = DeviceTable(reading: library.documents[.devices]?.text ?? "")
    var states: [Int: String] = [:]
    for (number, found) in Sequencer.keyboards().enumerated() {
      let place = Device.Place(client: UInt8(truncatingIfNeeded: number), port: 0)
      let device = table.arrive(found.port, at: place)
      let isPlayed = device.settings.isAllowed ?? found.isPlayed
      states[device.id] = isPlayed ? "will be played" : found.reason.isEmpty ? "not allowed" : found.reason
    }
    return table.devices.map { device in
      let state = states[device.id] ?? "not there"
      return ["\(device.id)", device.identity.name, state, device.settings.text, device.identity.mark]
    }
  }
}
