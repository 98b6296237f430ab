import ALSA
import Control
import Storage
import System

/// Connects the audio output and the instrument, which are independent of each other: shows the sound card, carries
/// out requests about it, and keeps its settings for the next start. Control thread.
final class CardLink: RequestHandler {
  private let output: AudioOutput
  private let instrument: Instrument
  private var remembered: CardMemory
  private let wasRead: Bool
  private var offer = ""
  private var undone = ""

  /// Connects them while `loop` runs.
  init(_ output: AudioOutput, _ instrument: Instrument, _ loop: PollLoop) {
    (self.output, self.instrument) = (output, instrument)
    remembered = CardMemory(reading: instrument.library.documents.text(.cards))
    wasRead = instrument.library.documents.text(.cards) != nil
    instrument.health.playing = { output.playing }
    instrument.health.waitsForCard = { output.waitsForCard }
    instrument.card.handler = self
    loop.afterEachRound { [weak self] _ in
      self?.update()
      return nil
    }
  }

  private func update() {
    let state = output.state
    instrument.card.state = CardState(state)
    postNotices(state)
    // A stored memory that could not be read is not overwritten, even if the database becomes readable later.
    if state.memory != remembered, wasRead || instrument.library.documents.text(.cards) == "" {
      remembered = state.memory
      instrument.library.documents.save(text: remembered.text, .cards)
    }
  }

  /// Posts notices about a better card, and about a choice that was undone.
  private func postNotices(_ state: OutputState) {
    if instrument.card.state.offer != offer {
      offer = instrument.card.state.offer
      if let card = state.offer {
        instrument.notices.post(
          "\(card.id) can play: in the next silence, or now by /card \(card.id)", about: .card, .state)
      } else {
        instrument.notices.clear(about: .card)
      }
    }
    if state.undone != undone {
      undone = state.undone
      if !undone.isEmpty { instrument.notices.post(undone, about: .card, .moment(seconds: 60), log: "") }
    }
  }

  func handle(_ request: CardRequest) -> String? {
    switch request {
    case .level(let normalized): output.setLevel(normalized)
    case .decibels(let decibels):
      if let volume = output.state.mixer?.volume?.volume {
        output.setLevel(volume.normalized(decibels: decibels))
      }
    case .card(let name): output.choose(card: name)
    case .rate(let rate): output.choose(rate: rate)
    case .period(let period): output.choose(period: period)
    case .remember(let text): output.remember(text)
    }
    return nil
  }
}

extension CardState {
  /// The state of an output, as surfaces show it.
  fileprivate init(_ state: OutputState) {
    self.init()
    name = state.card?.id ?? ""
    names = state.cards.map(\.card.id)
    (reason, offer) = (state.reason, state.offer?.id ?? "")
    (rate, rates, period, periods) = (state.rate, state.rates, state.period, state.periods)
    level = state.mixer?.volume?.volume.map { Level($0, isOn: state.mixer?.isSilent == false) }
  }
}

extension CardState.Level {
  fileprivate init(_ volume: MixerElement.Volume, isOn: Bool) {
    self.init(
      normalized: volume.normalized, decibels: volume.decibels, range: volume.decibelRange,
      text: isOn ? volume.words : "off")
  }
}
