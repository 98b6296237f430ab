import Control
import Synth

/// The addresses that clients are kept up to date about, numbered: first those that everyone is told of, the bare ones
/// before those of the parts, and then the sound of each part, which only who has spoken of it is told of.
///
/// Of the sound it holds two for every knob, whatever the parts and the clients; only what everyone is told of, the
/// strips, is written out for each part.
struct FeedbackMap {
  /// How many everyone is told of.
  let sharedCount: Int
  /// How many the sound of a part has.
  let soundCount: Int
  private let tree: NodeTree
  private let shared: [NodeAddress]
  // The nodes that the sound of a part has.
  private let sound: [Int]
  // For each node, where its bare address lies, and where that of a part lies among those of its kind; -1: nowhere.
  private var bareEntry: [Int]
  private var partEntry: [Int]
  private let bareCount: Int
  // How many of each part everyone is told of.
  private let partCount: Int
  // The nodes of each row of the table.
  private var rows: [Int: [Int]] = [:]
  // Whether a hand can move what everyone is told of, and what the sound of a part has.
  private let isSharedMovable: [Bool]
  private let isSoundMovable: [Bool]
  private var states: [Int] = []
  private var health: [Int] = []
  private var levels: [Int] = []

  init(_ tree: NodeTree) {
    self.tree = tree
    let nodes = tree.nodes
    let told = nodes.indices.filter { nodes[$0].isTold }
    (bareEntry, partEntry) = (nodes.map { _ in -1 }, nodes.map { _ in -1 })
    var shared: [NodeAddress] = []
    for node in told {
      bareEntry[node] = shared.count
      shared += (nodes[node].numbers ?? 0...0).map { NodeAddress(node: node, number: $0) }
    }
    bareCount = shared.count
    let strip = told.filter { nodes[$0].owner == .part }
    for (offset, node) in strip.enumerated() { partEntry[node] = offset }
    for part in 0..<Limits.parts { shared += strip.map { NodeAddress(node: $0, part: part, number: 0) } }
    sound = told.filter { nodes[$0].owner == .sound }
    for (offset, node) in sound.enumerated() { partEntry[node] = offset }
    (self.shared, sharedCount, soundCount, partCount) = (shared, shared.count, sound.count, strip.count)
    isSharedMovable = shared.map { nodes[$0.node].isMovable }
    isSoundMovable = sound.map { nodes[$0].isMovable }
    for node in told {
      if case .knob(let row) = nodes[node].origin { rows[row, default: []].append(node) }
    }
    for (entry, target) in shared.enumerated() {
      switch nodes[target.node].origin {
      case .state: states.append(entry)
      case .health: health.append(entry)
      case .levels: levels.append(entry)
      case .none, .unit, .knob: break
      }
    }
  }

  /// All entries there are.
  var count: Int { sharedCount + Limits.parts * soundCount }

  /// The address of an entry.
  subscript(entry: Int) -> NodeAddress {
    if entry < sharedCount { return shared[entry] }
    let (part, offset) = (entry - sharedCount).quotientAndRemainder(dividingBy: soundCount)
    return NodeAddress(node: sound[offset], part: part, number: 0)
  }

  /// The part whose sound an entry belongs to under the part's own address; nil for what everyone is told of.
  func soundPart(_ entry: Int) -> Int? {
    entry < sharedCount ? nil : (entry - sharedCount) / soundCount
  }

  /// The entries of the sound of a part, under its own address.
  func sound(of part: Int) -> Range<Int> {
    let start = sharedCount + part * soundCount
    return start..<start + soundCount
  }

  /// The entry of an address; nil when clients are not told of it.
  func entry(_ target: NodeAddress) -> Int? {
    guard let part = target.part else {
      let node = tree.nodes[target.node]
      let entry = bareEntry[target.node]
      return entry < 0 ? nil : entry + target.number - (node.numbers?.lowerBound ?? 0)
    }
    let offset = partEntry[target.node]
    if offset < 0 { return nil }
    return tree.nodes[target.node].owner == .sound
      ? sound(of: part).lowerBound + offset : bareCount + part * partCount + offset
  }

  /// What an entry says now.
  func value(_ entry: Int, _ instrument: Instrument) -> OSCValue {
    let target = self[entry]
    return tree.nodes[target.node].read?(instrument, target.part ?? instrument.focus, target.number)
      ?? .string("")
  }

  /// The address of an entry as it is written.
  func text(_ entry: Int) -> String { tree.text(self[entry]) }

  /// Whether a hand can move what is at an entry.
  func isMovable(_ entry: Int) -> Bool {
    entry < sharedCount ? isSharedMovable[entry] : isSoundMovable[(entry - sharedCount) % soundCount]
  }

  /// Calls `mark` for every entry that a change may have altered. Too many do no harm: what says the same is not sent.
  func altered(by change: Change, focus: Int, _ mark: (Int) -> Void) {
    switch change {
    case .knob(let knob):
      for node in rows[knob.row] ?? [] {
        if tree.nodes[node].owner == .instrument || knob.part == focus { mark(bareEntry[node]) }
        if let entry = entry(NodeAddress(node: node, part: knob.part, number: 0)) { mark(entry) }
      }
    case .sound(let part):
      if part == focus { sound.forEach { mark(bareEntry[$0]) } }
      sound(of: part).forEach(mark)
      states.forEach(mark)
    case .preset, .notice, .page, .card, .recording, .song, .tuning, .keyboard, .learning:
      states.forEach(mark)
    case .devices: break
    case .health: health.forEach(mark)
    case .levels: levels.forEach(mark)
    case .focus: (0..<bareCount).forEach(mark)
    }
  }
}
