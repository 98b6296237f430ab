import ALSA
import Glibc
import Parameters
import Scenes

/// `pipit latency`: measures the time from a key to its sound, through a cable from the card's output to its input.
enum Latency {
  static func run(_ arguments: CommandArguments) throws {
    let arguments = try Configuration.adding([.device, .rate, .period, .periods], to: arguments)
    let device = AudioOutput.Device(arguments[.device] ?? "auto")
    let (rate, period) = (arguments.number(.rate), arguments.number(.period))
    if device == .clock { throw CommandError("latency: needs a sound card, not the clock", .usage) }
    let probe = CardProbe(device, rate: rate, period: period)
    if probe.opened == nil {
      let refusal = probe.refusals.first
      let remedy = refusal?.code == EBUSY ? "; stop what plays on it, as with 'systemctl stop pipit'" : ""
      throw CommandError("latency: \(refusal?.sentence ?? Card.whyNone())\(remedy)")
    }
    let trip: RoundTrip
    do {
      trip = try RoundTrip(
        device, input: arguments[.input], rate: rate, period: period, periods: arguments.number(.periods),
        scene: sound)
    } catch { throw CommandError("latency: \(error)") }

    Console.print("Played on \(trip.playing)\nHeard at  \(trip.input)\n")
    guard let least = trip.times.first, let most = trip.times.last else {
      throw CommandError(
        "latency: none of \(trip.notes) notes came back; is there a cable from the output to the input, and is the "
          + "input's level up (alsamixer, F4)?")
    }
    let middle = trip.times[trip.times.count / 2]
    Console.print(
      """
      From key to sound \(milliseconds(middle)) ms (\(milliseconds(least)) to \(milliseconds(most))), \
      \(trip.times.count) of \(trip.notes) notes
      Card's buffer     \(milliseconds(trip.buffer)) ms
      Card and input    \(milliseconds(middle - trip.buffer)) ms

      """)
  }

  /// A saw wave without an attack time.
  private static var sound: Scene {
    var scene = Scene.initial
    var part = scene[0]
    part.patch.amplifier.envelope.attack = 0
    part.patch.amplifier.envelope.release = 0.01
    part.patch.filter.cutoff = 16_000
    scene[0] = part
    return scene
  }

  private static func milliseconds(_ number: Double) -> String {
    let tenths = Int(clamping: (number * 10).rounded(), to: -1_000_000_000...1_000_000_000)
    return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }
}
