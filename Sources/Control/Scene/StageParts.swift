import Synth

// Rules for which parts play together, and which of them react to an event.

extension Stage {
  /// The parts that a keyboard on the channel of a part plays together with it, including the part: those that are
  /// switched on and on its channel. A part that is switched off plays alone.
  func companions(of part: Int) -> [Int] {
    let strip = scene[part].strip
    if strip.on < 0.5 { return [part] }
    return (0..<Limits.parts).filter { scene[$0].strip.on >= 0.5 && scene[$0].strip.channel == strip.channel }
  }

  /// Those of the given parts that follow program changes.
  public func hearingPrograms(_ parts: [Int]) -> [Int] {
    parts.filter { scene[$0].input.hears.program >= 0.5 }
  }
}

extension PartInput {
  /// The input with ranges that are not empty, whatever a file contains.
  var settled: PartInput {
    var input = self
    input.highKey = max(input.lowKey, input.highKey)
    input.highVelocity = max(input.lowVelocity, input.highVelocity)
    return input
  }
}

extension Stage {
  /// The parts that play General MIDI drums of a source: those to which its channel 10 is routed, or else the drum
  /// parts.
  func kitParts(of source: UInt8) -> [Int] {
    routes[source]?[Limits.drumChannel] == nil
      ? drumParts : parts(channel: Limits.drumChannel, source: source)
  }

  /// The drum parts of General MIDI: those on channel 10. A part that plays every channel is not one, because a
  /// song's drums would replace its sound.
  var drumParts: [Int] {
    let channel = Float(Limits.drumChannel + 1)
    return (0..<Limits.parts).filter { scene[$0].strip.on > 0 && scene[$0].strip.channel == channel }
  }
}
