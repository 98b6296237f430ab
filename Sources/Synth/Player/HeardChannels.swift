// Which channels of which source each part hears, and which of them are drums.

extension Controllers {
  /// A part answers to these channels, one bit each, and hears these controllers. True when it was others before.
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

  /// Whether a part plays General MIDI's drums for an event: on their channel, where that is the part's own or was given
  /// to it.
  @_noLocks
  func playsDrums(_ part: Int, _ event: Event) -> Bool {
    if Int(zoneManager(event)) != Limits.drumChannel || !drums.has(event.source) { return false }
    return pedals[part].isKit
      || routes[Int(event.source) * Limits.channels + Limits.drumChannel] >= 0
  }

  /// Whether a part is there for drums alone.
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

  /// Drums have a part of their own, or no more.
  @_noLocks
  func moveDrums() {
    var source = 0
    while source < Limits.sources {
      if drums.has(UInt8(source)) { gatherChannels(of: source) }
      source &+= 1
    }
  }

  /// Whether a part hears the channel of an event, or the manager's of its zone.
  @_noLocks
  func hears(_ part: Int, _ event: Event) -> Bool {
    heardChannels[part * Limits.sources + Int(event.source)] >> UInt32(zoneManager(event)) & 1 != 0
  }

  /// Other parts hear a channel of a source. The event is in range, its target a channel.
  @_noLocks
  func route(_ event: Event) {
    let route = event.value < 0 ? Int16(-1) : Int16(min(event.value, 255))
    routes[Int(event.source) * Limits.channels + Int(event.target)] = route
    gatherChannels(of: Int(event.source))
  }

  /// Which channels of a source the parts hear.
  @_noLocks
  func gatherChannels(of source: Int) {
    var part = 0
    while part < Limits.parts {
      gatherChannels(part: part, source: source)
      gatherPedals(part: part, source: source)
      part &+= 1
    }
  }

  /// Which channels of a source a part hears: those that it answers to, but not drums that have a part of their own.
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
