import MIDI
import Scenes

/// Sends a MIDI clock that follows the beat line to devices, through a queue of the ALSA sequencer: the kernel sends
/// each message on time, even if this thread wakes late. MIDI thread only.
///
/// A pulse is sent when its frame leaves the card's buffer, so it coincides with the sound. Messages are queued
/// `ahead` of their times, and removed from the queue if the beat line changes in the meantime.
///
/// A device that is connected, or whose clock output is switched on, while the transport runs receives a song
/// position and a continue message at the next sixteenth note. The device whose clock leads receives nothing; when it
/// no longer leads, it receives pulses, and starts with the next start or continue message.
struct ClockOut {
  /// The state of a device that receives the clock.
  private enum Mode {
    /// It starts at the next sixteenth note, if the transport runs.
    case joins
    case plays
    /// It starts with the next start or continue message.
    case waits
  }
  private struct Receiver {
    let address: Device.Address
    var mode: Mode
  }
  /// A queued message with its time in nanoseconds of the queue, and the receivers before it. Messages that belong to
  /// it, such as a continue for one receiver, are sent from `begin` on.
  private struct Queued {
    let (begin, moment): (Int64, Int64)
    let message: ClockSender.Message
    let receivers: [Receiver]
  }

  /// How far ahead of its time a message is queued, nanoseconds.
  static let ahead: Int64 = 30_000_000
  /// A message that is this close to its time is not removed from the queue, nanoseconds.
  static let margin: Int64 = 2_000_000
  /// The time between two readings of the beat line, nanoseconds: a change becomes audible one period of the card
  /// later.
  private static let readInterval: Int64 = 2_000_000
  /// How long before its pulse a start message is sent, nanoseconds: a song position and a continue message take
  /// 1.3 ms on a MIDI cable.
  private static let lead: Int64 = 2_000_000
  /// The minimum time between a late start message and its pulse, nanoseconds.
  private static let leastLead: Int64 = 1_000_000

  private var receivers: [Receiver] = []
  private var led: Set<Device.Address> = []
  private var queue: Int32?
  private var isRefused = false
  private var sender = ClockSender()
  private var queued: [Queued] = []
  private var queueClock = QueueClock()
  /// The time of the next update, CLOCK_MONOTONIC in nanoseconds; nil while no device receives the clock.
  private(set) var due: Int64?

  /// Sets the ports that receive the clock, and the leader, which receives none. A running port that is no longer
  /// wanted is sent a stop message, unless it was removed or leads. Returns an error number, once, if the queue
  /// cannot be started.
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

  /// Forgets a port that was removed: the next port with its address is another one.
  mutating func forget(_ address: Device.Address, by port: any SequencerClient) {
    led.remove(address)
    _ = remove({ $0 == address }, by: port)
  }

  /// Removes receivers, and takes back the queued messages. Returns the removed receivers that run, also those whose
  /// stop message may still be in the queue, which is then freed or no longer connected to them.
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

  /// Queues the messages that are due within `ahead`.
  mutating func update(_ clock: BeatClock, _ time: BlockTime, by port: any SequencerClient) {
    guard let queue else { return }
    let now = port.now
    due = now + Self.readInterval
    // While a new engine starts, the beat line and the block time may belong to different engines.
    if time.rate < 1 || time.rate.rounded() != clock.line.rate.rounded() { return }
    queueClock.compare(queue, at: now, by: port)
    guard let offset = queueClock.offset else { return }
    let nearest = time.frame(heardBy: Self.margin, after: now)
    if let changed = sender.observe(clock) {
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

  /// Removes the messages that the queue would send at `moment` or later, nanoseconds of the queue, and returns the
  /// sender to its state before them, at `frame` at the latest.
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
  /// The number of leads by which a message precedes its frame: a stop precedes a start, and a start precedes its
  /// pulse.
  fileprivate var leads: Int64 {
    switch self {
    case .tick: 0
    case .start, .resume, .position: 1
    case .stop: 2
    }
  }
}

/// The offset between the clock of a sequencer queue and CLOCK_MONOTONIC: they start at different times and run at
/// slightly different rates.
struct QueueClock {
  /// The time between two comparisons, nanoseconds.
  private static let interval: Int64 = 100_000_000
  /// A change of the offset by more than this is not noise, nanoseconds.
  private static let largestNoise = 1_000_000.0

  private var average: Double?
  private var due: Int64 = 0

  /// The time of the queue minus CLOCK_MONOTONIC, nanoseconds; nil before the first comparison.
  var offset: Int64? { average.map { Int64(clamping: $0) } }

  /// Updates the offset, if the last comparison is at least `interval` old. Of three readings the one with the
  /// shortest interruption counts, and the offset is averaged over about eight comparisons.
  mutating func compare(_ queue: Int32, at now: Int64, by port: any SequencerClient) {
    if now < due { return }
    due = now + Self.interval
    var best: (slack: Int64, offset: Double)?
    for _ in 0..<3 {
      let before = port.now
      guard let time = port.time(ofQueue: queue) else { continue }
      let slack = port.now - before
      if slack < best?.slack ?? .max { best = (slack, Double(time - before) - Double(slack) / 2) }
    }
    guard let best else { return }
    guard let average, abs(best.offset - average) < Self.largestNoise else {
      return self.average = best.offset
    }
    self.average = average + (best.offset - average) / 8
  }
}
