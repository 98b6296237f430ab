import Scenes

// The channels of each source that each part receives, and which of them are drums.

extension Controllers {
  /// Sets the channels, one bit each, and the controllers that a part receives. True when they have changed.
  @_noLocks
  func setReceived(_ part: Int, channels: UInt32, controllers received: UInt8) -> Bool {
    if pedals[part].channels == channels, pedals[part].received == received { return false }
    let before = onlyChannels
    (pedals[part].channels, pedals[part].received) = (channels, received)
    for source in 0..<Limits.sources {
      gatherChannels(part: part, source: source)
      gatherPedals(part: part, source: source)
    }
    if onlyChannels != before { moveDrums() }
    return true
  }

  /// Whether a part plays General MIDI's drums for an event: on a drum channel, if that is the part's only channel or is
  /// routed to it.
  @_noLocks
  func playsDrums(_ part: Int, _ event: Event) -> Bool {
    let channel = Int(zoneManager(event))
    if drums.channels(event.source) >> UInt32(channel) & 1 == 0 { return false }
    return pedals[part].onlyChannel == 1 << UInt32(channel)
      || routes[Int(event.source) * Limits.channels + channel] >= 0
  }

  /// The channels that are the only one of some part, one bit each.
  var onlyChannels: UInt32 {
    @_noLocks get {
      var (all, part) = (UInt32(0), 0)
      while part < Limits.parts {
        all |= pedals[part].onlyChannel
        part &+= 1
      }
      return all
    }
  }

  /// Sets whether a channel of a source plays drums, if its programs are General MIDI's.
  @_noLocks
  func setRhythm(_ event: Event) {
    if Int(event.target) >= Limits.channels { return }
    drums.set(event.source, channel: event.target, event.value >= 0.5)
    gatherChannels(of: Int(event.source))
  }

  /// Updates the channels of General MIDI sources after `onlyChannels` has changed.
  @_noLocks
  func moveDrums() {
    for source in 0..<Limits.sources {
      if drums.has(UInt8(source)) { gatherChannels(of: source) }
    }
  }

  /// Whether a part receives the channel of an event, or the manager channel of its zone.
  @_noLocks
  func receives(_ part: Int, _ event: Event) -> Bool {
    receivedChannels[part * Limits.sources + Int(event.source)] >> UInt32(zoneManager(event)) & 1 != 0
  }

  /// Routes a channel of a source to other parts. The event is in range, and its target is a channel.
  @_noLocks
  func route(_ event: Event) {
    let route = event.value < 0 ? Int16(-1) : Int16(min(event.value, 255))
    routes[Int(event.source) * Limits.channels + Int(event.target)] = route
    gatherChannels(of: Int(event.source))
  }

  /// Updates which channels of a source the parts receive.
  @_noLocks
  func gatherChannels(of source: Int) {
    for part in 0..<Limits.parts {
      gatherChannels(part: part, source: source)
      gatherPedals(part: part, source: source)
    }
  }

  /// Updates which channels of a source a part receives: those that it answers to, except drums that have a part of
  /// their own.
  @_noLocks
  func gatherChannels(part: Int, source: Int) {
    var all = pedals[part].channels
    let drums = drums.channels(UInt8(source))
    if drums != 0 { all &= ~(drums & onlyChannels) | pedals[part].onlyChannel }
    for channel in 0..<Limits.channels {
      let route = routes[source * Limits.channels + channel]
      if route >= 0 {
        let bit = UInt32(1) << UInt32(channel)
        all = route >> Int16(part) & 1 != 0 ? all | bit : all & ~bit
      }
    }
    receivedChannels[part * Limits.sources + source] = all
  }
}
