import Glibc

/// The type of a knob's value: its range, curve and unit, or its choices.
public enum Kind: Sendable {
  /// Linear from 0…1 to the range.
  case linear(ClosedRange<Float>, Unit)
  /// Exponential: equal ratios for equal steps of the normalized position; the range is above 0.
  case exponential(ClosedRange<Float>, Unit)
  /// Cubic from 0 on: the cube of the normalized position, with fine resolution for small values, such as times down
  /// to 0.
  case cubic(ClosedRange<Float>, Unit)
  /// Whole numbers of a unit.
  case steps(ClosedRange<Int>, Unit)
  /// One of some names; the value is the index.
  case choice([String])
  /// One of some names, and of those that an instrument has learned; the value is the index. Without a register, as in
  /// the table, which all instruments share, only the fixed names are known.
  case names([String], NameRegister?)
  /// 0 or 1.
  case toggle
}

/// The unit of a knob: the raw value is the last word of the address that accepts a number in this unit.
public enum Unit: String, Sendable, CaseIterable {
  case hertz = "hz"
  case seconds = "seconds"
  case decibels = "db"
  case cents = "cents"
  case semitones = "semitones"
  case octaves = "octaves"
  /// A key by its MIDI number; people read and write its name as well, C4 for 60.
  case key = "key"
  /// Beats a minute.
  case beats = "bpm"
  /// 0…1 in the scene, 0…100 for people.
  case percent = "percent"
  /// A number without a unit, such as a Q.
  case plain = "value"
}

extension Kind {
  /// The lowest and highest value, in the unit of the scene.
  public var range: ClosedRange<Float> {
    switch self {
    case .linear(let range, _), .exponential(let range, _), .cubic(let range, _): range
    case .steps(let range, _): Float(range.lowerBound)...Float(range.upperBound)
    case .choice(let names): 0...Float(names.count - 1)
    case .names(let fixed, let learned): 0...Float(fixed.count + (learned?.count ?? 0) - 1)
    case .toggle: 0...1
    }
  }

  /// The lowest and highest value that a scene may hold, in its unit: the range or, for names without a register, the
  /// numbers of all names that one may have learned.
  public var bounds: ClosedRange<Float> {
    guard case .names(let fixed, nil) = self else { return range }
    return 0...Float(fixed.count + NameRegister.mostNames - 1)
  }

  /// The unit; nil for choices and toggles.
  public var unit: Unit? {
    switch self {
    case .linear(_, let unit), .exponential(_, let unit), .cubic(_, let unit), .steps(_, let unit): unit
    case .choice, .names, .toggle: nil
    }
  }

  /// All names of a choice at present; nil for other kinds.
  public var names: [String]? {
    switch self {
    case .choice(let names): names
    case .names(let fixed, let learned): fixed + (learned?.all ?? [])
    case .linear, .exponential, .cubic, .steps, .toggle: nil
    }
  }

  /// The kind with the names that an instrument has learned; unchanged if it learns none. Any thread.
  public func knowing(_ names: NameRegister) -> Kind {
    if case .names(let fixed, _) = self { .names(fixed, names) } else { self }
  }

  /// The number of a name. An unknown name is learned, because a preset may name a file that this machine does not have.
  /// Nil if the kind learns no names, or not this one.
  public func learn(_ name: some StringProtocol) -> Float? {
    guard case .names(let fixed, let learned?) = self else { return nil }
    return learned.learn(name).map { Float(fixed.count + $0) }
  }

  /// True if the address without a suffix carries the value itself (an index, 0 or 1) instead of a normalized
  /// position of 0…1.
  public var isDiscrete: Bool { unit == nil }

  /// The factor from the value in the scene to the number that people see.
  var shown: Float { unit == .percent ? 100 : 1 }

  /// The nearest value of the knob within `bounds`; nil for NaN.
  public func clamped(_ value: Float) -> Float? {
    if value.isNaN { return nil }
    let inside = max(bounds.lowerBound, min(value, bounds.upperBound))
    // Adding 0 makes 0 of -0, so that equal values have equal bits.
    switch self {
    case .linear, .exponential, .cubic: return inside + 0
    case .steps, .choice, .names: return inside.rounded() + 0
    case .toggle: return value >= 0.5 ? 1 : 0
    }
  }

  // MARK: - Fader positions, 0…1

  /// The value at a normalized position of 0…1 (clamped). For choices and toggles, the argument is the value itself.
  /// Nil for NaN.
  public func value(fader normalized: Float) -> Float? {
    if normalized.isNaN { return nil }
    if isDiscrete { return clamped(normalized) }
    let normalized = max(0, min(normalized, 1))
    let (low, high) = (range.lowerBound, range.upperBound)
    // The ends are exact, despite rounding in between.
    if normalized == 0 { return low }
    if normalized == 1 { return high }
    if case .exponential = self { return clamped(low * exp2(normalized * log2(high / low))) }
    if case .cubic = self { return clamped(high * normalized * normalized * normalized) }
    return clamped(low + normalized * (high - low))
  }

  /// The fader position of a value.
  public func fader(value: Float) -> Float {
    if isDiscrete { return value }
    let (low, high) = (range.lowerBound, range.upperBound)
    if case .exponential = self { return max(0, min(log2(value / low) / log2(high / low), 1)) }
    if case .cubic = self { return max(0, min(cbrt(value / high), 1)) }
    return max(0, min((value - low) / (high - low), 1))
  }

  /// Moves a value by an `offset` of -1…1, a share of the normalized distance to the end of the range in that
  /// direction: 0 leaves the value unchanged, and ±1 reaches the end.
  public func value(_ value: Float, leaning offset: Float) -> Float {
    if offset == 0 { return value }
    let normalized = isDiscrete ? value / range.upperBound : fader(value: value)
    let moved =
      offset < 0 ? normalized * (1 + offset) : offset < 1 ? normalized + (1 - normalized) * offset : 1
    return self.value(fader: isDiscrete ? moved * range.upperBound : moved) ?? value
  }

  // MARK: - Numbers in the unit, for people and presets

  /// The value for a number in the unit (per cent for `percent`), clamped; nil for NaN.
  ///
  /// A percentage is read as the shortest decimal number that it may stand for, so that 99.99 is 0.9999 to the bit.
  public func value(unit number: Float) -> Float? {
    if shown == 1 { return clamped(number) }
    return clamped(Float(decimal(Double(number)) { Float($0) == number } / Double(shown)))
  }

  /// The shortest number in the unit that converts back to the value.
  public func number(value: Float) -> Float { shown == 1 ? value : Float(shortest(value)) }

  /// The decimal number in the unit with the fewest decimal digits that converts back to the value.
  func shortest(_ value: Float) -> Double {
    decimal(Double(value) * Double(shown)) { Float($0 / Double(shown)) == value }
  }

  /// The decimal number near `number` with the fewest decimal digits that satisfies `fits`; `number` itself if none
  /// with up to twelve digits does.
  private func decimal(_ number: Double, fits: (Double) -> Bool) -> Double {
    var scale = 1.0
    for _ in 0...12 {
      let short = (number * scale).rounded() / scale
      if fits(short) { return short }
      scale *= 10
    }
    return number
  }
}
