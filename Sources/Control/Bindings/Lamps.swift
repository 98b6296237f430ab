import MIDI
import Parameters
import System

/// A value for the lamp or the motor of a control.
public struct LampMessage: Equatable, Sendable {
  /// The address of the device's port.
  public let device: Device.Address
  /// MIDI channel 0…15.
  public let channel: UInt8
  /// The type of the message that the control itself sends.
  public let kind: Binding.Kind
  /// The number of the controller, key or parameter.
  public let number: UInt16
  /// 0…16,383; a message with seven bits carries the upper half.
  public let value: UInt16
  /// Whether the control has 14 bits.
  public let isFine: Bool

  /// A message.
  public init(
    device: Device.Address, channel: UInt8, kind: Binding.Kind, number: UInt16, value: UInt16, isFine: Bool
  ) {
    (self.device, self.channel, self.kind) = (device, channel, kind)
    (self.number, self.value, self.isFine) = (number, value, isFine)
  }
}

/// The values that the lamps and motors of bound controls show. A value is sent if it differs from the last one sent
/// or received, but never while a hand moves the control. A device's echo of a sent value is recognized.
struct Lamps {
  private struct Lamp {
    /// The value that the control shows.
    var value: UInt16?
    /// The channel of the control.
    var channel: UInt8?
    /// When a hand last moved the control, nanoseconds.
    var movedAt = Int64.min / 2
    /// When a value was last sent to the control, nanoseconds.
    var sentAt = Int64.min / 2
  }
  private var lamps: [BoundControl: Lamp] = [:]
  private var next: Int64?

  /// How long nothing is sent to a control that a hand has moved, nanoseconds.
  static let pause: Int64 = 200_000_000
  /// How long after it was sent a returned value counts as an echo, nanoseconds: longer than a cable's delay, shorter
  /// than a finger's movement.
  static let echo: Int64 = 50_000_000
  /// The minimum time between two updates, nanoseconds: 30 a second.
  static let interval: Int64 = 33_333_333

  /// Whether a movement is the echo of the value that was just sent; otherwise a hand has moved the control.
  mutating func isEcho(_ binding: Binding, _ device: Int, _ movement: Movement, _ now: Int64) -> Bool {
    let control = BoundControl(device: device, binding: binding)
    var lamp = lamps[control] ?? Lamp()
    let value = binding.isFine ? movement.value.fourteenBits : UInt16(movement.value.sevenBits) << 7
    if !binding.mode.isRelative {
      if now - lamp.sentAt < Self.echo, lamp.value == value { return true }
      lamp.value = value
    }
    (lamp.channel, lamp.movedAt) = (movement.channel, now)
    lamps[control] = lamp
    return false
  }

  /// Forgets the lamps of disconnected devices, because they are dark when the device returns.
  mutating func follow(_ devices: DeviceTable) {
    lamps = lamps.filter { devices[$0.key.device]?.source != nil }
  }

  /// The messages to send now, at most 30 times a second, and the time of the next call; nil if nothing waits.
  mutating func due(
    _ devices: DeviceTable, _ names: NameRegister, _ now: Int64, normalized: (BindingTarget) -> Float?
  ) -> (messages: [LampMessage], next: Int64?) {
    if let next, now < next { return ([], next) }
    var messages: [LampMessage] = []
    var later: Int64?
    for device in devices.devices where device.settings.hasFeedback {
      guard let port = device.address, device.source != nil else { continue }
      for binding in devices.bindings(of: device) where Self.shows(binding) {
        guard let target = BindingTarget(binding.target), let normalized = normalized(target) else {
          continue
        }
        let control = BoundControl(device: device.id, binding: binding)
        var lamp = lamps[control] ?? Lamp()
        let value = Self.value(binding.fitted(to: target.kind(names)), normalized)
        if lamp.value == value { continue }
        let wait = lamp.movedAt + Self.pause
        if now < wait {
          later = min(later ?? wait, wait)
          continue
        }
        (lamp.value, lamp.sentAt) = (value, now)
        lamps[control] = lamp
        messages.append(
          LampMessage(
            device: port, channel: binding.channel ?? lamp.channel ?? 0, kind: binding.kind,
            number: binding.number, value: value, isFine: binding.isFine))
      }
    }
    next = messages.isEmpty ? nil : now + Self.interval
    return (messages, next ?? later)
  }

  private static func shows(_ binding: Binding) -> Bool {
    [.controller, .parameter, .note].contains(binding.kind) && binding.mode != .press
  }

  /// The value of the control for a normalized position of the knob.
  private static func value(_ binding: Binding, _ normalized: Float) -> UInt16 {
    let span = binding.high - binding.low
    let position = span == 0 ? 0 : max(0, min((normalized - binding.low) / span, 1))
    let top: Float = binding.isFine ? 16_383 : 127
    let middle = ((top + 1) / 2).rounded()
    // The middle value corresponds to the middle position, as in received values.
    let number = position < 0.5 ? position * 2 * middle : middle + (position - 0.5) * 2 * (top - middle)
    return UInt16(clamping: number.rounded()) << (binding.isFine ? 0 : 7)
  }
}

extension Bindings {
  /// Sends the values that lamps must show. Returns the time of the next call.
  func updateLamps(_ now: Int64) -> Int64? {
    let table = devices.table
    guard devices.handler != nil,
      table.devices.contains(where: { $0.settings.hasFeedback && $0.source != nil })
    else { return nil }
    let (messages, next) = lamps.due(table, writer.names, now) { target in
      guard case .knob(let row, let part) = target else { return nil }
      let knob = ParameterID(row: row, part: part ?? writer.focus)
      return writer.kind(row: row).normalized(writer[knob])
    }
    if !messages.isEmpty { devices.show(messages) }
    return next
  }
}
