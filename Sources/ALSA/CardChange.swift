import CRealtime
import Scenes
import System

// Changes of card, rate or period while the instrument plays. Monitor thread.

extension AudioOutput {
  /// All cards in the order in which pipit chooses them.
  var ranked: [RankedCard] { state.cards }

  /// The preferred card, if it is connected.
  var preferred: Card? {
    guard let preference = settings.preference else { return nil }
    let same = ranked.map(\.card).filter { $0.identity == preference.identity }
    return same.first { $0.bus == preference.bus } ?? same.first
  }

  /// Updates the list of cards.
  func list(at now: Int64) {
    let cards = Card.ranked(Card.all(), preferring: settings.preference)
    monitor.setConnected(cards.map(\.card), at: now)
    change { $0.cards = cards }
  }

  // MARK: - A better card

  /// A card that is better than the current one and does not contradict the player's choice: a newly connected card
  /// of a better category. While the machine boots and drivers load in any order, it is the card that would have been
  /// chosen if all cards had been there from the start.
  func better(at now: Int64) -> RankedCard? {
    guard let current = monitor.card, device == .auto else { return nil }
    if settings.preference?.isChosen == true {
      return ranked.first { $0.card == preferred && $0.card != current }
    }
    if now - monitor.startedAt < CardMonitor.bootTime {
      monitor.present = ranked.map(\.card)
      let best = Card.ranked(monitor.present, preferring: monitor.startPreference).first
      return best.flatMap { $0.isAutomatic && $0.card != current ? $0 : nil }
    }
    return ranked.filter {
      $0.isAutomatic && $0.card.category < current.category && !monitor.present.contains($0.card)
    }.min { $0.card.category < $1.card.category }
  }

  /// Whether pipit may change to another card now: at once if none plays, and to a better one after a silence. Until
  /// then, the better card is shown as an offer.
  func mayChange(_ now: Int64) -> Bool {
    guard monitor.pcm != nil else { return true }
    guard let better = better(at: now)?.card else {
      (monitor.better, monitor.silentSince) = (nil, nil)
      change { $0.offer = nil }
      return false
    }
    let isSilent = link.meters[.voices] == 0 && link.meters.takePeak() < Self.silence
    // Sound from before the better card appeared does not count.
    if monitor.better != better {
      monitor.better = better
      return false
    }
    monitor.silentSince = isSilent ? monitor.silentSince ?? now : nil
    if let since = monitor.silentSince, now - since >= Self.pause { return true }
    if !isSilent { change { $0.offer = better } }
    return false
  }

  /// Peaks below -80 dB of full scale are silence, and `pause` is how long it must last, in nanoseconds.
  private static let silence: Float = 1e-4
  private static let pause: Int64 = 500_000_000

  // MARK: - Requests of the player

  /// Applies the player's requests on trial.
  func trySettings(_ asked: OutputRequests, _ now: Int64) {
    var wanted = settings
    var what: [String] = []
    if let rate = asked.rate {
      wanted.rate = max(Limits.rates.lowerBound, min(rate, Limits.rates.upperBound))
      what.append("\(wanted.rate) Hz")
    }
    if let period = asked.period {
      wanted.period = max(Limits.periods.lowerBound, min(period, Limits.periods.upperBound))
      what.append("\(wanted.period) frames")
    }
    if asked.card != nil { list(at: now) }
    if let name = asked.card, name == "auto" {
      wanted.preference = nil
      what.append("auto")
    } else if let name = asked.card, let card = ranked.first(where: { $0.card.id == name })?.card {
      wanted.preference = CardPreference(card, isChosen: true)
      what.append(card.id)
    }
    if wanted == settings || device == .clock { return }
    let isCardAlone = (wanted.rate, wanted.period) == (settings.rate, settings.period)
    monitor.trial = CardTrial(
      before: monitor.trial?.before ?? settings, what.joined(separator: ", "), at: now)
    settings = wanted
    list(at: now)
    // The current card is already the automatic choice: only the preference changes.
    if isCardAlone, let card = monitor.card, card == ranked.first(where: \.isAutomatic)?.card { return }
    release()
  }

  /// Keeps settings under which sound has run, and undoes those under which none has.
  func judgeTrial(_ now: Int64) {
    guard var trial = monitor.trial else { return }
    let isAsked = settings.preference?.isChosen != true || monitor.card == preferred
    let isPlaying = monitor.pcm != nil && link.meters[.card] == 1 && isAsked
    let verdict = trial.verdict(
      at: now, isPlaying: isPlaying, frames: link.meters[.frames], rate: monitor.engineRate)
    monitor.trial = trial
    switch verdict {
    case .open: break
    case .confirmed:
      monitor.trial = nil
      if settings.preference == nil, device == .auto {
        settings.preference = monitor.card.map { CardPreference($0, isChosen: false) }
      }
      let (settings, before) = (settings, trial.before)
      change {
        if settings.rate != before.rate { $0.memory.rate = settings.rate }
        if settings.period != before.period { $0.memory.period = settings.period }
        $0.memory.preference = settings.preference
        $0.undone = ""
      }
      log("Kept: \(trial.what)")
    case .undone:
      monitor.trial = nil
      settings = trial.before
      log(.warning("No sound in ten seconds with \(trial.what): back to what played before"))
      change { $0.undone = "no sound with \(trial.what): undone" }
      list(at: now)
      release()
    }
  }

  /// Removes the card from the audio thread, which continues against the clock until the next card is opened.
  func release() {
    guard monitor.pcm != nil, let clock = monitor.clockPCM, let cells else { return }
    monitor.mixer?.close()
    (monitor.mixer, monitor.hasSoughtMixer) = (nil, false)
    (monitor.pcm, monitor.card) = (nil, nil)
    (monitor.searches, monitor.hasComplained) = (0, false)
    monitor.offering = true
    rt_store(cells.offered, UInt64(UInt(bitPattern: clock)))
  }
}
