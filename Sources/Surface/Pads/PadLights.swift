import MIDI

/// The states of the lights of one controller. A value type; the caller passes the time.
struct PadLights {
  /// The value of `Device.arrivals` to which the states belong.
  let arrival: Int

  private struct Control: Hashable {
    let kind: Binding.Kind
    let number: UInt16
    let channel: UInt8?
  }
  private struct Shown {
    var light: Pad.Light
    /// When it was sent, nanoseconds; nil once its echo has arrived.
    var sentAt: Int64?
  }
  private var shown: [Control: Shown] = [:]

  /// How long after it was sent a returned value counts as an echo, nanoseconds.
  static let echo: Int64 = 50_000_000

  /// Lights that have not been sent.
  init(arrival: Int) { self.arrival = arrival }

  private static func control(_ pad: Pad) -> Control {
    Control(kind: pad.kind, number: pad.number, channel: pad.channel)
  }

  /// Notes the light of a pad. Returns the light if it must be sent, because the pad does not show it yet.
  mutating func show(_ light: Pad.Light, on pad: Pad, _ now: Int64) -> Pad.Light? {
    let control = PadLights.control(pad)
    if shown[control]?.light == light { return nil }
    shown[control] = Shown(light: light, sentAt: now)
    return light
  }

  /// Whether a press with a value is the device's echo of the light that it was just sent. Each sent light is echoed
  /// once.
  mutating func isEcho(_ pad: Pad, _ value: UInt8, _ now: Int64) -> Bool {
    let control = PadLights.control(pad)
    guard let last = shown[control], let sentAt = last.sentAt, last.light.value == value,
      now - sentAt < PadLights.echo
    else { return false }
    shown[control]?.sentAt = nil
    return true
  }
}
