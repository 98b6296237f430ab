import CALSA
import Glibc
import MIDI

@testable import ALSA

/// A sequencer of the test's own, in a time of its own: ports that come and go, and what they send. It announces what the
/// kernel announces.
final class TestSequencer: SequencerClient {
  let client: UInt8 = 128
  let port: UInt8 = 1
  var isUMP = true
  /// Nanoseconds.
  var now: Int64 = 5_000_000_000
  /// What is polled; -1 for nothing.
  var descriptor: Int32 = -1

  /// What the ports are that are there.
  var offered: [Device.Address: OfferedPort] = [:]
  private(set) var connected: Set<Device.Address> = []
  private(set) var reached: [Device.Address] = []
  private(set) var left: [Device.Address] = []
  /// What was sent, in words, such as `cc 21 100 on 3 to 20:0`.
  private(set) var sent: [String] = []
  private(set) var messages: [[UInt8]] = []
  /// A connection is refused.
  var refuses = false
  /// Called when it is closed, and before each event is read.
  var closes: () -> Void = {}
  var reads: () -> Void = {}

  private enum Item { case event(snd_seq_event_t), packet(Device.Address, UInt32, UInt32), error(Int32) }
  private var items: [Item] = []
  private let room = UnsafeMutablePointer<snd_seq_event_t>.allocate(capacity: 1)
  private var kept: [UnsafeMutablePointer<UInt8>] = []

  init() { room.initialize(to: snd_seq_event_t()) }

  deinit {
    for bytes in kept { bytes.deallocate() }
    room.deallocate()
  }

  // MARK: - What happens

  /// A port appears. The kernel's announcement may be lost.
  func plug(_ place: Device.Address, _ port: OfferedPort, isAnnounced: Bool = true) {
    offered[place] = port
    if isAnnounced { announce(SND_SEQ_EVENT_PORT_START, place) }
  }

  /// A port goes, and its connection with it.
  func unplug(_ place: Device.Address, as type: snd_seq_event_type? = SND_SEQ_EVENT_PORT_EXIT) {
    offered[place] = nil
    connected.remove(place)
    if let type { announce(type, place) }
  }

  /// Another program connects a port to `MIDI In`, or to another port, or ends that.
  func subscribe(_ place: Device.Address, ends: Bool = false, to port: UInt8? = nil, of client: UInt8? = nil)
  {
    if port == nil, ends { connected.remove(place) }
    if port == nil, !ends { connected.insert(place) }
    var event = subscription(place, ends: ends, to: port ?? self.port)
    event.data.connect.dest.client = client ?? self.client
    items.append(.event(event))
  }

  func announce(_ type: snd_seq_event_type, _ place: Device.Address) {
    var event = Self.event(type, from: .init(client: 0, port: 1))
    (event.data.addr.client, event.data.addr.port) = (place.client, place.port)
    items.append(.event(event))
  }

  /// A port sends a message of one to three bytes.
  func send(_ bytes: [UInt8], from place: Device.Address) {
    let (first, second) = (bytes.count > 1 ? bytes[1] : 0, bytes.count > 2 ? bytes[2] : 0)
    let types: [UInt8: snd_seq_event_type] = [
      0x80: SND_SEQ_EVENT_NOTEOFF, 0x90: SND_SEQ_EVENT_NOTEON, 0xB0: SND_SEQ_EVENT_CONTROLLER,
      0xC0: SND_SEQ_EVENT_PGMCHANGE, 0xF8: SND_SEQ_EVENT_CLOCK, 0xFA: SND_SEQ_EVENT_START,
      0xF2: SND_SEQ_EVENT_SONGPOS, 0xFB: SND_SEQ_EVENT_CONTINUE, 0xFC: SND_SEQ_EVENT_STOP,
      0xFE: SND_SEQ_EVENT_SENSING, 0xFF: SND_SEQ_EVENT_RESET,
    ]
    let head = bytes[0] < 0xF0 ? bytes[0] & 0xF0 : bytes[0]
    guard let type = types[head] else { return }
    var event = Self.event(type, from: place)
    if head < 0xB0 {
      (event.data.note.channel, event.data.note.note, event.data.note.velocity) = (
        bytes[0] & 15, first, second
      )
    } else if head < 0xF0 {
      event.data.control.channel = bytes[0] & 15
      event.data.control.param = head == 0xB0 ? UInt32(first) : 0
      event.data.control.value = Int32(head == 0xB0 ? second : first)
    } else if head == 0xF2 {
      event.data.control.value = Int32(first) | Int32(second) << 7
    }
    items.append(.event(event))
  }

  /// A port sends a piece of a system exclusive message.
  func send(exclusive bytes: [UInt8], from place: Device.Address) {
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
    copy.initialize(from: bytes, count: bytes.count)
    kept.append(copy)
    var event = Self.event(SND_SEQ_EVENT_SYSEX, from: place)
    event.flags = 1 << 2  // SND_SEQ_EVENT_LENGTH_VARIABLE
    withUnsafeMutableBytes(of: &event.data) {
      $0.storeBytes(of: UInt32(bytes.count), toByteOffset: 0, as: UInt32.self)
      $0.storeBytes(of: UInt(bitPattern: copy), toByteOffset: 4, as: UInt.self)
    }
    items.append(.event(event))
  }

  /// A port sends a packet of MIDI 2.0.
  func send(packet first: UInt32, _ second: UInt32 = 0, from place: Device.Address) {
    items.append(.packet(place, first, second))
  }

  /// Reading fails once.
  func fail(_ error: Int32) { items.append(.error(error)) }

  private func subscription(_ place: Device.Address, ends: Bool, to port: UInt8) -> snd_seq_event_t {
    var event = Self.event(
      ends ? SND_SEQ_EVENT_PORT_UNSUBSCRIBED : SND_SEQ_EVENT_PORT_SUBSCRIBED, from: .init(client: 0, port: 1))
    (event.data.connect.sender.client, event.data.connect.sender.port) = (place.client, place.port)
    (event.data.connect.dest.client, event.data.connect.dest.port) = (client, port)
    return event
  }

  private static func event(_ type: snd_seq_event_type, from place: Device.Address) -> snd_seq_event_t {
    var event = snd_seq_event_t()
    event.type = UInt8(type.rawValue)
    (event.source.client, event.source.port) = (place.client, place.port)
    return event
  }

  // MARK: - What the MIDI thread asks

  let descriptorCount = 1

  func fill(_ descriptors: UnsafeMutablePointer<pollfd>, count: Int) {
    precondition(count == 1)
    descriptors.pointee = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  }

  func next(_ event: inout UnsafeMutablePointer<snd_seq_event_t>?, _ packet: inout ump_packet) -> Int32 {
    reads()
    if items.isEmpty { return -EAGAIN }
    packet.is_packet = 0
    event = room
    switch items.removeFirst() {
    case .event(let next): room.pointee = next
    case .packet(let place, let first, let second):
      (room.pointee.source.client, room.pointee.source.port) = (place.client, place.port)
      packet = ump_packet(is_packet: 1, words: (first, second, 0, 0))
    case .error(let code): return -code
    }
    return 0
  }

  func ports() -> [Device.Address] { offered.keys.sorted { ($0.client, $0.port) < ($1.client, $1.port) } }

  func describe(_ address: Device.Address) -> OfferedPort? { offered[address] }

  func connect(_ address: Device.Address) -> Bool {
    if refuses || offered[address] == nil { return false }
    if connected.insert(address).inserted {
      items.append(.event(subscription(address, ends: false, to: port)))
    }
    return true
  }

  func disconnect(_ address: Device.Address) {
    if connected.remove(address) != nil {
      items.append(.event(subscription(address, ends: true, to: port)))
    }
  }

  func connectOutput(to address: Device.Address) -> Bool {
    reached.append(address)
    return true
  }

  func disconnectOutput(from address: Device.Address) { left.append(address) }

  func send(_ message: [UInt8], to address: Device.Address) {
    messages.append(message)
    sent.append("exclusive to \(address.client):\(address.port)")
  }

  func send(_ number: UInt8, _ value: UInt8, isNote: Bool, channel: UInt8, to address: Device.Address) {
    sent.append(
      "\(isNote ? "note" : "cc") \(number) \(value) on \(channel) to \(address.client):\(address.port)")
  }

  // MARK: - A queue

  /// A message of a clock that was sent, when and to which port.
  struct Sent: Equatable {
    var (moment, place): (Int64, Device.Address)
    var message: ClockMessage
  }
  /// What was sent by the queue or at once, and what the queue still has.
  private(set) var clock: [Sent] = []
  private(set) var waiting: [Sent] = []
  /// A queue is refused with this error number.
  var queueError: Int32 = 0
  /// How often a queue was started, and whether there is one.
  private(set) var queues: (started: Int, isThere: Bool) = (0, false)
  /// The queue began at this time, and gains so many nanoseconds in a second.
  let queueBegin: Int64 = 4_000_000_123
  var queueGain: Int64 = 0

  private func queueTime(_ moment: Int64) -> Int64 {
    let passed = moment - queueBegin
    return passed + passed / 1_000_000 * queueGain / 1_000
  }

  func startQueue() -> Int32 {
    queues.started += 1
    if queueError != 0 { return -queueError }
    queues.isThere = true
    return 3
  }

  func freeQueue(_ queue: Int32) { (queues.isThere, waiting) = (false, []) }

  func time(ofQueue queue: Int32) -> Int64? { queueTime(now) }

  func send(_ message: ClockMessage, at moment: Int64?, queue: Int32, to address: Device.Address) {
    deliver()
    guard let moment else { return clock.append(Sent(moment: now, place: address, message: message)) }
    let at = waiting.firstIndex { $0.moment > moment } ?? waiting.count
    waiting.insert(Sent(moment: moment, place: address, message: message), at: at)
  }

  func takeBack(from moment: Int64, queue: Int32) {
    deliver()
    waiting.removeAll { $0.moment >= moment }
  }

  /// Sends what is due, with the time of the machine when it was.
  func deliver() {
    while let first = waiting.first, first.moment <= queueTime(now) {
      waiting.removeFirst()
      var sent = first
      let scale = 1 + Double(queueGain) * 1e-9
      sent.moment = max(clock.last?.moment ?? 0, queueBegin + Int64(Double(first.moment) / scale))
      clock.append(sent)
    }
  }

  func close() { closes() }
}
