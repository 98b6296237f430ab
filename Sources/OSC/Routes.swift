import Glibc
import Parameters
import Synth
import System

/// Every address that means something, and what it means.
struct Routes {
  enum Route {
    /// A row of the table in a part (nil: the one in focus), in a spelling; and its face, where it has one.
    case knob(row: Int, part: Int?, Address.Spelling, face: Int?)
    /// A command, for a part where it is one of a part's, with the number in its address.
    case command(Command.Verb, part: Int?, number: Int?)
  }

  private var routes: [String: Route] = [:]
  // Those that a wrong address is compared with: without parts, and without 128 notes, which are near everything.
  private var bare: [(address: String, letters: [UInt8])] = []
  private var found: [String: [String]] = [:]

  init() {
    for (index, face) in Face.all.enumerated() {
      guard case .knob(let row, let part, let spelling) = face.content else { continue }
      routes[face.address] = .knob(row: row, part: part, spelling, face: index)
      if case .fader = spelling, let unit = Table.rows[row].kind.unit {
        routes[face.address + "/" + unit.rawValue] = .knob(row: row, part: part, .unit, face: nil)
      }
    }
    for command in Command.all + Command.trials {
      for part in [nil] + (0..<Limits.parts).map({ $0 }) where part == nil || command.perPart {
        for (address, number) in command.addresses {
          routes[Face.prefix(part) + address] = .command(command.verb, part: part, number: number)
        }
      }
    }
    bare = routes.keys.sorted().filter { address in
      if case .command(_, _, .some)? = routes[address] { return false }
      return Address.part(address[...]) == nil
    }.map { ($0, Array($0.utf8)) }
  }

  /// What an address means; nil when it means nothing.
  subscript(address: String) -> Route? { routes[address] }

  /// True for an address that OSC calls a pattern.
  static func isPattern(_ address: String) -> Bool { address.utf8.contains { "*?[{".utf8.contains($0) } }

  /// The knobs' addresses that a pattern matches; nobody saves a preset by a star. Nil for a pattern too
  /// tangled to be worth it.
  mutating func matching(_ pattern: String) -> [String]? {
    // A fader that sends to a pattern sends to the same one all the time.
    if let found = found[pattern] { return found }
    guard pattern.utf8.count <= 64, pattern.utf8.filter({ $0 == UInt8(ascii: "*") }).count <= 4,
      let alternatives = Routes.alternatives(pattern)
    else { return nil }
    let addresses = routes.filter { address, route in
      guard case .knob = route else { return false }
      return alternatives.contains { fnmatch($0, address, FNM_PATHNAME | FNM_NOESCAPE) == 0 }
    }.keys.sorted()
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
    let (prefix, rest) =
      Address.part(address[...]).map { (Face.prefix($0.part), $0.rest) } ?? ("", address[...])
    let wrong = Array(rest.utf8)
    var best: (address: String, distance: Int)?
    for known in bare {
      let limit = best?.distance ?? 4
      let distance = editDistance(wrong, known.letters, below: limit)
      if distance < limit && routes[prefix + known.address] != nil {
        best = (prefix + known.address, distance)
      }
    }
    return best?.address
  }
}
