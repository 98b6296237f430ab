import ALSA
import Control
import MIDI
import System

/// Joins the sequencer and control, which know nothing of one another: what surfaces see of the keyboards, what they set
/// for them, and what is remembered of them. Control thread.
final class DeviceLink {
  private let sequencer: Sequencer
  private let control: Control
  private var revision = -1
  private var rate = 0
  private var wasLearning = false
  private var remembered: String
  private let wasRead: Bool

  /// Joins them for as long as `loop` runs.
  init(_ sequencer: Sequencer, _ control: Control, _ loop: PollLoop) {
    (self.sequencer, self.control) = (sequencer, control)
    remembered = control.savedDevices ?? ""
    wasRead = control.savedDevices != nil
    control.askDevice = { [unowned self] in ask($0) }
    control.sendLamp = { [sequencer] in DeviceLink.send(sequencer, $0) }
    loop.afterEachRound { [self] now in
      update()
      take(now)
      return nil
    }
  }

  /// Takes what controls have been moved.
  private func take(_ now: Int64) {
    for movement in sequencer.takeMovements() { control.take(movement, now: now) }
    let isLearning = control.learnState > 0
    if isLearning == wasLearning { return }
    wasLearning = isLearning
    sequencer.setLearning(isLearning)
  }

  private func update() {
    // Another rate is another engine.
    if control.card.rate != rate {
      rate = control.card.rate
      sequencer.routeAgain()
    }
    let devices = sequencer.devices
    if devices.revision == revision { return }
    revision = devices.revision
    control.devices = devices
    let text = devices.text
    // What lies in a database that could not be read is not overwritten, not even when it comes late.
    if text != remembered, wasRead || control.savedDevices == "" {
      remembered = text
      control.save(devices: text)
    }
  }

  private func ask(_ request: DeviceRequest) {
    switch request {
    case .set(let id, let settings): sequencer.set(id, settings)
    case .forget(let id): _ = sequencer.forget(id)
    case .bindAll(let bindings): sequencer.bind(bindings)
    }
    // What is asked next, in the same round, begins with this.
    update()
  }

  /// Sends what a lamp is to show as the messages that its control sends.
  private static func send(_ sequencer: Sequencer, _ lamp: LampMessage) {
    let (high, low) = (UInt8(lamp.value >> 7 & 127), UInt8(lamp.value & 127))
    var messages: [(UInt8, UInt8)] = []
    switch lamp.kind {
    case .parameter:
      messages = [(99, UInt8(lamp.number >> 7 & 127)), (98, UInt8(lamp.number & 127)), (6, high)]
      if lamp.isFine { messages.append((38, low)) }
    default:
      let number = UInt8(lamp.number & 127)
      messages = [(number, high)]
      if lamp.isFine, number < 32 { messages.append((number + 32, low)) }
    }
    for (number, value) in messages {
      sequencer.send(number, value, isNote: lamp.kind == .note, channel: lamp.channel, to: lamp.place)
    }
  }
}
