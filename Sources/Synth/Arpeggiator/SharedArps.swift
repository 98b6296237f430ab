import CRealtime
import Scenes

/// The arpeggiators as other threads see them. The audio thread writes once a block; each figure is consistent, but
/// two figures may be of different blocks. A handle: copies refer to the same cells.
public struct SharedArps: @unchecked Sendable {
  /// The figures of a part.
  public enum Figure: Int, CaseIterable, Sendable {
    /// The step of the rhythm or of the sequence that sounds, from 1 on; 0 while none is played.
    case at
    /// The number of keys of the arpeggio, down or latched, and of keys that are down in the chord memory.
    case keys
    /// The number of latched keys: they are up, and a latch or a pedal keeps them.
    case held
    /// The keys of the arpeggio as a set: keys 0…63, a bit each.
    case lowKeys
    /// Keys 64…127.
    case highKeys
    /// The number of keys refused since the start, because a part had `Limits.arpKeys` of them.
    case refused
  }

  private let cells: UnsafeMutablePointer<UInt64>
  private static var figures: Int { @_noLocks get { 8 } }

  /// All figures at zero.
  public init() {
    cells = .allocate(capacity: SharedArps.figures * Limits.parts)
    cells.initialize(repeating: 0, count: SharedArps.figures * Limits.parts)
  }

  /// Frees the memory; no thread may use the cells any more.
  public func deallocate() { cells.deallocate() }

  /// A figure of part 0…7; other numbers are clamped. Any thread.
  public subscript(part: Int, figure: Figure) -> UInt64 {
    rt_load(cells + SharedArps.figures * Scene.clamped(part) + figure.rawValue)
  }

  /// The keys of a part's arpeggio, 0…127, from the lowest on. Any thread.
  public func keys(_ part: Int) -> [Int] {
    let (low, high) = (self[part, .lowKeys], self[part, .highKeys])
    return (0..<128).filter { ($0 < 64 ? low : high) >> UInt64($0 % 64) & 1 != 0 }
  }

  /// Publishes the figures of a part. Audio thread.
  @_noLocks
  func publish(_ part: Int, _ arp: UnsafeMutablePointer<ArpPart>) {
    let own = cells + SharedArps.figures &* part
    var (keys, held, index) = (PitchSet(), 0, 0)
    while index < arp.pointee.entries.count {
      let entry = arp.pointee.entries[index]
      keys.insert(Int(entry.pointee.note.key))
      if !entry.pointee.isDown { held &+= 1 }
      index &+= 1
    }
    rt_store(own, UInt64(max(0, arp.pointee.at &+ 1)))
    rt_store(own + 1, UInt64(arp.pointee.entries.count &+ arp.pointee.chordKeys.count))
    rt_store(own + 2, UInt64(held))
    rt_store(own + 3, keys.words.0)
    rt_store(own + 4, keys.words.1)
    rt_store(own + 5, arp.pointee.refused)
  }
}
