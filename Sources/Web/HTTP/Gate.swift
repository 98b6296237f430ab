import Surface

/// Admits requests from pipit's own page and from programs, and refuses those from foreign pages.
///
/// - The owner of a foreign page could point its name at this machine to reach pipit (DNS rebinding). So `Host` must
///   be an address, a name that no stranger can own, or a name in the configuration.
/// - Any page may send simple requests to any machine. So a request that changes something must come from pipit's own
///   page or from a program, and must have a header field that a foreign page cannot send without a preflight
///   request.
struct Gate {
  // The admitted names, in lower case.
  private let names: Set<String>

  /// The domains that belong to local networks.
  static let localEnds = ["local", "lan", "home.arpa", "internal"]

  /// A gate that admits the machine's name, alone or in a local network, and more names.
  init(machine: String, names: [String] = []) {
    let machine = machine.lowercased()
    self.names = Set(
      (["localhost", machine] + Gate.localEnds.map { "\(machine).\($0)" } + names).map { $0.lowercased() })
  }

  /// The reason to refuse a request; nil if it is admitted.
  func refusal(of request: HTTPRequest) -> HTTPResponse? {
    guard let host = request["host"], isKnown(host) else {
      let named = request["host"] ?? ""
      return HTTPResponse(421, "pipit is not \(named.prefix(100)); add the name to web-names in pipit.conf")
    }
    if let origin = request["origin"], origin.lowercased() != "http://" + host.lowercased() {
      return HTTPResponse(403, "only pipit's own page may do this")
    }
    switch request.method {
    case .get, .head: return nil
    case .put, .post, .delete:
      if request["x-pipit"] != nil || request["content-type"] == "application/json" { return nil }
      return HTTPResponse(403, "a change needs the field X-Pipit: 1")
    }
  }

  /// Whether a field `Host` names this machine.
  func isKnown(_ host: String) -> Bool {
    let name: Substring
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]"), Gate.isPort(host[host.index(after: end)...]) else {
        return false
      }
      return HostAddress(host[host.index(after: host.startIndex)..<end]) != nil
    }
    let colon = host.firstIndex(of: ":") ?? host.endIndex
    guard Gate.isPort(host[colon...]) else { return false }
    name = host[..<colon]
    return HostAddress(name)?.ipv4 != nil || names.contains(name.lowercased())
  }

  /// Whether a text is empty, or a colon and a port.
  private static func isPort(_ text: Substring) -> Bool {
    text.isEmpty || text.first == ":" && UInt16(text.dropFirst()) != nil
  }
}
