import CALSA
import Glibc
import MIDI

/// The client of the sequencer that the MIDI thread reads: ALSA's (`SequencerPort`), or one that a test makes up.
protocol SequencerClient {
  /// The number of this client and that of its port `MIDI In`.
  var client: UInt8 { get }
  var port: UInt8 { get }
  /// Whether the packets of MIDI 2.0 devices are read.
  var isUMP: Bool { get }
  /// The time that events are stamped with: nanoseconds of CLOCK_MONOTONIC.
  var now: Int64 { get }

  /// The number of descriptors to poll.
  var descriptorCount: Int { get }
  /// Fills in that many descriptors to poll for reading.
  func fill(_ descriptors: UnsafeMutablePointer<pollfd>, count: Int)
  /// Reads the next event, which is valid until the next call, or the next packet. A negative error number; `-EAGAIN` when
  /// there is none, `-ENOSPC` when the kernel dropped events.
  func next(_ event: inout UnsafeMutablePointer<snd_seq_event_t>?, _ packet: inout ump_packet) -> Int32

  /// Every port of another client.
  func ports() -> [SourceTable.Port]
  /// What a port is; nil when it is not there.
  func describe(_ address: SourceTable.Port) -> OfferedPort?
  /// Connects a port to `MIDI In`; true when it is, or was before.
  func connect(_ address: SourceTable.Port) -> Bool
  /// Ends the connection of a port to `MIDI In`.
  func disconnect(_ address: SourceTable.Port)
  /// Connects `MIDI Out` to a port; true when it is, or was before.
  func connectOutput(to address: SourceTable.Port) -> Bool
  /// Ends the connection of `MIDI Out` to a port.
  func disconnectOutput(from address: SourceTable.Port)
  /// Sends a system exclusive message, F0 and F7 included, to a port.
  func send(_ message: [UInt8], to address: SourceTable.Port)
  /// Sends a controller, or a note on for a lamp under a key, to a port.
  func send(_ number: UInt8, _ value: UInt8, isNote: Bool, channel: UInt8, to address: SourceTable.Port)
  /// Closes the client.
  func close()
}
