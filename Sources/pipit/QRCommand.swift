import Glibc
import QR

/// `pipit qr`: the address of the page as a QR code and in words.
enum QRCommand {
  static func run(_ arguments: CommandArguments) throws {
    let port = WebLink.port(try Configuration.adding([.webPort, .oscPort], to: arguments))
    if port == 0 { throw CommandError("qr: there is no page, because web-port = 0") }
    let named = address(of: NetworkAddresses.localName, port)
    let numbered = NetworkAddresses.ofDefaultRoute.map { address(of: $0, port) }
    guard let shown = arguments[.name] == nil ? numbered : named else {
      throw CommandError("qr: this machine has no network; --name shows the address with its name")
    }
    guard let code = QRCode(shown) else { throw CommandError("qr: cannot encode \(shown)") }
    // Light on dark, whatever the colours of the terminal.
    let (start, end) = isatty(STDOUT_FILENO) == 1 ? ("\u{1B}[97;40m", "\u{1B}[0m") : ("", "")
    let words = ([shown] + [numbered, named].compactMap { $0 }.filter { $0 != shown }).joined(separator: "\n")
    Console.print(code.lines.map { start + $0 + end + "\n" }.joined() + words + "\n")
  }

  private static func address(of host: String, _ port: Int) -> String {
    "http://\(host)\(port == 80 ? "" : ":\(port)")/"
  }
}
