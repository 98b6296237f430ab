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
