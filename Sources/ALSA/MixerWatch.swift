// The mixer of the card that plays, on the monitor thread.

import System

extension AudioOutput {
  /// Opens the mixer of a card that has begun to play, and opens its path if necessary (`MixerPath`).
  func followMixer(at now: Int64) {
    guard let card = monitor.card, !monitor.hasSoughtMixer else { return }
    (monitor.hasSoughtMixer, monitor.timesSetBack) = (true, 0)
    guard let mixer = openMixer(card) else { return }
    monitor.mixer = mixer
    let before = mixer.path
    if before.path.isEmpty { return }
    let memory = state.memory
    let settlingEnd = monitor.settlingEnd(of: card, at: now)
    let changes: [MixerPath.Change]
    if let level = memory.level(of: card.identity) {
      let states = memory.elementStates(of: card.identity)
      changes = settlingEnd != nil && !states.isEmpty ? before.restoring(states) : before.reopening(at: level)
      monitor.settlingEnd = settlingEnd ?? .min
    } else {
      // If the stored memory could not be read, only a silent path is changed.
      changes = memory.isKnown ? before.opening() : before.reopening(at: 0)
      monitor.settlingEnd = settlingEnd ?? now + CardMonitor.settling
    }
    mixer.apply(changes)
    if !changes.isEmpty { log("Mixer of \(card.name): \(mixer.path.words(after: changes, of: before))") }
    rememberMixer(of: card, mixer.path)
  }

  /// Reads changes of the mixer. While the system may still be initializing a card that has appeared, they are
  /// reverted.
  func readMixer(at now: Int64) {
    guard let mixer = monitor.mixer, let card = monitor.card else { return }
    var isThere = mixer.readEvents()
    if isThere, now < monitor.settlingEnd {
      // `alsactl` sets the controls one by one, so wait for the rest.
      sleep(until: monotonic() + monitor.burst)
      isThere = mixer.readEvents()
      if isThere { setBack(mixer, card) }
    }
    if isThere { return rememberMixer(of: card, mixer.path) }
    // The card was removed, which the audio thread will soon detect too.
    mixer.close()
    monitor.mixer = nil
  }

  private func setBack(_ mixer: any Mixer, _ card: Card) {
    let before = mixer.path
    let changes = before.restoring(monitor.elementStates)
    if changes.isEmpty || monitor.timesSetBack == CardMonitor.setBacks { return }
    monitor.timesSetBack += 1
    mixer.apply(changes)
    log(
      "Mixer of \(card.name), as it was before the system set it: "
        + mixer.path.words(after: changes, of: before))
  }

  /// Sets the card's volume at the player's request.
  func turnMixer(to normalized: Double) {
    guard let mixer = monitor.mixer, let card = monitor.card else { return }
    mixer.apply(mixer.path.setting(normalized: normalized))
    rememberMixer(of: card, mixer.path)
  }

  private func rememberMixer(of card: Card, _ path: MixerPath) {
    monitor.elementStates = path.elementStates
    change {
      $0.mixer = path.path.isEmpty ? nil : path
      $0.memory.remember(card.identity, at: path.observedLevel, path.elementStates)
    }
  }
}

extension MixerPath {
  /// Describes applied changes, such as "Master on at 0.0 dB (was off at -74.0 dB)".
  func words(after changes: [Change], of before: MixerPath) -> String {
    changes.filter { $0.index < elements.count && $0.index < before.elements.count }.map { change in
      let element = elements[change.index]
      return "\(element.name) \(element.words) (was \(before.elements[change.index].words))"
    }.joined(separator: ", ")
  }
}
