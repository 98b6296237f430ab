import Glibc
import Parameters
import Synth

/// Every address that means something, and what it means.
struct Routes {
  enum Route {
    /// A row of the table in a part (nil: the one in focus), in a spelling; and its face, where it has one.
    case knob(row: Int, part: Int?, Address.Spelling, face: Int?)
    /// A command, for a part where it is one of a part's, with the number in its address.
    case command(Command.Verb, part: Int?, number: Int?)
  }

  private var routes: [String: Route] = [:]
  private var found: [String: [String]] = [:]

  init() {
    for (index, face) in Face.all.enumerated() {
      guard case .knob(let row, let part, let spelling) = face.content else { continue }
      routes[face.address] = .knob(row: row, part: part, spelling, face: index)
      if case .fader = spelling, let unit = Table.rows[row].kind.unit {
        routes[face.address + "/" + unit.rawValue] = .knob(row: row, part: part, .unit, face: nil)
      }
    }
    for command in Command.all {
      for part in [nil] + (0..<Limits.parts).map({ $0 }) where part == nil || command.perPart {
        let address = Face.prefix(part) + command.address
        if address.hasSuffix("<n>") {
          for number in 0..<128 {
            routes[address.dropLast(3) + "\(number)"] = .command(command.verb, part: part, number: number)
          }
        } else {
          routes[address] = .command(command.verb, part: part, number: nil)
        }
      }
    }
  }

  /// What an address means; nil when it means nothing.
  subscript(address: String) -> Route? { routes[address] }

  /// True for an address that OSC calls a pattern.
  static func isPattern(_ address: String) -> Bool { address.utf8.contains { "*?[{".utf8.contains($0) } }

  /// The addresses that a pattern matches. Nil for one too tangled to be worth it.
  mutating func matching(_ pattern: String) -> [String]? {
    // A fader that sends to a pattern sends to the same one all the time.
    if let found = found[pattern] { return found }
    guard pattern.utf8.count <= 64, pattern.utf8.filter({ $0 == UInt8(ascii: "*") }).count <= 4,
      let alternatives = Routes.alternatives(pattern)
    else { return nil }
    let addresses = routes.keys.filter { address in
      alternatives.contains { fnmatch($0, address, FNM_PATHNAME | FNM_NOESCAPE) == 0 }
    }.sorted()
    if found.count >= 16 { found.removeAll() }
    found[pattern] = addresses
    return addresses
  }

  /// `{a,b}` spelled out, up to 64 alternatives; nil for more, or braces that do not match.
  private static func alternatives(_ pattern: String) -> [String]? {
    var done: [String] = []
    var open = [pattern]
    while let next = open.popLast() {
      guard let start = next.firstIndex(of: "{") else {
        done.append(next)
        continue
      }
      guard let end = next[start...].firstIndex(of: "}") else { return nil }
      for choice in next[next.index(after: start)..<end].split(
        separator: ",", omittingEmptySubsequences: false)
      {
        open.append(String(next[..<start]) + choice + next[next.index(after: end)...])
      }
      if open.count + done.count > 64 { return nil }
    }
    return done
  }

  /// The address most like one that means nothing; nil when none is near.
  func near(_ address: String) -> String? {
    guard address.utf8.count <= 64 else { return nil }
    let wrong = Array(address.utf8)
    var best: (address: String, distance: Int)?
    for (known, route) in routes {
      // 128 notes in nine parts are near everything.
      if case .command(_, _, .some) = route { continue }
      let distance = Routes.distance(wrong, Array(known.utf8))
      // The same from run to run, though a dictionary has no order.
      if distance < best?.distance ?? 4 || (distance == best?.distance && known < best?.address ?? "") {
        best = (known, distance)
      }
    }
    return best?.address
  }

  /// How many letters must be put in, taken out or exchanged.
  private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
    if abs(one.count - other.count) > 3 { return 4 }
    var row = Array(0...other.count)
    for (i, letter) in one.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, known) in other.enumerated() {
        let above = row[j + 1]
        row[j + 1] = min(min(row[j], above) + 1, diagonal + (letter == known ? 0 : 1))
        diagonal = above
      }
    }
    return row[other.count]
  }
}
