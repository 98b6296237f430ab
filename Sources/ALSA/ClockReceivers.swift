import MIDI
import Scenes

/// The devices that receive the MIDI clock.
extension MIDIReader {
  /// Sends the clock to the devices whose clock output is on, except to the one whose clock leads.
  func sendClock() {
    updateReceivers()
    if clockOut.due == nil { return }
    clockOut.update(sequencer.link.beatClock.now, sequencer.link.clock.now, by: port)
  }

  /// Chooses the devices that receive the clock, if the devices or the leader have changed.
  func updateReceivers() {
    let revision = sequencer.revision
    // A source that is followed leads from its first pulse on, before the engine knows its tempo.
    if revision == clockOutRevision, clocks.source == clockOutLeader { return }
    (clockOutRevision, clockOutLeader) = (revision, clocks.source)
    chooseReceivers(leader: clocks.source)
  }

  private func chooseReceivers(leader: UInt8?) {
    let there = sequencer.devices.devices.filter { $0.address != nil }
    let leading = leader.flatMap { leader in there.first { $0.source == leader }?.address }
    var wanted: [Device.Address] = []
    for device in there {
      guard let address = device.address else { continue }
      if device.settings.hasClockOut, address != leading { wanted.append(address) }
      // Hardware receives only from ports that are connected to it.
      if device.settings.hasClockOut, !outputPorts.contains(address), port.connectOutput(to: address) {
        outputPorts.insert(address)
      }
    }
    let error = clockOut.send(
      to: wanted, leader: leading, present: Set(there.compactMap(\.address)), by: port)
    for device in there where !device.settings.hasClockOut && !device.settings.hasFeedback {
      if let address = device.address, clockedOutputs.contains(address), padModes[address] == nil {
        disconnectOutput(from: address)
      }
    }
    clockedOutputs = Set(there.filter(\.settings.hasClockOut).compactMap(\.address))
    if let error {
      sequencer.log(
        .warning("\(ALSAError("Making a queue of the sequencer", code: error)): no clock is sent"))
    }
  }

  /// Stops the devices that receive the clock.
  func stopClock() { clockOut.stop(by: port) }
}
