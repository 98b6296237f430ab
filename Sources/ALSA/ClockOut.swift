import MIDI
import Synth

/// Sends the clock of the beat line to devices, through a queue of the sequencer: the kernel sends each message at its
/// time, whenever this thread wakes. MIDI thread only.
///
/// A pulse is sent when its frame leaves the card's buffer, so it coincides with what is heard. Messages are given to the
/// queue `ahead` of their times, and taken back where the beat line changes meanwhile.
///
/// A device that is plugged in, or is to be sent the clock, while the transport runs gets a song position and a continue
/// at the next sixteenth. The device whose clock leads is sent nothing; when it no longer leads it gets pulses, and begins
/// with the next start or continue.
struct ClockOut {
  /// The state of a device that is sent the clock.
  private enum Mode {
    /// It begins at the next sixteenth, if the transport runs.
    case joins
    case plays
    /// It begins with the next start or continue.
    case waits
  }
  private struct Receiver {
    let address: Device.Address
    var mode: Mode
  }
  /// A message in the queue, at a time of the queue, and the receivers before it. What belongs to it, such as a continue
  /// for one receiver, is sent from `begin` on.
  private struct Queued {
    let (begin, moment): (Int64, Int64)
    let message: ClockSender.Message
    let receivers: [Receiver]
  }

  /// How far ahead of its time a message is given to the queue, nanoseconds.
  static let ahead: Int64 = 30_000_000
  /// How close to its time a message is no longer taken back, nanoseconds.
  static let margin: Int64 = 2_000_000
  /// The time between two looks at the beat line, nanoseconds: a change is heard a period of the card after it was made.
  private static let look: Int64 = 2_000_000
  /// How long before its pulse a start is sent, nanoseconds: a song position and a continue take 1.3 ms on a MIDI cable.
  private static let lead: Int64 = 2_000_000
  /// The least time between a late start and its pulse, nanoseconds.
  private static let leastLead: Int64 = 1_000_000

  private var receivers: [Receiver] = []
  private var led: Set<Device.Address> = []
  private var queue: Int32?
  private var isRefused = false
  private var sender = ClockSender()
  private var queued: [Queued] = []
  private var queueClock = QueueClock()
  /// When to look again, CLOCK_MONOTONIC; nil while no device is sent the clock.
  private(set) var due: Int64?

  /// Sets which ports are sent the clock, and which of the others is not because its clock leads. Those that are no longer
  /// sent it are stopped, if they are still there. Returns an error number, once, if there is no queue.
  mutating func send(
    to wanted: [Device.Address], leader: Device.Address?, present: Set<Device.Address>,
    by port: any SequencerClient
  ) -> Int32? {
    if let leader { led.insert(leader) }
    led.formIntersection(present)
    for one in remove({ !wanted.contains($0) }, by: port) where one != leader && present.contains(one) {
      if let queue { port.send(.stop, at: nil, queue: queue, to: one) }
    }
    for address in wanted where !receivers.contains(where: { $0.address == address }) {
      receivers.append(Receiver(address: address, mode: led.remove(address) == nil ? .joins : .waits))
    }
    if wanted.isEmpty {
      if let queue { port.freeQueue(queue) }
      self = ClockOut(led: led)
      return nil
    }
    if queue != nil || isRefused { return nil }
    let result = port.startQueue()
    isRefused = result < 0
    queue = result < 0 ? nil : result
    due = result < 0 ? nil : port.now
    return result < 0 ? result : nil
  }

  init() {}

  private init(led: Set<Device.Address>) { self.led = led }

  /// Forgets a port that is gone: the next one with its address is another.
  mutating func forget(_ address: Device.Address, by port: any SequencerClient) {
    led.remove(address)
    _ = remove({ $0 == address }, by: port)
  }

  /// Removes receivers, and takes back what they were to be sent. Returns those that run: also those whose stop may not
  /// have left the queue, which is then freed or no longer connected to them.
  private mutating func remove(
    _ isGone: (Device.Address) -> Bool, by port: any SequencerClient
  ) -> [Device.Address] {
    if !receivers.contains(where: { isGone($0.address) }) { return [] }
    var running: Set<Device.Address> = []
    if let offset = queueClock.offset {
      let now = port.now + offset
      takeBack(from: now + Self.margin, to: .max, by: port)
      for one in queued where one.message.message == .stop && one.moment >= now - Self.margin {
        running.formUnion(one.receivers.filter { $0.mode == .plays }.map(\.address))
      }
    }
    running.formUnion(receivers.filter { $0.mode == .plays }.map(\.address))
    let lost = receivers.map(\.address).filter(isGone)
    receivers.removeAll { isGone($0.address) }
    return lost.filter { running.contains($0) }
  }

  /// Gives the queue the messages that are due within `ahead`.
  mutating func update(_ clock: BeatClock, _ time: BlockTime, by port: any SequencerClient) {
    guard let queue else { return }
    let now = port.now
    due = now + Self.look
    // While another engine begins, line and time may be of different ones.
    if time.rate < 1 || time.rate.rounded() != clock.line.rate.rounded() { return }
    queueClock.compare(queue, at: now, by: port)
    guard let offset = queueClock.offset else { return }
    let nearest = time.frame(heardBy: Self.margin, after: now)
    if let changed = sender.look(at: clock) {
      let from = max(time.moment(of: changed), now + Self.margin)
      takeBack(from: from + offset, to: max(changed, nearest), by: port)
      sender.follow(from: max(changed, nearest))
    }
    queued.removeAll { $0.moment < now + offset - Self.ahead }
    for message in sender.messages(to: time.frame(heardBy: Self.ahead, after: now)) {
      schedule(message, time.moment(of: message.frame) + offset, now + offset, queue, port)
    }
  }

  /// Stops the devices that run, and frees the queue.
  mutating func stop(by port: any SequencerClient) {
    _ = send(to: [], leader: nil, present: Set(receivers.map(\.address)), by: port)
  }

  // MARK: - The queue

  private mutating func schedule(
    _ message: ClockSender.Message, _ exact: Int64, _ now: Int64, _ queue: Int32, _ port: any SequencerClient
  ) {
    let last = queued.last
    let lead = message.message.leads * Self.lead
    var moment = max(exact - lead, last?.moment ?? 0, lead > 0 ? now : 0)
    if message.message == .tick, let last, last.message.message.leads == 1 {
      moment = max(moment, last.moment + Self.leastLead)
    }
    let before = receivers
    var begin = moment
    for index in receivers.indices {
      let (address, mode) = (receivers[index].address, receivers[index].mode)
      switch message.message {
      case .start, .resume: receivers[index].mode = .plays
      case .stop:
        receivers[index].mode = .waits
        if mode != .plays { continue }
      case .tick:
        guard mode == .joins, let sixteenth = message.sixteenth else { break }
        receivers[index].mode = .plays
        begin = max(moment - Self.lead, (last?.moment ?? 0) + 1)
        port.send(.position(sixteenth), at: begin, queue: queue, to: address)
        port.send(.resume, at: begin, queue: queue, to: address)
      case .position: break
      }
      port.send(message.message, at: moment, queue: queue, to: address)
    }
    queued.append(Queued(begin: min(begin, moment), moment: moment, message: message, receivers: before))
  }

  /// Takes back what is to be sent at a time of the queue or later, and belongs to frames after `frame`.
  private mutating func takeBack(from moment: Int64, to frame: Int64, by port: any SequencerClient) {
    guard let queue else { return }
    let first = queued.firstIndex { $0.moment >= moment }
    sender.takeBack(to: frame, first.map { queued[$0].message })
    guard let first else { return }
    port.takeBack(from: queued[first].begin, queue: queue)
    receivers = receivers.map { one in
      queued[first].receivers.first { $0.address == one.address } ?? one
    }
    queued.removeSubrange(first...)
  }
}

extension ClockMessage {
  /// How many times the lead a message is sent before its frame: a stop before a start, that before the pulse.
  fileprivate var leads: Int64 {
    switch self {
    case .tick: 0
    case .start, .resume, .position: 1
    case .stop: 2
    }
  }
}
