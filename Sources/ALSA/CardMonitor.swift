import CALSA
import CRealtime
import Scenes
import System

/// The monitor thread's knowledge of the cards.
struct CardMonitor {
  var clockPCM: UnsafeMutablePointer<PCM>?
  /// The rate of the engine.
  var engineRate = 0
  /// The PCM of the card that plays or is on offer; nil while the clock paces the engine.
  var pcm: UnsafeMutablePointer<PCM>?
  /// The card of that PCM, if it is a card of this machine.
  var card: Card?
  /// The mixer of that card, and whether pipit has tried to open it.
  var mixer: (any Mixer)?
  var hasSoughtMixer = false
  /// The states that the path should have, and the time until which other programs' changes are reverted to them.
  var elementStates: [MixerPath.ElementState] = []
  var settlingEnd = Int64.min
  var timesSetBack = 0
  /// Changes that the system makes to a card within this time are handled together, nanoseconds.
  var burst: Int64 = 200_000_000
  /// When each connected card appeared, by its key; `Int64.min` for a card that was connected before pipit started.
  var appeared: [String: Int64] = [:]
  var hasListed = false
  /// True from the offer until the audio thread has accepted it.
  var offering = false
  /// Failed searches since the card was lost.
  var searches = 0
  /// Whether the missing card has been logged.
  var hasComplained = false
  /// The rendered frames when the card was opened, and how many times in a row it was lost within `steady` seconds.
  var openedAt: UInt64 = 0
  var losses = 0

  /// A card that has played for this many seconds is considered stable.
  static let steady = 5.0
  /// True if the card keeps failing: it is then tried less and less often.
  var isUnsteady: Bool { losses > 1 }
  /// True if that has been logged: nothing more is logged until the card is stable.
  var isQuiet: Bool { losses > 2 }

  /// Settings on trial.
  var trial: CardTrial?
  /// The cards that were connected when the current one was chosen.
  var present: [Card] = []
  /// The preference when the output was started, and the time of that start.
  var startPreference: CardPreference?
  var startedAt: Int64 = 0
  /// The better card that waits for a silence.
  var better: Card?
  /// The beginning of the current silence; nil while something sounds.
  var silentSince: Int64?

  /// The number of searches before a missing card is logged: two seconds, in which the drivers of connected cards
  /// load one by one.
  static let quietSearches = 8
  /// A machine may be booting for this long after the start, nanoseconds.
  static let bootTime: Int64 = 30_000_000_000

  /// The time in nanoseconds after a card appears, or is first used, during which the system may still set its mixer:
  /// `alsactl`, which udev starts for the card and which the boot starts again, restores its stored levels or sets
  /// -20 dB.
  static let settling: Int64 = 10_000_000_000
  /// The boot may still start `alsactl` until this long after the kernel's start, nanoseconds of the system's clock.
  static let booting: Int64 = 120_000_000_000

  /// The maximum number of times that other programs' changes of a card's mixer are reverted while the card settles.
  /// The limit ends a conflict with a card or program that refuses the setting.
  static let setBacks = 8

  /// Records the cards that are connected now.
  mutating func setConnected(_ cards: [Card], at now: Int64) {
    let since = !hasListed && now >= Self.booting ? Int64.min : now
    let before = appeared
    appeared = [:]
    for card in cards { appeared[card.key] = before[card.key] ?? since }
    hasListed = true
  }

  /// The time until which the system may still set a card's mixer; nil if the card has been connected for longer.
  func settlingEnd(of card: Card, at now: Int64) -> Int64? {
    guard let since = appeared[card.key], since != .min else { return nil }
    let end = max(since + Self.settling, Self.booting)
    return now < end ? end : nil
  }

  /// Nanoseconds until the next search: a quarter of a second during the first half minute, when a machine may be
  /// booting, and then a second; `.max` if there is nothing to do.
  func pause(_ device: AudioOutput.Device) -> Int64 {
    if device == .clock || offering { return .max }
    if trial != nil { return 250_000_000 }
    if pcm != nil { return 1_000_000_000 }
    // A card that opens but does not play is tried less and less often, at last every four seconds.
    if isUnsteady { return 250_000_000 << Int64(min(losses, 4)) }
    return searches < 120 ? 250_000_000 : 1_000_000_000
  }
}

extension AudioOutput {
  /// One pass of the monitor thread: applies the player's requests, follows the card, and opens a better one if there
  /// is one.
  /// - Parameter now: The time of the audio loop.
  func monitorCards(_ cells: AudioLoop.Cells, at now: Int64) {
    let asked = takeRequests()
    if let level = asked.level { turnMixer(to: level) }
    trySettings(asked, now)
    // A card that was lost repeatedly is not reopened at once; otherwise both threads would do nothing else.
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

  /// Closes the PCMs that the audio thread has returned. True if the current card was lost.
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
      // Another card has been found in the meantime, or the output is stopping.
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

  /// Whether the last opened card has played for `steady` seconds.
  private var isSteady: Bool {
    Double(link.meters[.frames] &- monitor.openedAt) > CardMonitor.steady * Double(monitor.engineRate)
  }

  /// Opens a card that is better than the current one; nil if there is none.
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

  /// Records that a card was opened and will play.
  private func play(on pcm: UnsafeMutablePointer<PCM>, _ name: String, because reason: String) {
    let card = pcm.pointee.card.flatMap { Card(playing: $0) }
    monitor.pcm = pcm
    monitor.card = card
    monitor.mixer?.close()
    (monitor.mixer, monitor.hasSoughtMixer) = (nil, false)
    // The card was unplugged and reconnected in the meantime: its earlier losses do not count.
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

  /// Forgets a card that was lost. If it returns, it counts as newly connected.
  private func leaveCard() {
    if let card = monitor.card { monitor.appeared[card.key] = nil }
    monitor.mixer?.close()
    (monitor.mixer, monitor.hasSoughtMixer) = (nil, false)
    (monitor.pcm, monitor.card) = (nil, nil)
    // Its loss has already been logged.
    (monitor.searches, monitor.hasComplained) = (0, true)
    setPlayingClock()
  }

  /// Logs that no card can be opened: once, and only after two seconds.
  private func complain(_ complaint: String) {
    if monitor.searches == 0 { setPlayingClock() }
    monitor.searches += 1
    if monitor.hasComplained || monitor.searches <= CardMonitor.quietSearches { return }
    monitor.hasComplained = true
    log(.warning("\(complaint): playing against the clock until a card is there"))
  }

  private func setPlayingClock() {
    let text = "the clock, \(monitor.engineRate) Hz, periods of \(period) frames"
    change { $0 = OutputState(playing: text, cards: $0.cards, undone: $0.undone, memory: $0.memory) }
  }

  /// The device names to try, best first.
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

  /// Closes the PCM of a card. The PCM of the clock stays.
  func close(_ pcm: UnsafeMutablePointer<PCM>) {
    if pcm == monitor.clockPCM { return }
    pcm.pointee.close()
    pcm.deallocate()
  }
}

extension Card {
  /// Identifies a card among those connected at one time.
  fileprivate var key: String { "\(id) \(bus)" }
}

/// The rates and periods that a card supports.
struct CardChoices {
  var rates: [Int] = []
  var periods: [Int] = []

  // Common values to offer; a card may support more.
  private static let commonRates: [UInt32] = [44_100, 48_000, 88_200, 96_000, 176_400, 192_000]
  private static let commonPeriods: [UInt] = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096]

  /// Asks the card of a PCM, which may be playing, for its choices at its current rate.
  init(of pcm: PCM) {
    guard let card = pcm.card else { return }
    var memory: OpaquePointer?
    guard snd_pcm_hw_params_malloc(&memory) == 0, let able = memory else { return }
    defer { snd_pcm_hw_params_free(able) }
    guard snd_pcm_hw_params_any(card, able) >= 0 else { return }
    for rate in Self.commonRates {
      let isAble = snd_pcm_hw_params_test_rate(card, able, rate, 0) == 0 && Limits.rates.contains(Int(rate))
      if isAble || Int(rate) == pcm.rate { rates.append(Int(rate)) }
    }
    guard snd_pcm_hw_params_set_rate(card, able, UInt32(pcm.rate), 0) >= 0 else { return }
    for period in Self.commonPeriods {
      let isAble = snd_pcm_hw_params_test_period_size(card, able, period, 0) == 0
      if isAble || Int(period) == pcm.frames { periods.append(Int(period)) }
    }
  }
}
