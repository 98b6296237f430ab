import Glibc
import System

/// The USB device of a sound card, read from sysfs.
struct USBDevice: Equatable {
  /// Vendor and product id, such as `1235:0102`.
  let model: String
  /// The serial number; empty if the device has none.
  let serial: String
  /// The path of the socket, such as `1-1.2`: the number of the bus, and the port of each hub.
  let path: String

  /// The USB device of a card; nil for a card that is not on USB.
  /// - Parameter root: The mount point of sysfs.
  init?(card: Int, root: String = "/sys") {
    guard card >= 0, let real = realpath("\(root)/class/sound/card\(card)/device", nil) else { return nil }
    defer { free(real) }
    var folder = String(cString: real)[...]
    // The card belongs to an interface of the device, at this level or deeper.
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

  /// The first line of a small file, with runs of spaces reduced to one; nil if it is missing or empty.
  private static func attribute(_ path: String) -> String? {
    guard let bytes = try? readFile(path, limit: 4096) else { return nil }
    let line = String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
    let words = line.split(separator: " ").joined(separator: " ")
    return words.isEmpty ? nil : words
  }
}
