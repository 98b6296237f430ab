import Parameters

/// What a binding moves: a knob, or something that is done with a press.
enum BindingTarget: Hashable {
  /// Something to do; its raw value is its address.
  enum Action: String, CaseIterable {
    case next = "/preset/next"
    case previous = "/preset/previous"
    case tap = "/tempo/tap"
    case panic = "/panic"
  }

  /// A row of the table, in a part 0…7 or in the one in focus.
  case knob(row: Int, part: Int?)
  case action(Action, part: Int?)

  /// What an address means to a binding; nil for anything else.
  init?(_ address: String) {
    let (part, rest) = Table.part(address[...]).map { ($0.part, $0.rest) } ?? (nil, address[...])
    if let action = Action(rawValue: String(rest)) {
      if part != nil, action == .tap || action == .panic { return nil }
      self = .action(action, part: part)
    } else if let knob = Parameters.Address(address, focus: 0)?.knob {
      self = .knob(row: knob.row, part: part)
    } else {
      return nil
    }
  }

  /// The address as bindings keep it: that of what a fader sends.
  var address: String {
    func full(_ part: Int?, _ rest: String) -> String { part.map { "/part/\($0 + 1)" + rest } ?? rest }
    switch self {
    case .knob(let row, let part): return full(part, Table.rows[row].address)
    case .action(let action, let part): return full(part, action.rawValue)
    }
  }

  /// The row of a knob.
  var row: Row? { if case .knob(let row, _) = self { Table.rows[row] } else { nil } }
}

extension Kind {
  /// Where a value lies between the ends of the knob, 0…1, choices too.
  func way(of value: Float) -> Float { isDiscrete ? value / max(range.upperBound, 1) : fader(value: value) }

  /// The value at a way of 0…1, choices too.
  func value(way: Float) -> Float? { value(fader: isDiscrete ? way * range.upperBound : way) }

  /// The way of one step of an endless knob: a choice, a whole number, or a 127th.
  var step: Float {
    switch self {
    case .choice, .toggle, .steps: max(1 / max(range.upperBound - range.lowerBound, 1), 1.0 / 127)
    default: 1.0 / 127
    }
  }
}
