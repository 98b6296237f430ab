import CRealtime
import Synth
import System

/// What the monitor thread knows about the card.
struct CardMonitor {
  var clockPCM: UnsafeMutablePointer<PCM>?
  /// The rate of the engine.
  var engineRate = 0
  /// What plays or is on offer; nil while the clock does.
  var pcm: UnsafeMutablePointer<PCM>?
  /// Its card, where it is one of this machine.
  var card: Card?
  /// The mixer of that card, and whether it was looked for.
  var mixer: (any Mixer)?
  var hasSoughtMixer = false
  /// What its path is to stand at, and until when what others set is set back to that.
  var standing: [MixerPath.Standing] = []
  var settlesAt = Int64.min
  var timesSetBack = 0
  /// Within this time the system's changes to a card come together, nanoseconds.
  var burst: Int64 = 200_000_000
  /// When each card that is there appeared, by its key; `Int64.min` for one that was there before pipit.
  var appeared: [String: Int64] = [:]
  var hasListed = false
  /// True from the offer until the audio thread has taken it.
  var offering = false
  /// Searches without success since the card went.
  var searches = 0
  /// Whether it was said that there is no card.
  var hasComplained = false
  /// Frames rendered when it was opened, and how often in a row it was lost within `steady` seconds.
  var openedAt: UInt64 = 0
  var losses = 0

  /// Seconds after which a card that was opened is there to stay.
  static let steady = 5.0
  /// It comes and goes: it is tried less and less often.
  var isUnsteady: Bool { losses > 1 }
  /// That was said: the log is left in peace until it stays.
  var isQuiet: Bool { losses > 2 }

  /// Settings that are not proved yet.
  var trial: CardTrial?
  /// The cards that were there when the one that plays was taken.
  var present: [Card] = []
  /// What was preferred when the output was started, and when that was.
  var startPreference: CardPreference?
  var startedAt: Int64 = 0
  /// The better card that waits for silence.
  var better: Card?
  /// Since when nothing has sounded; nil while something does.
  var silentSince: Int64?

  /// Searches before a complaint: two seconds, in which the drivers of a card that is there come up one by one.
  static let patience = 8
  /// For so long after the start a machine may be booting, nanoseconds.
  static let bootTime: Int64 = 30_000_000_000

  /// For so long after it has appeared, or was first met, a card is set by the system: `alsactl`, which udev starts for
  /// it and the boot once more, gives it what it stored, or -20 dB. Nanoseconds.
  static let settling: Int64 = 10_000_000_000
  /// For so long after the kernel's start, nanoseconds of the system's clock, the boot may still start `alsactl`.
  static let booting: Int64 = 120_000_000_000

  /// How many times a card is set back while it settles. A bound, for a card or a program that refuses what it is given.
  static let setBacks = 8

  /// Takes note of the cards that are there now.
  mutating func see(_ cards: [Card], at now: Int64) {
    let since = !hasListed && now >= Self.booting ? Int64.min : now
    let before = appeared
    appeared = [:]
    for card in cards { appeared[card.key] = before[card.key] ?? since }
    hasListed = true
  }

  /// Until when a card is set by the system; nil when it has been there for longer.
  func settles(_ card: Card, at now: Int64) -> Int64? {
    guard let since = appeared[card.key], since != .min else { return nil }
    let end = max(since + Self.settling, Self.booting)
    return now < end ? end : nil
  }

  /// Nanoseconds until it looks again: a quarter of a second for half a minute, in which a machine boots, then a
  /// second; for ever when there is nothing to do.
  func pause(_ device: AudioOutput.Device) -> Int64 {
    if device == .clock || offering { return .max }
    if trial != nil { return 250_000_000 }
    if pcm != nil { return 1_000_000_000 }
    // A card that can be opened and does not play is tried less and less often, every four seconds at last.
    if isUnsteady { return 250_000_000 << Int64(min(losses, 4)) }
    return searches < 120 ? 250_000_000 : 1_000_000_000
  }
}

extension AudioOutput {
  /// What the monitor thread does whenever it wakes: does what the player asks for, follows the card, and opens one that
  /// is better than what plays.
  /// - Parameter now: The time that the audio loop goes by.
  func monitorCards(_ cells: AudioLoop.Cells, at now: Int64) {
    let asked = takeRequests()
    if let level = asked.level { turnMixer(to: level) }
    trySettings(asked, now)
    // What was lost and lost again is not opened at once: two threads would do nothing else.
    if takeBack(cells), monitor.isUnsteady { return }
    if monitor.offering { return }
    if monitor.losses > 0, monitor.pcm != nil, isSteady {
      if monitor.isQuiet { log("Playing on \(playing)") }
      monitor.losses = 0
    }
    judgeTrial(now)
    if monitor.pcm != nil { list(at: now) }
    guard !monitor.offering, mayChange(now), let pcm = openCard(at: now) else { return }
    if pcm.pointee.rate != monitor.engineRate { return restart(on: pcm) }
    monitor.offering = true
    rt_store(cells.offered, UInt64(UInt(bitPattern: pcm)))
  }

  /// Closes what the audio thread has done with. True when that was the card that is to play.
  @discardableResult
  func takeBack(_ cells: AudioLoop.Cells) -> Bool {
    if let left = UnsafeMutablePointer<PCM>(bitPattern: UInt(rt_exchange(cells.returned, 0))) {
      monitor.offering = false
      close(left)
    }
    let lost = rt_exchange(cells.lost, 0)
    if let pcm = UnsafeMutablePointer<PCM>(bitPattern: UInt(lost)) {
      let current = pcm == monitor.pcm
      let reason = ALSAError.text(Int32(truncatingIfNeeded: rt_load(cells.reason)))
      close(pcm)
      // Another one has been found meanwhile, or none is wanted any more.
      guard current, rt_load(cells.quit) == 0 else { return false }
      monitor.losses = isSteady ? 1 : monitor.losses + 1
      if monitor.losses <= 3 {
        let next = monitor.isQuiet ? "and trying it again every few seconds" : "until a card is there"
        log(.warning("Lost \(playing) (\(reason)): going on against the clock \(next)"))
      }
      leaveCard()
      return true
    }
    return false
  }

  /// Whether the card that was opened last has played for a while.
  private var isSteady: Bool {
    Double(link.meters[.frames] &- monitor.openedAt) > CardMonitor.steady * Double(monitor.engineRate)
  }

  /// Opens a card that is better than what plays now; nil when there is none.
  func openCard(at now: Int64) -> UnsafeMutablePointer<PCM>? {
    if device == .clock {
      setPlayingClock()
      return nil
    }
    if monitor.pcm == nil { list(at: now) }
    let candidates = candidates(at: now)
    var complaint = candidates.isEmpty ? Card.whyNone() : ""
    for (name, reason) in candidates {
      do {
        let opened = try PCM.open(name, rate: rate, period: period, periods: periods, outputs: outputs)
        if name == SoundServer.pcm, device == .auto, let card = opened.card, !SoundServer.plays(card) {
          opened.close()
          continue
        }
        let pcm = UnsafeMutablePointer<PCM>.allocate(capacity: 1)
        pcm.initialize(to: opened)
        play(on: pcm, name, because: reason)
        return pcm
      } catch {
        complaint = error.description
      }
    }
    if monitor.pcm != nil { return nil }
    complain(complaint)
    return nil
  }

  /// A card was opened and is to play.
  private func play(on pcm: UnsafeMutablePointer<PCM>, _ name: String, because reason: String) {
    let card = pcm.pointee.card.flatMap { Card(playing: $0) }
    monitor.pcm = pcm
    monitor.card = card
    monitor.mixer?.close()
    (monitor.mixer, monitor.hasSoughtMixer) = (nil, false)
    // It was away meanwhile, as when it is pulled out and put back: a card like any other.
    if monitor.searches > 0 { monitor.losses = 0 }
    (monitor.searches, monitor.hasComplained) = (0, false)
    (monitor.present, monitor.better, monitor.silentSince) = (ranked.map(\.card), nil, nil)
    monitor.openedAt = link.meters[.frames]
    let opened = pcm.pointee
    let playing =
      "\(card.map { "\($0.name), " } ?? "")\(name), "
      + opened.description(rate: rate, period: period, periods: periods, outputs: outputs)
    let choices = CardChoices(of: opened)
    change {
      ($0.playing, $0.card, $0.reason, $0.mixer) = (playing, card, reason, nil)
      ($0.rate, $0.period, $0.rates, $0.periods) = (
        opened.rate, opened.frames, choices.rates, choices.periods
      )
      $0.latency = opened.latency
      $0.offer = nil
    }
    if monitor.trial == nil, device == .auto, let card, settings.preference?.isChosen != true {
      settings.preference = CardPreference(card, isChosen: false)
      let preference = settings.preference
      change { $0.memory.preference = preference }
    }
    if !monitor.isQuiet { log("Playing on \(playing)" + (reason.isEmpty ? "" : " (\(reason))")) }
  }

  /// The card has gone. When it is back it has appeared anew.
  private func leaveCard() {
    if let card = monitor.card { monitor.appeared[card.key] = nil }
    monitor.mixer?.close()
    (monitor.mixer, monitor.hasSoughtMixer) = (nil, false)
    (monitor.pcm, monitor.card) = (nil, nil)
    // That it has gone was said.
    (monitor.searches, monitor.hasComplained) = (0, true)
    setPlayingClock()
  }

  /// No card can be opened. Said once, and not before it has lasted for two seconds.
  private func complain(_ complaint: String) {
    if monitor.searches == 0 { setPlayingClock() }
    monitor.searches += 1
    if monitor.hasComplained || monitor.searches <= CardMonitor.patience { return }
    monitor.hasComplained = true
    log(.warning("\(complaint): playing against the clock until a card is there"))
  }

  private func setPlayingClock() {
    let text = "the clock, \(monitor.engineRate) Hz, periods of \(period) frames"
    change { $0 = OutputState(playing: text, cards: $0.cards, undone: $0.undone, memory: $0.memory) }
  }

  /// Names to try, best first.
  func candidates(at now: Int64) -> [(name: String, reason: String)] {
    if monitor.pcm != nil { return better(at: now).map { [($0.card.pcm, $0.reason)] } ?? [] }
    let isChosen = settings.preference?.isChosen == true
    let chosen = ranked.filter { isChosen && $0.card == preferred }.map {
      (name: $0.card.pcm, reason: $0.reason)
    }
    switch device {
    case .clock: return []
    case .name(let name):
      return chosen + [(CardProbe.named(name, among: ranked.map(\.card)).name, "as configured")]
    case .auto:
      let server = SoundServer.isRunning ? [(name: SoundServer.pcm, reason: SoundServer.reason)] : []
      return chosen + server + ranked.filter(\.isAutomatic).map { ($0.card.pcm, $0.reason) }
    }
  }

  /// Closes a card. The clock stays.
  func close(_ pcm: UnsafeMutablePointer<PCM>) {
    if pcm == monitor.clockPCM { return }
    pcm.pointee.close()
    pcm.deallocate()
  }
}

extension Card {
  /// Tells the cards apart that are there at one time.
  fileprivate var key: String { "\(id) \(bus)" }
}
