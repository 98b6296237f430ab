import Control
import Parameters
import Scenes

// The sequence of a part: its steps as text, sixteen of them in slots, and its recording.

extension Node {
  private static let step = ArgumentType.string("NOTE VELOCITY GATE RATCHET, and tie; or rest")
  private static let slots = 1...SequenceWindow.slots
  private static let pages = 1...Double(SequenceWindow.pages)

  static let sequences: [Node] = wholeSteps + window + playedSlots + recordedSteps

  // swift-format-ignore
  private static let wholeSteps: [Node] = [
    Node("/sequence/step/<n>", numbers: 1...StepSequence.mostSteps, .sound, [step], "Step <n> of the sequence: semitones from the key -60…60, velocity 0…127, gate 2…200 %, strokes 1…4.", read: { instrument, part, number in .string(instrument.sequenceStep(number - 1, part: part).text) }, write: { try $0.setStep() }),
    .trigger("/sequence/clear", .part, "Makes all steps of the sequence rests; undo brings them back.") { $0.instrument.stepRecorder.clear(part: $0.part) },
  ]

  // swift-format-ignore
  private static let window: [Node] = [
    .setting("/sequence/page", .instrument, .int(pages), "Which sixteen steps of the sequence of the part in focus the slots show; page 1 is steps 1…16.", read: { instrument, _, _ in .int(instrument.sequenceWindow.page) }, write: { try $0.turnSequence() }),
    slot("note", -60...60, "Note of the step in slot <n>, in semitones from the key.", { $0.note }, { $0.note = $1 }),
    slot("velocity", 0...127, "Velocity of the step in slot <n>; 0 is a rest.", { $0.velocity }, { $0.velocity = $1 }),
    slot("gate", 2...200, "Length of the note in slot <n> in % of its step; an odd number becomes the even one below.", { $0.gate }, { $0.gate = $1 }),
    slot("strokes", 0...4, "Strokes of the step in slot <n>; 0 is a tie, with which the note before goes on.", { $0.strokes }, { $0.strokes = $1 }),
    .trigger("/sequence/slot/<n>/up", numbers: slots, .instrument, "Raises the note of the step in slot <n> by a semitone.") { $0.moveNote(by: 1) },
    .trigger("/sequence/slot/<n>/down", numbers: slots, .instrument, "Lowers the note of the step in slot <n> by a semitone.") { $0.moveNote(by: -1) },
    .display("/sequence/slot/<n>/text", numbers: slots, .instrument, .string(), "The step in slot <n> for a label: its note, as +7; rest or tie.") { instrument, part, slot in .string(instrument.slotText(slot, part)) },
  ]

  private static let playedSlots: [Node] = [
    Node(
      "/sequence/slot/<n>/at", numbers: slots, .instrument, [.int(0...1)],
      "1 while the sequence of the part in focus plays the step in slot <n>.", origin: .beat,
      read: { instrument, _, slot in
        .int(instrument.arpeggios.sequenceStep == instrument.sequenceWindow.step(slot: slot) ? 1 : 0)
      })
  ]

  // swift-format-ignore
  private static let recordedSteps: [Node] = [
    .setting("/sequence/record", .part, .int(0...1), "1 records the sequence by playing: each key that the part hears is the next step, from step 1 on, keys within 50 ms are one, the lowest of them; middle C is note 0. The sequence does not play meanwhile. It ends with 0, with step 64, after a minute without a step, with PANIC, a recall or undo, and is one step of undo.", read: { instrument, part, _ in .int(instrument.stepRecorder.part == part ? 1 : 0) }, write: { try $0.recordSequence() }),
    .trigger("/sequence/rest", .part, "Records a rest as the next step.") { try $0.instrument.stepRecorder.rest(part: $0.part, now: $0.now) },
    .trigger("/sequence/tie", .part, "Lets the note that was recorded last go on for another step.") { try $0.instrument.stepRecorder.tie(part: $0.part, now: $0.now) },
  ]

  /// A node for one number of the step in a slot.
  private static func slot(
    _ leaf: String, _ range: ClosedRange<Int>, _ about: String,
    _ read: @escaping @Sendable (SequenceStep) -> Int,
    _ change: @escaping @Sendable (inout SequenceStep, Int) -> Void
  ) -> Node {
    let why = "takes a number, \(range.lowerBound)…\(range.upperBound)"
    return .setting(
      "/sequence/slot/<n>/" + leaf, numbers: slots, .instrument,
      .int(Double(range.lowerBound)...Double(range.upperBound)), about,
      read: { instrument, part, slot in .int(read(instrument.step(inSlot: slot, part))) },
      write: { request in
        let number = try request.whole(in: range, else: why)
        let set = request.changeStep { change(&$0, number) }
        request.surface.feedback.hold(
          request.target, .int(read(set)), by: request.client, now: request.now)
      })
  }
}

extension SequenceStep {
  /// Its ratchet; 0 for a tie.
  fileprivate var strokes: Int {
    get { isTie ? 0 : ratchet }
    set {
      isTie = newValue == 0
      if newValue > 0 { ratchet = newValue }
    }
  }
}

extension Instrument {
  /// The step in a slot of the window.
  fileprivate func step(inSlot slot: Int, _ part: Int) -> SequenceStep {
    sequenceStep(sequenceWindow.step(slot: slot), part: part)
  }

  fileprivate func slotText(_ slot: Int, _ part: Int) -> String {
    let step = step(inSlot: slot, part)
    if step.isTie { return "tie" }
    if step.velocity == 0 { return "rest" }
    return step.note > 0 ? "+\(step.note)" : "\(step.note)"
  }
}

extension Request {
  /// Sets a step of a sequence.
  fileprivate func setStep() throws {
    guard let step = SequenceStep(arguments.first?.words ?? "") else {
      throw Refusal("takes " + SequenceStep.expected, not: arguments.first)
    }
    instrument.set(step: target.number - 1, of: part, to: step)
  }

  fileprivate func turnSequence() throws {
    let pages = SequenceWindow.pages
    let page = try whole(in: 1...pages, else: "takes a page, 1…\(pages)")
    instrument.sequenceWindow.turn(to: page, by: client.slot)
  }

  fileprivate func recordSequence() throws {
    let isOn = try number(in: 0...1, else: "takes 1 or 0") >= 0.5
    instrument.stepRecorder.record(isOn, part: part)
  }

  fileprivate func moveNote(by semitones: Int) { changeStep { $0.note += semitones } }

  /// Changes the step that the sender is editing. Returns the changed step.
  @discardableResult
  fileprivate func changeStep(_ change: (inout SequenceStep) -> Void) -> SequenceStep {
    let hand = SequenceWindow.Hand(client: client.slot, address: target.node, slot: target.number)
    let (number, part) = instrument.sequenceWindow.step(under: hand, now: now)
    instrument.presets.endComparing(part)
    var step = instrument.sequenceStep(number, part: part)
    change(&step)
    step = SequenceStep(
      note: step.note, velocity: step.velocity, gate: step.gate, ratchet: step.ratchet, isTie: step.isTie)
    instrument.set(step: number, of: part, to: step)
    return step
  }
}

// The arpeggiators of the parts, beside their knobs.

extension Node {
  static let arps: [Node] = playedSteps + arpKeys + heldKeys + clearing

  private static let playedSteps: [Node] = shown(
    "/arp/at", "Step of the part in focus that sounds, from 1; 0 while none is played."
  ) { $0.arpeggios.step }
  private static let arpKeys: [Node] = shown(
    "/arp/keys", "Keys in the arpeggio of the part in focus."
  ) { $0.arpeggios.keyCount }
  private static let heldKeys: [Node] = shown(
    "/arp/held", "Keys of them that are up, and that the latch or the pedal holds."
  ) { $0.arpeggios.heldCount }

  // swift-format-ignore
  private static let clearing: [Node] = [
    .trigger("/arp/clear", .part, "Takes all keys out of the arpeggio, latched or down; its step ends at its gate.") { $0.instrument.arpeggios.clear(part: $0.part, at: $0.moment ?? $0.now) },
  ]
}
