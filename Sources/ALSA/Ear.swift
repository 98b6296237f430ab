import CALSA
import Glibc
import Synth
import System

/// Hears the sequencer out: keeps the connections, turns what is played into events. MIDI thread only.
final class Ear {
  private let inlet: Inlet
  private let sequencer: Sequencer
  private var sources = SourceTable()
  // What ports were called, for when they are gone.
  private var names: [SourceTable.Port: String] = [:]
  private var translation = Translation()
  // Ports that were announced but could not be connected yet, and when to try again.
  private var retries: [(port: SourceTable.Port, due: Int64)] = []
  // Sources that are to be let go of as soon as the ring takes it, and when to try: each refusal is counted.
  private var letGo: Set<UInt8> = []
  private var nextRelease: Int64 = 0
  private var polled: [pollfd]
  private var overrunLogged = false

  init(inlet: Inlet, sequencer: Sequencer) {
    self.inlet = inlet
    self.sequencer = sequencer
    let count = snd_seq_poll_descriptors_count(inlet.handle, Int16(POLLIN))
    polled = [pollfd](repeating: pollfd(), count: Int(max(0, count)) + 1)
  }

  /// Connects every port that is there.
  func connectAll() {
    for port in inlet.ports() { _ = connect(port) }
  }

  /// Waits for events and takes them in. False when the sequencer failed.
  func listen(_ wake: WakePipe) -> Bool {
    polled[0] = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
    let timeout = self.timeout
    let failed = polled.withUnsafeMutableBufferPointer { slots in
      guard let all = slots.baseAddress else { return true }
      snd_seq_poll_descriptors(inlet.handle, all + 1, UInt32(slots.count - 1), Int16(POLLIN))
      poll(all, nfds_t(slots.count), timeout)
      return slots.dropFirst().contains { $0.revents & Int16(POLLERR | POLLNVAL | POLLHUP) != 0 }
    }
    if failed { return false }
    retry()
    release()
    return drain()
  }

  /// Ends the notes of every source.
  func releaseAll() {
    letGo.formUnion(sources.removeAll())
    release()
  }

  // MARK: - Events

  /// Takes in all that has arrived. False when the sequencer failed.
  private func drain() -> Bool {
    while true {
      var event: UnsafeMutablePointer<snd_seq_event_t>?
      let result = snd_seq_event_input(inlet.handle, &event)
      switch -result {
      case ...0:
        if let event { take(event.pointee) }
      case EAGAIN:
        return true
      case EINTR, EPERM:
        continue
      case ENOSPC:
        overrun()
      default:
        sequencer.log("\(ALSAError("Reading from the ALSA sequencer", code: result))")
        return false
      }
    }
  }

  private func take(_ event: snd_seq_event_t) {
    let from = SourceTable.Port(client: event.source.client, port: event.source.port)
    if from.client == UInt8(SND_SEQ_CLIENT_SYSTEM) { return announcement(event) }
    let frame = sequencer.link.clock.frame(at: monotonic())
    let source = sources.number(of: from)
    sequencer.heard()
    switch translation.meaning(of: event, source: source, frame: frame) {
    case .nothing: break
    case .play(let event):
      // What found no room may have been the end of a note, whose beginning the engine has yet to see.
      if !sequencer.link.midi.push(event) { letGo.formUnion(sources.inUse) }
    case .command(let event): sequencer.command(event)
    }
  }

  /// The kernel dropped events: any of them may have been the end of a note, or of a port.
  private func overrun() {
    sequencer.overran()
    if !overrunLogged {
      sequencer.log("MIDI came faster than it could be taken in; notes were released (said only once)")
    }
    overrunLogged = true
    releaseAll()
    connectAll()
  }

  // MARK: - Ports that come and go

  private func announcement(_ event: snd_seq_event_t) {
    let port = SourceTable.Port(client: event.data.addr.client, port: event.data.addr.port)
    let sender = event.data.connect.sender
    let dest = event.data.connect.dest
    let ours = dest.client == inlet.client && dest.port == inlet.port
    let other = SourceTable.Port(client: sender.client, port: sender.port)

    switch snd_seq_event_type(UInt32(event.type)) {
    case SND_SEQ_EVENT_PORT_START, SND_SEQ_EVENT_PORT_CHANGE:
      if !connect(port) { retries.append((port, monotonic() + 500_000_000)) }
    case SND_SEQ_EVENT_PORT_EXIT:
      gone(port)
    case SND_SEQ_EVENT_CLIENT_EXIT:
      for port in sources.ports(of: port.client) { gone(port) }
    case SND_SEQ_EVENT_PORT_SUBSCRIBED where ours && other.client != UInt8(SND_SEQ_CLIENT_SYSTEM):
      admit(other)
    case SND_SEQ_EVENT_PORT_UNSUBSCRIBED where ours:
      gone(other)
    default:
      break
    }
  }

  /// Connects a port that has appeared; true when there is nothing left to do about it.
  private func connect(_ port: SourceTable.Port) -> Bool {
    guard port.client != inlet.client, inlet.wants(port) else { return port.client == inlet.client }
    guard inlet.connect(port) else { return false }
    admit(port)
    return true
  }

  /// Gives the port a number and says so, once.
  private func admit(_ port: SourceTable.Port) {
    _ = sources.number(of: port)
    if names[port] != nil { return }
    let name = inlet.name(port)
    names[port] = name
    sequencer.log("MIDI: connected \(name)")
  }

  private func gone(_ port: SourceTable.Port) {
    retries.removeAll { $0.port == port }
    guard let source = sources.remove(port) else { return }
    if let name = names.removeValue(forKey: port) { sequencer.log("MIDI: \(name) is gone") }
    letGo.insert(source)
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

  /// Tells the engine of the sources that went, as far as the ring has room.
  private func release() {
    let now = monotonic()
    if letGo.isEmpty || now < nextRelease { return }
    let frame = sequencer.link.clock.frame(at: now)
    while let source = letGo.first {
      guard sequencer.link.midi.push(Event(frame: frame, kind: .sourceGone, source: source)) else {
        nextRelease = now + 10_000_000
        return
      }
      if !sources.inUse.contains(source) { translation.forget(source) }
      letGo.remove(source)
    }
  }

  private var timeout: Int32 {
    if !letGo.isEmpty { return 10 }
    guard let due = retries.map(\.due).min() else { return -1 }
    return Int32(max(0, min((due - monotonic()) / 1_000_000 + 1, 1000)))
  }
}
