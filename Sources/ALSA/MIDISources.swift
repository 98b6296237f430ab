import MIDI
import Scenes

/// The sources as the engine knows them: which ones have ended, and which parts play the others.
extension MIDIReader {
  /// Tells the engine which sources have ended, and which parts play the others, until the ring is full.
  func release() {
    let now = port.now
    if ending.isEmpty && unrouted.isEmpty || now < nextRelease { return }
    let frame = sequencer.link.clock.frame(at: now)
    while let source = ending.first {
      let end = Event(frame: frame, kind: .sourceGone, source: source)
      guard sequencer.link.midi.push(end) else {
        nextRelease = now + 10_000_000
        return
      }
      sequencer.send(end)
      ending.remove(source)
      if sources.inUse.contains(source) {
        // The source is still connected, so its MPE zones are sent again.
        for event in decoder.zoneEvents(of: source, frame: frame)
        where !sequencer.link.midi.push(event) { ending.insert(source) }
      } else {
        decoder.forget(source)
      }
    }
    while let source = unrouted.first {
      guard route(source, frame: frame) else {
        nextRelease = now + 10_000_000
        return
      }
      unrouted.remove(source)
    }
  }

  /// Tells the engine which parts play a source, if the routes have changed. Returns false if the ring is full.
  func route(_ source: UInt8, frame: Int64) -> Bool {
    let routes = sequencer.devices.device(source: source)?.settings.routes ?? ChannelRoutes()
    if routes.isEmpty && sequencer.routed[source] == nil { return true }
    for channel in 0..<Limits.channels {
      let event = Event(
        frame: frame, kind: .route, source: source, target: UInt8(channel),
        value: routes[channel].map(Float.init) ?? -1)
      guard sequencer.link.midi.push(event) else { return false }
    }
    sequencer.routed[source] = routes.isEmpty ? nil : routes
    return true
  }
}
