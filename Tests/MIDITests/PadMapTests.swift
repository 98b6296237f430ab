import Testing

@testable import MIDI

@Suite("Files of pads") struct PadMapTests {
  private let device = "device Launchpad*\n"

  private func error(_ text: String) -> String {
    do throws(PadError) {
      _ = try PadMap(reading: text, name: "mine.txt")
      return ""
    } catch { return error.description }
  }

  @Test("What the lines set counts for the pads below") func read() throws {
    let text = """
      # A comment, and an empty line.

      device Launchpad Mini MK3*
      usb 1235:0113
      port 2
      hello F0 00 20 29 F7
      hello f0 01 f7
      bye F0 02 F7
      pad note 10 /setup/next
      channel 3
      state current 21
      state filled 45 7
      pad note 11 /setup/slot/1
      state current 5
      channel any
      pad\tcc 91 /macro/1 set 0.5\r
      pad note 12 /sequence/slot/1/velocity toggle 100
      pad note 13 /macro/2 hold 1
      """
    let map = try PadMap(reading: text, name: "mine.txt")
    #expect(map.models == ["launchpad mini mk3*"] && map.usb == ["1235:0113"] && map.port == 1)
    #expect(map.hello == [[0xF0, 0, 0x20, 0x29, 0xF7], [0xF0, 1, 0xF7]] && map.bye == [[0xF0, 2, 0xF7]])
    #expect(map.pads.map(\.address).first == "/setup/next" && map.pads.count == 5)
    #expect(map.pads[0].channel == nil && map.pads[0].light(.current) == .off)
    #expect(map.pads[1].channel == 2 && map.pads[1].line == 13 && map.pads[1].action == .press)
    #expect(
      map.pads[1].light(.current) == Pad.Light(21) && map.pads[1].light(.filled) == Pad.Light(45, channel: 6))
    #expect(map.pads[2].light(.current) == Pad.Light(5) && map.pads[2].channel == nil)
    #expect(map.pads[2].kind == .controller && map.pads[2].number == 91 && map.pads[2].action == .set(0.5))
    #expect(map.pads[3].action == .toggle(100) && map.pads[4].action == .hold(1))
  }

  @Test(
    "A wrong line is named with its file",
    arguments: [
      "pads note 1 /panic", "device", "device *", "usb 1235", "usb 1235:01133", "usb 12g5:0113", "port 0",
      "port 1 2",
      "hello", "hello F0", "hello F0 80 F7", "hello 00 01 F7", "hello F0 0 F7", "hello F0 +1 F7", "channel 0",
      "channel 17", "state lit 5", "state current", "state current 128", "state current -1",
      "state current 5 0",
      "state current 5 17", "state current 5 1 1", "pad", "pad note 1", "pad note 128 /panic",
      "pad note -1 /panic",
      "pad key 1 /panic", "pad note 1 panic", "pad note 1 /macro/1 set", "pad note 1 /macro/1 set x",
      "pad note 1 /macro/1 set nan", "pad note 1 /macro/1 set inf", "pad note 1 /macro/1 raise 1",
      "pad note 1 /macro/1 toggle 0", "pad cc 98 /panic", "pad cc 6 /panic", "pad cc 123 /panic",
      "pad note 9 /panic",
    ])
  func wrong(line: String) {
    let text = device + "pad note 9 /panic\n" + line + "\n"
    #expect(error(text).hasPrefix("mine.txt, line 3: "), "\(error(text))")
  }

  @Test("A control that an earlier line has is refused, but on another channel") func twice() {
    let first = device + "channel 1\npad note 1 /panic\n"
    #expect(error(first + "channel 2\npad note 1 /tempo/tap") == "")
    #expect(error(first + "channel any\npad note 1 /tempo/tap").contains("note 1 is used in line 3"))
    #expect(error(first + "pad cc 1 /tempo/tap") == "")
  }

  @Test("A file without a model, and one with too many pads, is refused") func limits() {
    #expect(error("pad note 1 /panic").contains("names no model"))
    var text = device
    for channel in 1...4 {
      text += "channel \(channel)\n"
      for note in 0..<128 { text += "pad note \(note) /panic\n" }
    }
    #expect(error(text) == "")
    #expect(error(text + "channel 5\npad note 1 /panic").contains("512 pads at most"))
    #expect(error(device + String(repeating: "hello F0 01 F7\n", count: 17)).contains("16 messages"))
  }

  @Test("Text of any kind is read or refused, with the line that is wrong", arguments: 0..<40) func fuzz(
    seed: UInt64
  ) {
    var random = Generator(seed)
    let words = [
      "device", "usb", "port", "hello", "bye", "channel", "state", "pad", "note", "cc", "current", "F0", "F7",
      "7", "64",
      "128", "-1", "/panic", "/setup/slot/1", "set", "toggle", "hold", "0.5", "any", "#", "*", "1235:0113",
      "\u{0}", "é",
      "9999999999999999999999", "\t", "",
    ]
    for _ in 0..<250 {
      var text = ""
      for _ in 0..<Int.random(in: 0..<12, using: &random) {
        for _ in 0..<Int.random(in: 0..<7, using: &random) {
          text += (words.randomElement(using: &random) ?? "") + " "
        }
        text += "\n"
      }
      do throws(PadError) {
        let map = try PadMap(reading: text, name: "f")
        #expect(!map.models.isEmpty || !map.usb.isEmpty)
        #expect(map.pads.allSatisfy { $0.number < 128 && $0.address.hasPrefix("/") })
        for message in map.hello + map.bye {
          #expect(message.first == 0xF0)
          #expect(message.last == 0xF7)
        }
      } catch {
        let line = Int(error.description.dropFirst("f, line ".count).prefix { $0.isNumber }) ?? 0
        let count = text.split(separator: "\n", omittingEmptySubsequences: false).count
        #expect((1...count).contains(line), "\(error)")
      }
    }
  }

  private struct Generator: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }
    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }

  @Test("A model is known by its name with stars or by its USB numbers, and a file by the port")
  func models() throws {
    func fits(_ text: String, _ port: PortIdentity) throws -> Bool {
      try PadMap(reading: text, name: "f").fits(port)
    }
    var pads = PortIdentity(
      client: "Launchpad Mini MK3", port: "Launchpad Mini MK3 LPMiniMK3 MI", index: 1, usb: "1235:0113")
    #expect(
      try fits("device launchpad mini*", pads) && fits("usb 1235:0113", pads) && fits("device *MK3", pads))
    #expect(try fits("device L*p*MI", pads) && fits("device X\ndevice launchpad mini mk3", pads))
    #expect(
      try !fits("device launchpad", pads) && !fits("device Launchpad X*", pads)
        && !fits("usb 1235:0103", pads))
    #expect(try fits("device Launch*\nport 2", pads) && !fits("device Launch*\nport 1", pads))
    pads.usb = ""
    #expect(try !fits("usb 1235:0113", pads))
    // Many stars take no time.
    let many = String(repeating: "*a", count: 2_000) + "b"
    #expect(try !fits("device " + many, PortIdentity(client: String(repeating: "a", count: 2_000), port: "")))
  }

  @Test("A device has the first file that fits, unless its pads are off; what is kept brings no files")
  func table() throws {
    let place = Device.Address(client: 20, port: 0)
    var table = DeviceTable()
    table.use([
      try PadMap(reading: "device Other", name: "other"), try PadMap(reading: "device Keys*", name: "mine"),
      try PadMap(reading: "device Keys", name: "package"),
    ])
    let keys = table.attach(PortIdentity(client: "Keys", port: "Keys"), at: place)
    #expect(table.pads(of: keys)?.name == "mine")
    table.restore(DeviceTable(reading: table.text))
    #expect(table.pads(of: try #require(table[place]))?.name == "mine")
    var settings = DeviceSettings()
    #expect(settings.set("pads", to: "off") && settings.text == "pads off")
    table.set(keys.id, settings)
    #expect(table.pads(of: try #require(table[place])) == nil)
    #expect(DeviceTable(reading: table.text)[keys.id]?.settings.hasPads == false)
  }
}
