/// A command in a text frame, as `{"COMMAND": "LISTEN", "DATA": "/filter/cutoff"}`.
enum WebCommand: Equatable {
  /// Requests the values of an address from now on; OSCQuery.
  case listen(String)
  /// Ends the values of an address; OSCQuery.
  case ignore(String)
  /// Requests all messages that a tablet receives; pipit's page.
  case listenAll
  /// Requests the samples of the output, or ends them; pipit's page.
  case monitor(Bool)

  /// Reads a command; nil for anything else.
  init?(_ text: UnsafeRawBufferPointer) {
    guard text.count <= WebCommand.bytes, let fields = JSONReader.fields(text) else { return nil }
    switch (fields["COMMAND"], fields["DATA"]) {
    case (.text("LISTEN"), .text(let address)): self = .listen(address)
    case (.text("IGNORE"), .text(let address)): self = .ignore(address)
    case (.text("LISTEN_ALL"), _): self = .listenAll
    case (.text("MONITOR"), .truth(let isOn)): self = .monitor(isOn)
    default: return nil
    }
  }

  /// The longest command, bytes.
  static let bytes = 4096
}
