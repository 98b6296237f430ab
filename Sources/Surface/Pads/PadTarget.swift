import Control
import MIDI

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
      guard node.read != nil, node.write != nil, !node.isTrigger, node.arguments.first?.tag != .string else {
        throw Refusal("has no number that a press could change")
      }
    }
    let parent = pad.address[..<(pad.address.lastIndex(of: "/") ?? pad.address.startIndex)]
    func displays(_ addresses: [String]) -> [NodeAddress] {
      addresses.compactMap(tree.find).filter { tree[$0].read != nil && tree[$0].write == nil }
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
    if ask != nil || inquire != nil || write == nil { return false }
    if isTrigger { return true }
    return read == nil && arguments.count == 1 && arguments[0].tag == .int && arguments[0].range == 0...1
  }
}
