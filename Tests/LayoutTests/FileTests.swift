import Layout
import Testing

/// The bytes of a layout.
struct FileTests {
  @Test("The same table makes the same file, and another reply port another", arguments: Size.allCases)
  func reproducible(size: Size) {
    let file = TouchOSC.file(TouchOSC.root(size, replyPort: 9000))
    #expect(file == TouchOSC.file(TouchOSC.root(size, replyPort: 9000)))
    #expect(file != TouchOSC.file(TouchOSC.root(size, replyPort: 9001)))
  }

  @Test("The file is a zlib stream of stored blocks around one line of XML", arguments: Size.allCases)
  func container(size: Size) throws {
    let file = TouchOSC.file(TouchOSC.root(size, replyPort: 9000))
    #expect((Int(file[0]) << 8 + Int(file[1])) % 31 == 0 && file[0] & 15 == 8)
    var (bytes, place, isLast) = ([UInt8](), 2, false)
    while !isLast {
      isLast = file[place] == 1
      let length = Int(file[place + 1]) + Int(file[place + 2]) << 8
      let check = Int(file[place + 3]) + Int(file[place + 4]) << 8
      try #require(length ^ check == 0xFFFF && place + 5 + length <= file.count - 4)
      bytes += file[(place + 5)..<(place + 5 + length)]
      place += 5 + length
    }
    #expect(place == file.count - 4)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasPrefix("<?xml version='1.0' encoding='UTF-8'?><lexml version='6'><node ID='"))
    #expect(text.hasSuffix("</node></lexml>") && !text.contains("<lexml version='6'>\n"))
  }

  @Test("Every control has an identity of its own, which is a UUID", arguments: Size.allCases)
  func identities(size: Size) {
    let root = TouchOSC.root(size, replyPort: 9000)
    let text = String(decoding: TouchOSC.file(root), as: UTF8.self)
    // A block border may cut one in half, or the words before it.
    let ids = text.split(separator: "<node ID='").dropFirst().map { $0.prefix(36) }
    #expect(ids.count >= root.all.count - 20)
    #expect(Set(ids).count == ids.count)
    for id in ids {
      let pieces = id.split(separator: "-")
      if pieces.map(\.count) != [8, 4, 4, 4, 12] { continue }
      // Version 8, and the variant of the standard.
      #expect(pieces[2].first == "8" && "89ab".contains(pieces[3].first ?? "-"), "\(id)")
    }
  }
}
