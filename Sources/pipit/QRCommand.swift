import Glibc
import QR

/// `pipit qr`: the address of the page, or a text, as a QR code and in words.
enum QRCommand {
  static func run(_ arguments: CommandArguments) throws {
    if let text = arguments.operands.first { return try show(text, words: text) }
    let port = WebLink.port(try Configuration.adding([.webPort, .oscPort], to: arguments))
    if port == 0 { throw CommandError("qr: there is no page, because web-port = 0") }
    let named = address(of: NetworkAddresses.localName, port)
    let numbered = NetworkAddresses.ofDefaultRoute.map { address(of: $0, port) }
    guard let shown = arguments[.name] == nil ? numbered : named else {
      throw CommandError("qr: this machine has no network; --name shows the address with its name")
    }
    let words = [shown] + [numbered, named].compactMap { $0 }.filter { $0 != shown }
    try show(shown, words: words.joined(separator: "\n"))
  }

  /// Prints the code of a text with words below it.
  private static func show(_ text: String, words: String) throws {
    guard let code = QRCode(text) else {
      throw CommandError("qr: a code holds a text of 1 to 2,331 bytes, not \(text.utf8.count)")
    }
    // Light on dark, whatever the colours of the terminal.
    let (start, end) = isatty(STDOUT_FILENO) == 1 ? ("\u{1B}[97;40m", "\u{1B}[0m") : ("", "")
    Console.print(code.lines.map { start + $0 + end + "\n" }.joined() + words + "\n")
  }

  private static func address(of host: String, _ port: Int) -> String {
    "http://\(host)\(port == 80 ? "" : ":\(port)")/"
  }
}
