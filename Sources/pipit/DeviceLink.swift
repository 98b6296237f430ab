import ALSA
import Control
import MIDI
import Storage
import Surface
import System

/// Connects the sequencer and the instrument, which are independent of each other: shows the keyboards, carries out
/// requests about them, and keeps their settings for the next start. Control thread.
final class DeviceLink: RequestHandler {
  private let sequencer: Sequencer
  private let instrument: Instrument
  /// The pads of controllers; nil without a surface.
  weak var pads: Pads?
  private var revision = -1
  private var rate = 0
  private var wasLearning = false
  private var remembered: String
  private let wasRead: Bool

  /// Connects them while `loop` runs.
  init(_ sequencer: Sequencer, _ instrument: Instrument, _ loop: PollLoop) {
    (self.sequencer, self.instrument) = (sequencer, instrument)
    remembered = instrument.library.documents.text(.devices) ?? ""
    wasRead = instrument.library.documents.text(.devices) != nil
    instrument.devices.handler = self
    loop.afterEachRound { [weak self] now in
      self?.update()
      self?.take(now)
      return nil
    }
  }

  /// Passes the movements of controls to the bindings, and those without one to the pads.
  private func take(_ now: Int64) {
    for movement in sequencer.takeMovements() where !instrument.bindings.take(movement, now: now) {
      pads?.take(movement, now: now)
    }
    let isLearning = instrument.learning.state > 0
    if isLearning == wasLearning { return }
    wasLearning = isLearning
    sequencer.setLearning(isLearning)
  }

  private func update() {
    // A new rate means a new engine.
    if instrument.card.state.rate != rate {
      rate = instrument.card.state.rate
      sequencer.routeAgain()
    }
    let devices = sequencer.devices
    if devices.revision == revision { return }
    revision = devices.revision
    instrument.devices.table = devices
    let text = devices.text
    // Stored settings that could not be read are not overwritten, even if the database becomes readable later.
    instrument.devices.isStored = wasRead || instrument.library.documents.text(.devices) == ""
    if text != remembered, instrument.devices.isStored {
      remembered = text
      instrument.library.documents.save(text: text, .devices)
    }
  }

  func handle(_ request: DeviceRequest) -> String? {
    switch request {
    case .set(let id, let settings): sequencer.set(id, settings)
    case .forget(let id): _ = sequencer.forget(id)
    case .bindAll(let bindings): sequencer.bind(bindings)
    case .follow(let clock): sequencer.follow(clock)
    case .restore(let text): sequencer.restore(DeviceTable(reading: text))
    case .show(let messages):
      for message in messages { send(message) }
      return nil
    }
    // The next request in this round must see the changed table.
    update()
    return nil
  }

  /// Sends the value of a lamp, as the messages that its control itself sends.
  private func send(_ lamp: LampMessage) {
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
      sequencer.send(number, value, isNote: lamp.kind == .note, channel: lamp.channel, to: lamp.device)
    }
  }
}

/// The text files that define what the pads of controller models do.
enum PadFiles {
  /// The most files of one folder.
  private static let mostFiles = 256

  /// Reads the files of the folders, those of the first folder first. A file whose name occurs in an earlier folder
  /// is left out, and so is one that cannot be read. `log` receives the problems.
  static func maps(in folders: [String], log: (String) -> Void) -> [PadMap] {
    var (maps, names): ([PadMap], Set<String>) = ([], [])
    for folder in folders {
      let files = (fileNames(in: folder) ?? []).filter { $0.hasSuffix(".txt") }.prefix(mostFiles)
      for file in files where names.insert(file).inserted {
        do {
          let bytes = try readFile(folder + "/" + file, limit: PadMap.mostBytes, waits: false)
          let map = try PadMap(reading: String(decoding: bytes, as: UTF8.self), name: file)
          for problem in Pads.problems(of: map) { log(.warning("pads: \(problem); this pad does nothing")) }
          maps.append(map)
        } catch {
          log(.warning("pads: \(error); the file is not used"))
        }
      }
    }
    return maps
  }
}
