import CALSA
import Glibc

/// The ports `MIDI In` and `MIDI Out` of our own sequencer client, and the calls that connect others to the first.
struct SequencerPort {
  let handle: OpaquePointer
  let client: UInt8
  let port: UInt8
  /// `MIDI Out`; nothing is sent where there is none.
  let out: Int32

  /// Opens the client, makes the port and subscribes to the announcements, in this order: ALSA wants the port
  /// first, and what appears while the ports are listed must be announced already.
  static func open() throws(ALSAError) -> SequencerPort {
    alsa_be_quiet()
    var opened: OpaquePointer?
    try ALSAError.check(
      snd_seq_open(&opened, "default", SND_SEQ_OPEN_DUPLEX, Int32(SND_SEQ_NONBLOCK)),
      "Opening the ALSA sequencer")
    guard let handle = opened else { throw ALSAError("Opening the ALSA sequencer", code: ENODEV) }
    do {
      try ALSAError.check(snd_seq_set_client_name(handle, "pipit"), "Naming the sequencer client")
      // Room for a burst; the kernel's largest. A refusal leaves the usual 200.
      snd_seq_set_client_pool_input(handle, 2000)
      snd_seq_set_input_buffer_size(handle, 64 << 10)
      let port = try ALSAError.check(
        snd_seq_create_simple_port(
          handle, "MIDI In", UInt32(SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE),
          UInt32(
            SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_APPLICATION | SND_SEQ_PORT_TYPE_SYNTHESIZER)),
        "Making the port MIDI In")
      let out = snd_seq_create_simple_port(
        handle, "MIDI Out", UInt32(SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ),
        UInt32(SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_APPLICATION))
      try ALSAError.check(
        snd_seq_connect_from(handle, port, Int32(SND_SEQ_CLIENT_SYSTEM), Int32(SND_SEQ_PORT_SYSTEM_ANNOUNCE)),
        "Subscribing to the sequencer's announcements")
      return SequencerPort(
        handle: handle, client: UInt8(truncatingIfNeeded: snd_seq_client_id(handle)),
        port: UInt8(truncatingIfNeeded: port), out: out)
    } catch {
      snd_seq_close(handle)
      throw error
    }
  }

  func close() { snd_seq_close(handle) }

  /// Sends a system exclusive message, F0 and F7 included, to a port. One that takes none is left in peace.
  func send(_ message: [UInt8], to address: SourceTable.Port) {
    if out < 0 { return }
    _ = send_exclusive(
      handle, out, Int32(address.client), Int32(address.port), UInt32(message.count), message)
  }

  /// Every port that is to be connected.
  func ports() -> [SourceTable.Port] {
    var found: [SourceTable.Port] = []
    withInfo { client, port in
      snd_seq_client_info_set_client(client, -1)
      while snd_seq_query_next_client(handle, client) >= 0 {
        snd_seq_port_info_set_client(port, snd_seq_client_info_get_client(client))
        snd_seq_port_info_set_port(port, -1)
        while snd_seq_query_next_port(handle, port) >= 0 {
          if let address = wanted(client, port) { found.append(address) }
        }
      }
    }
    return found
  }

  /// True when the port is there and is to be connected.
  func wants(_ address: SourceTable.Port) -> Bool {
    var answer = false
    withInfo { client, port in
      answer =
        snd_seq_get_any_client_info(handle, Int32(address.client), client) >= 0
        && snd_seq_get_any_port_info(handle, Int32(address.client), Int32(address.port), port) >= 0
        && wanted(client, port) != nil
    }
    return answer
  }

  /// Connects the port to ours; true when it is, or was before.
  func connect(_ address: SourceTable.Port) -> Bool {
    let result = snd_seq_connect_from(handle, Int32(port), Int32(address.client), Int32(address.port))
    return result >= 0 || result == -EBUSY
  }

  /// "Name of the client: name of the port", for the log.
  func name(_ address: SourceTable.Port) -> String {
    var name = "\(address.client):\(address.port)"
    withInfo { client, port in
      if snd_seq_get_any_client_info(handle, Int32(address.client), client) >= 0,
        snd_seq_get_any_port_info(handle, Int32(address.client), Int32(address.port), port) >= 0
      {
        let device = String(cString: snd_seq_client_info_get_name(client))
        name = "\(device): \(String(cString: snd_seq_port_info_get_name(port)))"
      }
    }
    return name
  }

  /// The address of a port that is to be connected; nil for another.
  private func wanted(_ client: OpaquePointer, _ port: OpaquePointer) -> SourceTable.Port? {
    let number = snd_seq_port_info_get_client(port)
    guard number != SND_SEQ_CLIENT_SYSTEM, number != Int32(self.client),
      Self.admits(
        capabilities: snd_seq_port_info_get_capability(port), type: snd_seq_port_info_get_type(port),
        client: String(cString: snd_seq_client_info_get_name(client)))
    else { return nil }
    return SourceTable.Port(
      client: UInt8(truncatingIfNeeded: number),
      port: UInt8(truncatingIfNeeded: snd_seq_port_info_get_port(port)))
  }

  // SND_SEQ_PORT_CAP_INACTIVE: a group that a MIDI 2.0 keyboard does not use. Debian 12 has no name for it.
  private static let inactive: UInt32 = 1 << 8
  // SND_SEQ_PORT_CAP_UMP_ENDPOINT, neither: all groups of a MIDI 2.0 device at once, which have ports of their own.
  private static let endpoint: UInt32 = 1 << 9

  /// Whether a port of another client is to be connected.
  static func admits(capabilities: UInt32, type: UInt32, client: String) -> Bool {
    let readable = UInt32(SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ)
    return capabilities & readable == readable
      && capabilities & (UInt32(SND_SEQ_PORT_CAP_NO_EXPORT) | inactive | endpoint) == 0
      && type & UInt32(SND_SEQ_PORT_TYPE_MIDI_GENERIC) != 0
      // It repeats what others send to it, which we may get already.
      && client != "Midi Through"
  }

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
