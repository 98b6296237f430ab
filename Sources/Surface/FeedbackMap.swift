import Control
import Parameters
import Scenes

/// The numbered addresses ("entries") of feedback: first the shared ones that every client receives, bare addresses
/// before those of the parts; then the sound of each part, for clients that have used the part's own addresses; then
/// the details of each part, for clients that have used the part's own address of a detail.
///
/// Each knob of the sound is listed twice, whatever the number of parts and clients; only the strips, which every
/// client receives, are listed for each part.
struct FeedbackMap {
  /// The groups of the entries.
  let groups: EntryGroups
  private let tree: NodeTree
  private let shared: [NodeAddress]
  // The nodes of a part's sound, and of its details.
  private let sound: [Int32]
  private let details: [Int32]
  // For each node, the entry of its bare address, and the offset of a part's address in its strip, sound or details; -1
  // if none.
  private var bareEntry: [Int32]
  private var partEntry: [Int32]
  private let bareCount: Int
  // The number of shared entries of each part.
  private let partCount: Int
  // The nodes of all rows of the table, in the order of the rows, and the index of the first node of each row.
  private let knobs: [Int32]
  private let firstKnob: [Int32]
  // Whether clients can set the value of each node.
  private let isSettable: [Bool]
  private var states: [Int] = []
  private var health: [Int] = []
  private var levels: [Int] = []
  private var beats: [Int] = []
  // The entries of the song's state, whose lamps change often.
  private var songs: [Int] = []
  // The nodes of snapshots.
  private var snapshots: [Int] = []
  /// Entries that are sent over lossless transports only.
  private(set) var peaks: Set<Int> = []

  init(_ tree: NodeTree) {
    self.tree = tree
    let nodes = tree.nodes
    let withFeedback = nodes.indices.filter { nodes[$0].hasFeedback }
    (bareEntry, partEntry) = (nodes.map { _ in -1 }, nodes.map { _ in -1 })
    var shared: [NodeAddress] = []
    for node in withFeedback {
      bareEntry[node] = Int32(shared.count)
      shared += (nodes[node].numbers ?? 0...0).map { NodeAddress(node: node, number: $0) }
    }
    bareCount = shared.count
    let strip = withFeedback.filter { nodes[$0].owner == .part }
    for (offset, node) in strip.enumerated() { partEntry[node] = Int32(offset) }
    for part in 0..<Limits.parts { shared += strip.map { NodeAddress(node: $0, part: part, number: 0) } }
    sound = withFeedback.filter { nodes[$0].owner == .sound }.map { Int32($0) }
    details = withFeedback.filter { nodes[$0].owner == .detail }.map { Int32($0) }
    for nodes in [sound, details] {
      for (offset, node) in nodes.enumerated() { partEntry[Int(node)] = Int32(offset) }
    }
    groups = EntryGroups(shared: shared.count, sound: sound.count, details: details.count)
    (self.shared, partCount) = (shared, strip.count)
    isSettable = nodes.map(\.isSettable)
    var rows = Table.rows.map { _ in [Int32]() }
    for node in withFeedback {
      if case .knob(let knob) = nodes[node].origin { rows[knob.row].append(Int32(node)) }
      if case .snapshots = nodes[node].origin { snapshots.append(node) }
    }
    knobs = rows.flatMap { $0 }
    firstKnob = rows.reduce(into: [0]) { $0.append($0[$0.count - 1] + Int32($1.count)) }
    for (entry, target) in shared.enumerated() {
      switch nodes[target.node].origin {
      case .state where nodes[target.node].path.hasPrefix("/song/"): songs.append(entry)
      case .state: states.append(entry)
      case .health: health.append(entry)
      case .levels: levels.append(entry)
      case .peaks: peaks.insert(entry)
      case .beat: beats.append(entry)
      case .none, .unit, .knob, .snapshots: break
      }
    }
  }

  /// The number of entries.
  var count: Int { groups.entryCount }

  /// The address of an entry.
  subscript(entry: Int) -> NodeAddress {
    let (group, offset) = groups.location(of: entry)
    if group == 0 { return shared[offset] }
    let nodes = group <= Limits.parts ? sound : details
    return NodeAddress(node: Int(nodes[offset]), part: (group - 1) % Limits.parts, number: 0)
  }

  /// The entries of a part's sound.
  func sound(of part: Int) -> Range<Int> { groups.entries(of: EntryGroups.sound(of: part)) }

  /// The entries of a part's details.
  func details(of part: Int) -> Range<Int> { groups.entries(of: EntryGroups.details(of: part)) }

  /// The entry of an address; nil if it has no feedback.
  func entry(_ target: NodeAddress) -> Int? {
    guard let part = target.part else {
      let node = tree.nodes[target.node]
      let entry = Int(bareEntry[target.node])
      return entry < 0 ? nil : entry + target.number - (node.numbers?.lowerBound ?? 0)
    }
    let offset = Int(partEntry[target.node])
    if offset < 0 { return nil }
    switch tree.nodes[target.node].owner {
    case .sound: return sound(of: part).lowerBound + offset
    case .detail: return details(of: part).lowerBound + offset
    case .part, .instrument: return bareCount + part * partCount + offset
    }
  }

  /// The current value of an entry.
  func value(_ entry: Int, _ instrument: Instrument) -> OSCValue {
    let target = self[entry]
    return tree.nodes[target.node]
      .value(instrument, part: target.part ?? instrument.focus, number: target.number) ?? .string("")
  }

  /// The written address of an entry.
  func text(_ entry: Int) -> String { tree.text(self[entry]) }

  /// Whether clients can set an entry.
  func isSettable(_ entry: Int) -> Bool { isSettable[self[entry].node] }

  /// Calls `mark` for every entry that a change may have altered. Marking too many is harmless: unchanged values are
  /// not sent.
  func altered(by change: Change, focus: Int, _ mark: (Int) -> Void) {
    switch change {
    case .knob(let knob):
      for index in firstKnob[knob.row]..<firstKnob[knob.row + 1] {
        let node = Int(knobs[Int(index)])
        if tree.nodes[node].owner == .instrument || knob.part == focus { mark(Int(bareEntry[node])) }
        if let entry = entry(NodeAddress(node: node, part: knob.part, number: 0)) { mark(entry) }
      }
    case .sound(let part):
      if part == focus { (sound + details).forEach { mark(Int(bareEntry[Int($0)])) } }
      sound(of: part).forEach(mark)
      details(of: part).forEach(mark)
      states.forEach(mark)
    case .sequence, .preset, .notice, .page, .card, .recording, .tuning, .keyboard, .learning,
      .devices, .random, .lock, .show:
      states.forEach(mark)
    case .snapshots(let part):
      for node in snapshots {
        if part == focus { mark(Int(bareEntry[node])) }
        if let entry = entry(NodeAddress(node: node, part: part, number: 0)) { mark(entry) }
      }
    case .health: health.forEach(mark)
    case .beat: beats.forEach(mark)
    case .song: songs.forEach(mark)
    case .levels:
      levels.forEach(mark)
      peaks.forEach(mark)
    case .focus: (0..<bareCount).forEach(mark)
    }
  }
}

/// The groups of feedback entries that a client receives as a whole, in the order of their entries: the shared ones,
/// then the sound of each part, then the details of each part.
struct EntryGroups {
  /// The number of shared entries.
  let shared: Int
  /// The number of entries of a part's sound, without its details.
  let sound: Int
  /// The number of entries of a part's details.
  let details: Int

  /// The number of groups.
  static let count = 1 + 2 * Limits.parts
  /// The groups of a part.
  static func sound(of part: Int) -> Int { 1 + part }
  static func details(of part: Int) -> Int { 1 + Limits.parts + part }

  /// The number of all entries.
  var entryCount: Int { shared + Limits.parts * (sound + details) }

  /// The number of entries of a group.
  func size(of group: Int) -> Int { group == 0 ? shared : group <= Limits.parts ? sound : details }

  /// The entries of a group.
  func entries(of group: Int) -> Range<Int> {
    let (sounds, after) = (min(max(group - 1, 0), Limits.parts), max(group - 1 - Limits.parts, 0))
    let start = (group == 0 ? 0 : shared) + sounds * sound + after * details
    return start..<start + size(of: group)
  }

  /// The group of an entry, and its offset in the group.
  func location(of entry: Int) -> (group: Int, offset: Int) {
    if entry < shared { return (0, entry) }
    let inSounds = entry - shared
    if inSounds < Limits.parts * sound { return (1 + inSounds / sound, inSounds % sound) }
    let inDetails = inSounds - Limits.parts * sound
    return (1 + Limits.parts + inDetails / details, inDetails % details)
  }
}
