import CQREncode

/// A QR code (ISO/IEC 18004) of a text, such as the address of a page. A value, any thread.
public struct QRCode: Sendable, Equatable {
  /// The number of modules on a side, without the margin.
  public let size: Int
  // Row by row; true for a dark module.
  private let modules: [Bool]

  /// The light margin that readers need, modules.
  public static let margin = 4

  /// The code of a text, with error correction of level M: 15 % may be unreadable. Nil for an empty text, or one of
  /// more than 2,331 bytes of UTF-8.
  public init?(_ text: String) {
    // A zero byte would end the text.
    guard !text.isEmpty, !text.utf8.contains(0),
      let code = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1)
    else { return nil }
    defer { QRcode_free(code) }
    let size = Int(code.pointee.width)
    guard let data = code.pointee.data else { return nil }
    self.size = size
    modules = (0..<size * size).map { data[$0] & 1 == 1 }
  }

  /// Whether a module is dark. Everything outside the code is light.
  public subscript(x: Int, y: Int) -> Bool {
    (0..<size).contains(x) && (0..<size).contains(y) && modules[y * size + x]
  }

  /// A picture with the margin: an SVG document of one unit for each module, which is shown at any size.
  public var svg: String {
    let side = size + 2 * QRCode.margin
    var path = ""
    for y in 0..<size {
      var x = 0
      while x < size {
        let start = x
        while self[x, y] { x += 1 }
        if x > start {
          path += "M\(start + QRCode.margin) \(y + QRCode.margin)h\(x - start)v1h-\(x - start)z"
        }
        x += 1
      }
    }
    return
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(side) \(side)\" shape-rendering=\"crispEdges\">"
      + "<path fill=\"#fff\" d=\"M0 0h\(side)v\(side)h-\(side)z\"/><path d=\"\(path)\"/></svg>\n"
  }

  /// Lines of text with the margin for a terminal, two rows of modules in each. Light modules are drawn with block
  /// characters and dark ones with spaces, so that the code looks right as light text on a dark background.
  public var lines: [String] {
    let range = -QRCode.margin..<size + QRCode.margin
    return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { y in
      range.map { x in
        switch (self[x, y], y + 1 < range.upperBound ? self[x, y + 1] : true) {
        case (false, false): "█"
        case (false, true): "▀"
        case (true, false): "▄"
        case (true, true): " "
        }
      }.joined()
    }
  }
}
