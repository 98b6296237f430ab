import CALSA
import MIDI
import Synth

/// Ports that come and go: which are connected, what was set for them, and what ends when one is pulled out.
extension MIDIReader {
  func receive(announcement event: snd_seq_event_t) {
    let subject = SourceTable.Port(client: event.data.addr.client, port: event.data.addr.port)
    let sender = event.data.connect.sender
    let dest = event.data.connect.dest
    let ours = dest.client == port.client && dest.port == port.port
    let other = SourceTable.Port(client: sender.client, port: sender.port)

    switch snd_seq_event_type(UInt32(event.type)) {
    case SND_SEQ_EVENT_PORT_START, SND_SEQ_EVENT_PORT_CHANGE:
      if !connect(subject) { retries.append((subject, port.now + 500_000_000)) }
    case SND_SEQ_EVENT_PORT_EXIT:
      disconnected(subject)
      gone(subject)
    case SND_SEQ_EVENT_CLIENT_EXIT:
      for port in sources.ports(of: subject.client) { disconnected(port) }
      for port in followed.keys where port.client == subject.client { gone(port) }
      sequencer.change { $0.detach(client: subject.client) }
    case SND_SEQ_EVENT_PORT_SUBSCRIBED where ours && other.client != UInt8(SND_SEQ_CLIENT_SYSTEM):
      connected(other)
    case SND_SEQ_EVENT_PORT_UNSUBSCRIBED where ours:
      disconnected(other)
    default:
      break
    }
  }

  /// Connects a port that has appeared, if it is to be played; true when there is nothing left to do about it.
  func connect(_ other: SourceTable.Port) -> Bool {
    if other.client == port.client { return true }
    guard let found = port.describe(other) else { return false }
    // A port that brings no notes may be given other rights yet.
    if admit(found, DeviceSettings()) == .ignore { return false }
    let device = sequencer.change { $0.attach(found.identity, at: other) }
    return follow(found, other, device)
  }

  /// Connects a port or leaves it alone, as is set for its device; true when that is done.
  func follow(_ found: OfferedPort, _ other: SourceTable.Port, _ device: Device) -> Bool {
    followed[other] = (found, device.settings)
    switch admit(found, device.settings) {
    case .ignore: return true
    case .play:
      guard port.connect(other) else { return false }
      connected(other)
    case .leave(let reason):
      if sources.contains(other) {
        port.disconnect(other)
        disconnected(other)
      }
      sequencer.change { $0.play(other, as: nil, reason: reason) }
      if leftAlone.updateValue(reason, forKey: other) == reason { return true }
      let hint = device.settings.isAllowed == nil ? "; 'pipit devices allow \(device.id)' plays it" : ""
      sequencer.log("MIDI: left alone: \(found.identity.name), \(reason)\(hint)")
    }
    return true
  }

  /// Brings every port to what is set for its device now, and the engine to which parts hear it.
  func followSettings() {
    unrouted.formUnion(sequencer.routed.keys)
    followBindings()
    for device in sequencer.devices.devices {
      guard let place = device.address, let before = followed[place], before.settings != device.settings
      else {
        continue
      }
      if let source = device.source {
        unrouted.insert(source)
        play(source, as: device.settings)
      }
      if before.settings.hasFeedback && !device.settings.hasFeedback { leave(place) }
      followed[place]?.settings = device.settings
      // A port that another program has connected stays so until it is denied itself.
      if before.settings.isAllowed != device.settings.isAllowed { _ = follow(before.port, place, device) }
    }
  }

  /// Learns which controls are bound now. What a newly bound one holds down would never be let go.
  func followBindings() {
    let devices = sequencer.devices
    if devices.revision == boundRevision { return }
    boundRevision = devices.revision
    let before = bound
    bound = BoundControls(devices)
    ending.formUnion(bound.heldSources(since: before).intersection(sources.inUse))
  }

  /// Gives a port that is connected a number, and logs it once.
  func connected(_ other: SourceTable.Port) {
    let source = sources.number(of: other)
    // Whoever connected it may be another program.
    let found = sequencer.devices[other] == nil ? port.describe(other) : nil
    let device = sequencer.change { table in
      if let found { _ = table.attach(found.identity, at: other) }
      table.play(other, as: source)
      return table[other]
    }
    if let found, let device { followed[other] = (found, device.settings) }
    leftAlone[other] = nil
    unrouted.insert(source)
    followBindings()
    release()
    play(source, as: device?.settings ?? DeviceSettings())
    if names[other] != nil { return }
    let name = device?.identity.name ?? "\(other.client):\(other.port)"
    names[other] = name
    sequencer.log("MIDI: connected \(name)")
  }

  /// Has a port that is played hear what is sent to it. Another may be there by now.
  func reach(_ other: SourceTable.Port) {
    if !reached.contains(other), sources.contains(other), port.reach(other) { reached.insert(other) }
  }

  /// Leaves a port to whoever else sends to it.
  func leave(_ other: SourceTable.Port) {
    if reached.remove(other) != nil { port.leave(other) }
  }

  /// Has a source play by MPE, and be followed by the tempo, as is set for it.
  func play(_ source: UInt8, as settings: DeviceSettings) {
    follow(clock: settings.hasClock, of: source)
    let mpe = settings.mpe ?? sequencer.mpe
    if chosen.updateValue(mpe, forKey: source) == mpe { return }
    let frame = sequencer.link.clock.frame(at: port.now)
    for event in decoder.choose(mpe, source: source, frame: frame) { play(event) }
  }

  func follow(clock isWanted: Bool, of source: UInt8) {
    if isWanted {
      clocked.insert(source)
    } else if clocked.remove(source) != nil {
      clocks.forget(source)
    }
  }

  /// Ends the notes of a port that is connected no longer, be it there or not.
  func disconnected(_ other: SourceTable.Port) {
    retries.removeAll { $0.port == other }
    guard let source = sources.remove(other) else { return }
    leave(other)
    sensing.forget(source)
    follow(clock: false, of: source)
    chosen[source] = nil
    // Now, not when the ring has room: the next port may have its number by then.
    if !sources.inUse.contains(source) { decoder.forget(source) }
    if let name = names.removeValue(forKey: other) { sequencer.log("MIDI: \(name) is gone") }
    sequencer.change { $0.play(other, as: nil, reason: "not connected") }
    ending.insert(source)
    release()
  }

  /// A port is there no longer.
  func gone(_ other: SourceTable.Port) {
    (leftAlone[other], followed[other]) = (nil, nil)
    sequencer.change { $0.detach(other) }
  }

  /// The second and last try with ports whose permissions were not settled when they appeared.
  func retry() {
    let now = port.now
    let due = retries.filter { $0.due <= now }
    if due.isEmpty { return }
    retries.removeAll { $0.due <= now }
    for (port, _) in due { _ = connect(port) }
  }
}
