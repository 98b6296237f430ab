import Synth

// Which parts play together, and which of them react to what.

extension Stage {
  /// The parts that a keyboard on the channel of a part would play with it, itself among them: those that are on and on the
  /// same channel. A part that is off plays alone.
  func companions(of part: Int) -> [Int] {
    let strip = scene[part].strip
    if strip.on < 0.5 { return [part] }
    return (0..<Limits.parts).filter { scene[$0].strip.on >= 0.5 && scene[$0].strip.channel == strip.channel }
  }

  /// Those of some parts that hear program changes.
  public func hearingPrograms(_ parts: [Int]) -> [Int] {
    parts.filter { scene[$0].input.hears.program >= 0.5 }
  }
}

extension PartInput {
  /// With ranges that are not empty, whatever a file says.
  var settled: PartInput {
    var input = self
    input.highKey = max(input.lowKey, input.highKey)
    input.highVelocity = max(input.lowVelocity, input.highVelocity)
    return input
  }
}

extension Stage {
  /// The parts that play General MIDI's drums of a source: those that its channel 10 is routed to, or else the drum parts.
  func kitParts(of source: UInt8) -> [Int] {
    routes[source]?[Limits.drumChannel] == nil
      ? drumParts : parts(channel: Limits.drumChannel, source: source)
  }

  /// The drum parts of General MIDI: those on channel 10. A part that listens to every channel is none, or a song's drums
  /// would replace its sound.
  var drumParts: [Int] {
    let channel = Float(Limits.drumChannel + 1)
    return (0..<Limits.parts).filter { scene[$0].strip.on > 0 && scene[$0].strip.channel == channel }
  }
}
