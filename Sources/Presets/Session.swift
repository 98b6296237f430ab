import Parameters
import Scenes
import Storage
import System
import Tuning

/// The state of the whole instrument, which the next start restores.
public struct Session: Sendable {
  private var storedScene: CopyOnWrite<Scene>
  /// The part in focus, 0…7, which addresses without `/part/N` mean.
  public var focus: Int
  /// The slot of the preset of each of the eight parts.
  public var presets: [Slot?]
  /// The tuning of each part.
  public var tunings: [TuningChoice]
  /// The setup, the setlist and the position in it.
  public var show: ShowState
  /// The snapshots of each part.
  public var snapshots: [Snapshots]

  /// A session; without arguments, a new instrument.
  public init(
    scene: Scene = .initial, focus: Int = 0, presets: [Slot?] = Array(repeating: nil, count: Limits.parts),
    tunings: [TuningChoice] = Array(repeating: TuningChoice(), count: Limits.parts),
    show: ShowState = ShowState(),
    snapshots: [Snapshots] = Array(repeating: Snapshots(), count: Limits.parts)
  ) {
    (self.show, self.snapshots) = (show, snapshots)
    self.tunings = tunings
    storedScene = CopyOnWrite(scene)
    self.focus = focus
    self.presets = presets
  }

  /// All knobs.
  public var scene: Scene {
    _read { yield storedScene.value }
    _modify { yield &storedScene.value }
  }
}

extension Session {
  /// The session as text: lines as in a preset, with `/part/N` before the addresses, and `focus N`, `preset PART BANK
  /// PROGRAM`, `tuning PART NAME`, `keymap PART NAME` and those of `ShowState`; at the end the snapshots as in a
  /// preset, as `snapshot PART LETTER "NAME"` and lines without `/part/N`. Parts count from 1, banks and programs
  /// from 0. Any thread.
  /// - Parameter names: The names that the scene's numbers mean.
  public func text(_ names: NameRegister) -> String {
    var text = TextFormat.head("session")
    text += "focus \(focus + 1)\n"
    for (part, slot) in presets.prefix(Limits.parts).enumerated() {
      if let slot { text += "preset \(part + 1) \(slot.bank) \(slot.program)\n" }
    }
    for (part, choice) in tunings.prefix(Limits.parts).enumerated() {
      if choice.scale != TuningChoice.equal { text += "tuning \(part + 1) \(choice.scale)\n" }
      if choice.map != TuningChoice.auto { text += "keymap \(part + 1) \(choice.map)\n" }
    }
    text += show.lines
    for knob in ParameterID.all where scene[knob].bitPattern != Scene.initial[knob].bitPattern {
      let row = Table.rows[knob.row]
      let part = row.field.scope == .master ? "" : "/part/\(knob.part + 1)"
      text += KnobLine.write(part, row, scene[knob], names)
    }
    for part in 0..<Limits.parts {
      text += SequenceLine.write("/part/\(part + 1)", scene[part].patch.sequence)
    }
    for (part, snapshots) in snapshots.prefix(Limits.parts).enumerated() where !snapshots.isEmpty {
      text += SnapshotLines.write("\(part + 1) ", snapshots, over: scene[part].patch, names)
    }
    return text
  }

  /// Reads the text of a session. Problems are warnings, as in `PresetText.read`.
  /// - Parameter names: Learns the names that the text holds.
  public static func read(
    _ text: String, names: NameRegister
  ) throws(TextRefusal) -> (session: Session, warnings: [TextWarning]) {
    var session = Session()
    var snapshots = PartSnapshotLines(names)
    let warnings = try TextFormat.read(text, kind: "session", limit: DocumentKind.session.textBytes) {
      word, rest in
      switch word {
      case "focus":
        guard let part = Int(rest), (1...Limits.parts).contains(part) else {
          return "expected a part from 1 to \(Limits.parts)"
        }
        session.focus = part - 1
        return nil
      case "preset":
        let numbers = rest.split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 3, (1...Limits.parts).contains(numbers[0]),
          let slot = Slot(bank: numbers[1], program: numbers[2])
        else { return "expected a part, a bank and a program" }
        session.presets[numbers[0] - 1] = slot
        return nil
      case "tuning", "keymap":
        let number = rest.prefix { $0 != " " }
        let name = rest.dropFirst(number.count + 1)
        guard let part = Int(number), (1...Limits.parts).contains(part), TuningChoice.isName(name) else {
          return "expected a part and a name"
        }
        let field = word == "tuning" ? \TuningChoice.scale : \TuningChoice.map
        session.tunings[part - 1][keyPath: field] = String(name)
        return nil
      case _ where ShowState.words.contains(word): return session.show.take(word, rest)
      case SnapshotLines.word: return snapshots.begin(rest, over: session.scene)
      default:
        if let taken = snapshots.take(word, rest) { return taken.problem }
        if let (part, address) = Table.part(word), let step = SequenceLine.step(address) {
          return SequenceLine.read(rest, step, &session.scene[part].patch.sequence)
        }
        guard let address = Address(word, focus: 0) else { return "no such knob" }
        let line = KnobLine.read(address, rest, names)
        if let value = line.value { session.scene[address.knob] = value }
        return line.problem
      }
    }
    session.snapshots = snapshots.snapshots
    return (session, warnings)
  }

  /// Throws for a text that is not a session. Any thread.
  public static func check(_ text: String) throws(TextRefusal) { _ = try read(text, names: NameRegister()) }
}
