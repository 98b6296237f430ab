import CALSA
import Glibc
import MIDI
import Synth
import System

/// Reads the sequencer's events and plays them, and keeps every keyboard connected. MIDI thread only.
final class MIDIReader {
  private let port: SequencerPort
  private let sequencer: Sequencer
  private var sources = SourceTable()
  // What was said of ports: what they are called, for when they are gone, and why they are left alone.
  private var names: [SourceTable.Port: String] = [:]
  private var leftAlone: [SourceTable.Port: String] = [:]
  // Ports that have come, each with the settings that it was brought to.
  private var followed: [SourceTable.Port: (port: OfferedPort, settings: DeviceSettings)] = [:]
  private let decoder = MIDIDecoder()
  private var sensing = ActiveSensing()
  // Sources whose clocks the player wants to be followed.
  private var clocked: Set<UInt8> = []
  private var clocks = Clocks()
  // How sources play by MPE.
  private var chosen: [UInt8: MPESetting] = [:]
  private var movements = MovementReader()
  private var bound = BoundControls()
  private var boundRevision = -1
  // Ports that were announced but could not be connected yet, and when to try again.
  private var retries: [(port: SourceTable.Port, due: Int64)] = []
  // Sources whose notes are to end as soon as the ring has room for that, and when to try: each refusal is counted.
  private var ending: Set<UInt8> = []
  private var nextRelease: Int64 = 0
  // Ports that hear MIDI Out: those with lamps, and those that have asked who this is.
  private var reached: Set<SourceTable.Port> = []
  // Sources whose channels the engine is to be told the parts of.
  private var unrouted: Set<UInt8> = []
  private var polled: [pollfd]
  private var overrunLogged = false

  init(port: SequencerPort, sequencer: Sequencer) {
    self.port = port
    self.sequencer = sequencer
    let count = snd_seq_poll_descriptors_count(port.handle, Int16(POLLIN))
    polled = [pollfd](repeating: pollfd(), count: Int(max(0, count)) + 1)
  }

  /// Connects every port that is there.
  func connectAll() {
    for other in port.ports() { _ = connect(other) }
  }

  /// Waits for events, or to be woken, and reads what has come. False when the sequencer failed.
  func read(orWake wake: WakePipe) -> Bool {
    polled[0] = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
    let timeout = self.timeout
    let failed = polled.withUnsafeMutableBufferPointer { slots in
      guard let all = slots.baseAddress else { return true }
      snd_seq_poll_descriptors(port.handle, all + 1, UInt32(slots.count - 1), Int16(POLLIN))
      poll(all, nfds_t(slots.count), timeout)
      return slots.dropFirst().contains { $0.revents & Int16(POLLERR | POLLNVAL | POLLHUP) != 0 }
    }
    if failed { return false }
    if polled[0].revents != 0 {
      wake.clear()
      if sequencer.takeNews() { followSettings() }
      for lamp in sequencer.takeLamps() {
        reach(lamp.place)
        port.send(lamp.number, lamp.value, isNote: lamp.isNote, channel: lamp.channel, to: lamp.place)
      }
    }
    retry()
    release()
    let isReadable = readAll()
    // After all that has come is read: what waited was a sign of life.
    while let source = sensing.fallenSilent(at: monotonic()) {
      ending.insert(source)
      release()
    }
    return isReadable
  }

  /// Ends the notes of every source.
  func releaseAll() {
    ending.formUnion(sources.removeAll())
    release()
  }

  /// No port is there any more, as far as this client knows.
  func leaveAll() { sequencer.change { $0.leave(client: nil) } }

  // MARK: - Events

  /// Reads all that has come. False when the sequencer failed.
  private func readAll() -> Bool {
    while true {
      var event: UnsafeMutablePointer<snd_seq_event_t>?
      var packet = ump_packet()
      let result = next_event(port.handle, port.isUMP ? 1 : 0, &event, &packet)
      switch -result {
      case ...0:
        if let event, packet.is_packet != 0 {
          receive(packet, from: event.pointee.source)
        } else if let event {
          receive(event.pointee)
        }
      case EAGAIN:
        return true
      case EINTR, EPERM:
        continue
      case ENOSPC:
        overrun()
      default:
        sequencer.log(.warning("\(ALSAError("Reading from the ALSA sequencer", code: result))"))
        return false
      }
    }
  }

  private func receive(_ event: snd_seq_event_t) {
    let from = SourceTable.Port(client: event.source.client, port: event.source.port)
    if from.client == UInt8(SND_SEQ_CLIENT_SYSTEM) { return receive(announcement: event) }
    let now = monotonic()
    let frame = sequencer.link.clock.frame(at: now)
    let source = sources.number(of: from)
    let type = snd_seq_event_type(UInt32(event.type))
    sequencer.countEvent()
    sensing.hear(source, isSign: type == SND_SEQ_EVENT_SENSING, at: now)
    if type == SND_SEQ_EVENT_SYSEX { return receive(exclusive: event, from, source: source, frame: frame) }
    if let message = ClockMessage(event) { return follow(message, source: source, frame: frame, at: now) }
    if let message = ChannelMessage(event) { play(message, source: source, frame: frame, at: now) }
  }

  /// A packet of MIDI 2.0. It comes from the port of its group, whose sixteen channels are a device's like any other's.
  private func receive(_ packet: ump_packet, from place: snd_seq_addr_t) {
    let from = SourceTable.Port(client: place.client, port: place.port)
    let (first, second) = (packet.words.0, packet.words.1)
    let now = monotonic()
    let frame = sequencer.link.clock.frame(at: now)
    let source = sources.number(of: from)
    sequencer.countEvent()
    sensing.hear(source, isSign: UMP.isSensing(first), at: now)
    if let message = decoder.take(exclusive: first, second, source: source) {
      return play(message, from, source: source, frame: frame)
    }
    if let message = UMP.clock(first) { return follow(message, source: source, frame: frame, at: now) }
    if let pitch = UMP.strokePitch(first, second) { play(pitch, source: source, frame: frame, at: now) }
    if let message = UMP.message(first, second) { play(message, source: source, frame: frame, at: now) }
  }

  /// A clock, where it is to be followed.
  private func follow(_ message: ClockMessage, source: UInt8, frame: Int64, at now: Int64) {
    guard clocked.contains(source) else { return }
    if let event = clocks.take(message, source: source, frame: frame, at: now) { play(event) }
  }

  /// A message on a channel.
  private func play(_ message: ChannelMessage, source: UInt8, frame: Int64, at now: Int64) {
    if let movement = movements.read(message, source: source, at: now),
      sequencer.hear(movement, isBound: bound.contains(movement))
    {
      return
    }
    if let event = decoder.event(message, source: source, frame: frame) { play(event) }
  }

  /// A piece of a system exclusive message.
  private func receive(
    exclusive event: snd_seq_event_t, _ from: SourceTable.Port, source: UInt8, frame: Int64
  ) {
    let (bytes, count) = withUnsafePointer(to: event) { (exclusive_bytes($0), Int(exclusive_count($0))) }
    guard let bytes else { return }
    for index in 0..<count {
      if let message = decoder.take(exclusive: bytes[index], source: source) {
        play(message, from, source: source, frame: frame)
      }
    }
  }

  /// A system exclusive message that is whole.
  private func play(_ message: SystemMessage, _ from: SourceTable.Port, source: UInt8, frame: Int64) {
    if message.asksWho {
      reach(from)
      port.send(Identity.answer(device: message.device, version: sequencer.version), to: from)
    }
    for index in 0..<message.count {
      if let event = message.event(index, source: source, frame: frame) { play(event) }
    }
  }

  /// Sends an event to whom it is for.
  private func play(_ event: Event) {
    if event.kind.isForControl {
      if let timbre = event.timbre { sequencer.link.midi.push(timbre) }
      return sequencer.send(event)
    }
    if event.kind.isForBoth || event.kind == .noteOn && sequencer.link.keyWatch.isOn { sequencer.send(event) }
    // What found no room may have been the end of a note, whose beginning the engine has yet to see.
    if !sequencer.link.midi.push(event) { ending.formUnion(sources.inUse) }
  }

  /// The kernel dropped events: any of them may have been the end of a note, or of a port.
  private func overrun() {
    sequencer.countOverrun()
    if !overrunLogged {
      sequencer.log(.warning("MIDI came faster than it could be read; notes were released (said only once)"))
    }
    overrunLogged = true
    releaseAll()
    connectAll()
  }

  // MARK: - Ports that come and go

  private func receive(announcement event: snd_seq_event_t) {
    let subject = SourceTable.Port(client: event.data.addr.client, port: event.data.addr.port)
    let sender = event.data.connect.sender
    let dest = event.data.connect.dest
    let ours = dest.client == port.client && dest.port == port.port
    let other = SourceTable.Port(client: sender.client, port: sender.port)

    switch snd_seq_event_type(UInt32(event.type)) {
    case SND_SEQ_EVENT_PORT_START, SND_SEQ_EVENT_PORT_CHANGE:
      if !connect(subject) { retries.append((subject, monotonic() + 500_000_000)) }
    case SND_SEQ_EVENT_PORT_EXIT:
      disconnected(subject)
      gone(subject)
    case SND_SEQ_EVENT_CLIENT_EXIT:
      for port in sources.ports(of: subject.client) { disconnected(port) }
      for port in followed.keys where port.client == subject.client { gone(port) }
      sequencer.change { $0.leave(client: subject.client) }
    case SND_SEQ_EVENT_PORT_SUBSCRIBED where ours && other.client != UInt8(SND_SEQ_CLIENT_SYSTEM):
      connected(other)
    case SND_SEQ_EVENT_PORT_UNSUBSCRIBED where ours:
      disconnected(other)
    default:
      break
    }
  }

  /// Connects a port that has appeared, if it is to be played; true when there is nothing left to do about it.
  private func connect(_ other: SourceTable.Port) -> Bool {
    if other.client == port.client { return true }
    guard let found = port.describe(other) else { return false }
    // A port that brings no notes may be given other rights yet.
    if admit(found, DeviceSettings()) == .ignore { return false }
    let device = sequencer.change { $0.arrive(found.identity, at: other) }
    return follow(found, other, device)
  }

  /// Connects a port or leaves it alone, as is set for its device; true when that is done.
  private func follow(_ found: OfferedPort, _ other: SourceTable.Port, _ device: Device) -> Bool {
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
  private func followSettings() {
    unrouted.formUnion(sequencer.routed.keys)
    followBindings()
    for device in sequencer.devices.devices {
      guard let place = device.place, let before = followed[place], before.settings != device.settings else {
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
  private func followBindings() {
    let devices = sequencer.devices
    if devices.revision == boundRevision { return }
    boundRevision = devices.revision
    let before = bound
    bound = BoundControls(devices)
    ending.formUnion(bound.heldSources(since: before).intersection(sources.inUse))
  }

  /// Gives a port that is connected a number, and logs it once.
  private func connected(_ other: SourceTable.Port) {
    let source = sources.number(of: other)
    // Whoever connected it may be another program.
    let found = sequencer.devices[other] == nil ? port.describe(other) : nil
    let device = sequencer.change { table in
      if let found { _ = table.arrive(found.identity, at: other) }
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
  private func reach(_ other: SourceTable.Port) {
    if !reached.contains(other), sources.contains(other), port.reach(other) { reached.insert(other) }
  }

  /// Leaves a port to whoever else sends to it.
  private func leave(_ other: SourceTable.Port) {
    if reached.remove(other) != nil { port.leave(other) }
  }

  /// Has a source play by MPE, and be followed by the tempo, as is set for it.
  private func play(_ source: UInt8, as settings: DeviceSettings) {
    follow(clock: settings.hasClock, of: source)
    let mpe = settings.mpe ?? sequencer.mpe
    if chosen.updateValue(mpe, forKey: source) == mpe { return }
    let frame = sequencer.link.clock.frame(at: monotonic())
    for event in decoder.choose(mpe, source: source, frame: frame) { play(event) }
  }

  private func follow(clock isWanted: Bool, of source: UInt8) {
    if isWanted {
      clocked.insert(source)
    } else if clocked.remove(source) != nil {
      clocks.forget(source)
    }
  }

  /// Ends the notes of a port that is connected no longer, be it there or not.
  private func disconnected(_ other: SourceTable.Port) {
    retries.removeAll { $0.port == other }
    guard let source = sources.remove(other) else { return }
    leave(other)
    sensing.forget(source)
    follow(clock: false, of: source)
    chosen[source] = nil
    movements.forget(source)
    if let name = names.removeValue(forKey: other) { sequencer.log("MIDI: \(name) is gone") }
    sequencer.change { $0.play(other, as: nil, reason: "not connected") }
    ending.insert(source)
    release()
  }

  /// A port is there no longer.
  private func gone(_ other: SourceTable.Port) {
    (leftAlone[other], followed[other]) = (nil, nil)
    sequencer.change { $0.leave(other) }
  }

  /// The second and last try with ports whose permissions were not settled when they appeared.
  private func retry() {
    let now = monotonic()
    let due = retries.filter { $0.due <= now }
    if due.isEmpty { return }
    retries.removeAll { $0.due <= now }
    for (port, _) in due { _ = connect(port) }
  }

  /// Tells the engine of the sources that have gone, and which parts hear the others, as far as the ring has room.
  private func release() {
    let now = monotonic()
    if ending.isEmpty && unrouted.isEmpty || now < nextRelease { return }
    let frame = sequencer.link.clock.frame(at: now)
    while let source = ending.first {
      let gone = Event(frame: frame, kind: .sourceGone, source: source)
      guard sequencer.link.midi.push(gone) else {
        nextRelease = now + 10_000_000
        return
      }
      sequencer.send(gone)
      ending.remove(source)
      if sources.inUse.contains(source) {
        // It is there still: what it has said of itself once counts on.
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

  /// Tells the engine which parts hear a source, where that is another than before; false when the ring has no room.
  private func route(_ source: UInt8, frame: Int64) -> Bool {
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

  private var timeout: Int32 {
    if !ending.isEmpty || !unrouted.isEmpty { return 10 }
    guard let due = (retries.map(\.due) + [sensing.due].compactMap { $0 }).min() else { return -1 }
    return Int32(max(0, min((due - monotonic()) / 1_000_000 + 1, 1000)))
  }
}
