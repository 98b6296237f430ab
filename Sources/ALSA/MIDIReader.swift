import CALSA
import Glibc
import MIDI
import Scenes
import System

/// Reads and plays the sequencer's events, and keeps every keyboard connected (`MIDIPorts.swift`). MIDI thread only.
final class MIDIReader {
  let port: any SequencerClient
  let sequencer: Sequencer
  var sources = SourceTable()
  // Ports that were logged: their names, for when they are removed, and the reasons why they are left alone.
  var names: [SourceTable.Port: String] = [:]
  var leftAlone: [SourceTable.Port: String] = [:]
  // Ports that have appeared, with the settings that were applied to them.
  var offeredPorts: [SourceTable.Port: (port: OfferedPort, settings: DeviceSettings)] = [:]
  let decoder = MIDIDecoder()
  var sensing = ActiveSensing()
  // Sources whose clocks the tempo may follow.
  var clocked: Set<UInt8> = []
  var clocks = Clocks()
  // The MPE setting of each source.
  var mpeSettings: [UInt8: MPESetting] = [:]
  var boundControls = BoundControls()
  var boundRevision = -1
  // Announced ports that could not be connected yet, and when to try again.
  var retries: [(port: SourceTable.Port, due: Int64)] = []
  // Sources whose notes must end once the ring has space, and when to try next, because each refused push is counted.
  var ending: Set<UInt8> = []
  var nextRelease: Int64 = 0
  // Ports that MIDI Out is connected to: those with lamps, and those that have sent an identity request.
  var outputPorts: Set<SourceTable.Port> = []
  // Controllers that were sent the `hello` messages of their pads' file, with the file, whose `bye` messages end the
  // mode.
  var padModes: [SourceTable.Port: PadMap] = [:]
  // Sources whose part assignments the engine has not received yet.
  var unrouted: Set<UInt8> = []
  // The clock output; the revision of the devices and the leader for which it was last set; and the ports whose clock
  // output is on.
  var clockOut = ClockOut()
  var clockOutRevision = -1
  var clockOutLeader: UInt8?
  var clockedOutputs: Set<SourceTable.Port> = []
  private var polled: [pollfd]
  private var overrunLogged = false
  // Whether events are pending that the last round has not read. The library may hold them, so that no poll reports them.
  private var isBehind = false

  /// The most events of a round, so that settings, clock and end do not wait for a port that floods.
  static let mostEvents = 1_024

  init(port: any SequencerClient, sequencer: Sequencer) {
    self.port = port
    self.sequencer = sequencer
    polled = [pollfd](repeating: pollfd(), count: port.descriptorCount + 1)
  }

  /// Connects every existing port.
  func connectAll() {
    for other in port.ports() { _ = connect(other) }
  }

  /// Waits for events or for `wake`, and reads the pending events. Returns false if the sequencer failed.
  func read(orWake wake: WakePipe) -> Bool {
    polled[0] = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
    let timeout = self.timeout
    let failed = polled.withUnsafeMutableBufferPointer { slots in
      guard let all = slots.baseAddress else { return true }
      port.fill(all + 1, count: slots.count - 1)
      poll(all, nfds_t(slots.count), timeout)
      return slots.dropFirst().contains { $0.revents & Int16(POLLERR | POLLNVAL | POLLHUP) != 0 }
    }
    if failed { return false }
    if polled[0].revents != 0 {
      wake.clear()
      if sequencer.takeSettingsChange() { applySettings() }
      for lamp in sequencer.takeLamps() {
        connectOutput(to: lamp.address)
        port.send(lamp.number, lamp.value, isNote: lamp.isNote, channel: lamp.channel, to: lamp.address)
      }
    }
    retry()
    release()
    sendClock()
    let isReadable = readPending()
    // Only after all pending events are read, because each of them shows that its device is still connected.
    while !isBehind, let source = sensing.fallenSilent(at: port.now) {
      ending.insert(source)
      release()
    }
    if let source = clocks.silent(at: port.now) { endClock(source) }
    // The events that were read may have changed them, and nothing else may wake this thread.
    updateReceivers()
    return isReadable
  }

  /// Ends the notes of every source, and forgets the active sensing of all sources.
  func releaseAll() {
    ending.formUnion(sources.removeAll())
    sensing = ActiveSensing()
    release()
  }

  /// Marks all devices as removed, because this client no longer sees any port.
  func detachAll() { sequencer.change { $0.detach(client: nil) } }

  // MARK: - Events

  /// Reads the pending events, up to `mostEvents`. Returns false if the sequencer failed.
  private func readPending() -> Bool {
    isBehind = false
    for _ in 0..<Self.mostEvents {
      var event: UnsafeMutablePointer<snd_seq_event_t>?
      var packet = ump_packet()
      let result = port.next(&event, &packet)
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
    isBehind = true
    return true
  }

  /// The origin and time of a message.
  private struct Arrival {
    let port: SourceTable.Port
    let source: UInt8
    /// The frame at which the message is played.
    let frame: Int64
    /// When the message was read, nanoseconds.
    let now: Int64
  }

  private func receive(_ event: snd_seq_event_t) {
    if event.source.client == UInt8(SND_SEQ_CLIENT_SYSTEM) { return receive(announcement: event) }
    let message = PortMessage(event)
    let arrival = receive(message, from: event.source)
    if message == .exclusive, let arrival { receive(exclusive: event, arrival) }
  }

  /// Handles a MIDI 2.0 packet. It comes from the port of its group, whose sixteen channels are treated like those of
  /// any device.
  private func receive(_ packet: ump_packet, from address: snd_seq_addr_t) {
    let (first, second) = (packet.words.0, packet.words.1)
    let arrival = receive(
      UMP.read(first, second), after: UMP.noteOnPitch(first, second), from: address)
    guard let arrival else { return }
    if let message = decoder.read(exclusive: first, second, source: arrival.source) { play(message, arrival) }
  }

  /// Handles a message from a port, preceded by `first` if there is one. `message` is nil if it is unknown. Returns nil
  /// if the port is left alone.
  private func receive(
    _ message: PortMessage?, after first: ChannelMessage? = nil, from address: snd_seq_addr_t
  ) -> Arrival? {
    let now = port.now
    let from = SourceTable.Port(client: address.client, port: address.port)
    guard let source = sources.number(of: from) else {
      leaveUntilThereIsRoom(from)
      return nil
    }
    let arrival = Arrival(port: from, source: source, frame: sequencer.link.clock.frame(at: now), now: now)
    sequencer.countEvent()
    sensing.receive(from: arrival.source, isActiveSensing: message == .activeSensing, at: now)
    switch message {
    case .channel(let message):
      if let first { play(first, arrival) }
      play(message, arrival)
    case .clock(let message): follow(message, arrival)
    case .activeSensing, .exclusive, nil: break
    }
    return arrival
  }

  /// Passes on a clock message if the tempo may follow its source.
  private func follow(_ message: ClockMessage, _ arrival: Arrival) {
    guard clocked.contains(arrival.source) else { return }
    clocks.receive(
      message, source: arrival.source, frame: arrival.frame, at: arrival.now,
      beat: { sequencer.link.beatClock.now.line.beat(at: arrival.frame) }, play: { play($0) })
  }

  /// Tells the engine that the clock of a source no longer leads.
  func endClock(_ source: UInt8) {
    play(Event(frame: sequencer.link.clock.frame(at: port.now), kind: .clockGone, source: source))
  }

  /// Handles a channel message: decodes it, and plays it unless its control is bound. The movement is reported to the
  /// control thread after that, because the report may wait for a lock.
  private func play(_ received: ChannelMessage, _ arrival: Arrival) {
    let message = decoder.read(received, source: arrival.source, at: arrival.now)
    let movement = boundControls.isEmpty && !sequencer.isLearning ? nil : message.movement
    let isBound = movement.map { boundControls.contains($0) } ?? false
    if !isBound, let event = decoder.event(message, frame: arrival.frame) { play(event) }
    if let movement { sequencer.report(movement, isBound: isBound) }
  }

  /// Handles a fragment of a system exclusive message.
  private func receive(exclusive event: snd_seq_event_t, _ arrival: Arrival) {
    let (bytes, count) = withUnsafePointer(to: event) { (exclusive_bytes($0), Int(exclusive_count($0))) }
    guard let bytes else { return }
    for index in 0..<count {
      if let message = decoder.read(exclusive: bytes[index], source: arrival.source) {
        play(message, arrival)
      }
    }
  }

  /// Handles a complete system exclusive message.
  private func play(_ message: SystemExclusiveMessage, _ arrival: Arrival) {
    if message.isIdentityRequest {
      connectOutput(to: arrival.port)
      port.send(Identity.answer(device: message.device, version: sequencer.version), to: arrival.port)
    }
    for index in 0..<message.count {
      if let event = message.event(index, source: arrival.source, frame: arrival.frame) { play(event) }
    }
  }

  /// Sends an event to the engine, to the control thread, or to both.
  func play(_ event: Event) {
    if event.kind.isForControl {
      if let engineEvent = event.engineEvent { sequencer.link.midi.push(engineEvent) }
      return sequencer.send(event)
    }
    // A dropped event may have been the end of a note, so the notes of all sources are released.
    if !sequencer.link.midi.push(event) { ending.formUnion(sources.inUse) }
    if event.kind.isForBoth { return sequencer.send(event) }
    if event.kind.isOfKeys, sequencer.link.keyWatch.isOn {
      // The control thread knows no MPE zones: to it, a key of a zone is on the channel of the zone's manager.
      var key = event
      key.target = decoder.zoneManager(of: event.target, source: event.source)
      sequencer.send(key)
    }
  }

  /// Handles events that the kernel has dropped: any of them may have been the end of a note, or the removal of a
  /// port. Ports that are still there keep their sources, to which the decoder's state belongs.
  private func overrun() {
    sequencer.countOverrun()
    if !overrunLogged {
      sequencer.log(.warning("MIDI came faster than it could be read; notes were released (said only once)"))
    }
    overrunLogged = true
    // Another port may have the address of one that was removed.
    for (address, known) in offeredPorts where port.describe(address)?.identity != known.port.identity {
      portDisconnected(address)
      portRemoved(address)
    }
    ending.formUnion(sources.inUse)
    sensing = ActiveSensing()
    release()
    connectAll()
  }

  /// Milliseconds until the next timed work; -1 if there is none.
  var timeout: Int32 {
    if isBehind { return 0 }
    if !ending.isEmpty || !unrouted.isEmpty { return 10 }
    let dues = retries.map(\.due) + [sensing.due, clocks.due, clockOut.due].compactMap { $0 }
    guard let due = dues.min() else { return -1 }
    return Int32(max(0, min((due - port.now) / 1_000_000 + 1, 1000)))
  }
}
