import ALSA
import Parameters
import Scenes
import Synth
import System

/// An output that plays on a test card, both in virtual time.
public final class PlayedCard {
  /// The card.
  public let card: TestCard
  /// The link of the engine.
  public let link: Link
  private let said = Said()
  private let simulation: Simulation

  private final class Said: Sendable {
    let lines = Mutex<[String]>([])
  }

  /// Opens the card.
  public init(
    _ card: TestCard, scene: Scene = .initial, rate: Int = 48_000, period: Int = 128, periods: Int = 2,
    outputs: PartOutputs = PartOutputs()
  ) throws {
    self.card = card
    link = Link(scene)
    let said = said
    simulation = try Simulation(
      AudioOutput(
        device: .name(card.name), rate: rate, period: period, periods: periods, outputs: outputs,
        link: link, log: { line in said.lines.withLock { $0.append(line) } }))
    card.card.pointee.now = simulation.now
  }

  // The card must be freed after the output.
  deinit { simulation.output.stop() }

  /// The card, rate, period and format, as `pipit status` shows them.
  public var playing: String { simulation.output.playing }
  /// The state of the output: its card and its settings.
  public var state: OutputState { simulation.output.state }
  /// The virtual time in nanoseconds.
  public var now: Int64 { simulation.now.pointee }
  /// The lines of the log.
  public var lines: [String] { said.lines.withLock { $0 } }
  /// Whether the card is running and the output plays on it.
  public var isAudible: Bool { card.card.pointee.started != 0 && link.meters[.card] == 1 }

  /// Plays for `seconds` and fades out. `passes` is called whenever the audio thread has waited.
  public func run(seconds: Double, passes: @escaping () -> Void = {}) {
    simulation.passes = { _ in passes() }
    simulation.run(seconds: seconds)
    simulation.passes = { _ in }
  }

  /// Ends `run`, which fades out.
  public func stop() { simulation.end() }

  /// Requests another period, as a player does.
  public func choose(period: Int) { simulation.output.choose(period: period) }

  /// Presses a key, to be played at a frame.
  public func press(_ note: Int, at frame: Int) {
    link.midi.push(Event(frame: Int64(frame), kind: .noteOn, note: UInt8(note), value: 1))
  }
}
