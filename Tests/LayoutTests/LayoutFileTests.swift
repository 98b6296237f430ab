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
    #expect(file.count < 256 << 10)
    let text = try unpacked(file)
    #expect(text.hasPrefix("<?xml version='1.0' encoding='UTF-8'?><lexml version='3'><node ID='"))
    #expect(text.hasSuffix("</node></lexml>") && !text.contains("<lexml version='3'>\n"))
  }

  @Test(
    "The first releases of the app know every property in the file, and every element of a message",
    arguments: Size.allCases)
  func oldest(size: Size) throws {
    let root = TouchOSC.root(size, replyPort: 9000)
    let pages = root.all.filter { $0.type == .pager }.flatMap(\.children).map(\.name)
    for node in root.all {
      var known = FileVersion3.common.union(FileVersion3.own[node.type] ?? [])
      if node.type == .group && pages.contains(node.name) { known.formUnion(FileVersion3.page) }
      // The one exception: they draw such a fader from its end, and lose nothing else.
      if node.type == .fader && node.properties["centered"] == .flag(true) { known.insert("centered") }
      #expect(node.properties.keys.allSatisfy(known.contains), "\(node.name): \(node.properties.keys)")
      // Without one of them it would be undefined.
      for key in known.subtracting(["script"]) {
        #expect(node.properties[key] != nil, "\(node.name): \(key)")
      }
    }
    let text = try unpacked(TouchOSC.file(root))
    #expect(!text.contains("<includes>") && !text.contains("<noDuplicates>"))
    let connections = text.split(separator: "<connections>").dropFirst().map { $0.prefix(6) }
    #expect(!connections.isEmpty && connections.allSatisfy { $0 == "11111<" })
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
    var bytes = [UInt8](repeating: 0, count: 16_000_000)
    var size = uLong(bytes.count)
    let status = uncompress(&bytes, &size, file, uLong(file.count))
    try #require(status == Z_OK)
    return String(decoding: bytes[..<Int(size)], as: UTF8.self)
  }
}

/// The properties that the editor of the first releases, whose files are of version 3, writes for each type.
private enum FileVersion3 {
  static let common: Set = [
    "background", "color", "cornerRadius", "frame", "grabFocus", "interactive", "locked", "name",
    "orientation", "outline", "outlineStyle", "pointerPriority", "script", "shape", "visible",
  ]
  static let own: [LayoutNode.ControlType: Set<String>] = [
    .button: ["buttonType", "press", "release", "valuePosition"],
    .label: ["font", "textAlignH", "textAlignV", "textClip", "textColor", "textLength", "textSize"],
    .fader: [
      "bar", "barDisplay", "cursor", "cursorDisplay", "grid", "gridSteps", "response", "responseFactor",
    ],
    .xy: [
      "cursor", "cursorDisplay", "gridStepsX", "gridStepsY", "gridX", "gridY", "lines", "linesDisplay",
      "lockX", "lockY", "response", "responseFactor",
    ],
    .radio: ["radioType", "steps"],
    .pager: [
      "tabLabels", "tabbar", "tabbarDoubleTap", "tabbarSize", "textSizeOff", "textSizeOn",
    ],
  ]
  static let page: Set = ["tabColorOff", "tabColorOn", "tabLabel", "textColorOff", "textColorOn"]
}
