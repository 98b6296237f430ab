import Parameters
import Synth

/// The ways in which parts 1 and 2 share a keyboard.
public enum KeyboardSharing: String, Sendable {
  /// They do not share a keyboard.
  case single
  /// Part 1 plays the keys below the split key, part 2 the split key and those above.
  case split
  /// Both play all keys.
  case layer
}

// Split and layer have no state of their own: they are derived from the key ranges, channels and switches of parts 1
// and 2. Each of these may be changed afterwards, and a restart keeps them.

extension KeyRanges {
  /// How parts 1 and 2 currently share a keyboard.
  public var sharing: KeyboardSharing {
    let (one, two) = (writer.stage.scene[0], writer.stage.scene[1])
    guard one.strip.on >= 0.5, two.strip.on >= 0.5, one.strip.channel == two.strip.channel else {
      return .single
    }
    return one.input.highKey < two.input.lowKey ? .split : .layer
  }

  /// The lowest key of part 2.
  public var splitKey: Int { Int(clamping: writer.stage.scene[1].input.lowKey) }

  /// Splits the keyboard of part 1: it keeps the keys below `key`, and part 2 plays `key` and those above. Each part
  /// plays at least one key.
  public func split(at key: Int) {
    let key = max(1, min(key, 127))
    share()
    setKeys(0...key - 1, part: 0)
    setKeys(key...127, part: 1)
    notices.post("Split: part 1 below \(keyName(key)), part 2 from there on", about: .keyboard, log: "")
  }

  /// Lets part 2 play everything that part 1 plays: the keyboard of part 1, and all keys for both.
  public func layer() {
    endKeyLearn()
    share()
    for part in 0...1 { setKeys(0...127, part: part) }
    notices.post("Layer: parts 1 and 2 play all keys", about: .keyboard, log: "")
  }

  /// Ends a split or a layer, even if part 2 was switched off in it: part 1 plays all keys, and part 2 is switched
  /// off and gets the channel of its number. If part 2 plays on another channel than part 1, it stays unchanged.
  public func playSingle() {
    endKeyLearn()
    let (one, two) = (writer.stage.scene[0].strip, writer.stage.scene[1].strip)
    let isApart = two.on >= 0.5 && two.channel != one.channel
    for part in isApart ? 0...0 : 0...1 {
      setKeys(0...127, part: part)
      setVelocities(1...127, part: part)
    }
    if !isApart {
      set(KeyRanges.isOn, 0, 1)
      set(KeyRanges.channel, Scene.initial[1].strip.channel, 1)
      set(KeyRanges.receivesProgram, 1, 1)
    }
    notices.post("Part 1 plays all keys", about: .keyboard, log: "")
  }

  /// Puts part 2 on the keyboard of part 1, with all velocities for both. Only part 1 follows program changes, which
  /// would otherwise give both parts one sound.
  private func share() {
    set(KeyRanges.channel, writer.stage.scene[0].strip.channel, 1)
    for part in 0...1 {
      set(KeyRanges.isOn, 1, part)
      setVelocities(1...127, part: part)
    }
    set(KeyRanges.receivesProgram, 0, 1)
  }
}
