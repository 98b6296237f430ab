import Foundation
import Parameters
import Scenes
import Scratch
import Testing
@testable import Layout

/// What is on the pages: everything, as it is listed, and what must belong together whatever is listed.
struct LayoutContentTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path

  @Test(
    """
    Each page has the controls that are listed: what they send and hear, over which range, their words, and their looks. \
    After a change that is meant, the file in the temporary folder takes the place of the list
    """, arguments: Size.allCases)
  func listed(size: Size) throws {
    let lines = LayoutListing.lines(size)
    let list = "\(Self.folder)/\(size.rawValue).txt"
    let wanted = String(decoding: contents(list), as: UTF8.self).split(separator: "\n").map(String.init)
    if lines == wanted { return }
    let place = NSTemporaryDirectory() + "/\(size.rawValue).txt"
    try (lines.joined(separator: "\n") + "\n").write(toFile: place, atomically: true, encoding: .utf8)
    var page = ""
    for (line, listed) in zip(lines + [""], wanted + [""]) {
      if line.hasPrefix("# ") { page = String(line.dropFirst(2)) }
      if line == listed { continue }
      Issue.record("on page \(page): \(line)\nlisted: \(listed)\nthe list as it is now: \(place)")
      return
    }
    Issue.record("\(lines.count) lines, listed are \(wanted.count): \(place)")
  }

  @Test("Each strip of the mixer has the number, the name and the knobs of its own part, from left to right")
  func strips() throws {
    let root = TouchOSC.root(.tablet, replyPort: 9000)
    let mixer = try #require(root.all.first { $0.name == "MIXER" })
    func column(_ frame: Frame) -> Int? {
      // Where the middle of each box of a strip is.
      (1...Limits.parts).first { part in
        guard let box = mixer.children.first(where: { $0.name == "strip \(part)" })?.frame else {
          return false
        }
        return (box.x..<box.x + box.w).contains(frame.x + frame.w / 2)
      }
    }
    for part in 1...Limits.parts {
      let own = mixer.children.filter { node in
        node.messages.contains { $0.address.hasPrefix("/part/\(part)/") }
      }
      // Its name, six knobs with a text or a button, or more.
      #expect(own.count > 6 && own.allSatisfy { column($0.frame) == part }, "part \(part)")
      let names = own.filter { $0.messages.contains { $0.address == "/part/\(part)/preset/name" } }
      #expect(names.count == 1 && names[0].type == .label)
      let number = mixer.children.filter { $0.values["text"] == .text("\(part)") }
      #expect(number.contains { column($0.frame) == part })
    }
    let boxes = mixer.children.filter { $0.name.hasPrefix("strip ") }.map(\.frame.x)
    #expect(boxes == boxes.sorted() && Set(boxes).count == Limits.parts)
    // On a phone each has a line, with a button that puts its own part in focus.
    let phone = TouchOSC.root(.phone, replyPort: 9000)
    let lines = try #require(phone.all.first { $0.name == "MIXER" }).children
    for part in 1...Limits.parts {
      let box = try #require(lines.first { $0.name == "strip \(part)" }).frame
      let own = lines.filter { node in
        node.messages.contains { $0.address.hasPrefix("/part/\(part)/") }
          || node.messages.contains {
            guard $0.address == "/focus", case .constant("\(part)", .int)? = $0.arguments.first else {
              return false
            }
            return true
          }
      }
      #expect(
        own.count > 6 && own.allSatisfy { $0.frame.y >= box.y && $0.frame.y < box.y + box.h }, "\(part)")
    }
  }

  @Test(
    "A knob goes over its whole range, begins where the knob does, and hears what it sends",
    arguments: Size.allCases)
  func ranges(size: Size) throws {
    let nodes = TouchOSC.root(size, replyPort: 9000).all
    for row in Table.rows {
      let parts = row.field.scope == .strip ? (1...Limits.parts).map { "/part/\($0)" } : [""]
      for prefix in parts {
        let address = prefix + row.address
        let knobs = nodes.filter { node in
          node.messages.contains { $0.address == address } && node.type != .xy
        }
        for knob in knobs {
          let message = try #require(knob.messages.first { $0.address == address })
          guard case .value("x", let type, let low, let high)? = message.arguments.first else {
            Issue.record("\(address) has no value")
            continue
          }
          #expect(message.receives && message.triggers.map(\.value) == ["x"], "\(address)")
          let steps = Double(row.kind.range.upperBound)
          switch (knob.type, row.kind) {
          case (.radio, .choice(let names)):
            #expect(low == 0 && high == 1 && type == .int && knob.properties["steps"] == .int(names.count))
          case (.button, .choice):
            // A large button for the first two choices, beside the one with all of them.
            #expect(low == 0 && high == 1 && type == .int && knob.properties["buttonType"] == .int(2))
            #expect(knobs.contains { $0.type == .radio }, "\(address)")
          case (.button, .toggle):
            #expect(low == 0 && high == 1 && knob.properties["buttonType"] == .int(2))
          case (.fader, _) where row.kind.isDiscrete:
            #expect(type == .int && low == 0 && high == steps, "\(address)")
            #expect(knob.values["x"] == .float(Double(row.initial / row.kind.range.upperBound)))
          default:
            #expect(knob.type == .fader && type == .float && low == 0 && high == 1, "\(address)")
            #expect(knob.values["x"] == .float(Double(row.kind.fader(value: row.initial))), "\(address)")
          }
        }
      }
    }
  }

  @Test("A value stands under or beside the control that it is of", arguments: Size.allCases)
  func readouts(size: Size) throws {
    func check(_ page: LayoutNode) {
      for label in page.children where label.type == .label {
        guard let address = label.messages.first?.address, address.hasSuffix("/text"),
          address != "/record/text",
          let fader = page.children.first(where: { $0.name == address.dropLast(5) })
        else { continue }
        let (one, other) = (label.frame, fader.frame)
        let near = Frame(other.x - 80, other.y - 40, other.w + 160, other.h + 80)
        #expect(
          one.x >= near.x && one.x + one.w <= near.x + near.w && one.y + one.h >= near.y
            && one.y <= near.y + near.h, "\(address) at \(one), \(other)")
      }
      for child in page.children { check(child) }
    }
    check(TouchOSC.root(size, replyPort: 9000))
  }

  @Test("A piano's keys lie in order, each with its own note, from C to C", arguments: Size.allCases)
  func keys(size: Size) throws {
    let keys = TouchOSC.root(size, replyPort: 9000).all.filter { $0.name.hasPrefix("/note/") }
    for key in keys {
      let note = try #require(Int(key.name.dropFirst(6)))
      #expect(key.messages.count == 3 && key.messages.allSatisfy { $0.address == key.name })
      guard case .value("x", .float, 0, 0.8)? = key.messages[0].arguments.first else {
        Issue.record("\(key.name) is struck otherwise")
        continue
      }
      for message in key.messages.dropFirst() {
        guard case .constant("0", .float)? = message.arguments.first else {
          Issue.record("\(key.name) is let go otherwise")
          continue
        }
        #expect(message.triggers.map(\.value) == ["x"] && message.triggers.map(\.condition) == [.fall])
      }
      // The next key of the same row lies to the right of it.
      let next = keys.first { $0.name == "/note/\(note + 1)" && abs($0.frame.y - key.frame.y) < 20 }
      if let next { #expect(next.frame.x > key.frame.x, "\(key.name)") }
    }
    let notes = keys.compactMap { Int($0.name.dropFirst(6)) }
    #expect(Set(notes) == Set(48...72))
  }

  @Test("A frame is cut and divided without losing a point")
  func frames() {
    var frame = Frame(10, 20, 100, 60)
    #expect(frame.cutTop(10, gap: 5) == Frame(10, 20, 100, 10) && frame == Frame(10, 35, 100, 45))
    #expect(frame.cutBottom(5, gap: 10) == Frame(10, 75, 100, 5) && frame == Frame(10, 35, 100, 30))
    #expect(frame.cutLeft(20, gap: 4) == Frame(10, 35, 20, 30) && frame == Frame(34, 35, 76, 30))
    #expect(frame.cutRight(6, gap: 10) == Frame(104, 35, 6, 30) && frame == Frame(34, 35, 60, 30))
    #expect(frame.inset(4) == Frame(38, 39, 52, 22))
    #expect(
      Frame(3, 5, 100, 9).columns([1, 2, 1], gap: 10) == [
        Frame(3, 5, 20, 9), Frame(33, 5, 40, 9), Frame(83, 5, 20, 9),
      ])
    #expect(
      Frame(3, 5, 9, 101).rows(3, gap: 4) == [Frame(3, 5, 9, 31), Frame(3, 40, 9, 31), Frame(3, 75, 9, 31)])
    let odd = Frame(0, 0, 103, 1).columns(4, gap: 1)
    #expect(odd.map(\.w) == [25, 25, 25, 25] && odd.map(\.x) == [0, 26, 52, 78])
    let uneven = Frame(0, 0, 100, 1).columns(3, gap: 0)
    #expect(uneven.map(\.w) == [33, 34, 33] && uneven.last.map { $0.x + $0.w } == 100)
  }

  @Test("The file says of a control what TouchOSC needs, with words that cannot be taken for markup")
  func file() {
    var node = LayoutNode(.button, "a]]>b", Frame(1, 2, 3, 4), Color(1, 0.5, 0.25, 0))
    node.messages = [
      .both("/x", .value("x", .float, low: -1, high: 24)),
      .send("/y", [.constant("7", .int)], on: ["x", "touch"], .rise), .receive("/z", .value("x", .bool)),
    ]
    let text = XML(node).text
    #expect(
      text.contains(
        "<property type='s'><key><![CDATA[name]]></key><value><![CDATA[a]]]]><![CDATA[>b]]></value>"))
    #expect(text.contains("<value><x>1</x><y>2</y><w>3</w><h>4</h></value>"))
    #expect(text.contains("<value><r>1</r><g>0.5</g><b>0.25</b><a>0</a></value>"))
    let head = "<osc><enabled>1</enabled><send>%s</send><receive>%r</receive><feedback>0</feedback>"
    func opens(_ send: String, _ receive: String, _ path: String, _ rest: String) -> Bool {
      let start = head.replacingOccurrences(of: "%s", with: send).replacingOccurrences(
        of: "%r", with: receive)
      return text.contains(
        start + "<connections>11111</connections>" + rest
          + "<path><partial><type>CONSTANT</type><conversion>STRING</conversion><value><![CDATA[\(path)]]></value>"
          + "<scaleMin>0</scaleMin><scaleMax>1</scaleMax></partial></path><arguments>")
    }
    func trigger(_ value: String, _ condition: String) -> String {
      "<trigger><var><![CDATA[\(value)]]></var><condition>\(condition)</condition></trigger>"
    }
    #expect(opens("1", "1", "/x", "<triggers>" + trigger("x", "ANY") + "</triggers>"))
    #expect(
      opens("1", "0", "/y", "<triggers>" + trigger("x", "RISE") + trigger("touch", "RISE") + "</triggers>"))
    #expect(opens("0", "1", "/z", ""))
    #expect(
      text.contains(
        "<partial><type>VALUE</type><conversion>FLOAT</conversion><value><![CDATA[x]]></value>"
          + "<scaleMin>-1</scaleMin><scaleMax>24</scaleMax></partial>"))
    #expect(
      text.contains(
        "<value><key><![CDATA[x]]></key><locked>0</locked><lockedDefaultCurrent>0</lockedDefaultCurrent>"
          + "<default><![CDATA[0]]></default><defaultPull>0</defaultPull></value>"))
  }
}
