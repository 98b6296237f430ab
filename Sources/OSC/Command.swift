import Control
import Presets
import Synth

/// What a client can ask for besides turning knobs. The table is public so that the reference is written from it.
public struct Command: Sendable {
  /// The address; `<n>` stands for a number.
  public let address: String
  /// What it takes, in words.
  public let arguments: String
  /// One sentence for people.
  public let about: String
  /// True when it also exists under `/part/1` … `/part/8`.
  public let perPart: Bool
  /// True when clients are told of its value, and it answers to a query.
  public let isShown: Bool
  let verb: Verb

  enum Verb: Sendable, Equatable {
    case note, noteNumber, plane, bend, wheel, pressure, expression, sustain, panic
    case save, load, next, previous, undo, list
    case name, edited, bank, program
    case slot, slotName, slotIsCurrent, page, nextPage, previousPage
    case focus, notice, sync, here, hold, subscribe, unsubscribe
    case status, figure(Int), figureText(Int)
    case freeze, slow
  }

  private init(
    _ address: String, _ verb: Verb, _ arguments: String, perPart: Bool = false, isShown: Bool = false,
    _ about: String
  ) {
    self.address = address
    self.verb = verb
    self.arguments = arguments
    self.perPart = perPart
    self.isShown = isShown
    self.about = about
  }

  /// The addresses that it has, each with the number in the place of `<n>`.
  public var addresses: [(address: String, number: Int?)] {
    let words = address.split(separator: "/")
    guard words.contains("<n>") else { return [(address, nil)] }
    let numbers = verb == .noteNumber ? 0...127 : 1...Limits.presetsPerPage
    return numbers.map { number in
      (words.map { "/" + ($0 == "<n>" ? "\(number)" : $0) }.joined(), number)
    }
  }

  /// Every command.
  public static let all: [Command] =
    commands
    + StatusValue.all.enumerated().map { index, figure in
      Command("/status/" + figure.name, .figure(index), "none", isShown: figure.isShown, figure.about)
    }
    + StatusValue.all.enumerated().filter { $0.element.isShown }.map { index, figure in
      Command(
        "/status/\(figure.name)/text", .figureText(index), "none", isShown: true, "What a label shows of it.")
    }

  /// For proofs only: taken when pipit was started with `PIPIT_DEBUG=1` in its environment.
  static let trials: [Command] = [
    Command("/debug/freeze", .freeze, "none, or 0 to end it", "Stops the audio thread."),
    Command("/debug/slow", .slow, "1…100", "Makes each block take so many times as long."),
  ]

  // swift-format-ignore
  private static let commands: [Command] = [
    Command("/note/<n>",   .noteNumber, "velocity 0…1; 0 or F is the release", perPart: true, "Plays the note <n>, 0…127, as a tablet's button does."),
    Command("/note",       .note,       "note 0…127, velocity 0…1",            perPart: true, "Plays a note, as a program does."),
    Command("/play/xy",    .plane,      "0…1, 0…1, and 0 or F when the finger leaves", perPart: true, "A plane under one finger: pitch over two octaves, and loudness."),
    Command("/bend",       .bend,       "-1…1",                                perPart: true, "The pitch wheel."),
    Command("/wheel",      .wheel,      "0…1",                                 perPart: true, "The modulation wheel."),
    Command("/pressure",   .pressure,   "0…1",                                 perPart: true, "Pressure on the keys."),
    Command("/expression", .expression, "0…1",                                 perPart: true, "The expression pedal."),
    Command("/sustain",    .sustain,    "0 or 1",                              perPart: true, "The sustain pedal."),
    Command("/panic",      .panic,      "none, or 1 (0 is ignored)",           "Ends every note of everyone at once."),
    Command("/preset/save",     .save,     "a name, or none or 1: over itself (0 is ignored)", perPart: true, "Saves the sound; over the player's preset of that name if there is one."),
    Command("/preset/load",     .load,     "a name, or a number of /preset/list",     perPart: true, "Recalls a preset."),
    Command("/preset/next",     .next,     "none, or 1 (0 is ignored)",               perPart: true, "Recalls the next preset."),
    Command("/preset/previous", .previous, "none, or 1 (0 is ignored)",               perPart: true, "Recalls the previous preset."),
    Command("/preset/undo",     .undo,     "none, or 1 (0 is ignored)",               perPart: true, "Takes back the last recall or save; once more brings it again."),
    Command("/preset/list",     .list,     "none",                                    "Answers with how many presets there are, and the name of each as /preset/list/<n>, n from 0."),
    Command("/preset/name",     .name,     "none",               perPart: true, isShown: true, "The name of the preset."),
    Command("/preset/edited",   .edited,   "none",               perPart: true, isShown: true, "1 when the sound differs from the preset as it is stored."),
    Command("/preset/bank",     .bank,     "none",               perPart: true, isShown: true, "The preset's bank, 0…127; -1 when it has none."),
    Command("/preset/program",  .program,  "0…127",              perPart: true, isShown: true, "The preset's program, -1 when it has none; recalls another of the same bank."),

    Command("/preset/page",          .page,          "none", isShown: true,      "What the page of sixteen presets is called that the slots show."),
    Command("/preset/page/next",     .nextPage,      "none, or 1 (0 is ignored)", "Turns to the next page that holds presets."),
    Command("/preset/page/previous", .previousPage,  "none, or 1 (0 is ignored)", "Turns to the page before."),
    Command("/preset/slot/<n>",      .slot,          "none, or 1 (0 is ignored)", "Recalls the preset in slot <n>, 1…16, of the page."),
    Command("/preset/slot/<n>/name", .slotName,      "none", isShown: true,      "Its name, empty when there is none."),
    Command("/preset/slot/<n>/current", .slotIsCurrent, "none", isShown: true,   "1 when the part in focus came from it."),

    Command("/focus",      .focus,      "1…8",                                 isShown: true, "The part that bare addresses mean."),
    Command("/notice",     .notice,     "none",                                isShown: true, "What the player should know: a preset that cannot be saved, a program that is not there."),
    Command("/status",     .status,     "none",                                "Answers with every /status/…: how the instrument is."),
    Command("/sync",       .sync,       "none, or 1 (0 is ignored)",           "Sends everything there is to show once more."),
    Command("/here",       .here,       "none, or anything",                   "Says that a hand is on the tablet: what may have been lost is shown once more."),
    Command("/hold",       .hold,       "seconds, 1…600",                      "What the sender holds is let go once nothing was heard of it for so long; a tablet says so again and again while a finger is down."),
    Command("/subscribe",  .subscribe,  "none, or a port",                     "Asks for feedback at a port, the sender's own if none is given; to be renewed within ten minutes."),
    Command("/unsubscribe", .unsubscribe, "none",                              "Ends the feedback."),
  ]
}

extension Command.Verb {
  /// True for what a button does: it acts when it is pressed, and 0 is its release.
  var isTrigger: Bool {
    switch self {
    case .panic, .sync, .save, .next, .previous, .undo, .slot, .nextPage, .previousPage: true
    default: false
    }
  }

  /// True for questions about the instrument's health.
  var isHealth: Bool {
    switch self {
    case .status, .figure: true
    default: false
    }
  }

  /// The answers to such a question.
  func health(_ control: Control) -> [Message] {
    switch self {
    case .figure(let index):
      let figure = StatusValue.all[index]
      return [Message("/status/" + figure.name, Shown(figure.value(control.health)))]
    default: return StatusValue.all.indices.flatMap { Command.Verb.figure($0).health(control) }
    }
  }

  /// What a client is told of it; nil for what has nothing to tell.
  func shown(_ control: Control, part: Int, number: Int?) -> Shown? {
    switch self {
    case .focus: .int(control.focus + 1)
    case .notice: .string(control.notice)
    case .name: .string(control.name(part: part))
    case .edited: .int(control.isEdited(part: part) ? 1 : 0)
    case .bank: .int(control.slot(part: part)?.bank ?? -1)
    case .program: .int(control.slot(part: part)?.program ?? -1)
    case .figure(let index): Shown(StatusValue.all[index].value(control.health))
    case .figureText(let index): .string(StatusValue.all[index].text(control.health))
    case .page: .string(control.page.map { Command.name(page: $0) } ?? "")
    case .slotName: .string(control.slot(button: number ?? 0).flatMap { control.library[$0]?.name } ?? "")
    case .slotIsCurrent:
      .int(control.slot(part: part).map { $0 == control.slot(button: number ?? 0) } ?? false ? 1 : 0)
    default: nil
    }
  }
}

extension Command {
  /// What a page of presets is called.
  fileprivate static func name(page: Slot) -> String {
    let bank = page.bank == 0 ? "Factory" : page.bank == 1 ? "Own" : "Bank \(page.bank)"
    return bank + " \(page.program + 1)-\(page.program + Limits.presetsPerPage)"
  }
}
