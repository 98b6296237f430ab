import MIDI
import Parameters
import System

/// A value for the lamp or the motor of a control.
public struct LampMessage: Equatable, Sendable {
  /// The port of the device.
  public let place: Device.Place
  /// MIDI channel 0…15.
  public let channel: UInt8
  /// The message that the control itself sends.
  public let kind: Binding.Kind
  public let number: UInt16
  /// 0…16,383; the upper half is the value of a message of seven bits.
  public let value: UInt16
  public let isFine: Bool
}

/// What the controls of devices show of what they are bound to: values that differ from the last one that was sent or came
/// from there. Never while a hand moves the control, and never back what a device says only because it was told so.
struct Lamps {
  private struct Lamp {
    /// What the control shows, and its channel.
    var value: UInt16?
    var channel: UInt8?
    /// When a hand has moved it last, and when it was sent to, nanoseconds.
    var movedAt = Int64.min / 2
    var sentAt = Int64.min / 2
  }
  private var lamps: [BoundControl: Lamp] = [:]
  private var next: Int64?

  /// So long a control that a hand has moved is left alone, nanoseconds.
  static let pause: Int64 = 200_000_000
  /// So long what comes back is an echo, nanoseconds: longer than a cable takes, shorter than a finger.
  static let echo: Int64 = 50_000_000
  /// Between two rounds, nanoseconds: 30 a second.
  static let interval: Int64 = 33_333_333

  /// Whether a movement says only what was sent to the control a moment ago; else a hand has moved it.
  mutating func isEcho(_ binding: Binding, _ device: Int, _ movement: Movement, _ now: Int64) -> Bool {
    let place = BoundControl(device: device, binding: binding)
    var lamp = lamps[place] ?? Lamp()
    let value = binding.isFine ? movement.value.fourteenBits : UInt16(movement.value.sevenBits) << 7
    if !binding.mode.isRelative {
      if now - lamp.sentAt < Self.echo, lamp.value == value { return true }
      lamp.value = value
    }
    (lamp.channel, lamp.movedAt) = (movement.channel, now)
    lamps[place] = lamp
    return false
  }

  /// The devices are others: what is there no longer is forgotten, since it shows nothing when it comes again.
  mutating func follow(_ devices: DeviceTable) {
    lamps = lamps.filter { devices[$0.key.device]?.source != nil }
  }

  /// What is to be sent now, at most 30 times a second, and when to ask again; nil when nothing waits.
  mutating func due(
    _ devices: DeviceTable, _ now: Int64, way: (BindingTarget) -> Float?
  ) -> (messages: [LampMessage], next: Int64?) {
    if let next, now < next { return ([], next) }
    var messages: [LampMessage] = []
    var later: Int64?
    for device in devices.devices where device.settings.hasFeedback {
      guard let port = device.place, device.source != nil else { continue }
      for binding in devices.bindings(of: device) where Self.shows(binding) {
        guard let target = BindingTarget(binding.target), let way = way(target) else { continue }
        let place = BoundControl(device: device.id, binding: binding)
        var lamp = lamps[place] ?? Lamp()
        let value = Self.value(binding, way)
        if lamp.value == value { continue }
        let wait = lamp.movedAt + Self.pause
        if now < wait {
          later = min(later ?? wait, wait)
          continue
        }
        (lamp.value, lamp.sentAt) = (value, now)
        lamps[place] = lamp
        messages.append(
          LampMessage(
            place: port, channel: binding.channel ?? lamp.channel ?? 0, kind: binding.kind,
            number: binding.number, value: value, isFine: binding.isFine))
      }
    }
    next = messages.isEmpty ? nil : now + Self.interval
    return (messages, next ?? later)
  }

  private static func shows(_ binding: Binding) -> Bool {
    [.controller, .parameter, .note].contains(binding.kind) && binding.mode != .press
  }

  /// Where the hand would be for a way of the knob.
  private static func value(_ binding: Binding, _ way: Float) -> UInt16 {
    let span = binding.high - binding.low
    let place = span == 0 ? 0 : max(0, min((way - binding.low) / span, 1))
    let top: Float = binding.isFine ? 16_383 : 127
    let middle = ((top + 1) / 2).rounded()
    // The middle is the middle, as of what comes in.
    let number = place < 0.5 ? place * 2 * middle : middle + (place - 0.5) * 2 * (top - middle)
    return UInt16(number.rounded()) << (binding.isFine ? 0 : 7)
  }
}

extension Control {
  /// Sends what lamps are to show; returns when it wants to be called again.
  func updateLamps(_ now: Int64) -> Int64? {
    guard let sendLamp, devices.devices.contains(where: { $0.settings.hasFeedback && $0.source != nil })
    else {
      return nil
    }
    let (messages, next) = lamps.due(devices, now) { target in
      guard case .knob(let row, let part) = target else { return nil }
      let knob = Knob(row: row, part: part ?? focus)
      return Table.rows[row].kind.way(of: stage.scene[knob])
    }
    for message in messages { sendLamp(message) }
    return next
  }
}
