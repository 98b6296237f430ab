import ALSA
import MIDI
import OSC
import Parameters
import Presets
import Surface
import System

/// `pipit devices`: lists the sound cards and the keyboards, and changes the running instrument's settings of a
/// keyboard.
enum DevicesCommand {
  /// The actions besides listing, with their numbers of operands.
  static let actions = ["allow": 1, "deny": 1, "set": 3, "forget": 1]

  static func run(_ arguments: CommandArguments) throws {
    let configured = try Configuration.adding([.state, .oscPort], to: arguments)
    let port = configured.number(.oscPort)
    guard let action = arguments.operands.first else {
      cards(port, arguments)
      return keyboards(configured, arguments)
    }
    guard let count = actions[action] else {
      throw CommandError.unknown(action, of: "devices", among: actions.keys.sorted())
    }
    let words = Array(arguments.operands.dropFirst())
    guard words.count == count else {
      let what = count == 1 ? "a device" : "a device, what to set, and a value"
      throw CommandError.usage("devices: '\(action)' takes \(what)", "pipit devices --help")
    }
    let instrument = RunningInstrument(command: "devices", port: port)
    for answer in try instrument.ask("/device/\(action)", words.map { .string($0) }) {
      Console.print(answer.value.words + "\n")
    }
    try instrument.finish()
  }

  private static func cards(_ port: Int, _ arguments: CommandArguments) {
    let cards = Card.ranked(Card.all())
    // Only the instrument knows which card plays.
    func answer(_ address: String) -> String? {
      guard case .string(let text)? = LocalQuery.ask(address, port: port)?.first?.value else { return nil }
      return text
    }
    let playing = answer("/card").flatMap { $0.isEmpty ? nil : $0 }
    let why = "plays" + (playing.flatMap { _ in answer("/card/reason") }.map { ": " + $0 } ?? "")
    var table = [["Device", "Automatic", "Name", "Why"]]
    for (index, ranked) in cards.enumerated() {
      let rank = !ranked.isAutomatic ? "no" : index == 0 ? "first" : "\(index + 1)."
      table.append([
        ranked.card.pcm, rank, ranked.card.name, ranked.card.id == playing ? why : ranked.reason,
      ])
    }
    if cards.isEmpty {
      Console.log(noCards(isLocked: SoundDevices.areLocked(), user: SoundDevices.user))
      // A user without access to the cards can still ask the instrument.
      if let playing { table.append([playing, "", "", why]) }
    }
    if table.count > 1 { Lists.print(table, arguments) }
  }

  /// The reason why no card is listed.
  static func noCards(isLocked: Bool, user: String) -> String {
    isLocked
      ? "\(SoundDevices.locked(user)): \(SoundDevices.remedy(user))"
      : "no sound card that can play; 'pipit serve' plays when one appears"
  }

  /// Lists the keyboards of the running instrument or, without one, the connected and the remembered keyboards.
  private static func keyboards(_ configured: CommandArguments, _ arguments: CommandArguments) {
    var table = [["No.", "Keyboard", "State", "Parts", "Set", "Pads", "Known by"]]
    if let answers = LocalQuery.ask("/device/list", port: configured.number(.oscPort)) {
      for answer in answers where answer.address != "/device/list" {
        let cells = answer.value.words.split(separator: "\t", omittingEmptySubsequences: false).map(
          String.init)
        guard cells.count == 7 else { continue }
        table.append([cells[0], cells[2], cells[1], cells[4], cells[5], cells[6], cells[3]])
      }
    } else {
      table = [["No.", "Keyboard", "State", "Set", "Pads", "Known by"]] + kept(configured)
    }
    if table.count > 1 { return Lists.print(table, arguments) }
    // The list of cards has already reported this.
    if SoundDevices.areLocked() { return }
    Console.log("no MIDI keyboard; one is played as soon as it is plugged in")
  }

  /// The connected and the remembered keyboards as rows, without an instrument.
  private static func kept(_ configured: CommandArguments) -> [[String]] {
    let state = try? Folders.stateOfService(configured)
    let library = Library(
      database: state.map(Folders.database), factory: nil, writes: false, log: { Console.log($0) })
    var table = DeviceTable(reading: library.documents[.devices]?.text ?? "")
    if let state { table.use(PadFiles.maps(in: Folders.pads(state, configured), log: { Console.log($0) })) }
    var states: [Int: String] = [:]
    for (number, found) in Sequencer.keyboards().enumerated() {
      let address = Device.Address(client: UInt8(truncatingIfNeeded: number), port: 0)
      let device = table.attach(found.port, at: address)
      let isPlayed = device.settings.isAllowed ?? found.isPlayed
      states[device.id] = isPlayed ? "will be played" : found.reason.isEmpty ? "not allowed" : found.reason
    }
    return table.devices.map { device in
      let state = states[device.id] ?? "not there"
      return [
        "\(device.id)", device.identity.name, state, device.settings.text, table.pads(of: device)?.name ?? "",
        device.identity.mark,
      ]
    }
  }
}

/// `pipit bindings`: lists and changes the bindings of keyboards' controls in the running instrument.
enum BindingsCommand {
  /// The actions besides listing, with their numbers of operands.
  static let actions = ["add": 2, "set": 3, "remove": 1]

  static func run(_ arguments: CommandArguments) throws {
    let port = try Configuration.adding([.oscPort], to: arguments).number(.oscPort)
    let instrument = RunningInstrument(command: "bindings", port: port)
    guard let action = arguments.operands.first else { return try list(instrument, arguments) }
    guard let count = actions[action] else {
      throw CommandError.unknown(action, of: "bindings", among: actions.keys.sorted())
    }
    let words = Array(arguments.operands.dropFirst())
    guard words.count == count else {
      let what = [
        "add": "a device, and a control with what it moves", "set": "a number, what to set, and a value",
      ]
      throw CommandError.usage(
        "bindings: '\(action)' takes \(what[action] ?? "a number")", "pipit bindings --help")
    }
    for answer in try instrument.ask("/bindings/\(action)", words.map { .string($0) }) {
      Console.print(answer.value.words + "\n")
    }
    try instrument.finish()
  }

  private static func list(_ instrument: RunningInstrument, _ arguments: CommandArguments) throws {
    var table = [["No.", "Device", "Control", "Moves", "How", "Way"]]
    for answer in try instrument.ask("/bindings").dropFirst() {
      let cells = answer.value.words.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      if cells.count == table[0].count { table.append(cells) }
    }
    if table.count == 1 {
      Console.log("nothing is bound: press LEARN on the tablet, touch a fader, and turn a knob")
    }
    Lists.print(table + builtIn(beside: table), arguments)
  }

  /// The default targets of controllers that are not bound for every device. They have no number, because they cannot
  /// be changed.
  private static func builtIn(beside bound: [[String]]) -> [[String]] {
    let taken = bound.filter { $0[1] == "any" }.map { $0[2] }
    return Table.rows.compactMap { row in
      guard let controller = row.controller, !taken.contains("cc \(controller)") else { return nil }
      return ["", "any", "cc \(controller)", row.address, "built in", ""]
    }
  }
}
