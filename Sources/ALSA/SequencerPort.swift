import CALSA
import Glibc
import MIDI
import System

/// The ports `MIDI In` and `MIDI Out` of this sequencer client, and the calls that connect other ports to them.
struct SequencerPort: SequencerClient {
  let handle: OpaquePointer
  let client: UInt8
  let port: UInt8
  /// The number of `MIDI Out`; negative if there is none, and then nothing is sent.
  let out: Int32
  /// The names of the client and its output in other programs.
  static let (name, outName) = ("pipit", "MIDI Out")
  let isUMP: Bool

  /// Opens the client, makes its ports and subscribes to the announcements, in this order: ALSA requires the port
  /// first, and a port that appears while the ports are being listed must already be announced. If `wantsUMP`, and
  /// the library and the kernel support MIDI 2.0, it is a MIDI 2.0 client; otherwise, without a message, a MIDI 1.0
  /// client.
  static func open(wantsUMP: Bool) throws(ALSAError) -> SequencerPort {
    alsa_be_quiet()
    var opened: OpaquePointer?
    try ALSAError.check(
      snd_seq_open(&opened, "default", SND_SEQ_OPEN_DUPLEX, Int32(SND_SEQ_NONBLOCK)),
      "Opening the ALSA sequencer")
    guard let handle = opened else { throw ALSAError("Opening the ALSA sequencer", code: ENODEV) }
    do {
      try ALSAError.check(snd_seq_set_client_name(handle, name), "Naming the sequencer client")
      let isUMP = wantsUMP && become_ump(handle) >= 0
      // Space for a burst of events: the kernel's maximum. If it is refused, the default of 200 remains.
      snd_seq_set_client_pool_input(handle, 2000)
      snd_seq_set_input_buffer_size(handle, 64 << 10)
      let port = try ALSAError.check(
        snd_seq_create_simple_port(
          handle, "MIDI In", UInt32(SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE),
          UInt32(
            SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_APPLICATION | SND_SEQ_PORT_TYPE_SYNTHESIZER)),
        "Making the port MIDI In")
      let out = snd_seq_create_simple_port(
        handle, outName, UInt32(SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ),
        UInt32(SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_APPLICATION))
      try ALSAError.check(
        snd_seq_connect_from(handle, port, Int32(SND_SEQ_CLIENT_SYSTEM), Int32(SND_SEQ_PORT_SYSTEM_ANNOUNCE)),
        "Subscribing to the sequencer's announcements")
      return SequencerPort(
        handle: handle, client: UInt8(truncatingIfNeeded: snd_seq_client_id(handle)),
        port: UInt8(truncatingIfNeeded: port), out: out, isUMP: isUMP)
    } catch {
      snd_seq_close(handle)
      throw error
    }
  }

  func close() { snd_seq_close(handle) }

  var now: Int64 { monotonic() }

  var descriptorCount: Int { Int(max(0, snd_seq_poll_descriptors_count(handle, Int16(POLLIN)))) }

  func fill(_ descriptors: UnsafeMutablePointer<pollfd>, count: Int) {
    snd_seq_poll_descriptors(handle, descriptors, UInt32(count), Int16(POLLIN))
  }

  func next(_ event: inout UnsafeMutablePointer<snd_seq_event_t>?, _ packet: inout ump_packet) -> Int32 {
    next_event(handle, isUMP ? 1 : 0, &event, &packet)
  }

  /// Sends a system exclusive message, F0 and F7 included, to a port. A port that accepts none is not an error.
  func send(_ message: [UInt8], to address: SourceTable.Port) {
    if out < 0 { return }
    _ = send_exclusive(
      handle, out, Int32(address.client), Int32(address.port), UInt32(message.count), message)
  }

  /// Sends a controller, or a note-on for a lamp under a key, to a port.
  func send(_ number: UInt8, _ value: UInt8, isNote: Bool, channel: UInt8, to address: SourceTable.Port) {
    if out < 0 { return }
    _ = send_value(
      handle, out, Int32(address.client), Int32(address.port), isNote ? 1 : 0, Int32(channel), UInt32(number),
      Int32(value))
  }

  /// All ports of other clients.
  func ports() -> [SourceTable.Port] {
    var found: [SourceTable.Port] = []
    withInfo { client, port in
      snd_seq_client_info_set_client(client, -1)
      while snd_seq_query_next_client(handle, client) >= 0 {
        let number = snd_seq_client_info_get_client(client)
        if number == SND_SEQ_CLIENT_SYSTEM || number == Int32(self.client) { continue }
        snd_seq_port_info_set_port(port, -1)
        snd_seq_port_info_set_client(port, number)
        while snd_seq_query_next_port(handle, port) >= 0 {
          found.append(
            SourceTable.Port(
              client: UInt8(truncatingIfNeeded: number),
              port: UInt8(truncatingIfNeeded: snd_seq_port_info_get_port(port))))
        }
      }
    }
    return found
  }

  /// The description of a port; nil if it does not exist. Asks the kernel for the device of the port.
  func describe(_ address: SourceTable.Port) -> OfferedPort? {
    var found: OfferedPort?
    withInfo { client, port in
      guard snd_seq_get_any_client_info(handle, Int32(address.client), client) >= 0,
        snd_seq_get_any_port_info(handle, Int32(address.client), Int32(address.port), port) >= 0
      else { return }
      let device = USBDevice(card: Int(snd_seq_client_info_get_card(client)))
      let identity = PortIdentity(
        client: String(cString: snd_seq_client_info_get_name(client)),
        port: String(cString: snd_seq_port_info_get_name(port)), index: Int(address.port),
        usb: device?.model ?? "", serial: device?.serial ?? "", path: device?.path ?? "")
      found = OfferedPort(
        identity: identity, capabilities: snd_seq_port_info_get_capability(port),
        type: snd_seq_port_info_get_type(port))
    }
    return found
  }

  /// Connects the port to `MIDI In`. Returns true if it is connected now.
  func connect(_ address: SourceTable.Port) -> Bool {
    let result = snd_seq_connect_from(handle, Int32(port), Int32(address.client), Int32(address.port))
    return result >= 0 || result == -EBUSY
  }

  /// Ends the connection of a port to `MIDI In`.
  func disconnect(_ address: SourceTable.Port) {
    snd_seq_disconnect_from(handle, Int32(port), Int32(address.client), Int32(address.port))
  }

  /// Connects `MIDI Out` to a port, because hardware receives only from ports that are connected to it. Returns true
  /// if it is connected now; a port without an input is not an error.
  func connectOutput(to address: SourceTable.Port) -> Bool {
    if out < 0 { return false }
    let result = snd_seq_connect_to(handle, out, Int32(address.client), Int32(address.port))
    return result >= 0 || result == -EBUSY
  }

  /// Ends the connection of `MIDI Out` to a port.
  func disconnectOutput(from address: SourceTable.Port) {
    if out >= 0 { snd_seq_disconnect_to(handle, out, Int32(address.client), Int32(address.port)) }
  }

  func startQueue() -> Int32 { out < 0 ? out : start_queue(handle, "pipit clock") }

  func freeQueue(_ queue: Int32) { snd_seq_free_queue(handle, queue) }

  func time(ofQueue queue: Int32) -> Int64? {
    let time = queue_time(handle, queue)
    return time < 0 ? nil : time
  }

  func send(_ message: ClockMessage, at moment: Int64?, queue: Int32, to address: SourceTable.Port) {
    var value: Int32 = 0
    let type: snd_seq_event_type
    switch message {
    case .tick: type = SND_SEQ_EVENT_CLOCK
    case .start: type = SND_SEQ_EVENT_START
    case .resume: type = SND_SEQ_EVENT_CONTINUE
    case .stop: type = SND_SEQ_EVENT_STOP
    case .position(let sixteenths): (type, value) = (SND_SEQ_EVENT_SONGPOS, Int32(sixteenths))
    }
    _ = send_system(
      handle, out, Int32(address.client), Int32(address.port), queue, moment.map { max($0, 0) } ?? -1,
      Int32(type.rawValue), value)
  }

  func takeBack(from moment: Int64, queue: Int32) { _ = take_back(handle, queue, max(moment, 0)) }

  private func withInfo(_ body: (_ client: OpaquePointer, _ port: OpaquePointer) -> Void) {
    var client: OpaquePointer?
    var port: OpaquePointer?
    snd_seq_client_info_malloc(&client)
    snd_seq_port_info_malloc(&port)
    if let client, let port { body(client, port) }
    snd_seq_client_info_free(client)
    snd_seq_port_info_free(port)
  }
}

/// The USB device of a sound card, read from sysfs.
struct USBDevice: Equatable {
  /// Vendor and product id, such as `1235:0102`.
  let model: String
  /// The serial number; empty if the device has none.
  let serial: String
  /// The path of the socket, such as `1-1.2`: the number of the bus, and the port of each hub.
  let path: String

  /// The USB device of a card; nil for a card that is not on USB.
  /// - Parameter root: The mount point of sysfs.
  init?(card: Int, root: String = "/sys") {
    guard card >= 0, let real = realpath("\(root)/class/sound/card\(card)/device", nil) else { return nil }
    defer { free(real) }
    var folder = String(cString: real)[...]
    // The card belongs to an interface of the device, at this level or deeper.
    while folder.count > 1 {
      if let vendor = Self.attribute("\(folder)/idVendor"),
        let product = Self.attribute("\(folder)/idProduct")
      {
        model = "\(vendor):\(product)"
        serial = Self.attribute("\(folder)/serial") ?? ""
        path = folder.split(separator: "/").last.map(String.init) ?? ""
        return
      }
      guard let slash = folder.lastIndex(of: "/") else { return nil }
      folder = folder[..<slash]
    }
    return nil
  }

  /// The first line of a small file, with runs of spaces reduced to one; nil if it is missing or empty.
  private static func attribute(_ path: String) -> String? {
    guard let bytes = try? readFile(path, limit: 4096) else { return nil }
    let line = String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
    let words = line.split(separator: " ").joined(separator: " ")
    return words.isEmpty ? nil : words
  }
}
