import CRealtime
import Synth

/// What the watching thread knows about the card.
struct Watch {
  var clockOutlet: UnsafeMutablePointer<Outlet>?
  /// The rate of the engine.
  var engineRate = 0
  /// What plays or is on offer; nil while the clock does.
  var outlet: UnsafeMutablePointer<Outlet>?
  /// Its card, where it is one that was listed.
  var card: Card?
  /// True from the offer until the audio thread has taken it.
  var offering = false
  /// Searches without success since the card went.
  var searches = 0
  /// The last complaint, so that each is made once; nil when the next goes without saying.
  var complaint: String? = ""

  /// Nanoseconds until it looks again: a quarter of a second for half a minute, in which a machine boots, then a
  /// second; for ever when there is nothing to do.
  func pause(_ device: Output.Device) -> Int64 {
    if device == .clock || offering { return .max }
    if outlet != nil { return device == .auto ? 1_000_000_000 : .max }
    return searches < 120 ? 250_000_000 : 1_000_000_000
  }
}

extension Output {
  /// One turn of the watching thread.
  func watch(_ cells: AudioLoop.Cells) {
    ensureAudio()
    collect(cells)
    guard !watch.offering, let outlet = look() else { return }
    if outlet.pointee.rate != watch.engineRate { return restart(on: outlet) }
    watch.offering = true
    rt_store(cells.offered, UInt64(UInt(bitPattern: outlet)))
  }

  /// Takes back what the audio thread has done with.
  func collect(_ cells: AudioLoop.Cells) {
    if let left = UnsafeMutablePointer<Outlet>(bitPattern: UInt(rt_exchange(cells.returned, 0))) {
      watch.offering = false
      free(left)
    }
    let lost = rt_exchange(cells.lost, 0)
    if let outlet = UnsafeMutablePointer<Outlet>(bitPattern: UInt(lost)) {
      let current = outlet == watch.outlet
      let reason = ALSAError.text(Int32(truncatingIfNeeded: rt_load(cells.reason)))
      free(outlet)
      // Another one has been found meanwhile, or none is wanted any more.
      guard current, rt_load(cells.quit) == 0 else { return }
      log("Lost \(playing) (\(reason)): going on against the clock until a card is there")
      watch.outlet = nil
      watch.card = nil
      watch.searches = 0
      watch.complaint = nil
      setPlayingClock()
    }
  }

  /// A card to play on that is better than what plays now, opened; nil when there is none.
  func look() -> UnsafeMutablePointer<Outlet>? {
    if device == .clock {
      setPlayingClock()
      return nil
    }
    let candidates = candidates()
    var complaint = candidates.isEmpty ? Card.whyNone() : ""
    for (name, card) in candidates {
      do {
        let opened = try Outlet.open(name, rate: rate, period: period)
        let outlet = UnsafeMutablePointer<Outlet>.allocate(capacity: 1)
        outlet.initialize(to: opened)
        watch.outlet = outlet
        watch.card = card
        watch.complaint = ""
        setPlaying(
          "\(card.map { "\($0.name), " } ?? "")\(name), \(opened.rate) Hz, \(opened.depth / opened.frames) periods "
            + "of \(opened.frames) frames, \(opened.format.name), \(opened.channels) channels")
        log("Playing on \(playing)")
        return outlet
      } catch {
        complaint = error.description
      }
    }
    if watch.outlet != nil { return nil }
    watch.searches += 1
    if complaint != watch.complaint {
      let said = watch.complaint == nil
      watch.complaint = complaint
      setPlayingClock()
      if !said { log("\(complaint): playing against the clock until a card is there") }
    }
    return nil
  }

  private func setPlayingClock() {
    setPlaying("the clock, \(watch.engineRate) Hz, periods of \(period) frames")
  }

  /// Names to try, best first.
  private func candidates() -> [(name: String, card: Card?)] {
    switch device {
    case .clock:
      return []
    case .name(let name):
      if watch.outlet != nil { return [] }
      let card = Card.all().first { $0.id == name || $0.pcm == name }
      return [(card?.pcm ?? name, card)]
    case .auto:
      let cards = Card.automatic(Card.all())
      guard watch.outlet != nil else { return cards.map { ($0.pcm, $0) } }
      return cards.filter { $0.kind.rawValue < (watch.card?.kind.rawValue ?? 0) }.map { ($0.pcm, $0) }
    }
  }

  /// Closes a card. The clock stays.
  func free(_ outlet: UnsafeMutablePointer<Outlet>) {
    if outlet == watch.clockOutlet { return }
    outlet.pointee.close()
    outlet.deallocate()
  }
}
