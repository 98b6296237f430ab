import CZlib
import Layout
import Testing

/// The bytes of a layout.
struct LayoutFileTests {
  @Test("The same table makes the same file, and another reply port another", arguments: Size.allCases)
  func reproducible(size: Size) {
    let file = TouchOSC.file(TouchOSC.root(size, replyPort: 9000))
    #expect(file == TouchOSC.file(TouchOSC.root(size, replyPort: 9000)))
    #expect(file != TouchOSC.file(TouchOSC.root(size, replyPort: 9001)))
  }

  @Test("The file is a zlib stream of one line of XML, and small enough to mail", arguments: Size.allCases)
  func container(size: Size) throws {
    let file = TouchOSC.file(TouchOSC.root(size, replyPort: 9000))
    #expect(file.count < 100_000)
    let text = try unpacked(file)
    #expect(text.hasPrefix("<?xml version='1.0' encoding='UTF-8'?><lexml version='6'><node ID='"))
    #expect(text.hasSuffix("</node></lexml>") && !text.contains("<lexml version='6'>\n"))
  }

  @Test("Every control has an identity of its own, which is a UUID", arguments: Size.allCases)
  func identities(size: Size) throws {
    let root = TouchOSC.root(size, replyPort: 9000)
    let text = try unpacked(TouchOSC.file(root))
    let ids = text.split(separator: "<node ID='").dropFirst().map { $0.prefix(36) }
    #expect(ids.count == root.all.count)
    #expect(Set(ids).count == ids.count)
    for id in ids {
      let pieces = id.split(separator: "-")
      try #require(pieces.map(\.count) == [8, 4, 4, 4, 12])
      // Version 8, and the variant of the standard.
      #expect(pieces[2].first == "8" && "89ab".contains(pieces[3].first ?? "-"), "\(id)")
    }
  }

  private func unpacked(_ file: [UInt8]) throws -> String {
    var bytes = [UInt8](repeating: 0, count: 4_000_000)
    var size = uLong(bytes.count)
    let status = uncompress(&bytes, &size, file, uLong(file.count))
    try #require(status == Z_OK)
    return String(decoding: bytes[..<Int(size)], as: UTF8.self)
  }
}
