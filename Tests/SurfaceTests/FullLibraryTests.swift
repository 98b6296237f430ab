import Control
import Presets
import Scenes
import Scratch
import Storage
import Synth
import System
import Testing
import Wavetables
@testable import Surface

/// Every command of the tree while the banks are full. The work of the control thread must not grow with what is
/// stored, so each round of its loop is compared with the same round of a library with a few documents.
@Suite(.serialized) struct FullLibraryTests {
  /// The longest that a round may take beyond the same round of a small library, nanoseconds of processor time. Code
  /// that is not optimised takes ten to thirty times as long.
  /// A recall of a setup takes 4, however many there are, and the small library lacks some; all else takes up to 1.5.
  #if DEBUG
    private static let bound: Int64 = 15_000_000
  #else
    private static let bound: Int64 = 6_000_000
  #endif

  @Test(
    "No command takes longer with 16,000 presets, 16,384 setups, 999 setlists and 1,000 wavetables than with a few"
  )
  func commands() throws {
    let (few, full) = (try FilledBox(share: 1 / 256), try FilledBox(share: 1))
    var rows: [(message: String, full: Int64, few: Int64)] = []
    for message in FilledBox.messages {
      // The least of up to three times, since other processes disturb one of them.
      var (most, least) = (full.longestRound(message), few.longestRound(message))
      for _ in 0..<2 where most > least + Self.bound {
        (most, least) = (min(most, full.longestRound(message)), max(least, few.longestRound(message)))
      }
      rows.append((message.description, most, least))
    }
    rows.sort { $0.full - $0.few > $1.full - $1.few }
    print("full library: \(rows.count) messages; the worst twenty, and the same with few documents")
    for row in rows.prefix(20) {
      print("  \(milliseconds(row.full)) ms, \(milliseconds(row.few)) ms: \(row.message)")
    }
    for row in rows { #expect(row.full <= row.few + Self.bound, "\(row.message)") }
  }

  @Test("An import of thousands of presets into full banks, and its undo, take a little of each round")
  func imports() throws {
    let box = try FilledBox(share: 1)
    func bundle(_ name: (Int) -> String) -> [UInt8] {
      Array(
        (0..<3_000).map { "pipit preset 1\nname \(name($0))\n/filter/cutoff/hz \($0 + 100)\n" }.joined().utf8)
    }
    // Names for which there is little room, one name, and names that are taken.
    for bytes in [bundle { "New \($0)" }, bundle { _ in "Sound 9" }, bundle { "Sound \($0 + 40)" }] {
      var imported: [ImportedPreset]?
      box.control.imports.start(FileContents(bytes)) { imported = try? $0.get() }
      let longest = box.longestRound { imported == nil }
      #expect(imported?.count == 3_000 && longest <= Self.bound)
      print("full library: an import of 3,000 presets, the longest round \(milliseconds(longest)) ms")
    }
    // The change that is undone last, and the one that is redone last.
    for (verb, name, line) in [("undo", "Sound 40", "hz 400\n"), ("redo", "Sound 3039", "hz 3099\n")] {
      func isDone() -> Bool { (try? box.control.presets.text(of: name).hasSuffix(line)) == true }
      #expect(!isDone())
      var longest = box.longestRound(FilledBox.Message(address: "/preset/\(verb)", arguments: []))
      longest = max(longest, box.longestRound { !isDone() })
      #expect(isDone() && longest <= Self.bound)
      print("full library: \(verb), the longest round \(milliseconds(longest)) ms")
    }
  }

  @Test("The text of a setup or a setlist is read beside the control thread, which answers others meanwhile")
  func texts() throws {
    let box = try FilledBox(share: 1 / 256)
    for kind in ["setup", "setlist"] {
      let text = "pipit \(kind) 1\nname Long\n" + String(repeating: "another line\n", count: 3_000)
      let answers = box.answers(
        to: [
          FilledBox.Message(address: "/\(kind)s/import", arguments: [.string(text)]),
          FilledBox.Message(address: "/presets/waiting", arguments: []),
        ])
      #expect(answers.map(\.address) == ["/presets/waiting", "/\(kind)s/import"])
      guard case .string(let sentence)? = answers.last?.value else {
        Issue.record("the import of a \(kind) has no sentence")
        continue
      }
      #expect(sentence.hasPrefix("\"Long\" is \(kind) "))
    }
  }

  private func milliseconds(_ nanoseconds: Int64) -> String {
    let tenths = nanoseconds / 100_000
    return "\(tenths / 10).\(tenths % 10)"
  }
}

/// An instrument in a loop whose banks are filled to a share, with a tablet that is shown everything.
private final class FilledBox {
  private let (folder, waves) = (Folder(), Folder())
  private let library: Library
  private let harness: SurfaceHarness
  private let loop: PollLoop
  private let tablet = Peer(.thisMachine, connection: 1)

  /// A message with words and numbers.
  struct Message: CustomStringConvertible {
    let address: String
    let arguments: [OSCArgument]
    var description: String { address + arguments.map { " " + $0.shown }.joined() }
  }

  init(share: Double) throws {
    folder.file("01-x.txt", "pipit preset 1\nname Glass\ncategory pads\n/filter/cutoff/hz 100\n")
    folder.file("02-x.txt", "pipit preset 1\nname Brass\ncategory leads\n/filter/cutoff/hz 200\n")
    library = Library(database: nil, factory: folder.path, log: { _ in })
    loop = try #require(PollLoop())
    // One document in 128 is in the trash.
    func fill(_ kind: DocumentKind, _ keys: [String], _ text: String) -> [DocumentID: DocumentHistory] {
      let most = max(8, Int(Double(keys.count) * share))
      var histories: [DocumentID: DocumentHistory] = [:]
      for (number, key) in keys.prefix(most).enumerated() {
        let document = Document(name: "Sound \(number + 1)", text: text, saved: 1_700_000_000)
        let isRemoved = number % 128 == 5
        histories[DocumentID(kind, key)] = DocumentHistory(
          current: isRemoved ? nil : document, earlier: [document])
      }
      return histories
    }
    func slots(_ banks: Range<Int>) -> [String] {
      banks.flatMap { bank in (0..<Slot.programs).map { "\(bank)/\($0)" } }
    }
    var all = fill(
      .preset, slots(1..<Slot.furtherBank),
      "pipit preset 1\ncategory pads\ntags soft, wide\nauthor me\n/filter/cutoff/hz 400\n")
    all.merge(fill(.setup, slots(0..<Slot.banks), "pipit setup 1\ncategory songs\n")) { one, _ in one }
    all.merge(
      fill(
        .setlist, (1...Limits.setlists).map { "\($0)" },
        "pipit setlist 1\n"
          + (1...20).map { "entry setup 0 \($0) Sound \($0 + 1)\ntitle Song \($0)\n" }.joined())
    ) { one, _ in one }
    library.restore(all, of: [.preset, .setup, .setlist])
    for number in 0..<Int(1_000 * share) { waves.file("Sound \(number).wav", "any") }
    waves.lastChange(seconds: 1_000)
    let instrument = Instrument(
      link: Link(.initial), library: library, wavetables: WavetableFolder(waves.path), log: { _ in })
    harness = SurfaceHarness(instrument, over: RecordedTransport(replyPort: nil, isLossy: false))
    instrument.join(loop)
    harness.surface.join(loop)
    for start in ["/here", "/preset/load", "/setup/recall", "/set/name"] {
      _ = longestRound(Message(address: start, arguments: start == "/here" ? [] : [.string("Sound 2")]))
    }
    // The search is prepared while nothing else happens.
    while !library.prepareSearch(64) {}
  }

  var control: Instrument { harness.control }

  /// Sends a message, and lets the loop run until all has been done. Returns the processor time of the longest round.
  func longestRound(_ message: Message) -> Int64 {
    harness.surface.enqueue(
      IncomingMessage(message.address, message.arguments), from: tablet, over: harness.transport)
    return longestRound { harness.surface.isBusy(tablet, over: harness.transport) }
  }

  /// Sends messages at once, and lets the loop run until all has been done. Returns the answers.
  func answers(to messages: [Message]) -> [OSCMessage] {
    for message in messages {
      harness.surface.enqueue(
        IncomingMessage(message.address, message.arguments), from: tablet, over: harness.transport)
    }
    let end = monotonic() + 60_000_000_000
    repeat {
      loop.round(limit: 1_000_000)
    } while harness.surface.isBusy(tablet, over: harness.transport)
      && monotonic() < end
    defer { harness.transport.answers.removeAll() }
    return harness.transport.answers
  }

  /// Runs rounds until nothing is going on any more. Returns the processor time of the longest one.
  func longestRound(while isBusy: () -> Bool) -> Int64 {
    var (longest, quiet) = (Int64(0), 0)
    let end = monotonic() + 60_000_000_000
    while quiet < 3, monotonic() < end {
      let start = threadTime()
      loop.round(limit: 1_000_000)
      longest = max(longest, threadTime() - start)
      quiet = isBusy() ? 0 : quiet + 1
    }
    harness.transport.packets.removeAll()
    harness.transport.answers.removeAll()
    return longest
  }

  /// Each node of the tree but the knobs, with each kind of argument: a name, its beginning, one that nothing has, a
  /// place, a number.
  static let messages: [Message] = {
    let words = ["Sound 4000", "Sound 4", "sound", "nothing", "2/7", "77"]
    var messages: [Message] = []
    // A lock or a binding that is being learned would keep the others from doing anything.
    for node in Node.commands where !["/lock", "/learn"].contains(where: node.path.hasPrefix) {
      let address = node.address(number: node.numbers?.lowerBound ?? 0)
      messages.append(Message(address: address, arguments: []))
      let takesWords = node.arguments.contains { $0.tag == .string }
      for (index, word) in words.enumerated() where index == 0 || takesWords {
        for second in ["New \(word)", "2/9"].prefix(node.arguments.count > 1 ? 2 : 1) {
          var arguments: [OSCArgument] = []
          for (place, type) in node.arguments.enumerated() {
            arguments.append(
              type.tag == .string
                ? .string(place == 0 ? word : second) : .number(Double(place == 0 ? 3 + index : 1)))
          }
          if !arguments.isEmpty { messages.append(Message(address: address, arguments: arguments)) }
        }
      }
    }
    return messages
  }()
}

extension ControlSurface {
  /// Whether messages of a peer wait, or answers to it.
  fileprivate func isBusy(_ peer: Peer, over transport: any Transport) -> Bool {
    isWaiting(peer, over: transport) || isAnswering(peer, over: transport)
  }
}
