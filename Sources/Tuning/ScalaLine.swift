import Glibc

/// One line of a Scala file.
struct ScalaLine {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes.drop(while: isBlank) }

  var isEmpty: Bool { bytes.isEmpty }
  var isComment: Bool { bytes.first == UInt8(ascii: "!") }

  /// The text, decoded as UTF-8 or else as Latin-1, with "?" for control characters.
  var text: String {
    var bytes = bytes
    while let last = bytes.last, isBlank(last) { bytes.removeLast() }
    let letters =
      String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    return String(letters.map { $0.unicodeScalars.contains { $0.value < 32 || $0.value == 127 } ? "?" : $0 })
  }

  /// The text in quotation marks for an error, at most 24 characters.
  var quoted: String {
    let text = text
    return "\"" + (text.count > 24 ? text.prefix(23) + "…" : text) + "\""
  }

  /// The whole number at its beginning; nil without one.
  var integer: Int? {
    var rest = bytes
    let token = rest.takeNumber()
    return token.hasPoint || !rest.endsNumber ? nil : Int(token.text)
  }

  /// The number at its beginning, with or without a decimal point; nil without one.
  var number: Double? {
    var rest = bytes
    let token = rest.takeNumber()
    return rest.endsNumber ? Double(token.text).flatMap { $0.isFinite ? $0 : nil } : nil
  }

  /// Whether it is the "x" of a key without a pitch.
  var isUnmapped: Bool {
    guard bytes.first == UInt8(ascii: "x") || bytes.first == UInt8(ascii: "X") else { return false }
    return bytes.dropFirst().first.map(isBlank) ?? true
  }

  /// The pitch at its beginning, octaves above the first degree: cents with a decimal point, or else a ratio or a whole
  /// number. The rest is a remark.
  var pitch: Double? {
    var rest = bytes
    let first = rest.takeNumber()
    guard let number = Double(first.text) else { return nil }
    if first.hasPoint { return rest.endsNumber ? finite(number / 1200) : nil }
    var behind = rest.drop(while: isBlank)
    if behind.first != UInt8(ascii: "/") {
      return rest.endsNumber && number > 0 ? finite(log2(number)) : nil
    }
    behind = behind.dropFirst().drop(while: isBlank)
    let second = behind.takeNumber()
    guard !second.hasPoint, behind.endsNumber, let divisor = Double(second.text), number > 0, divisor > 0
    else { return nil }
    return finite(log2(number) - log2(divisor))
  }

  private func finite(_ octaves: Double) -> Double? { octaves.isFinite ? octaves : nil }
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 26 }

private func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

extension ArraySlice<UInt8> {
  /// Removes and returns a sign, digits, and digits after a decimal point from the beginning.
  fileprivate mutating func takeNumber() -> (text: String, hasPoint: Bool) {
    var end = startIndex
    func skipDigits() { while end < endIndex, isDigit(self[end]) { end += 1 } }
    if let first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") { end += 1 }
    skipDigits()
    let hasPoint = end < endIndex && self[end] == UInt8(ascii: ".")
    if hasPoint {
      end += 1
      skipDigits()
    }
    var text = String(decoding: self[startIndex..<end], as: UTF8.self)
    // "5." and ".5" are numbers here.
    if hasPoint, text.contains(where: \.isNumber) {
      if text.last == "." { text += "0" }
      if let point = text.firstIndex(of: "."),
        point == text.startIndex || !text[text.index(before: point)].isNumber
      {
        text.insert("0", at: point)
      }
    }
    self = self[end...]
    return (text, hasPoint)
  }

  /// Whether a number may end before the rest: not inside text such as 3:2, 701,955, 1.2.3 or 1e3.
  fileprivate var endsNumber: Bool {
    guard let next = first else { return true }
    if [UInt8](".,:/".utf8).contains(next) { return false }
    guard next == UInt8(ascii: "e") || next == UInt8(ascii: "E"), let after = dropFirst().first else {
      return true
    }
    return !isDigit(after) && after != UInt8(ascii: "-") && after != UInt8(ascii: "+")
  }
}

/// The lines of a Scala file without its comments, which begin with an exclamation mark. Bytes above 127, in any
/// encoding, occur in text only.
struct ScalaLines {
  private let bytes: [UInt8]
  private var offset: Int
  /// The number of the line read last, from 1.
  private(set) var number = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The next line that is not a comment; nil at the end. Lines end with LF, CR LF or CR.
  mutating func next() -> ScalaLine? {
    while offset < bytes.count {
      var end = offset
      while end < bytes.count, bytes[end] != 10, bytes[end] != 13 { end += 1 }
      let line = ScalaLine(bytes[offset..<end])
      number += 1
      offset = end + (bytes[end...].starts(with: [13, 10]) ? 2 : 1)
      if !line.isComment { return line }
    }
    return nil
  }

  /// The next line that is not a comment and not empty.
  mutating func nextFilled() -> ScalaLine? {
    while let line = next() {
      if !line.isEmpty { return line }
    }
    return nil
  }

  /// An error about the line read last.
  func error(_ problem: String) -> TuningError { TuningError(line: number, problem) }

  /// An error about something missing at the end of the file.
  func endError(_ missing: String) -> TuningError {
    TuningError(line: max(number, 1), "the file ends here; \(missing)")
  }
}
