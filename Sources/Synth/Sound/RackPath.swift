import Scenes

/// The path of a sound through the effects of its rack, and the change to another order.
///
/// A change fades the input of each effect and the output of the last one, switches to the other order in the
/// silence, and fades in again. No effect then gets a step, which would return as an echo with a click, and the tails
/// in the memories of the effects continue. Nothing is faded if the audible effects keep their order.
struct RackPath {
  /// The indices of the effects as hexadecimal digits, the first effect in the last digit; `end` follows the last effect.
  private(set) var digits: UInt64 = .max
  // The choice of the order, the effects that exist, one bit each, and the ticks of a change that have begun; 0 for none.
  private var choice: Float = 0
  private var present: UInt32 = 0
  private var ticks: Int32 = 0
  // The gain at the beginning of the tick, its increment per frame, and the frames of the tick that have been rendered.
  private var gain: Float = 1
  private var step: Float = 0
  private var done = 0

  /// The digit after the last effect.
  static var end: UInt64 { @_noLocks @inline(__always) get { 15 } }
  /// Ticks of a fade: 20 ms.
  private static var fadeTicks: Int32 { @_noLocks get { 60 } }

  /// A path without effects.
  @_noLocks init() {}

  /// True while the sound fades from one order to another.
  var isChanging: Bool { @_noLocks @inline(__always) get { ticks != 0 } }

  /// Sets the effects that exist, one bit each.
  @_noLocks
  mutating func place(_ present: UInt32) {
    self.present = present
    digits = Self.path(choice, of: present)
  }

  /// The digits of those effects in an order.
  @_noLocks
  private static func path(_ choice: Float, of effects: UInt32) -> UInt64 {
    var (left, path, digits) = (EffectOrder.at(choice).path, UInt64.max, UInt64(0))
    for _ in 0..<EffectKnobs.count {
      let index = left & 15
      if effects &>> UInt32(truncatingIfNeeded: index) & 1 != 0 {
        path = path & ~(15 &<< digits) | index &<< digits
        digits &+= 4
      }
      left = left &>> 4
    }
    return path
  }

  /// Aims at the order of a knob over the next `frames`, once every control tick. `audible` holds the audible
  /// effects, one bit each. The change takes place `atOnce` while the sound is silent.
  @_noLocks @inline(never)
  mutating func aim(_ choice: Float, audible: UInt32, frames: Int, atOnce: Bool) {
    if ticks == 0, atOnce || Self.path(choice, of: audible) == Self.path(self.choice, of: audible) {
      return take(choice)
    }
    if atOnce {
      (ticks, gain, step) = (0, 1, 0)
      return take(choice)
    }
    if ticks == Self.fadeTicks { take(choice) }
    gain = Self.gain(ticks)
    ticks = ticks == 2 &* Self.fadeTicks ? 0 : ticks &+ 1
    step = (Self.gain(ticks) - gain) / Float(frames)
    done = 0
  }

  /// Whether the order of a knob has to be aimed at.
  @_noLocks @inline(__always)
  func needsAim(_ choice: Float) -> Bool { choice != self.choice || ticks != 0 }

  @_noLocks
  private mutating func take(_ choice: Float) {
    self.choice = choice
    digits = Self.path(choice, of: present)
  }

  /// The gain after some ticks of a change: it falls to 0 and rises again, without a corner.
  @_noLocks
  private static func gain(_ ticks: Int32) -> Float {
    let x = abs(Float(ticks &- fadeTicks)) / Float(fadeTicks)
    return x * x * x * (10 - x * (15 - 6 * x))
  }

  /// Fades the next frames of a sound.
  @_noLocks @inline(never)
  func fade(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int) {
    var i = 0
    while i < frames {
      let gain = gain + step * Float(done &+ i)
      left[i] *= gain
      right[i] *= gain
      i &+= 1
    }
  }

  /// Counts frames of the tick that have been rendered.
  @_noLocks
  mutating func pass(_ frames: Int) { done &+= frames }
}
