import CRealtime
import Synth

/// What the watching thread knows about the card.
struct Watch {
  var clockOutlet: UnsafeMutablePointer<Outlet>?
  /// The rate of the engine that runs, or is on offer.
  var engineRate = 0
  /// The card that plays or is on offer; nil while the clock does.
  var current: Card?
  /// True while a card of any name plays or is on offer.
  var onCard = false
  /// True from the offer until the audio thread has taken it.
  var offering = false
  /// Searches without success since the card went.
  var searches = 0
  /// The last complaint, so that each is made once.
  var complaint = ""

  /// How long to sleep in `poll`: quick at first, then every second; for ever when there is nothing to do.
  func milliseconds(_ device: Output.Device) -> Int32 {
    if device == .clock || offering { return -1 }
    if onCard { return device == .auto ? 1000 : -1 }
    return searches < 20 ? 250 : 1000
  }
}

extension Output {
  /// One turn of the watching thread.
  func watch(_ cells: AudioLoop.Cells) {
    collect(cells)
    guard device != .clock, !watch.offering, let outlet = look() else { return }
    let engine = watch.engineRate == outlet.pointee.rate ? nil : newEngine(rate: outlet.pointee.rate)
    watch.engineRate = outlet.pointee.rate
    watch.offering = true
    let offer = UnsafeMutablePointer<AudioLoop.Offer>.allocate(capacity: 1)
    offer.initialize(to: AudioLoop.Offer(outlet: outlet, engine: engine))
    rt_store(cells.offered, UInt64(UInt(bitPattern: offer)))
  }

  /// Takes back what the audio thread has done with.
  func collect(_ cells: AudioLoop.Cells) {
    let returned = rt_exchange(cells.returned, 0)
    if let offer = UnsafeMutablePointer<AudioLoop.Offer>(bitPattern: UInt(returned)) {
      watch.offering = false
      free(offer)
    }
    let lost = rt_exchange(cells.lost, 0)
    if let outlet = UnsafeMutablePointer<Outlet>(bitPattern: UInt(lost)) {
      let reason = ALSAError.text(Int32(truncatingIfNeeded: rt_load(cells.reason)))
      free(outlet)
      // One that is on offer follows by itself.
      if watch.offering { return }
      log("Lost \(playing) (\(reason)): going on against the clock until a card is there")
      watch.onCard = false
      watch.current = nil
      watch.searches = 0
      watch.complaint = ""
      setPlaying("the clock, \(watch.engineRate) Hz, periods of \(period) frames")
    }
  }

  /// A card to play on that is better than what plays now, opened; nil when there is none.
  func look() -> UnsafeMutablePointer<Outlet>? {
    var complaint = "No sound card"
    for (name, card) in candidates() {
      do {
        let opened = try Outlet.open(name, rate: rate, period: period)
        let outlet = UnsafeMutablePointer<Outlet>.allocate(capacity: 1)
        outlet.initialize(to: opened)
        watch.onCard = true
        watch.current = card
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
    if watch.onCard { return nil }
    watch.searches += 1
    if complaint != watch.complaint {
      watch.complaint = complaint
      setPlaying("the clock, \(watch.engineRate) Hz, periods of \(period) frames")
      log("\(complaint): playing against the clock until a card is there")
    }
    return nil
  }

  /// Names to try, best first.
  private func candidates() -> [(name: String, card: Card?)] {
    switch device {
    case .clock:
      return []
    case .name(let name):
      if watch.onCard { return [] }
      let card = Card.all().first { $0.id == name || $0.pcm == name }
      return [(card?.pcm ?? name, card)]
    case .auto:
      let cards = Card.automatic(Card.all())
      guard watch.onCard else { return cards.map { ($0.pcm, $0) } }
      return cards.filter { $0.kind.rawValue < (watch.current?.kind.rawValue ?? 0) }.map { ($0.pcm, $0) }
    }
  }

  private func newEngine(rate: Int) -> UnsafeMutablePointer<Engine> {
    let engine = UnsafeMutablePointer<Engine>.allocate(capacity: 1)
    engine.initialize(to: Engine(rate: Double(rate), link: link))
    return engine
  }

  func free(_ offer: UnsafeMutablePointer<AudioLoop.Offer>) {
    if offer.pointee.outlet != watch.clockOutlet { free(offer.pointee.outlet) }
    if let engine = offer.pointee.engine {
      engine.deinitialize(count: 1)
      engine.deallocate()
    }
    offer.deallocate()
  }

  func free(_ outlet: UnsafeMutablePointer<Outlet>) {
    outlet.pointee.close()
    outlet.deallocate()
  }
}
