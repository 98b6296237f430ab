import System

/// The description of the instrument for OSCQuery.
struct HostInfo {
  /// The ports of OSC, and of the page and WebSocket.
  let oscPort, webPort: Int

  /// The extensions of OSCQuery that pipit supports, and its own.
  private static let extensions = [
    "ACCESS", "VALUE", "RANGE", "DESCRIPTION", "UNIT", "CLIPMODE", "OVERLOADS", "LISTEN", "PIPIT_ALL",
  ]

  /// The answer to `?HOST_INFO`. The address of the machine is left out: clients use the one that they asked.
  var json: [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.name("NAME")
    json.value("pipit on \(hostName())")
    json.name("OSC_PORT")
    json.value(oscPort)
    json.name("OSC_TRANSPORT")
    json.value("UDP")
    json.name("WS_PORT")
    json.value(webPort)
    json.name("EXTENSIONS")
    json.beginObject()
    for name in HostInfo.extensions {
      json.name(name)
      json.value(true)
    }
    json.endObject()
    json.endObject()
    return json.bytes
  }
}
