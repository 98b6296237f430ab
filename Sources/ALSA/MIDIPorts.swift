import CALSA
import MIDI
import Scenes

/// Ports that appear and are removed: which ones are connected, which settings apply, and what ends when one is
/// unplugged.
extension MIDIReader {
  /// Handles an announcement of the sequencer: a port has appeared, was changed, connected or removed.
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
      portDisconnected(subject)
      portRemoved(subject)
    case SND_SEQ_EVENT_CLIENT_EXIT:
      for port in sources.ports(of: subject.client) { portDisconnected(port) }
      for port in Array(offeredPorts.keys) + Array(leftAlone.keys) where port.client == subject.client {
        portRemoved(port)
      }
      sequencer.change { $0.detach(client: subject.client) }
    case SND_SEQ_EVENT_PORT_SUBSCRIBED where ours && other.client != UInt8(SND_SEQ_CLIENT_SYSTEM):
      portConnected(other)
    case SND_SEQ_EVENT_PORT_UNSUBSCRIBED where ours:
      portDisconnected(other)
    default:
      break
    }
  }

  /// Connects a port that has appeared, if pipit plays it. Returns false if the caller should try once more later.
  func connect(_ other: SourceTable.Port) -> Bool {
    if other.client == port.client { return true }
    guard let found = port.describe(other) else { return false }
    // A port that sends no notes may still get other permissions.
    if admit(found, DeviceSettings()) == .ignore { return false }
    let device = sequencer.change { $0.attach(found.identity, at: other) }
    if let name = names[other], name != device.identity.name {
      names[other] = device.identity.name
      sequencer.log("MIDI: \(name) is now \(device.identity.name)")
    }
    return connectOrLeave(found, at: other, device)
  }

  /// Connects a port or leaves it alone, according to the settings of its device. Returns false if the sequencer
  /// refused the connection.
  func connectOrLeave(_ found: OfferedPort, at other: SourceTable.Port, _ device: Device) -> Bool {
    offeredPorts[other] = (found, device.settings)
    switch admit(found, device.settings) {
    case .ignore: return true
    case .play where !sources.hasRoom(for: other): leave(other, found.identity.name, Self.full)
    case .play:
      guard port.connect(other) else { return false }
      portConnected(other)
    case .leave(let reason):
      if sources.contains(other) {
        endPadMode(of: other)
        port.disconnect(other)
        portDisconnected(other)
      }
      let hint = device.settings.isAllowed == nil ? "; 'pipit devices allow \(device.id)' plays it" : ""
      leave(other, found.identity.name, reason, hint)
    }
    return true
  }

  /// Why a port is left alone while all source numbers are in use.
  private static let full =
    "\(Limits.surfaceSources) ports play already; one that is unplugged or denied makes room"

  /// Leaves a port alone, and says why once.
  private func leave(_ other: SourceTable.Port, _ name: String, _ reason: String, _ hint: String = "") {
    sequencer.change { $0.play(other, as: nil, reason: reason) }
    if leftAlone.updateValue(reason, forKey: other) == reason { return }
    sequencer.log("MIDI: left alone: \(name), \(reason)\(hint)")
  }

  /// Leaves a port alone that another program has connected, or that sends without a connection, while all source
  /// numbers are in use.
  func leaveUntilThereIsRoom(_ other: SourceTable.Port) {
    if leftAlone[other] == Self.full { return }
    leave(other, sequencer.devices[other]?.identity.name ?? "\(other.client):\(other.port)", Self.full)
  }

  /// Applies the current settings of each device to its port, and tells the engine which parts play it.
  func applySettings() {
    unrouted.formUnion(sequencer.routed.keys)
    updateBindings()
    followClocks()
    let table = sequencer.devices
    for device in table.devices {
      guard let address = device.address, let before = offeredPorts[address],
        before.settings != device.settings
      else {
        continue
      }
      if let source = device.source {
        unrouted.insert(source)
        play(source, as: device.settings)
      }
      updatePadMode(of: address)
      let isSilent = !device.settings.hasFeedback && !device.settings.hasClockOut
      if before.settings.hasFeedback, isSilent, padModes[address] == nil {
        disconnectOutput(from: address)
      }
      offeredPorts[address]?.settings = device.settings
      // A port that another program has connected stays connected until the player denies it.
      if before.settings.isAllowed != device.settings.isAllowed {
        _ = connectOrLeave(before.port, at: address, device)
      }
    }
  }

  /// Reads the current bindings. Notes and controllers that a newly bound control holds are released, because the
  /// engine would never receive their release.
  func updateBindings() {
    let devices = sequencer.devices
    if devices.revision == boundRevision { return }
    boundRevision = devices.revision
    let before = boundControls
    boundControls = BoundControls(devices)
    ending.formUnion(boundControls.heldSources(since: before).intersection(sources.inUse))
  }

  /// Gives a connected port a source number, and logs the connection once.
  func portConnected(_ other: SourceTable.Port) {
    guard let source = sources.number(of: other) else {
      port.disconnect(other)
      return leaveUntilThereIsRoom(other)
    }
    // Another program may have made the connection.
    let found = sequencer.devices[other] == nil ? port.describe(other) : nil
    let device = sequencer.change { table in
      if let found { _ = table.attach(found.identity, at: other) }
      table.play(other, as: source)
      return table[other]
    }
    if let found, let device { offeredPorts[other] = (found, device.settings) }
    leftAlone[other] = nil
    unrouted.insert(source)
    updateBindings()
    release()
    play(source, as: device?.settings ?? DeviceSettings())
    if names[other] == nil {
      let name = device?.identity.name ?? "\(other.client):\(other.port)"
      names[other] = name
      sequencer.log("MIDI: connected \(name)")
    }
    updatePadMode(of: other)
  }

  /// Connects `MIDI Out` to a port that is played. If the port was removed, another one may have its address: then
  /// nothing is done.
  func connectOutput(to other: SourceTable.Port) {
    if !outputPorts.contains(other), sources.contains(other), port.connectOutput(to: other) {
      outputPorts.insert(other)
    }
  }

  /// Ends the connection of `MIDI Out` to a port.
  func disconnectOutput(from other: SourceTable.Port) {
    if outputPorts.remove(other) != nil { port.disconnectOutput(from: other) }
  }

  /// Applies the settings of a device to its source: its MPE mode, and whether the beat line follows its clock.
  func play(_ source: UInt8, as settings: DeviceSettings) {
    followClocks()
    let mpe = settings.mpe ?? sequencer.mpe
    if mpeSettings.updateValue(mpe, forKey: source) == mpe { return }
    let frame = sequencer.link.clock.frame(at: port.now)
    for event in decoder.choose(mpe, source: source, frame: frame) { play(event) }
  }

  /// Sets which devices' clocks the beat line follows.
  private func followClocks() {
    let table = sequencer.devices
    for device in table.devices {
      if let source = device.source { follow(clock: table.mayLead(device), of: source) }
    }
  }

  /// Sets whether the beat line follows the clock of a source.
  func follow(clock isWanted: Bool, of source: UInt8) {
    if isWanted {
      clocked.insert(source)
    } else if clocked.remove(source) != nil, clocks.forget(source) {
      endClock(source)
    }
  }

  /// Ends the notes of a port whose connection has ended, and forgets the state of its source.
  func portDisconnected(_ other: SourceTable.Port) {
    retries.removeAll { $0.port == other }
    padModes[other] = nil
    guard let source = sources.remove(other) else { return }
    disconnectOutput(from: other)
    sensing.forget(source)
    follow(clock: false, of: source)
    mpeSettings[source] = nil
    // At once, without waiting for space in the ring: the next port may get the same source number.
    decoder.forget(source)
    for (waiting, reason) in leftAlone where reason == Self.full { retries.append((waiting, port.now)) }
    if let name = names.removeValue(forKey: other) { sequencer.log("MIDI: \(name) is gone") }
    sequencer.change { $0.play(other, as: nil, reason: "not connected") }
    ending.insert(source)
    release()
  }

  /// Forgets a port that was removed from the sequencer.
  func portRemoved(_ other: SourceTable.Port) {
    (leftAlone[other], offeredPorts[other]) = (nil, nil)
    outputPorts.remove(other)
    clockOut.forget(other, by: port)
    sequencer.change { $0.detach(other) }
  }

  /// Tries once more to connect ports whose permissions were not final when they appeared.
  func retry() {
    let now = port.now
    let due = retries.filter { $0.due <= now }
    if due.isEmpty { return }
    retries.removeAll { $0.due <= now }
    for (port, _) in due { _ = connect(port) }
  }
}
