import CALSA
import Glibc
import MIDI

/// The sequencer client that the MIDI thread reads: ALSA's (`SequencerPort`), or a test's.
protocol SequencerClient {
  /// The number of this client.
  var client: UInt8 { get }
  /// The number of its port `MIDI In`.
  var port: UInt8 { get }
  /// Whether MIDI 2.0 packets are read.
  var isUMP: Bool { get }
  /// The clock of the event time stamps: nanoseconds of CLOCK_MONOTONIC.
  var now: Int64 { get }

  /// The number of descriptors to poll.
  var descriptorCount: Int { get }
  /// Fills in that many descriptors to poll for reading.
  func fill(_ descriptors: UnsafeMutablePointer<pollfd>, count: Int)
  /// Reads the next event, which is valid until the next call, or the next packet. Returns a negative error number:
  /// `-EAGAIN` if there is none, `-ENOSPC` if the kernel dropped events.
  func next(_ event: inout UnsafeMutablePointer<snd_seq_event_t>?, _ packet: inout ump_packet) -> Int32

  /// All ports of other clients.
  func ports() -> [SourceTable.Port]
  /// The description of a port; nil if it does not exist.
  func describe(_ address: SourceTable.Port) -> OfferedPort?
  /// Connects a port to `MIDI In`. Returns true if it is connected now.
  func connect(_ address: SourceTable.Port) -> Bool
  /// Ends the connection of a port to `MIDI In`.
  func disconnect(_ address: SourceTable.Port)
  /// Connects `MIDI Out` to a port. Returns true if it is connected now.
  func connectOutput(to address: SourceTable.Port) -> Bool
  /// Ends the connection of `MIDI Out` to a port.
  func disconnectOutput(from address: SourceTable.Port)
  /// Sends a system exclusive message, F0 and F7 included, to a port.
  func send(_ message: [UInt8], to address: SourceTable.Port)
  /// Sends a controller, or a note-on for a lamp under a key, to a port.
  func send(_ number: UInt8, _ value: UInt8, isNote: Bool, channel: UInt8, to address: SourceTable.Port)

  /// Starts a queue that sends messages at their times. Returns its number, or a negative error number.
  func startQueue() -> Int32
  /// Frees a queue, and removes the messages in it.
  func freeQueue(_ queue: Int32)
  /// The time of a queue, nanoseconds; nil if there is no such queue.
  func time(ofQueue queue: Int32) -> Int64?
  /// Sends a MIDI clock message to a port at a time of a queue, nanoseconds; at once without a time.
  func send(_ message: ClockMessage, at moment: Int64?, queue: Int32, to address: SourceTable.Port)
  /// Removes the events that a queue would send at a time in nanoseconds or later.
  func takeBack(from moment: Int64, queue: Int32)

  /// Closes the client.
  func close()
}
