import MIDI
import Parameters
import Presets
import Synth
import System

// What comes from the MIDI thread, and what a surface plays.

extension Control {
  /// Sends a performance event to the sound, to be heard as soon as the constant latency allows.
  /// - Parameters:
  ///   - source: whose hand, `Limits.surfaceSources` and up.
  ///   - moment: when it is meant, CLOCK_MONOTONIC; now when nil. Events are played in the order of these calls,
  ///     so one that is meant for later holds up those after it.
  public func play(
    _ kind: Event.Kind, source: Int, part: Int, note: Int = 0, value: Float = 0, at moment: Int64? = nil
  ) {
    link.control.push(
      Event(
        frame: link.clock.frame(at: moment ?? monotonic()), kind: kind, source: UInt8(clamping: source),
        target: Event.part(part), note: UInt8(clamping: note), value: value))
    switch kind {
    case .panic:
      if stage.release(source: nil) { publishSoon() }
      xyNotes.removeAll()
      heldControls.removeAll()
    case .sourceGone, .setUp:
      xyNotes[source] = nil
      // The sound keeps one pair of hands for a part, and who touched it last. What this one held beneath
      // another's hands is brought to rest as well.
      for (kind, part) in heldControls.leave(source) {
        play(kind, source: source, part: part, value: HeldControls.rest(kind))
      }
    default: break
    }
  }

  /// Plays what a hand on a surface does to a part, or when none is named to the one in focus and those that listen to the
  /// same channel, as a keyboard would: what it takes hold of there it lets go there, whatever is in focus by then.
  public func handle(
    _ kind: Event.Kind, source: Int, part: Int?, note: Int = 0, value: Float = 0, at moment: Int64? = nil
  ) {
    let aim = part.map { [$0] } ?? stage.companions(of: focus)
    let parts = heldControls.parts(
      kind, source: source, isNamed: part != nil, aim: aim, note: note, value: value)
    for part in parts { play(kind, source: source, part: part, note: note, value: value, at: moment) }
    // It sounds where it did before it has set anything.
    if kind == .noteOn, value > 0 { struck(key: note, velocity: value) }
  }

  /// Has the channels of the song be heard by the parts of `routes`, whatever those answer to; nil for the parts that answer
  /// to them. An engine that follows another has to be told once more.
  public func route(song routes: ChannelRoutes?) {
    let (source, frame) = (UInt8(Limits.songSource), link.clock.frame(at: monotonic()))
    stage.routes[source] = routes
    for channel in 0..<Limits.channels {
      let parts = routes?[channel].map { Float($0) } ?? -1
      link.control.push(
        Event(frame: frame, kind: .route, source: source, target: UInt8(channel), value: parts))
    }
  }

  /// Takes the controllers, program changes and departures that have come in since the last turn.
  func takeCommands() {
    // No more than a ring holds, so that a storm of them cannot keep the thread.
    for _ in 0..<Limits.ringEvents {
      guard let command = link.commands.peek()?.pointee else { return }
      link.commands.drop()
      take(command)
    }
  }

  /// Carries out what is the control thread's to do: a controller that is a knob, or a program change.
  public func take(_ command: Event) {
    let (number, channel) = (Int(command.note), Int(command.target))
    switch command.kind {
    case .controller where HandOffsets.controllers.contains(number):
      if stage.lean(controller: number, way: command.value, source: command.source, channel: channel) {
        publishSoon()
      }
    case .controller:
      let (way, source) = (command.value, command.source)
      for (knob, value) in stage.knobs(controller: number, way: way, channel: channel, source: source) {
        set(knob, to: value)
      }
    case .program:
      let order = stage.programs(of: command.source)
      let bank = Int(command.value)
      guard let preset = library.preset(bank: bank, program: number, channel: channel, order: order) else {
        return notify(
          "there is no preset in bank \(bank), program \(number + 1)", about: .preset)
      }
      let isKit = order == .gm && channel == Limits.drumChannel
      let parts =
        isKit ? stage.kitParts(of: command.source) : stage.parts(channel: channel, source: command.source)
      for part in stage.hearingPrograms(parts) { recall(preset, part: part) }
    case .tempo: follow(clock: command.value, at: monotonic())
    case .songCommand: SongCommand(rawValue: command.note).map { take($0) }
    case .songPosition: _ = askSong?(.locate(Double(command.value) / 4))
    case .sourceGone, .setUp:
      if stage.begin(command) { publishSoon() }
      // A song asks for its drums itself, where it has any.
      if Int(command.source) != Limits.songSource { recallDrums(of: command.source) }
    case .noteOn where command.value > 0: struck(key: number, velocity: command.value)
    default: break
    }
  }
}

extension Control {
  /// Gives the parts that are there for the drums of a source the kit, where its programs are General MIDI's.
  private func recallDrums(of source: UInt8) {
    guard stage.programs(of: source) == .gm, let kit = library.drums else { return }
    for part in stage.hearingPrograms(stage.kitParts(of: source)) { recall(kit, part: part) }
  }
}

extension Stage {
  /// The parts that play General MIDI's drums of a source: those that its channel 10 was given to, or else those that are
  /// there for drums.
  func kitParts(of source: UInt8) -> [Int] {
    routes[source]?[Limits.drumChannel] == nil
      ? drumParts : parts(channel: Limits.drumChannel, source: source)
  }

  /// The parts that are there for General MIDI's drums: those on channel 10. One that hears every channel is not, or a
  /// song's drums would take its sound from it.
  var drumParts: [Int] {
    let channel = Float(Limits.drumChannel + 1)
    return (0..<Limits.parts).filter { scene[$0].strip.on > 0 && scene[$0].strip.channel == channel }
  }
}
