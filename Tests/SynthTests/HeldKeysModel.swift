import Scenes
import Synth

/// What must sound, said as simply as it can be: the keys that are down, the pedals, and for each part the note or the
/// notes that they hold. Everything as arrays and sets.
struct HeldKeysModel {
  /// A key that a part plays.
  struct Key: Equatable {
    let source: Int
    let target: Int
    let key: Int
    /// The key that sounds, transposed.
    let sounding: Int
    let part: Int
    let order: Int
    /// The generation of its part that its voice began in.
    var generation: Int
    var isDown = true
    var sustained = false
    var caught = false

    var isHeld: Bool { isDown || sustained || caught }
    func isSame(_ source: Int, _ target: Int, _ key: Int) -> Bool {
      self.source == source && self.target == target && self.key == key
    }
  }

  struct Part {
    /// MIDI channels that it answers to.
    var channels: Set<Int> = []
    /// Keys that it plays, what it moves them by, and whether it hears pedals.
    var keys = 0...127
    var transpose = 0
    var hearsPedals = true
    var generation = 0
    /// 0 poly, 1 mono, 2 legato; what a message of MIDI said counts until the knob or a recall says otherwise.
    var knob = 0
    var message: Int?
    /// 0 last, 1 low, 2 high.
    var priority = 0
    var isMono = false
    /// With many voices, the notes held; also those of sounds that recalls have replaced.
    var notes: [Key] = []
    /// With one, the keys held and the one that sounds.
    var stack: [Key] = []
    var sounding: Key?
  }

  struct Pedals { var (sustain, sostenuto, legato) = (false, false, false) }

  var parts = [Part](repeating: Part(), count: Limits.parts)
  /// By source and target, which is a channel or a part.
  private var pedals: [[Pedals]]
  private var order = 0

  init() {
    let targets = Limits.channels + Limits.parts
    pedals = Array(repeating: Array(repeating: Pedals(), count: targets), count: Limits.sources)
  }

  /// The notes that must sound.
  var held: [Key] { parts.flatMap { $0.notes + ($0.sounding.map { [$0] } ?? []) } }

  private func hears(_ part: Int, _ target: Int) -> Bool {
    target < Limits.channels ? parts[part].channels.contains(target) : target - Limits.channels == part
  }

  /// The pedals that act on a key: its own, its part's, and those of other devices that the part hears.
  private func reach(_ source: Int, _ target: Int, _ key: Key) -> Bool {
    if !parts[key.part].hearsPedals { return false }
    if target >= Limits.channels { return target - Limits.channels == key.part }
    if source == key.source { return target == key.target }
    return parts[key.part].channels.contains(target)
  }

  private func isDown(_ pedal: KeyPath<Pedals, Bool>, for key: Key) -> Bool {
    for source in pedals.indices {
      for target in pedals[source].indices where pedals[source][target][keyPath: pedal] {
        if reach(source, target, key) { return true }
      }
    }
    return false
  }

  // MARK: - Keys

  mutating func press(_ source: Int, _ target: Int, _ key: Int) {
    for part in parts.indices where hears(part, target) && parts[part].keys.contains(key) {
      let sounding = key + parts[part].transpose
      if !(0...127).contains(sounding) { continue }
      order += 1
      let new = Key(
        source: source, target: target, key: key, sounding: sounding, part: part, order: order,
        generation: parts[part].generation)
      if parts[part].isMono {
        parts[part].stack.removeAll { $0.isSame(source, target, key) }
        if parts[part].stack.count == Limits.heldKeys {
          let sounding = parts[part].sounding?.order
          let oldest = parts[part].stack.firstIndex { $0.order != sounding } ?? 0
          parts[part].stack.remove(at: oldest)
        }
        parts[part].stack.append(new)
        sound(part)
      } else {
        parts[part].notes.removeAll { $0.isSame(source, target, key) }
        parts[part].notes.append(new)
      }
    }
  }

  mutating func lift(_ source: Int, _ target: Int, _ key: Int) {
    change { model, note in
      if !note.isSame(source, target, key) { return }
      note.isDown = false
      if model.isDown(\.sustain, for: note) { note.sustained = true }
    }
  }

  /// All keys of a source on a target come up.
  mutating func liftAll(_ source: Int, _ target: Int) {
    change { model, note in
      if note.source != source || note.target != target || !note.isDown { return }
      note.isDown = false
      if model.isDown(\.sustain, for: note) { note.sustained = true }
    }
  }

  /// Changes each key, and takes out those that nothing holds.
  private mutating func change(_ body: (HeldKeysModel, inout Key) -> Void) {
    let model = self
    for part in parts.indices {
      for index in parts[part].notes.indices { body(model, &parts[part].notes[index]) }
      parts[part].notes.removeAll { !$0.isHeld }
      for index in parts[part].stack.indices { body(model, &parts[part].stack[index]) }
      parts[part].stack.removeAll { !$0.isHeld }
      if let sounding = parts[part].sounding,
        !parts[part].stack.contains(where: { $0.order == sounding.order })
      {
        parts[part].sounding = nil
        sound(part)
      }
    }
  }

  /// Lets the key sound that is to; with an empty stack none.
  private mutating func sound(_ part: Int) {
    guard var best = best(part) else { return parts[part].sounding = nil }
    if let now = parts[part].sounding, now.order == best.order { return }
    best.generation = parts[part].generation
    parts[part].sounding = best
  }

  private func best(_ part: Int) -> Key? {
    let stack = parts[part].stack
    let down = stack.filter(\.isDown)
    return (down.isEmpty ? stack : down).max { a, b in
      switch parts[part].priority {
      case 1 where a.sounding != b.sounding: a.sounding > b.sounding
      case 2 where a.sounding != b.sounding: a.sounding < b.sounding
      default: a.order < b.order
      }
    }
  }

  // MARK: - Pedals

  mutating func sustain(_ source: Int, _ target: Int, _ isDown: Bool) {
    pedals[source][target].sustain = isDown
    letGo()
  }

  mutating func sostenuto(_ source: Int, _ target: Int, _ isDown: Bool) {
    let wasDown = pedals[source][target].sostenuto
    pedals[source][target].sostenuto = isDown
    if wasDown == isDown { return }
    if !isDown { return letGo() }
    change { model, note in
      if note.isDown, model.reach(source, target, note) { note.caught = true }
    }
  }

  mutating func legato(_ source: Int, _ target: Int, _ isDown: Bool) {
    pedals[source][target].legato = isDown
    followModes()
  }

  mutating func reset(_ source: Int, _ target: Int) {
    pedals[source][target] = Pedals()
    letGo()
    followModes()
  }

  private mutating func letGo() {
    change { model, note in
      note.sustained = note.sustained && model.isDown(\.sustain, for: note)
      note.caught = note.caught && model.isDown(\.sostenuto, for: note)
    }
  }

  // MARK: - Ends

  /// All notes of a source end, or those on one target.
  mutating func end(_ source: Int, _ target: Int?) {
    change { _, note in
      if note.source == source, target == nil || note.target == target {
        (note.isDown, note.sustained, note.caught) = (false, false, false)
      }
    }
  }

  mutating func leave(_ source: Int) {
    rest(source)
    end(source, nil)
    letGo()
    followModes()
  }

  mutating func panic() {
    for source in pedals.indices { rest(source) }
    for part in parts.indices { (parts[part].notes, parts[part].stack, parts[part].sounding) = ([], [], nil) }
    followModes()
  }

  private mutating func rest(_ source: Int) {
    for target in pedals[source].indices { pedals[source][target] = Pedals() }
  }

  // MARK: - Modes

  mutating func message(_ source: Int, _ target: Int, mode: Int) {
    end(source, target)
    for part in parts.indices where hears(part, target) {
      parts[part].message = mode
      followMode(part)
    }
  }

  /// What a new scene says of a part.
  mutating func edit(
    _ part: Int, channels: Set<Int>, _ input: PartInput, mode: Int, priority: Int, recall: Bool
  ) {
    parts[part].channels = channels
    parts[part].keys = Int(input.lowKey)...Int(input.highKey)
    parts[part].transpose = Int(input.transpose)
    parts[part].hearsPedals = input.received.pedal == 1
    if recall {
      parts[part].generation += 1
      parts[part].message = nil
    }
    if mode != parts[part].knob { (parts[part].knob, parts[part].message) = (mode, nil) }
    parts[part].priority = priority
    followMode(part, recall: recall)
  }

  /// After the edits of a scene: a part may have left the channel of a pedal, or hear none any more.
  mutating func edited() { letGo() }

  private mutating func followModes() {
    for part in parts.indices { followMode(part) }
  }

  private mutating func followMode(_ part: Int, recall: Bool = false) {
    let slurs = pedals.indices.contains { source in
      pedals[source].indices.contains { pedals[source][$0].legato && hears(part, $0) }
    }
    let isMono = slurs && parts[part].hearsPedals || (parts[part].message ?? parts[part].knob) != 0
    if isMono == parts[part].isMono { return }
    parts[part].isMono = isMono
    if isMono, !recall {
      // Notes of older sounds end as they are.
      let current = parts[part].notes.filter { $0.generation == parts[part].generation }
      parts[part].notes.removeAll(where: current.contains)
      parts[part].stack = current.sorted { $0.order < $1.order }.suffix(Limits.heldKeys)
      sound(part)
    } else if !isMono {
      if let sounding = parts[part].sounding,
        let key = parts[part].stack.first(where: { $0.order == sounding.order })
      {
        var note = key
        note.generation = sounding.generation
        parts[part].notes.append(note)
      }
      (parts[part].stack, parts[part].sounding) = ([], nil)
    }
  }
}
