import CRealtime
import Synth

/// What the monitor thread knows about the card.
struct CardMonitor {
  var clockPCM: UnsafeMutablePointer<PCM>?
  /// The rate of the engine.
  var engineRate = 0
  /// What plays or is on offer; nil while the clock does.
  var pcm: UnsafeMutablePointer<PCM>?
  /// Its card, where it is one that was listed.
  var card: Card?
  /// True from the offer until the audio thread has taken it.
  var offering = false
  /// Searches without success since the card went.
  var searches = 0
  /// Why no card was opened last, so that each reason is logged once; nil when the next is not to be logged.
  var complaint: String? = ""

  /// Nanoseconds until it looks again: a quarter of a second for half a minute, in which a machine boots, then a
  /// second; for ever when there is nothing to do.
  func pause(_ device: AudioOutput.Device) -> Int64 {
    if device == .clock || offering { return .max }
    if pcm != nil { return device == .auto ? 1_000_000_000 : .max }
    return searches < 120 ? 250_000_000 : 1_000_000_000
  }
}

extension AudioOutput {
  /// What the monitor thread does whenever it wakes: follows the card, and opens one that is better than what plays.
  func monitorCards(_ cells: AudioLoop.Cells) {
    ensureAudio()
    takeBack(cells)
    guard !monitor.offering, let pcm = openCard() else { return }
    if pcm.pointee.rate != monitor.engineRate { return restart(on: pcm) }
    monitor.offering = true
    rt_store(cells.offered, UInt64(UInt(bitPattern: pcm)))
  }

  /// Closes what the audio thread has done with.
  func takeBack(_ cells: AudioLoop.Cells) {
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
      guard current, rt_load(cells.quit) == 0 else { return }
      log("Lost \(playing) (\(reason)): going on against the clock until a card is there")
      monitor.pcm = nil
      monitor.card = nil
      monitor.searches = 0
      monitor.complaint = nil
      setPlayingClock()
    }
  }

  /// Opens a card that is better than what plays now; nil when there is none.
  func openCard() -> UnsafeMutablePointer<PCM>? {
    if device == .clock {
      setPlayingClock()
      return nil
    }
    let candidates = candidates()
    var complaint = candidates.isEmpty ? Card.whyNone() : ""
    for (name, card) in candidates {
      do {
        let opened = try PCM.open(name, rate: rate, period: period)
        let pcm = UnsafeMutablePointer<PCM>.allocate(capacity: 1)
        pcm.initialize(to: opened)
        monitor.pcm = pcm
        monitor.card = card
        monitor.complaint = ""
        setPlaying(
          "\(card.map { "\($0.name), " } ?? "")\(name), \(opened.rate) Hz, \(opened.depth / opened.frames) periods "
            + "of \(opened.frames) frames, \(opened.format.name), \(opened.channels) channels")
        log("Playing on \(playing)")
        return pcm
      } catch {
        complaint = error.description
      }
    }
    if monitor.pcm != nil { return nil }
    monitor.searches += 1
    if complaint != monitor.complaint {
      let said = monitor.complaint == nil
      monitor.complaint = complaint
      setPlayingClock()
      if !said { log("\(complaint): playing against the clock until a card is there") }
    }
    return nil
  }

  private func setPlayingClock() {
    setPlaying("the clock, \(monitor.engineRate) Hz, periods of \(period) frames")
  }

  /// Names to try, best first.
  private func candidates() -> [(name: String, card: Card?)] {
    switch device {
    case .clock:
      return []
    case .name(let name):
      if monitor.pcm != nil { return [] }
      let card = Card.all().first { $0.id == name || $0.pcm == name }
      return [(card?.pcm ?? name, card)]
    case .auto:
      let cards = Card.automatic(Card.all())
      guard monitor.pcm != nil else { return cards.map { ($0.pcm, $0) } }
      return cards.filter { $0.category.rawValue < (monitor.card?.category.rawValue ?? 0) }.map {
        ($0.pcm, $0)
      }
    }
  }

  /// Closes a card. The clock stays.
  func close(_ pcm: UnsafeMutablePointer<PCM>) {
    if pcm == monitor.clockPCM { return }
    pcm.pointee.close()
    pcm.deallocate()
  }
}
