import Parameters

extension Kind {
  /// The value that an argument means in a spelling.
  func value(_ argument: Argument, _ spelling: Address.Spelling) -> Result<Float, Refusal> {
    switch (argument, spelling) {
    case (_, .text):
      return .failure(Refusal("is sent, never taken; send to the address without /text"))
    case (.number(let number), .fader):
      if let value = value(fader: Float(number)) { return .success(value) }
    case (.number(let number), .unit):
      if let value = value(unit: Float(number)) { return .success(value) }
    case (.string(let text), .unit):
      if let value = value(text: text) { return .success(value) }
    case (.string(let text), .fader) where isDiscrete:
      if let value = value(text: text) { return .success(value) }
    default: break
    }
    switch self {
    case .choice(let names): return .failure(Refusal("takes one of " + names.joined(separator: ", ")))
    case .toggle: return .failure(Refusal("takes 0 or 1, on or off"))
    default: return .failure(Refusal("takes a number"))
    }
  }
}
