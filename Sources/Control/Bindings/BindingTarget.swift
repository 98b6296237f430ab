import MIDI
import Parameters
import Scenes

/// The target of a binding: a knob, or an action that is triggered by a press.
enum BindingTarget: Hashable {
  /// An action; its raw value is its address.
  enum Action: String, CaseIterable {
    case next = "/preset/next"
    case previous = "/preset/previous"
    case tap = "/tempo/tap"
    case panic = "/panic"
    case nextSetup = "/setup/next"
    case previousSetup = "/setup/previous"
    case nextEntry = "/set/next"
    case previousEntry = "/set/previous"
    case nextCue = "/set/cue/next"
    case previousCue = "/set/cue/previous"

    /// Whether the action is done in one part.
    var isOfPart: Bool { self == .next || self == .previous || snapshot != nil }

    case snapshotA = "/snapshot/a"
    case snapshotB = "/snapshot/b"
    case snapshotC = "/snapshot/c"
    case snapshotD = "/snapshot/d"
    case snapshotE = "/snapshot/e"
    case snapshotF = "/snapshot/f"
    case snapshotG = "/snapshot/g"
    case snapshotH = "/snapshot/h"

    /// The index of the snapshot that it recalls; nil for other actions.
    var snapshot: Int? {
      Table.snapshots.firstIndex { rawValue == "/snapshot/" + $0 }
    }
  }

  /// A row of the table, in a part 0…7 or, if nil, in the part in focus.
  case knob(row: Int, part: Int?)
  case action(Action, part: Int?)
  /// The recall of the setup with a number, 1…128.
  case setup(Int)

  private static let recall = "/setup/recall/"

  /// The target of an address; nil for an address that cannot be bound.
  init?(_ address: String) {
    let (part, rest) = Table.part(address[...]).map { ($0.part, $0.rest) } ?? (nil, address[...])
    if let action = Action(rawValue: String(rest)) {
      if part != nil, !action.isOfPart { return nil }
      self = .action(action, part: part)
    } else if part == nil, rest.hasPrefix(BindingTarget.recall),
      let number = Int(rest.dropFirst(BindingTarget.recall.count)), (1...Limits.boundSetups).contains(number)
    {
      self = .setup(number)
    } else if let knob = Parameters.Address(address, focus: 0)?.knob {
      self = .knob(row: knob.row, part: part)
    } else {
      return nil
    }
  }

  /// The address that bindings store: the one to which a fader sends.
  var address: String {
    func full(_ part: Int?, _ rest: String) -> String { part.map { "/part/\($0 + 1)" + rest } ?? rest }
    switch self {
    case .knob(let row, let part): return full(part, Table.rows[row].address)
    case .action(let action, let part): return full(part, action.rawValue)
    case .setup(let number): return BindingTarget.recall + "\(number)"
    }
  }

  /// The targets besides knobs, in words.
  static let actions =
    Action.allCases.map(\.rawValue).joined(separator: ", ") + " or /setup/recall/1…\(Limits.boundSetups)"

  /// The row of a knob.
  var row: Parameter? { if case .knob(let row, _) = self { Table.rows[row] } else { nil } }

  /// The kind of a knob, with the names that an instrument has learned.
  func kind(_ names: NameRegister) -> Kind? { row?.kind.knowing(names) }
}

extension Binding {
  /// The binding, adapted to the current choices of its knob: if choices were added after the range was set, both
  /// ends of the range still mean the same choices.
  func fitted(to kind: Parameters.Kind?) -> Binding {
    guard let names = kind?.names else { return self }
    var fitted = self
    if let choices, choices != names.count, names.count > 1 {
      let share = Float(choices - 1) / Float(names.count - 1)
      (fitted.low, fitted.high) = (min(low * share, 1), min(high * share, 1))
    }
    fitted.choices = names.count
    return fitted
  }
}

extension Kind {
  /// The normalized position of a value in the knob's range, 0…1, also for choices.
  func normalized(_ value: Float) -> Float {
    isDiscrete ? value / max(range.upperBound, 1) : fader(value: value)
  }

  /// The value at a normalized position, 0…1, also for choices.
  func value(normalized: Float) -> Float? {
    value(fader: isDiscrete ? normalized * range.upperBound : normalized)
  }

  /// The normalized size of one step of an endless knob: a choice, a whole number, or a 127th.
  var step: Float {
    switch self {
    case .choice, .names, .toggle, .steps: max(1 / max(range.upperBound - range.lowerBound, 1), 1.0 / 127)
    default: 1.0 / 127
    }
  }
}
