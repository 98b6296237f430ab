// The channels of each source that each part receives, and which of them are drums.

extension Controllers {
  /// Sets the channels, one bit each, and the controllers that a part receives. True when they have changed.
  @_noLocks
  func answer(_ part: Int, to channels: UInt32, hearing heard: UInt8) -> Bool {
    if pedals[part].channels == channels, pedals[part].heard == heard { return false }
    let hadKit = hasKit
    (pedals[part].channels, pedals[part].heard) = (channels, heard)
    var source = 0
    while source < Limits.sources {
      gatherChannels(part: part, source: source)
      gatherPedals(part: part, source: source)
      source &+= 1
    }
    if hasKit != hadKit { moveDrums() }
    return true
  }

  /// Whether a part plays General MIDI's drums for an event: on the drum channel, if that is the part's only channel or
  /// is routed to it.
  @_noLocks
  func playsDrums(_ part: Int, _ event: Event) -> Bool {
    if Int(zoneManager(event)) != Limits.drumChannel || !drums.has(event.source) { return false }
    return pedals[part].isKit
      || routes[Int(event.source) * Limits.channels + Limits.drumChannel] >= 0
  }

  /// Whether some part is for drums only.
  var hasKit: Bool {
    @_noLocks get {
      var part = 0
      while part < Limits.parts {
        if pedals[part].isKit { return true }
        part &+= 1
      }
      return false
    }
  }

  /// Updates the channels after a part for drums only was added or removed.
  @_noLocks
  func moveDrums() {
    var source = 0
    while source < Limits.sources {
      if drums.has(UInt8(source)) { gatherChannels(of: source) }
      source &+= 1
    }
  }

  /// Whether a part receives the channel of an event, or the manager channel of its zone.
  @_noLocks
  func hears(_ part: Int, _ event: Event) -> Bool {
    heardChannels[part * Limits.sources + Int(event.source)] >> UInt32(zoneManager(event)) & 1 != 0
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
    var part = 0
    while part < Limits.parts {
      gatherChannels(part: part, source: source)
      gatherPedals(part: part, source: source)
      part &+= 1
    }
  }

  /// Updates which channels of a source a part receives: those that it answers to, except drums that have a part of
  /// their own.
  @_noLocks
  func gatherChannels(part: Int, source: Int) {
    var all = pedals[part].channels
    if drums.has(UInt8(source)), !pedals[part].isKit, hasKit { all &= ~PartPedals.drums }
    var channel = 0
    while channel < Limits.channels {
      let route = routes[source * Limits.channels + channel]
      if route >= 0 {
        let bit = UInt32(1) << UInt32(channel)
        all = route >> Int16(part) & 1 != 0 ? all | bit : all & ~bit
      }
      channel &+= 1
    }
    heardChannels[part * Limits.sources + source] = all
  }
}
