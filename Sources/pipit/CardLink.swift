import ALSA
import Control
import System

/// Joins the output and control, which know nothing of one another: what surfaces see of the sound card, what they ask of
/// it, and what is remembered of it. Control thread.
final class CardLink {
  private let output: AudioOutput
  private let control: Control
  private var remembered: CardMemory
  private let wasRead: Bool
  private var offer = ""
  private var undone = ""

  /// Joins them for as long as `loop` runs.
  init(_ output: AudioOutput, _ control: Control, _ loop: PollLoop) {
    (self.output, self.control) = (output, control)
    remembered = CardMemory(reading: control.savedCards)
    wasRead = control.savedCards != nil
    control.health.playing = { output.playing }
    control.health.waitsForCard = { output.waitsForCard }
    control.askCard = { [output] in CardLink.ask(output, $0) }
    loop.afterEachRound { [self] _ in
      update()
      return nil
    }
  }

  private func update() {
    let state = output.state
    control.card = CardState(state)
    tell(state)
    // What lies in a database that could not be read is not overwritten, not even when it comes late.
    if state.memory != remembered, wasRead || control.savedCards == "" {
      remembered = state.memory
      control.save(cards: remembered.text)
    }
  }

  /// What the player should know and has not asked for.
  private func tell(_ state: OutputState) {
    if control.card.offer != offer {
      offer = control.card.offer
      if let card = state.offer {
        control.notify(
          "\(card.id) can play: in the next silence, or now by /card \(card.id)", about: .card, .state)
      } else {
        control.clearNotice(about: .card)
      }
    }
    if state.undone != undone {
      undone = state.undone
      if !undone.isEmpty { control.notify(undone, about: .card, .moment(seconds: 60), log: "") }
    }
  }

  private static func ask(_ output: AudioOutput, _ request: CardRequest) {
    switch request {
    case .level(let way): output.setLevel(way)
    case .decibels(let decibels):
      guard let volume = output.state.mixer?.volume?.volume else { return }
      output.setLevel(volume.way(decibels: decibels))
    case .card(let name): output.choose(card: name)
    case .rate(let rate): output.choose(rate: rate)
    case .period(let period): output.choose(period: period)
    }
  }
}

extension CardState {
  /// What a surface shows of an output.
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
      way: volume.way, decibels: volume.decibels, range: volume.decibelRange,
      text: isOn ? volume.words : "off")
  }
}
