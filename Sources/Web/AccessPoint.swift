import System

/// The Wi-Fi network that this machine has opened, as the services of pipit's card image describe it in a file of three
/// lines: the name, the password, and the text of its QR code. A value, any thread.
struct AccessPoint: Equatable {
  let name: String
  let password: String
  /// The text of the QR code with which a phone joins the network.
  let code: String

  /// Reads the file, which is in memory. Nil while no network is open, or if the file is not three lines.
  init?(file: String) {
    guard let bytes = try? readFile(file, limit: 1_024), let text = String(validating: bytes) else {
      return nil
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count == 4, lines[3].isEmpty, lines.dropLast().allSatisfy({ !$0.isEmpty }) else { return nil }
    (name, password, code) = (lines[0], lines[1], lines[2])
  }
}
