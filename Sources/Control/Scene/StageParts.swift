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
  public func receivingPrograms(_ parts: [Int]) -> [Int] {
    parts.filter { scene[$0].input.received.program >= 0.5 }
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
  /// Whether a channel 0…15 of a source plays the drums of General MIDI.
  public func isDrums(_ channel: Int, of source: UInt8) -> Bool {
    drumChannels[source].map { $0 >> UInt16(channel & 15) & 1 != 0 } ?? false
  }

  /// The channel, 0…15, for which program changes on a channel of a source are looked up: channel 10 for drums, and
  /// another for melodies on channel 10.
  public func programChannel(_ channel: Int, of source: UInt8) -> Int {
    guard let drums = drumChannels[source] else { return channel }
    if drums >> UInt16(channel & 15) & 1 != 0 { return Limits.drumChannel }
    return channel == Limits.drumChannel ? 0 : channel
  }

  /// Makes a channel of a source play drums, or not. True if that has changed; only General MIDI has drums.
  public mutating func setRhythm(_ event: Event) -> Bool {
    let bit = UInt16(1) << UInt16(event.target & 15)
    guard let before = drumChannels[event.source] else { return false }
    let channels = event.value >= 0.5 ? before | bit : before & ~bit
    drumChannels[event.source] = channels
    return channels != before
  }

  /// The parts that play the drums of a channel of a source: those to which the channel is routed, or else its drum
  /// parts.
  func kitParts(of source: UInt8, channel: Int) -> [Int] {
    routes[source]?[channel] == nil ? drumParts(channel) : parts(channel: channel, source: source)
  }

  /// The drum parts of General MIDI: those on channel 10.
  var drumParts: [Int] { drumParts(Limits.drumChannel) }

  /// The parts that play the drums of a channel 0…15. A part that plays every channel is not one, because a song's drums
  /// would replace its sound.
  func drumParts(_ channel: Int) -> [Int] {
    (0..<Limits.parts).filter { scene[$0].strip.on > 0 && scene[$0].strip.channel == Float(channel + 1) }
  }
}
