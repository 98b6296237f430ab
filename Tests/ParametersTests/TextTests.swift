import Foundation
import Parameters
import Testing

/// What people read and write, at the ends of ranges and where a unit or the number of places changes.
@Suite("Texts of values") struct TextTests {
  private let hertz = Kind.exponential(0.02...20_000, .hertz)
  private let seconds = Kind.cubic(0...10, .seconds)

  @Test(
    "Frequencies are shown in Hz or kHz, with fewer decimal places for larger numbers",
    arguments: [
      (0.02, "0.02 Hz"), (0.994, "0.99 Hz"), (1, "1.00 Hz"), (9.99, "9.99 Hz"), (10, "10.0 Hz"),
      (99.9, "99.9 Hz"),
      (100, "100 Hz"), (999, "999 Hz"), (1_000, "1.00 kHz"), (9_990, "9.99 kHz"), (10_000, "10.0 kHz"),
      (20_000, "20.0 kHz"),
    ] as [(Float, String)])
  func frequencies(value: Float, text: String) { #expect(hertz.text(value: value) == text) }

  @Test(
    "Times are shown in milliseconds below 0.1 s, and in seconds from there on",
    arguments: [
      (0, "0.0 ms"), (0.001, "1.0 ms"), (0.0099, "9.9 ms"), (0.01, "10 ms"), (0.099, "99 ms"),
      (0.1, "0.10 s"),
      (1, "1.00 s"), (10, "10.00 s"),
    ] as [(Float, String)])
  func times(value: Float, text: String) { #expect(seconds.text(value: value) == text) }

  @Test("Values are shown with the symbol of each unit") func unitSymbols() {
    let cases: [(Kind, Float, String)] = [
      (.linear(-60...6, .decibels), -60, "-60.0 dB"), (.linear(-60...6, .decibels), 5.96, "6.0 dB"),
      (.linear(-100...100, .cents), -0.54, "-0.5 ct"), (.linear(-48...48, .semitones), 7.25, "7.3 st"),
      (.linear(-8...8, .octaves), -1.255, "-1.25 oct"), (.linear(20...300, .beats), 119.96, "120.0 bpm"),
      (.linear(-1...1, .percent), -0.005, "-1 %"), (.linear(0...1.2, .percent), 1.2, "120 %"),
      (.linear(0...4, .plain), 0.707, "0.71"), (.steps(-48...48, .semitones), -12, "-12 st"),
      (.steps(-3...3, .octaves), 3, "3 oct"), (.steps(0...127, .key), 127, "G9"),
      (.steps(1...7, .plain), 7, "7"),
      (.toggle, 1, "on"), (.toggle, 0, "off"), (.choice(["a", "b"]), 0, "a"), (.choice(["a", "b"]), 1, "b"),
      (.choice(["a", "b"]), 7, "b"), (.choice(["a", "b"]), -1, "a"),
    ]
    for (kind, value, text) in cases { #expect(kind.text(value: value) == text, "\(kind) \(value)") }
  }

  @Test("Typed words and numbers are read as values of switches, choices, percentages and steps")
  func typedWords() {
    for word in ["on", "ON", "true", "Yes", "1", "0.5", "7"] { #expect(Kind.toggle.value(text: word) == 1) }
    for word in ["off", "False", "no", "0", "0.4", "-1"] { #expect(Kind.toggle.value(text: word) == 0) }
    #expect(Kind.toggle.value(text: "maybe") == nil && Kind.toggle.value(text: "") == nil)
    let choice = Kind.choice(["24", "12"])
    // A name goes before a number.
    #expect(choice.value(text: "12") == 1 && choice.value(text: "24") == 0 && choice.value(text: "0") == 0)
    #expect(choice.value(text: "1") == 1 && choice.value(text: "9") == 1 && choice.value(text: "x") == nil)
    let percent = Kind.linear(-1...1, .percent)
    #expect(percent.value(text: "-25") == -0.25 && percent.value(text: "250") == 1)
    #expect(percent.value(text: "1e2") == 1 && percent.value(text: "5 %") == nil)
    #expect(Kind.steps(-3...3, .octaves).value(text: "1.5") == 2)
    #expect(Kind.steps(-3...3, .octaves).value(text: "-1.6") == -2)
    #expect(Kind.steps(-3...3, .octaves).value(text: "9") == 3)
  }

  @Test("A value is clamped and rounded to the nearest value that the knob can have") func nearestValue() {
    #expect(Kind.toggle.clamped(0.49) == 0 && Kind.toggle.clamped(0.5) == 1 && Kind.toggle.clamped(-3) == 0)
    #expect(Kind.choice(["a", "b", "c"]).clamped(1.6) == 2 && Kind.choice(["a", "b"]).clamped(1.4) == 1)
    #expect(Kind.steps(1...7, .plain).clamped(2.7) == 3 && Kind.steps(1...7, .plain).clamped(0) == 1)
    #expect(Kind.linear(-6...6, .decibels).clamped(2.7) == 2.7)
    for kind in [Kind.toggle, .choice(["a"]), .linear(0...1, .percent)] { #expect(kind.clamped(.nan) == nil) }
  }

  /// The curves by their formulas, not by going there and back.
  @Test("The middle of a fader matches the formula of each curve") func faderCurves() throws {
    func middle(_ kind: Kind, _ way: Float) throws -> Float { try #require(kind.value(fader: way)) }
    #expect(try middle(.linear(-60...6, .decibels), 0.5) == -27)
    #expect(abs(try middle(.exponential(20...20_000, .hertz), 0.5) - 632.456) < 0.01)
    #expect(abs(try middle(.exponential(1...16, .plain), 0.25) - 2) < 1e-5)
    #expect(abs(try middle(.cubic(0...10, .seconds), 0.5) - 1.25) < 1e-5)
    #expect(try middle(.steps(-3...3, .octaves), 0.5) == 0 && middle(.steps(0...127, .key), 0.5) == 64)
    #expect(abs(Kind.exponential(20...20_000, .hertz).fader(value: 632.456) - 0.5) < 1e-5)
    #expect(abs(Kind.cubic(0...10, .seconds).fader(value: 1.25) - 0.5) < 1e-5)
    #expect(Kind.linear(-60...6, .decibels).fader(value: -27) == 0.5)
    #expect(Kind.steps(-3...3, .octaves).fader(value: 0) == 0.5)
  }

  @Test("An offset from -1 to 1 moves a value towards the ends of its range, and exactly to them")
  func leaningValue() {
    let level = Kind.linear(0...1, .percent)
    for (offset, value) in [(-1, 0), (-0.5, 0.2), (0, 0.4), (0.5, 0.7), (1, 1)] as [(Float, Float)] {
      #expect(abs(level.value(0.4, leaning: offset) - value) < 1e-6, "\(offset)")
    }
    // To the end exactly, and without one to the bit.
    let cutoff = Kind.exponential(20...20_000, .hertz)
    #expect(cutoff.value(777.7, leaning: 0) == 777.7 && cutoff.value(777.7, leaning: 1) == 20_000)
    #expect(cutoff.value(777.7, leaning: -1) == 20)
  }

  @Test("Numbers are rounded to the given decimal places, without a negative zero") func decimalPlaces() {
    #expect(decimals(1.005, 2) == "1.00" || decimals(1.005, 2) == "1.01")
    #expect(decimals(-0.04, 1) == "0.0" && decimals(-0.06, 1) == "-0.1" && decimals(9.96, 1) == "10.0")
    #expect(decimals(0.05, 2) == "0.05" && decimals(12, 0) == "12" && decimals(-12.5, 0) == "-13")
    #expect(decimals(.infinity, 1) == "inf")
  }
}

/// The page of addresses says what the table says: whoever changes a range, a start or a controller changes both.
@Suite("The page of addresses") struct ReferencePageTests {
  private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Sources/Surface/README.md").standardized.path

  /// The cells of the row of each address.
  private static let cells: [String: [String]] = {
    var rows: [String: [String]] = [:]
    let text = (try? String(contentsOfFile: page, encoding: .utf8)) ?? ""
    for line in text.split(separator: "\n") where line.hasPrefix("| /") {
      let cells = line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      if cells.count == 6 { rows[cells[0]] = cells }
    }
    return rows
  }()

  /// The address by which the page names a row: the slots of the matrix are alike and share a line.
  private static func name(_ address: String) -> String {
    guard address.hasPrefix("/mod/") else { return address }
    return "/mod/1…\(Table.slots.count)/" + (address.split(separator: "/").last ?? "")
  }

  @Test("Every row of the parameter table matches its row in Surface/README.md") func rowsOnPage() throws {
    #expect(Set(Self.cells.keys) == Set(Table.rows.map { Self.name($0.address) }))
    #expect(Table.rows.filter { $0.address.hasPrefix("/mod/") }.count == Table.slots.count * 4)
    for row in Table.rows {
      let cells = try #require(Self.cells[Self.name(row.address)], "\(row.address)")
      let kind = row.kind
      func number(_ value: Float) -> String {
        let words = "\(kind.number(value: value))"
        return words.hasSuffix(".0") ? String(words.dropLast(2)) : words
      }
      #expect(cells[1] == (kind.unit.map { "/" + $0.rawValue } ?? ""), "\(row.address)")
      switch kind {
      case .choice(let names): #expect(cells[2] == names.joined(separator: " "), "\(row.address)")
      case .names(let names, _):
        #expect(cells[2] == names.joined(separator: " ") + ", or a file of the folder wavetables")
      case .toggle: #expect(cells[2] == "off on", "\(row.address)")
      default:
        #expect(
          cells[2] == "\(number(kind.range.lowerBound)) to \(number(kind.range.upperBound))", "\(row.address)"
        )
      }
      #expect(cells[3] == kind.exact(value: row.initial), "\(row.address)")
      #expect(cells[4] == (row.controller.map { "\($0)" } ?? ""), "\(row.address)")
      let slot = row.address.hasPrefix("/mod/") ? "slot " + row.address.split(separator: "/")[1] : nil
      let about = slot.map { row.about.replacingOccurrences(of: $0, with: "the slot") } ?? row.about
      #expect(cells[5] == about, "\(row.address)")
    }
  }
}
