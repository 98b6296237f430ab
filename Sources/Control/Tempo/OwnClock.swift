import Scenes
import System

/// The transport of the instrument's own clock, and the beat that surfaces show. It reads the beat clock of the
/// engine at each beat, and only while the beat is shown. Control thread.
public final class OwnClock: Feature {
  private let writer: SceneWriter
  private let notices: NoticeBoard
  /// Whether a surface shows the beat.
  public var isWatched: () -> Bool = { false }
  /// The number of the bar, from 1, of a song at a beat of the beat line; nil without a song that has time signatures.
  public var songBar: (_ beat: Double) -> Int? = { _ in nil }
  /// The beat of the bar, 1…127; 0 while the transport is stopped, and while nothing follows the beat.
  public private(set) var beat = 0
  /// The bar from the start, 1 and up; 0 in a count-in and where the beat is 0.
  public private(set) var bar = 0
  /// Whether the transport runs; false during a count-in.
  public private(set) var isRunning = true
  // Whether somebody has started the transport and has not stopped it.
  private var isStarted = false
  // The time of the next reading. The loop runs a round for each message, and most need no reading.
  private var readAt: Int64 = 0

  /// The longest and the shortest time between two readings, nanoseconds.
  private static let rest: Int64 = 100_000_000
  private static let shortest: Int64 = 5_000_000

  init(_ writer: SceneWriter, _ notices: NoticeBoard) { (self.writer, self.notices) = (writer, notices) }

  // MARK: - Start and stop

  /// Starts the transport at beat 0, after the bars of the count-in. While the clock of a device or a song leads,
  /// this, `stop` and `resume` post a notice instead.
  public func start(at moment: Int64) {
    let click = writer.stage.scene.master.click
    let beats = click.countIn * click.beats
    if send(beats > 0 ? .clockCountIn : .clockStart, beats, at: moment) { isStarted = true }
  }

  /// Stops the transport, or ends a count-in.
  public func stop(at moment: Int64) {
    isStarted = false
    send(.clockStop, at: moment)
  }

  /// Continues from the current beat of the beat line, without a count-in.
  public func resume(at moment: Int64) {
    if send(.clockContinue, at: moment) { isStarted = true }
  }

  /// Moves the nearest beat to a tap, unless a clock leads.
  func tap(at moment: Int64) { push(.clockTap, 0, at: moment) }

  /// Sends a command, unless a device's clock or a song leads; then it posts a notice and returns false.
  @discardableResult
  private func send(_ kind: Event.Kind, _ value: Float = 0, at moment: Int64) -> Bool {
    let clock = writer.link.beatClock.now
    if clock.isLedByDevice || clock.isLedBySong {
      let leader =
        clock.isLedByDevice
        ? "a device's clock leads: start and stop it there" : "a song leads: play and stop that"
      notices.post(leader, about: .clock, log: "")
      return false
    }
    push(kind, value, at: moment)
    return true
  }

  private func push(_ kind: Event.Kind, _ value: Float, at moment: Int64) {
    writer.link.control.push(
      Event(
        frame: writer.link.clock.frame(at: moment), kind: kind, source: UInt8(Limits.songSource),
        value: kind == .clockCountIn ? value : 0))
  }

  // MARK: - The beat

  func update(_ now: Int64) -> Int64? {
    if writer.link.clock.rate == 0 || !isWatched() { return nil }
    if now >= readAt { readAt = readBeat(now) }
    return readAt
  }

  /// Reads the beat. Returns the time of the next reading: the next beat, if the tempo stays the same, but within the
  /// limits of `shortest` and `rest`.
  private func readBeat(_ now: Int64) -> Int64 {
    let (clock, frame) = (writer.link.beatClock.now, writer.link.clock.frame(at: now))
    let isCounting = clock.countIn > 0
    if !clock.isRunning && !isCounting {
      show(beat: 0, bar: 0, isRunning: false)
      return now + OwnClock.rest
    }
    if !isCounting && !isInUse(clock) {
      show(beat: 0, bar: 0, isRunning: true)
      return now + OwnClock.rest
    }
    let bars = clock.bars(quarters: writer.stage.scene.master.click.beatsPerBar)
    // A frame's rounding may put the beat a little behind its frame.
    let beat = bars.beat(at: clock.line.beat(at: frame) + 1e-6)
    let first = beat - bars.place(inBar: beat)
    let songBar = clock.hasMeter ? songBar(bars.place(of: first)) : nil
    let bar = songBar ?? Int(first) / bars.beats + 1
    show(beat: Int(beat - first) + 1, bar: isCounting ? 0 : bar, isRunning: !isCounting)
    let next = clock.line.frame(of: bars.place(of: beat + 1))
    let seconds = Double(next - frame) / Double(writer.link.clock.rate)
    return now + max(OwnClock.shortest, min(Int64(clamping: min(seconds, 1) * 1e9), OwnClock.rest))
  }

  /// Whether something follows the beat: the transport was started, the click or an arpeggiator is on, a sequence
  /// plays beside the keys, or a clock leads. Otherwise an idle surface receives nothing.
  private func isInUse(_ clock: BeatClock) -> Bool {
    if isStarted || clock.leader != BeatClock.noLeader { return true }
    return writer.stage.scene.master.click.on >= 0.5
      || (0..<Limits.parts).contains { part in
        let (strip, patch) = (writer.stage.scene[part].strip, writer.stage.scene[part].patch)
        return strip.on >= 0.5 && (patch.arp.on >= 0.5 || patch.sequence.mode >= 1.5)
      }
  }

  private func show(beat: Int, bar: Int, isRunning: Bool) {
    if (beat, bar, isRunning) == (self.beat, self.bar, self.isRunning) { return }
    (self.beat, self.bar, self.isRunning) = (beat, bar, isRunning)
    writer.changed(.beat)
  }
}
