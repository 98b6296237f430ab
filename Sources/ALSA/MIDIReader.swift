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
  // What ports were called, for when they are gone.
  private var names: [SourceTable.Port: String] = [:]
  private let decoder = MIDIDecoder()
  private var sensing = ActiveSensing()
  // Ports that were announced but could not be connected yet, and when to try again.
  private var retries: [(port: SourceTable.Port, due: Int64)] = []
  // Sources whose notes are to end as soon as the ring has room for that, and when to try: each refusal is counted.
  private var ending: Set<UInt8> = []
  private var nextRelease: Int64 = 0
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

  // MARK: - Events

  /// Reads all that has come. False when the sequencer failed.
  private func readAll() -> Bool {
    while true {
      var event: UnsafeMutablePointer<snd_seq_event_t>?
      let result = snd_seq_event_input(port.handle, &event)
      switch -result {
      case ...0:
        if let event { receive(event.pointee) }
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
    guard let message = ChannelMessage(event),
      let event = decoder.event(message, source: source, frame: frame)
    else { return }
    play(event)
  }

  /// A piece of a system exclusive message.
  private func receive(
    exclusive event: snd_seq_event_t, _ from: SourceTable.Port, source: UInt8, frame: Int64
  ) {
    let (bytes, count) = withUnsafePointer(to: event) { (exclusive_bytes($0), Int(exclusive_count($0))) }
    guard let bytes else { return }
    for index in 0..<count {
      guard let message = decoder.take(exclusive: bytes[index], source: source) else { continue }
      if message.asksWho {
        port.send(Identity.answer(device: message.device, version: sequencer.version), to: from)
      }
      for index in 0..<message.count {
        if let event = message.event(index, source: source, frame: frame) { play(event) }
      }
    }
  }

  /// Sends an event to whom it is for.
  private func play(_ event: Event) {
    if event.kind.isForControl {
      if let timbre = event.timbre { sequencer.link.midi.push(timbre) }
      return sequencer.send(event)
    }
    if event.kind.isForBoth { sequencer.send(event) }
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
    case SND_SEQ_EVENT_CLIENT_EXIT:
      for port in sources.ports(of: subject.client) { disconnected(port) }
    case SND_SEQ_EVENT_PORT_SUBSCRIBED where ours && other.client != UInt8(SND_SEQ_CLIENT_SYSTEM):
      connected(other)
    case SND_SEQ_EVENT_PORT_UNSUBSCRIBED where ours:
      disconnected(other)
    default:
      break
    }
  }

  /// Connects a port that has appeared; true when there is nothing left to do about it.
  private func connect(_ other: SourceTable.Port) -> Bool {
    guard other.client != port.client, port.wants(other) else { return other.client == port.client }
    guard port.connect(other) else { return false }
    connected(other)
    return true
  }

  /// Gives a port that is connected a number, and logs it once.
  private func connected(_ other: SourceTable.Port) {
    _ = sources.number(of: other)
    if names[other] != nil { return }
    let name = port.name(other)
    names[other] = name
    sequencer.log("MIDI: connected \(name)")
  }

  /// Ends the notes of a port that is connected no longer.
  private func disconnected(_ other: SourceTable.Port) {
    retries.removeAll { $0.port == other }
    guard let source = sources.remove(other) else { return }
    sensing.forget(source)
    if let name = names.removeValue(forKey: other) { sequencer.log("MIDI: \(name) is gone") }
    ending.insert(source)
    release()
  }

  /// The second and last try with ports whose permissions were not settled when they appeared.
  private func retry() {
    let now = monotonic()
    let due = retries.filter { $0.due <= now }
    if due.isEmpty { return }
    retries.removeAll { $0.due <= now }
    for (port, _) in due { _ = connect(port) }
  }

  /// Tells the engine of the sources that have gone, as far as the ring has room.
  private func release() {
    let now = monotonic()
    if ending.isEmpty || now < nextRelease { return }
    let frame = sequencer.link.clock.frame(at: now)
    while let source = ending.first {
      let gone = Event(frame: frame, kind: .sourceGone, source: source)
      guard sequencer.link.midi.push(gone) else {
        nextRelease = now + 10_000_000
        return
      }
      sequencer.send(gone)
      if !sources.inUse.contains(source) { decoder.forget(source) }
      ending.remove(source)
    }
  }

  private var timeout: Int32 {
    if !ending.isEmpty { return 10 }
    guard let due = (retries.map(\.due) + [sensing.due].compactMap { $0 }).min() else { return -1 }
    return Int32(max(0, min((due - monotonic()) / 1_000_000 + 1, 1000)))
  }
}
