import Glibc
import System

/// The USB device that a sound card is, as sysfs has it.
struct USBDevice: Equatable {
  /// Vendor and product, as `1235:0102`.
  let model: String
  /// Empty when it gives none.
  let serial: String
  /// The socket, as `1-1.2`: a number for the bus, one for each hub's port.
  let path: String

  /// The device of a card; nil for a card that is none on USB.
  /// - Parameter root: where sysfs is.
  init?(card: Int, root: String = "/sys") {
    guard card >= 0, let real = realpath("\(root)/class/sound/card\(card)/device", nil) else { return nil }
    defer { free(real) }
    var folder = String(cString: real)[...]
    // The card is an interface of the device, or lies deeper.
    while folder.count > 1 {
      if let vendor = Self.attribute("\(folder)/idVendor"),
        let product = Self.attribute("\(folder)/idProduct")
      {
        model = "\(vendor):\(product)"
        serial = Self.attribute("\(folder)/serial") ?? ""
        path = folder.split(separator: "/").last.map(String.init) ?? ""
        return
      }
      guard let slash = folder.lastIndex(of: "/") else { return nil }
      folder = folder[..<slash]
    }
    return nil
  }

  /// The first line of a small file, without what is no text; nil when there is none.
  private static func attribute(_ path: String) -> String? {
    guard let bytes = try? readFile(path, limit: 4096) else { return nil }
    let line = String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
    let words = line.split(separator: " ").joined(separator: " ")
    return words.isEmpty ? nil : words
  }
}
