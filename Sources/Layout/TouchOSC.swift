import System

/// Makes the layout for TouchOSC. Each knob of the table has a control, and each control an address of pipit. Equal
/// tables make equal files, bit for bit.
public enum TouchOSC {
  /// The bytes of a `.tosc` file, a zlib stream. It is compressed piece by piece, since the text has megabytes.
  public static func file(_ root: LayoutNode) -> [UInt8] {
    guard let stream = DeflateStream(.zlib) else { preconditionFailure("there is no memory for a layout") }
    stream.write(XML(root) { stream.write($0) }.text)
    stream.finish()
    return stream.bytes
  }

  /// The whole layout: the status strip, a pager with the pages below it, and in its place, while one is open, a grid of
  /// names. CONNECT subscribes `replyPort`, the UDP port that the tablet receives on.
  public static func root(_ size: Size, _ theme: Theme = .dark, replyPort: Int) -> LayoutNode {
    var root = LayoutNode(.group, "pipit", size.frame, .background)
    root["outline"] = .flag(false)
    root["script"] = .text(contactScript)
    var rest = size.frame
    var strip = Panel(size)
    strip.status(rest.cutTop(size.strip), replyPort: replyPort)
    let pager = PageContent.pager("pages", PageContent.all(size), rest, size)
    root.children = strip.nodes + [pager] + ChoiceList.all.map { $0.node(rest, size) }
    return theme.colored(root)
  }

  /// The script that makes contact. It sends `/here` each half second until something is heard: a network may lose the
  /// first messages, and pipit repeats `/who` only while that is less than three times what it has received. It answers
  /// `/who`, by which pipit confirms the tablet's address. TouchOSC passes every message to the root first.
  static let contactScript =
    "local told, heard = -500, false\n"
    + "function update()\n  if not heard and getMillis() - told >= 500 then\n"
    + "    told = getMillis()\n    sendOSC('/here', 1)\n  end\nend\n"
    + "function onReceiveOSC(message)\n  if message[1] == '/who' then\n"
    + "    sendOSC('/here', message[2][1].value)\n    return true\n  end\n  heard = true\nend"
}

/// Writes a layout as the XML of TouchOSC, in one line.
///
/// It has file version 3, that of the first releases of the app, since an app may refuse newer files. Later versions
/// add nothing that is needed here: version 5 added `noDuplicates` and ten connections instead of five, version 6
/// `includes`.
struct XML {
  private(set) var text = "<?xml version='1.0' encoding='UTF-8'?><lexml version='3'>"
  private let full: ((String) -> Void)?

  /// Writes a layout into `text`, or all but its end piece by piece into `full`.
  init(_ root: LayoutNode, full: ((String) -> Void)? = nil) {
    self.full = full
    node(root, path: root.name)
    text += "</lexml>"
  }

  private mutating func node(_ node: LayoutNode, path: String) {
    text += "<node ID='\(StableUUID.of(path))' type='\(node.type.rawValue)'><properties>"
    for (key, property) in node.properties.sorted(by: { $0.key < $1.key }) { self.property(key, property) }
    text += "</properties><values>"
    for (key, value) in node.values.sorted(by: { $0.key < $1.key }) { self.value(key, value) }
    text += "</values>"
    if !node.messages.isEmpty {
      text += "<messages>"
      for message in node.messages { self.message(message) }
      text += "</messages>"
    }
    if !node.children.isEmpty {
      text += "<children>"
      // Names need not differ, so the index is part of the path.
      for (index, child) in node.children.enumerated() {
        self.node(child, path: "\(path)|\(index) \(child.name)")
      }
      text += "</children>"
    }
    text += "</node>"
    if let full, text.utf8.count >= XML.piece {
      full(text)
      text.removeAll(keepingCapacity: true)
    }
  }

  /// The length from which a piece is full, bytes.
  private static let piece = 1 << 16

  private mutating func property(_ key: String, _ property: LayoutNode.Property) {
    let (type, value): (Character, String) =
      switch property {
      case .flag(let flag): ("b", flag ? "1" : "0")
      case .int(let number): ("i", "\(number)")
      case .float(let number): ("f", XML.number(number))
      case .text(let text): ("s", XML.cdata(text))
      case .frame(let f): ("r", "<x>\(f.x)</x><y>\(f.y)</y><w>\(f.w)</w><h>\(f.h)</h>")
      case .color(let c):
        (
          "c",
          "<r>\(XML.number(c.r))</r><g>\(XML.number(c.g))</g><b>\(XML.number(c.b))</b><a>\(XML.number(c.a))</a>"
        )
      }
    text += "<property type='\(type)'><key>\(XML.cdata(key))</key><value>\(value)</value></property>"
  }

  private mutating func value(_ key: String, _ value: LayoutNode.InitialValue) {
    let (start, isText): (String, Bool) =
      switch value {
      case .flag(let flag): (flag ? "true" : "false", false)
      case .float(let number): (XML.number(number), false)
      case .text(let text): (text, true)
      }
    text += "<value><key>\(XML.cdata(key))</key><locked>0</locked>"
    text += "<lockedDefaultCurrent>\(isText ? 1 : 0)</lockedDefaultCurrent>"
    text += "<default>\(XML.cdata(start))</default><defaultPull>0</defaultPull></value>"
  }

  private mutating func message(_ message: ControlMessage) {
    text += "<osc><enabled>1</enabled><send>\(message.triggers.isEmpty ? 0 : 1)</send>"
    text += "<receive>\(message.receives ? 1 : 0)</receive><feedback>0</feedback>"
    text += "<connections>11111</connections>"
    if !message.triggers.isEmpty {
      text += "<triggers>"
      for (value, condition) in message.triggers {
        text +=
          "<trigger><var>\(XML.cdata(value))</var><condition>\(condition.rawValue)</condition></trigger>"
      }
      text += "</triggers>"
    }
    text += "<path>"
    partial("CONSTANT", .string, message.address, 0, 1)
    text += "</path><arguments>"
    for argument in message.arguments {
      switch argument {
      case .value(let name, let type, let low, let high): partial("VALUE", type, name, low, high)
      case .constant(let value, let type): partial("CONSTANT", type, value, 0, 1)
      }
    }
    text += "</arguments></osc>"
  }

  private mutating func partial(
    _ source: String, _ conversion: ControlMessage.Conversion, _ value: String, _ low: Double, _ high: Double
  ) {
    text += "<partial><type>\(source)</type><conversion>\(conversion.rawValue)</conversion>"
    text += "<value>\(XML.cdata(value))</value>"
    text += "<scaleMin>\(XML.number(low))</scaleMin><scaleMax>\(XML.number(high))</scaleMax></partial>"
  }

  /// A CDATA section, which contains no markup.
  private static func cdata(_ text: String) -> String {
    // "]]>" would end the section, so it is split over two.
    var (inside, rest) = ("", Substring(text))
    while let bracket = rest.firstIndex(of: "]") {
      let tail = rest[bracket...]
      inside += rest[..<bracket] + (tail.hasPrefix("]]>") ? "]]]]><![CDATA[>" : "]")
      rest = tail.dropFirst(tail.hasPrefix("]]>") ? 3 : 1)
    }
    return "<![CDATA[" + inside + rest + "]]>"
  }

  private static func number(_ number: Double) -> String {
    let text = "\((number * 10_000).rounded() / 10_000)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

/// UUIDs derived from names, so that equal tables make equal files, bit for bit.
enum StableUUID {
  /// The UUID of a path of names: version 8, whose bits are free for the application. Sixty of them tell the controls of
  /// a file apart; more would be a sixth of the file, since they cannot be compressed.
  static func of(_ path: String) -> String {
    let high = (hash(path, 0xCBF2_9CE4_8422_2325) & ~0xF000) | 0x8000
    let low: UInt64 = 1 << 63
    let digits = hex(high) + hex(low)
    var (text, rest) = ("", Substring(digits))
    for length in [8, 4, 4, 4, 12] {
      text += (text.isEmpty ? "" : "-") + rest.prefix(length)
      rest = rest.dropFirst(length)
    }
    return text
  }

  /// FNV-1a with a final mix, since the last characters hardly affect its upper bits.
  private static func hash(_ text: String, _ seed: UInt64) -> UInt64 {
    var hash = seed
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ (hash >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    return hash ^ (hash >> 33)
  }

  private static func hex(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
