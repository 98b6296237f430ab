// The mixer of the card that plays, on the monitor thread.

extension AudioOutput {
  /// Opens the mixer of a card that has just begun to play, and its path when that is called for (`MixerPath`).
  func followMixer() {
    guard let card = monitor.card, !monitor.hasSoughtMixer else { return }
    monitor.hasSoughtMixer = true
    guard let mixer = CardMixer(card) else { return }
    monitor.mixer = mixer
    let before = mixer.path
    if before.path.isEmpty { return }
    // Where nothing can be known, only what is silent is touched.
    let known = state.memory.level(of: card.identity) ?? (state.memory.isKnown ? nil : 0)
    let changes = known.map { before.reopening(at: $0) } ?? before.opening()
    mixer.apply(changes)
    if !changes.isEmpty { log("Mixer of \(card.name): \(mixer.path.words(after: changes, of: before))") }
    see(card, mixer.path)
  }

  /// Somebody has turned the mixer.
  func readMixer() {
    guard let mixer = monitor.mixer, let card = monitor.card else { return }
    if mixer.takeEvents() { return see(card, mixer.path) }
    // The card has gone, and the audio thread will soon know it too.
    mixer.close()
    monitor.mixer = nil
  }

  /// A hand turns the card's volume.
  func turnMixer(to way: Double) {
    guard let mixer = monitor.mixer, let card = monitor.card else { return }
    mixer.apply(mixer.path.setting(way: way))
    see(card, mixer.path)
  }

  private func see(_ card: Card, _ path: MixerPath) {
    change {
      $0.mixer = path.path.isEmpty ? nil : path
      $0.memory.see(card.identity, at: path.seen)
    }
  }
}

extension MixerPath {
  /// What some changes have done, as "Master on at 0.0 dB (was off at -74.0 dB)".
  func words(after changes: [Change], of before: MixerPath) -> String {
    changes.filter { $0.place < elements.count && $0.place < before.elements.count }.map { change in
      let element = elements[change.place]
      return "\(element.name) \(element.words) (was \(before.elements[change.place].words))"
    }.joined(separator: ", ")
  }
}
