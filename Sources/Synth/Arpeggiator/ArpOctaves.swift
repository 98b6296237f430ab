/// The octaves that an arpeggio covers, and their order.
struct Octaves {
  /// 1…4.
  let count: Int
  let order: ArpOrder

  /// The octaves of the knobs.
  @_noLocks
  init(_ knobs: UnsafePointer<ArpKnobs>) {
    count = Int(max(1, min(knobs.pointee.octaves, 4)))
    order = ArpOrder.at(knobs.pointee.order)
  }

  /// True if modes with two directions cross all octaves before they turn.
  var areCrossed: Bool {
    @_noLocks get {
      switch order {
      case .both: count > 1
      case .up, .down, .random: false
      }
    }
  }

  /// The first octave.
  @_noLocks
  func first(_ random: inout RandomNumbers) -> Int {
    switch order {
    case .up, .both: 0
    case .down: count &- 1
    case .random: random.below(count)
    }
  }

  /// The octave after another one; `descends` is the direction of `ArpOrder.both`, which plays its ends once.
  @_noLocks
  func next(_ octave: Int, _ descends: inout Bool, _ random: inout RandomNumbers) -> Int {
    switch order {
    case .up: return octave &+ 1 < count ? octave &+ 1 : 0
    case .down: return octave > 0 ? octave &- 1 : count &- 1
    case .random: return random.below(count)
    case .both:
      if octave <= 0 { descends = false }
      if octave >= count &- 1 { descends = true }
      return max(0, min(descends ? octave &- 1 : octave &+ 1, count &- 1))
    }
  }
}

extension RandomNumbers {
  /// A whole number in 0..<`count`; 0 for a count of 0.
  @_noLocks
  mutating func below(_ count: Int) -> Int { max(0, min(Int(next() * Float(count)), count &- 1)) }
}
