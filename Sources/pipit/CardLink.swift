import ALSA
import Control
import System

/// Joins the output and control, which know nothing of one another: what surfaces see of the sound card, what they ask of
/// it, and what is remembered of it. Control thread.
final class CardLink {
  private let output: AudioOutput
  private let control: Control
  private var remembered: CardMemory

  /// Joins them for as long as `loop` runs. `memory` is what was remembered when the output was made.
  init(_ output: AudioOutput, _ control: Control, _ memory: CardMemory, _ loop: PollLoop) {
    (self.output, self.control, remembered) = (output, control, memory)
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
    // As long as the database cannot be read, what lies in it is not overwritten.
    if state.memory != remembered, control.savedCards != nil {
      remembered = state.memory
      control.save(cards: remembered.text)
    }
  }

  private static func ask(_ output: AudioOutput, _ request: CardRequest) {
    switch request {
    case .level(let way): output.setLevel(way)
    case .decibels(let decibels):
      guard let volume = output.state.mixer?.volume?.volume else { return }
      output.setLevel(volume.way(decibels: decibels))
    case .card, .rate, .period: break
    }
  }
}

extension CardState {
  /// What a surface shows of an output.
  fileprivate init(_ state: OutputState) {
    self.init()
    name = state.card?.id ?? ""
    names = state.cards.map(\.card.id)
    (reason, offer, rate, period) = (state.reason, state.offer?.id ?? "", state.rate, state.period)
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
