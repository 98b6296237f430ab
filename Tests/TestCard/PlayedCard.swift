import ALSA
import Parameters
import Synth
import System

/// An output that plays on a card of the test, both in a time of their own.
public final class PlayedCard {
  public let card: TestCard
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

  // The card goes last.
  deinit { simulation.output.stop() }

  /// What `status` says.
  public var playing: String { simulation.output.playing }
  /// What the output says of the card and of what was asked of it.
  public var state: OutputState { simulation.output.state }
  /// Nanoseconds.
  public var now: Int64 { simulation.now.pointee }
  /// What was logged.
  public var lines: [String] { said.lines.withLock { $0 } }
  /// Whether sound comes out of the card.
  public var isHeard: Bool { card.card.pointee.started != 0 && link.meters[.card] == 1 }

  /// Plays for so many seconds and fades out; `passes` is called whenever the audio thread has waited.
  public func run(seconds: Double, passes: @escaping () -> Void = {}) {
    simulation.passes = { _ in passes() }
    simulation.run(seconds: seconds)
    simulation.passes = { _ in }
  }

  /// Ends `run`; it fades out.
  public func stop() { simulation.end() }

  /// Asks for another period, as a player does.
  public func choose(period: Int) { simulation.output.choose(period: period) }

  /// Presses a key, to be heard at a frame.
  public func press(_ note: Int, at frame: Int) {
    link.midi.push(Event(frame: Int64(frame), kind: .noteOn, note: UInt8(note), value: 1))
  }
}
