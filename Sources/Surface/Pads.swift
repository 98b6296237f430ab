import Control
import MIDI
import System

/// The pads of controllers that have a file: it carries out presses and sends the states of the lights. Keyboards,
/// pedals and pads are not locked for the stage. Control thread.
public final class Pads {
  private unowned let surface: ControlSurface
  private let transport: PadTransport
  // The targets of the pads of each file.
  private var layouts: [String: (map: PadMap, targets: [PadTarget])] = [:]
  private var controllers: [Int: PadLights] = [:]
  // Pads that are down.
  private var down: [Finger: Held] = [:]

  /// A pad that is down. Its release goes to the address of its press, even if the focus has changed meanwhile.
  private struct Held {
    let target: NodeAddress
    /// The value that is restored when `hold` ends.
    let before: Double?
  }
  private var isChanged = true
  private var next = Int64.min

  private struct Finger: Hashable {
    let device: Int
    let pad: Pad
  }

  /// The minimum time between two updates of the lights, nanoseconds: 30 a second.
  static let interval: Int64 = 33_333_333

  init(_ surface: ControlSurface) {
    self.surface = surface
    transport = PadTransport(surface.instrument.notices)
  }

  /// Follows the changes of the instrument from now on.
  func join() {
    followDevices()
    surface.instrument.listen { [weak self] change in
      switch change {
      case .health, .levels, .notice: break
      case .devices:
        self?.followDevices()
        self?.isChanged = true
      default: self?.isChanged = true
      }
    }
  }

  /// Whether a controller whose pads have a file is connected.
  var isShown: Bool { !controllers.isEmpty }

  /// A sentence about each pad of a file whose address is wrong: such pads are dark and do nothing.
  public static func problems(of map: PadMap) -> [String] { layout(map).problems }

  private static func layout(_ map: PadMap, _ tree: NodeTree = .instrument) -> (
    targets: [PadTarget], problems: [String]
  ) {
    var (targets, problems): ([PadTarget], [String]) = ([], [])
    for pad in map.pads {
      do { targets.append(try PadTarget(pad, in: tree)) } catch {
        problems.append("\(map.name), line \(pad.line): \(pad.address) \(error)")
      }
    }
    return (targets, problems)
  }

  private func targets(_ map: PadMap) -> [PadTarget] {
    if let known = layouts[map.name], known.map == map { return known.targets }
    let targets = Pads.layout(map, surface.tree).targets
    layouts[map.name] = (map, targets)
    return targets
  }

  // MARK: - Presses

  /// Handles a movement of a control that is not bound: a press or a release of a pad.
  /// - Parameter now: CLOCK_MONOTONIC.
  public func take(_ movement: Movement, now: Int64) {
    let table = surface.instrument.devices.table
    guard !movement.isCoarse, let device = table.device(source: movement.source),
      let map = table.pads(of: device),
      let target = targets(map).first(where: { $0.pad.isMoved(by: movement) })
    else { return }
    let value = movement.value.sevenBits
    let isDown = movement.kind == .note ? movement.value.raw > 0 : value >= 64
    let finger = Finger(device: device.id, pad: target.pad)
    if isDown {
      if controllers[device.id]?.isEcho(target.pad, value, now) == true { return }
      // A button that sends nothing on its release sends the next press without one.
      press(target, finger, now)
    } else if let held = down.removeValue(forKey: finger) {
      release(target, held, now)
    }
    isChanged = true
  }

  private func press(_ pad: PadTarget, _ finger: Finger, _ now: Int64) {
    var target = pad.target
    if target.part == nil, surface.tree[target].isPerPart { target.part = surface.instrument.focus }
    let present = surface.value(at: target)?.number
    switch pad.pad.action {
    case .press: send(target, 1, now)
    case .set(let value): send(target, value, now)
    case .toggle(let value): send(target, (present ?? 0) > 0 ? 0 : value, now)
    case .hold(let value):
      if down[finger] == nil { send(target, value, now) }
    }
    if down[finger] == nil { down[finger] = Held(target: target, before: present) }
  }

  private func release(_ pad: PadTarget, _ held: Held, _ now: Int64) {
    switch pad.pad.action {
    case .press: send(held.target, 0, now)
    case .hold: if let before = held.before { send(held.target, before, now) }
    case .set, .toggle: break
    }
  }

  private func send(_ target: NodeAddress, _ value: Double, _ now: Int64) {
    surface.receive(
      surface.tree.text(target), [.number(value)], from: PadTransport.peer, over: transport, now: now)
  }

  // MARK: - Lights

  /// Releases the pads that a disconnected controller holds, and forgets its lights, which are dark when it returns.
  private func followDevices() {
    let table = surface.instrument.devices.table
    for device in table.devices {
      let arrival = device.source == nil || table.pads(of: device) == nil ? nil : device.arrivals
      if controllers[device.id]?.arrival == arrival { continue }
      let now = monotonic()
      for finger in down.keys where finger.device == device.id {
        guard let held = down.removeValue(forKey: finger),
          let target = try? PadTarget(finger.pad, in: surface.tree)
        else { continue }
        release(target, held, now)
      }
      controllers[device.id] = arrival.map { PadLights(arrival: $0) }
    }
    controllers = controllers.filter { table[$0.key] != nil }
  }

  /// Sends the lights that have changed, at most 30 times a second. Returns the time of the next call; nil if nothing
  /// waits.
  func update(_ now: Int64) -> Int64? {
    if !isChanged || controllers.isEmpty { return nil }
    if now < next { return next }
    isChanged = false
    let table = surface.instrument.devices.table
    var messages: [LampMessage] = []
    for device in table.devices {
      guard let address = device.address, let map = table.pads(of: device), controllers[device.id] != nil
      else {
        continue
      }
      let bindings = table.bindings(of: device)
      for target in targets(map) {
        let pad = target.pad
        // A binding of the player takes precedence, also for the light of the pad.
        if bindings.contains(where: pad.isBound) { continue }
        let isDown = pad.lights[.down] != nil && down[Finger(device: device.id, pad: pad)] != nil
        let state = isDown ? .down : target.state { surface.value(at: $0) }
        guard let light = controllers[device.id]?.show(pad.light(state), on: pad, now) else { continue }
        messages.append(
          LampMessage(
            device: address, channel: light.channel, kind: pad.kind, number: pad.number,
            value: UInt16(light.value) << 7, isFine: false))
      }
    }
    if messages.isEmpty { return nil }
    next = now + Pads.interval
    surface.instrument.devices.show(messages)
    return nil
  }
}

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

/// The transport of the player's presses on pads: it keeps no clients, and shows refusals as notices.
final class PadTransport: Transport {
  static let peer = Peer(.thisMachine, connection: 0)
  private let notices: NoticeBoard

  init(_ notices: NoticeBoard) { self.notices = notices }

  let name = "pads"
  let budget = PacketBudget(packetBytes: 1_400, interval: 0, isLossy: false)
  let replyPort: Int? = nil
  let keepsClients = false

  func send(_ messages: [OSCMessage], to peer: Peer) -> Bool { true }

  func answer(_ messages: [OSCMessage], to peer: Peer) -> Bool {
    for message in messages where message.address == "/error" {
      if case .string(let text) = message.value { notices.post(text, about: .pads, .moment(seconds: 5)) }
    }
    return true
  }
}

/// The target of a pad, found in the tree: the address that a press is sent to, and the addresses that show its
/// state.
struct PadTarget: Sendable {
  let pad: Pad
  let target: NodeAddress
  /// Addresses whose value is above 0 while the target is chosen or played.
  let current: [NodeAddress]
  /// Addresses whose value is above 0, or a text that is not empty, while the target holds something; empty if there
  /// are none.
  let filled: [NodeAddress]

  /// Finds the target of a pad. Throws a `Refusal` if a press could do nothing.
  init(_ pad: Pad, in tree: NodeTree) throws {
    guard let target = tree.find(pad.address) else {
      let near = tree.nearest(to: pad.address).map { "; did you mean \($0)?" } ?? ""
      throw Refusal("is no address" + near)
    }
    let node = tree[target]
    switch pad.action {
    case .press:
      guard node.isPressed else {
        throw Refusal("is no button; a value takes set, toggle or hold after the address")
      }
    case .set, .toggle, .hold:
      guard node.isReadable, node.isWritable, !node.isTrigger, node.arguments.first?.tag != .string else {
        throw Refusal("has no number that a press could change")
      }
    }
    let parent = pad.address[..<(pad.address.lastIndex(of: "/") ?? pad.address.startIndex)]
    func displays(_ addresses: [String]) -> [NodeAddress] {
      addresses.compactMap(tree.find).filter { tree[$0].isReadable && !tree[$0].isWritable }
    }
    (self.pad, self.target) = (pad, target)
    let isToggle = if case .toggle = pad.action { true } else { false }
    current = displays([pad.address + "/current", pad.address + "/at"] + (isToggle ? [parent + "/at"] : []))
    filled = pad.action == .press ? displays([pad.address + "/filled", pad.address + "/name"]) : []
  }

  /// The state of the pad while it is not pressed.
  func state(_ read: (NodeAddress) -> OSCValue?) -> Pad.State {
    func isOn(_ address: NodeAddress) -> Bool { read(address)?.isOn ?? false }
    if current.contains(where: isOn) { return .current }
    switch pad.action {
    case .press:
      if filled.isEmpty { return current.isEmpty ? .plain : .empty }
      return filled.contains(where: isOn) ? .filled : .empty
    case .toggle: return isOn(target) ? .filled : .empty
    case .set(let value), .hold(let value):
      return abs((read(target)?.number ?? .infinity) - value) < 1e-4 ? .current : .filled
    }
  }
}

extension OSCValue {
  /// A number above 0, or a text that is not empty.
  fileprivate var isOn: Bool {
    if case .string(let text) = self { !text.isEmpty } else { (number ?? 0) > 0 }
  }

  /// The number; nil for a text.
  var number: Double? {
    switch self {
    case .float(let number): Double(number)
    case .int(let number): Double(number)
    case .truth(let isTrue): isTrue ? 1 : 0
    case .string: nil
    }
  }
}

extension Node {
  /// Whether it is a button: it acts on 1, and perhaps on 0.
  fileprivate var isPressed: Bool {
    if ask != nil || inquire != nil || !isWritable { return false }
    if isTrigger { return true }
    return !isReadable && arguments.count == 1 && arguments[0].tag == .int && arguments[0].range == 0...1
  }
}
