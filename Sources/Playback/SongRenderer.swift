import Control
import MIDI
import Parameters
import Presets
import Scenes
import Song
import Synth

/// Renders a song on a separate engine, without a sound card and a clock. Every event and every change of a knob takes
/// effect on its frame, so the sound does not depend on the block size. One thread.
public final class SongRenderer {
  /// The loudest sample so far; 1 is full scale.
  public private(set) var peak: Float = 0
  /// The number of events dropped because the ring was full: too many at one moment.
  public var lost: Int { dropped + Int(link.meters[.songDropped]) }
  private var dropped = 0
  /// The frame at which the song ends and fading begins.
  public let end: Int64

  /// Whether the song still sounded `longestTail` seconds after its end and was faded out.
  public private(set) var isFadedOut = false

  /// How long a song may ring on after its end, and how long it is faded out when it rings on for longer, in seconds.
  public static let longestTail = 20
  private static let fade = 2

  // Declared in the order of their release: the engine returns effects to the link.
  private var engine: Engine
  private let link: Link
  // The parts 9 to 16; nil unless the song needs them.
  private let songParts: SongPartsStage?
  private var stage: Stage
  /// The map that chooses the sounds; nil when program changes choose none.
  public private(set) var programs: ProgramMap?
  private var events: [Event]
  // The tempo changes to come.
  private var tempos: ArraySlice<Song.Tempo>
  private let rate: Double
  // The source of the events.
  private let source: UInt8
  private var next = 0
  private var position: Int64 = 0
  private var unpublished = false
  private let left = UnsafeMutablePointer<Float>.allocate(capacity: Limits.period)
  private let right = UnsafeMutablePointer<Float>.allocate(capacity: Limits.period)

  /// A renderer of `song` that begins with `scene`.
  /// - Parameters:
  ///   - mpe: Whether the song is read as MPE, with a channel for each finger.
  ///   - songPartsScene: The scene of the parts 9 to 16; nil if the song needs none of them.
  ///   - programs: The presets of program changes; nil to ignore these.
  ///   - tuning: The tuning of all parts; nil for equal temperament.
  ///   - rate: The sample rate, Hz.
  ///   - longest: The longest song, seconds; a longer one is cut off.
  ///   - hasKeys: Whether its notes are the keys of a keyboard, for arpeggiators, chord memories and sequences. Those
  ///     of a song are played as they are.
  ///   - wavetables: The player's wavetables; nil for those of the factory only.
  public init(
    _ song: Song, mpe: MPESetting = .auto, scene: Scene, songPartsScene: Scene? = nil,
    programs: ProgramMap? = nil, tuning: KeyTuning? = nil, rate: Int, longest: Int = Limits.songSeconds,
    hasKeys: Bool = false, wavetables: WavetableSource? = nil
  ) {
    self.rate = Double(rate)
    self.programs = programs
    source = hasKeys ? 0 : UInt8(Limits.songSource)
    events = Self.events(of: song, mpe, rate: self.rate, source: source, programs)
    // Arpeggios of the keys are on the song's beats, as those of a performer who plays along.
    if hasKeys { events = Self.merged(Self.clock(of: song, rate: self.rate), events) }
    let length = min(song.length, Double(longest))
    let end = Int64(clamping: (length * self.rate).rounded(.up))
    self.end = end
    events.removeAll { $0.frame > end }
    tempos = song.tempos.prefix { $0.seconds <= length }
    stage = Stage(scene)
    for part in 0..<Limits.parts { stage.tune(part, tuning) }
    if let first = tempos.first, first.seconds == 0 { stage.set(tempo: first.perMinute) }
    // The stage keeps the tuning for as long as the link.
    link = Link(stage.scene, kit: programs?.library.kit ?? Kit(), wavetables: wavetables)
    engine = Engine(rate: self.rate, link: link)
    songParts = songPartsScene.map { [link] in
      SongPartsStage($0, tuning: tuning, kit: programs?.library.kit ?? Kit(), beside: link)
    }
    // Makes effects for the engine's rate.
    link.scene.service()
    link.scene.audioSide.setRunning(true)
  }

  /// The events of the song. If its programs are those of General MIDI, so are its initial volumes.
  private static func events(
    of song: Song, _ mpe: MPESetting, rate: Double, source: UInt8, _ programs: ProgramMap?
  ) -> [Event] {
    let isGeneralMIDI = programs?.order == .gm
    let events = song.events(rate: rate, source: source, mpe: mpe, generalMIDI: isGeneralMIDI)
    if !isGeneralMIDI { return events }
    return [.generalMIDI(source: source)] + events
  }

  /// The tempos and the bars of a song that leads the beat line from its beginning on.
  private static func clock(of song: Song, rate: Double) -> [Event] {
    let source = UInt8(Limits.songSource)
    func frame(_ seconds: Double) -> Int64 { Int64(clamping: (seconds * rate).rounded()) }
    let tempos = song.tempos.map {
      Event(frame: frame($0.seconds), kind: .clockTempo, source: source, value: $0.perMinute)
    }
    let meters = song.signatures.map { $0.meter.event(source: source, frame: frame($0.seconds)) }
    return merged(tempos, meters)
  }

  /// Two lists of events in order of time as one; of events at one frame, those of the first list come first.
  private static func merged(_ first: [Event], _ second: [Event]) -> [Event] {
    (first + second).enumerated().sorted {
      ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset)
    }.map(\.element)
  }

  deinit {
    left.deallocate()
    right.deallocate()
  }

  /// The number of notes refused so far because no voice was free, and of voices stolen for others.
  public var voicesLacked: (refused: Int, stolen: Int) {
    (Int(link.meters[.refused]), Int(link.meters[.stolen]))
  }

  /// The most voices that sounded at once so far.
  public var mostVoices: Int { Int(link.meters[.mostVoices]) }

  /// Renders the song until the last voice has faded, `longestTail` seconds after its end at the latest. `sink` receives
  /// the sound in pieces of at most `block` frames, or of at most a run if `block` is shorter than a run, and the frame at
  /// the end of each piece.
  public func render(
    block: Int, into sink: (UnsafePointer<Float>, UnsafePointer<Float>, Int, Int64) throws -> Void
  ) throws {
    // Silence is checked at fixed moments, so that the length does not depend on the block size.
    let step = Int64(clamping: rate / 10)
    var check = end + step
    let last = end + Int64(Self.longestTail) * Int64(clamping: rate)
    var loudest: Float = 0
    while true {
      performDue()
      if position == end { releaseAll() }
      let frames = segment(upTo: min(aligned(position + Int64(block)), position < end ? end : check))
      engine.render(left: left, right: right, frames: frames)
      position += Int64(frames)
      for frame in 0..<frames { loudest = max(loudest, abs(left[frame]), abs(right[frame])) }
      fadeOut(frames, before: last)
      peak = max(peak, loudest)
      try sink(left, right, frames, position)
      if position <= end { loudest = 0 }
      guard position == check else { continue }
      let silent = link.meters[.sounds] == 0 && loudest < 0.00001  // -100 dBFS
      if silent { return }
      if position >= last {
        isFadedOut = true
        return
      }
      check += step
      loudest = 0
    }
  }

  /// Fades the block that was rendered last, as far as it lies within `fade` seconds before the frame `last`.
  private func fadeOut(_ frames: Int, before last: Int64) {
    let length = Float(Self.fade) * Float(rate)
    if position <= last - Int64(clamping: length) { return }
    for frame in 0..<frames {
      let rest = max(0, min(Float(last - position + Int64(frames - 1 - frame)) / length, 1))
      // Without a corner at either end.
      let gain = rest * rest * (3 - 2 * rest)
      left[frame] *= gain
      right[frame] *= gain
    }
  }

  /// The end of a block that may last until `frame`: the end of a run. A block that ends within a run changes how ramps
  /// are rounded, and so the phases that follow them: measured 0.0009 of full scale after a minute.
  private func aligned(_ frame: Int64) -> Int64 {
    let run = Int64(Limits.runFrames)
    return max(frame / run, position / run + 1) * run
  }

  /// The frame of the next change of tempo.
  private var nextTempo: Int64? { tempos.first.map { Int64(clamping: ($0.seconds * rate).rounded()) } }

  /// Carries out everything up to the present frame: events into the ring, knobs, programs and tempos onto the stage.
  private func performDue() {
    while let frame = nextTempo, frame <= position {
      stage.set(tempo: tempos.removeFirst().perMinute)
      unpublished = true
    }
    while next < events.count, events[next].frame <= position {
      if edit(events[next]) {
        if let engineEvent = events[next].engineEvent, !link.midi.push(engineEvent) { dropped += 1 }
      } else if !link.midi.push(events[next]) {
        dropped += 1
      }
      next += 1
    }
    if unpublished { stage.publish(to: link.scene) }
    unpublished = false
    songParts?.publish()
  }

  /// Sends the engine the events before `limit`. Returns the frames up to there, or up to the first knob, tempo or
  /// event that does not fit into the ring.
  private func segment(upTo limit: Int64) -> Int {
    let limit = min(limit, nextTempo ?? limit)
    while next < events.count, events[next].frame < limit {
      let event = events[next]
      if event.kind.isForControl || event.kind.isForBoth || !link.midi.push(event) {
        return Int(event.frame - position)
      }
      songParts?.send(event)
      next += 1
    }
    return Int(limit - position)
  }

  /// Sets a knob or changes a program. False if the event is also, or only, for the engine.
  private func edit(_ event: Event) -> Bool {
    let edit = stage.edit(event, &programs)
    if edit.hasChanged { unpublished = true }
    songParts?.take(event, &programs)
    if edit.isDone, let engineEvent = event.engineEvent { songParts?.take(engineEvent, &programs) }
    return edit.isDone
  }

  /// Releases all notes and pedals at the end of the song, empties the arpeggios, which may be latched, and stops the
  /// sequences. Bend and wheel keep their values while it fades.
  private func releaseAll() {
    for part in 0..<Limits.parts {
      send(Event(frame: end, kind: .clearArp, source: source, target: Event.part(part)))
    }
    send(Event(frame: end, kind: .clockStop, source: source))
    for channel in 0..<UInt8(Limits.channels) {
      for kind in [Event.Kind.allNotesOff, .sustain, .sustain2, .sostenuto] {
        send(Event(frame: end, kind: kind, source: source, target: channel))
      }
    }
  }

  private func send(_ event: Event) {
    link.midi.push(event)
    songParts?.send(event)
  }
}
