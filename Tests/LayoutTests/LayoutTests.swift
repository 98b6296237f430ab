import Parameters
import Scenes
import Testing
@testable import Layout

/// What a layout must be for TouchOSC to show it, and for a player to use it.
struct LayoutTests {
  static let roots = Size.allCases.map { root($0) }
  static func root(_ size: Size) -> LayoutNode { TouchOSC.root(size, replyPort: 9000) }

  /// The addresses of a row on a layout.
  static func addresses(_ row: Parameter) -> [String] {
    row.field.scope == .strip ? (1...Limits.parts).map { "/part/\($0)\(row.address)" } : [row.address]
  }

  @Test(
    "Every knob of the instrument that a tablet can reach has a control and a label with its value",
    arguments: Size.allCases)
  func complete(size: Size) {
    let root = LayoutTests.root(size)
    let sent = Set(root.all.flatMap(\.messages).filter { !$0.triggers.isEmpty }.map(\.address))
    let heard = Set(root.all.flatMap(\.messages).filter(\.receives).map(\.address))
    let fields = Set(root.all.filter { $0.grid != nil }.map(\.name))
    for row in Table.rows {
      for address in LayoutTests.addresses(row) {
        // What is not named on the control itself has a text.
        var isSeen = heard.contains(address + "/text")
        if case .toggle = row.kind { isSeen = true }
        if !row.choices.isEmpty {
          if row.isGrid {
            #expect(fields.contains(address) && isSeen, "\(address)")
            continue
          }
          isSeen = true
        }
        #expect(sent.contains(address) && heard.contains(address), "\(address)")
        #expect(isSeen, "\(address)/text")
      }
    }
  }

  @Test(
    "What is heard can be recorded, before and after, and what is armed or runs is lit",
    arguments: Size.allCases)
  func lit(size: Size) {
    let root = LayoutTests.root(size)
    let sent = Set(root.all.flatMap(\.messages).filter { !$0.triggers.isEmpty }.map(\.address))
    let heard = Set(root.all.flatMap(\.messages).filter(\.receives).map(\.address))
    #expect(sent.isSuperset(of: ["/record", "/record/last", "/preset/copy"]))
    #expect(heard.isSuperset(of: ["/record", "/record/text", "/preset/copy/armed"]))
  }

  @Test(
    "Letters, digits and the rest are typed, each by one message a press; the text and the capitals are heard",
    arguments: Size.allCases)
  func typed(size: Size) {
    let nodes = LayoutTests.root(size).all
    let letters = nodes.flatMap(\.messages).filter { $0.address == "/preset/text/add" }
    let sent = letters.compactMap { message -> Character? in
      guard case .constant(let letter, .string)? = message.arguments.first, message.arguments.count == 1,
        message.triggers.map(\.condition) == [.rise], letter.count == 1
      else { return nil }
      return letter.first
    }
    #expect(sent.count == letters.count && Set(sent).count == sent.count)
    #expect(Set(sent).isSuperset(of: "abcdefghijklmnopqrstuvwxyz0123456789"))
    for command in ["space", "back", "clear", "save", "rename", "search", "name"] {
      #expect(nodes.contains { $0.name == "/preset/text/\(command)" && $0.type == .button }, "\(command)")
    }
    #expect(nodes.contains { $0.type == .label && $0.messages.map(\.address) == ["/preset/text"] })
    #expect(nodes.contains { $0.name == "/preset/text/shift" && $0.messages.contains(where: \.receives) })
  }

  @Test("A keyboard is split and layered, and ranges are learnt, with lamps", arguments: Size.allCases)
  func parts(size: Size) {
    let root = LayoutTests.root(size)
    let sent = Set(root.all.flatMap(\.messages).filter { !$0.triggers.isEmpty }.map(\.address))
    let heard = Set(root.all.flatMap(\.messages).filter(\.receives).map(\.address))
    #expect(sent.isSuperset(of: ["/split", "/layer", "/single", "/key/learn", "/velocity/learn"]))
    let lamps = ["/split/armed", "/split/on", "/layer/on", "/key/learn/armed", "/velocity/learn/armed"]
    #expect(heard.isSuperset(of: lamps))
    // Where there is room, all parts are seen at once.
    if size == .tablet { #expect((1...Limits.parts).allSatisfy { heard.contains("/part/\($0)/key/range") }) }
  }

  @Test("The root answers /who, by which pipit finds out that the tablet is there", arguments: Size.allCases)
  func answers(size: Size) {
    let root = LayoutTests.root(size)
    guard case .text(let script)? = root.properties["script"] else {
      Issue.record("the root has no script")
      return
    }
    #expect(script.contains("'/who'") && script.contains("sendOSC('/here', message[2][1].value)"))
    // Tests/Tablet/validate.py runs it.
    #expect(script.contains("sendOSC('/here', 1)"))
    #expect(
      root.all.dropFirst().allSatisfy { node in
        if case .text(let script)? = node.properties["script"] { return !script.contains("onReceiveOSC") }
        return true
      })
  }

  @Test("The meters of what goes out only show, over their whole range", arguments: Size.allCases)
  func metered(size: Size) throws {
    let root = LayoutTests.root(size)
    for (address, low, high) in [("/status/peak", -60.0, 0.0), ("/status/reduction", 0, 20)] {
      let meter = try #require(root.all.first { $0.name == address && $0.type == .fader })
      #expect(!meter.isInteractive && meter.messages.allSatisfy { $0.triggers.isEmpty && $0.receives })
      guard case .value("x", .float, let from, let to)? = meter.messages.first?.arguments.first else {
        Issue.record("\(address) moves nothing")
        continue
      }
      #expect(from == low && to == high)
      #expect(max(meter.frame.w, meter.frame.h) >= 200)
      #expect(root.all.contains { $0.type == .label && $0.name == address + "/text" })
    }
  }

  @Test("Labels only hear, take no touches, and lamps neither; nothing feeds back", arguments: Size.allCases)
  func silent(size: Size) {
    let root = LayoutTests.root(size)
    for node in root.all where node.type == .label || node.type == .box {
      #expect(!node.isInteractive && node.messages.allSatisfy { $0.triggers.isEmpty }, "\(node.name)")
    }
    for node in root.all where node.isInteractive && node.type != .pager {
      #expect(
        node.grid != nil || node.messages.contains { !$0.triggers.isEmpty },
        "\(node.name) takes touches and sends nothing")
    }
  }

  @Test(
    "Pagers lie inside and hold groups only, a finger wide each; others hold nothing",
    arguments: Size.allCases)
  func nested(size: Size) {
    let root = LayoutTests.root(size)
    #expect(root.type == .group)
    for pager in root.all where pager.type == .pager {
      #expect(
        pager.children.count > 1 && pager.frame.w / pager.children.count >= Size.finger, "\(pager.name)")
    }
    for node in root.all where !node.children.isEmpty {
      #expect(node.type == .group || node.type == .pager)
      if node.type == .pager { #expect(node.children.allSatisfy { $0.type == .group }) }
    }
  }

  @Test(
    "Everything lies inside of what holds it, and a finger meets one control only", arguments: Size.allCases)
  func placed(size: Size) {
    let root = LayoutTests.root(size)
    for parent in root.all {
      for child in parent.children {
        let (f, p) = (child.frame, parent.frame)
        #expect(
          f.w > 0 && f.h > 0 && f.x >= 0 && f.y >= 0 && f.x + f.w <= p.w && f.y + f.h <= p.h, "\(child.name)")
      }
      let touched = parent.children.filter { $0.isInteractive && !$0.name.hasPrefix("/note/") }
      // Only a grid of names and its lamps are hidden; a grid takes the place of the pages, which are hidden then.
      for child in parent.children where child.properties["visible"] == .flag(false) {
        let pages = root.children.filter { $0.type == .pager }.map(\.frame)
        #expect(child.name.hasPrefix("lamp ") || pages == [child.frame], "\(child.name)")
      }
      for (index, one) in touched.enumerated() {
        for other in touched[(index + 1)...] {
          #expect(!one.frame.meets(other.frame), "\(one.name) and \(other.name)")
        }
      }
    }
  }

  @Test(
    "What is touched is at least a finger wide and high; keys are narrower, as everywhere",
    arguments: Size.allCases)
  func touchable(size: Size) {
    let root = LayoutTests.root(size)
    for node in root.all where node.isInteractive && node.type != .pager {
      var (width, height) = (node.frame.w, node.frame.h)
      if case .int(let steps)? = node.properties["steps"] {
        if case .int(0)? = node.properties["orientation"] { height /= steps } else { width /= steps }
      }
      let isKey = ["/note/", "/preset/text/add "].contains { node.name.hasPrefix($0) }
      let least = isKey ? 30 : Size.finger
      #expect(width >= least && height >= Size.finger, "\(node.name) \(node.frame)")
    }
  }

  @Test(
    "What is played says that it is held, and at least three times that it was let go, since packets get lost",
    arguments: Size.allCases)
  func release(size: Size) {
    let root = LayoutTests.root(size)
    let played = root.all.filter { node in
      node.messages.contains { $0.address.hasPrefix("/note/") }
        || ["/bend", "/wheel", "/sustain", "/play/xy"].contains(node.name)
    }
    #expect(played.count > 20)
    for node in played {
      let letGo = node.messages.filter { message in
        message.triggers.contains { $0.condition == .fall } || message.triggers.contains { $0.value == "x" }
      }
      #expect(letGo.count >= 3, "\(node.name)")
      guard case .text(let script)? = node.properties["script"] else {
        Issue.record("\(node.name) does not say that it is held")
        continue
      }
      #expect(script.contains("sendOSC('/hold', 5)"))
    }
  }

  @Test("Words are never larger than their place", arguments: Size.allCases)
  func legible(size: Size) {
    let root = LayoutTests.root(size)
    for node in root.all where node.type == .label {
      guard case .int(let size)? = node.properties["textSize"], case .text(let words)? = node.values["text"]
      else { continue }
      #expect(size >= 8 && size <= node.frame.h, "\(node.name)")
      // A capital is seven tenths of its size wide.
      #expect(words.count * size * 7 / 10 <= node.frame.w, "\(words) in \(node.frame.w)")
    }
  }

  @Test("Cutoff is the largest fader of the sound pages")
  func cutoff() throws {
    for root in LayoutTests.roots {
      let cutoff = try #require(root.all.first { $0.name == "/filter/cutoff" })
      let page = try #require(root.all.first { $0.children.contains { $0.name == "/filter/cutoff" } })
      for fader in page.children where fader.type == .fader && fader.name != cutoff.name {
        #expect(fader.frame.w * fader.frame.h < cutoff.frame.w * cutoff.frame.h, "\(fader.name)")
      }
    }
  }

  @Test("The four faders of an envelope stand side by side in the order of time")
  func envelopes() throws {
    for root in LayoutTests.roots {
      for stem in ["/filter", "/amp"] {
        let faders = try ["attack", "decay", "sustain", "release"].map { stage in
          try #require(root.all.first { $0.name == "\(stem)/\(stage)" }).frame
        }
        #expect(Set(faders.map(\.y)).count == 1)
        #expect(faders.map(\.x) == faders.map(\.x).sorted())
      }
    }
  }
}

extension Frame {
  fileprivate func meets(_ other: Frame) -> Bool {
    x < other.x + other.w && other.x < x + w && y < other.y + other.h && other.y < y + h
  }
}
