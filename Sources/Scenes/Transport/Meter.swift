/// The beats and bars of the beat line: a time signature, and a place where a bar begins.
public struct Meter: Sendable, Equatable {
  /// Beats of a bar, 1…127.
  public private(set) var beats: Int
  /// The length of a beat in quarter notes, 1/16…4.
  public private(set) var unit: Double
  /// The beat of the line, in quarter notes, at which a bar begins.
  public private(set) var origin: Double

  /// Whether the bars are the same.
  @_noLocks
  public static func == (one: Meter, other: Meter) -> Bool {
    one.beats == other.beats && one.unit == other.unit && one.origin == other.origin
  }

  /// The largest lower number of a time signature is 2 to this power: a beat is a sixty-fourth.
  public static var shortest: Int { @_noLocks get { 6 } }

  /// Bars of quarter notes that begin with the beat line.
  @_noLocks
  public init(quarters: Int) { (beats, unit, origin) = (max(1, quarters), 1, 0) }

  /// The bars of a time signature whose lower number is 2 to the power of `power`; numbers out of range are clamped.
  @_noLocks
  public init(beats: Int, power: Int, origin: Double = 0) {
    self.beats = max(1, min(beats, 127))
    unit = 4 / Double(1 &<< max(0, min(power, Self.shortest)))
    self.origin = origin
  }

  /// The bars of an event `clockMeter`.
  @_noLocks @inlinable
  public init(_ event: Event) {
    self.init(beats: Int(event.note), power: Int(event.target), origin: Double(event.value))
  }

  /// The length of a bar in quarter notes.
  public var bar: Double { @_noLocks @inlinable get { Double(beats) * unit } }

  /// The number of the beat at a place of the line, in quarter notes; 0 for the one at `origin`.
  @_noLocks @inlinable
  public func beat(at quarters: Double) -> Int64 {
    let beats = max(-1e15, min((quarters - origin) / unit, 1e15))
    let whole = Int64(beats)
    return Double(whole) > beats ? whole &- 1 : whole
  }

  /// The place of a beat on the line, in quarter notes.
  @_noLocks @inlinable
  public func place(of beat: Int64) -> Double { origin + Double(beat) * unit }

  /// The place of a beat within its bar; 0 for the first.
  @_noLocks @inlinable
  public func place(inBar beat: Int64) -> Int64 {
    let rest = beat % Int64(beats)
    return rest < 0 ? rest &+ Int64(beats) : rest
  }

  /// Bars of the same time signature that begin `quarters` quarter notes later.
  public func moved(by quarters: Double) -> Meter {
    var meter = self
    meter.origin += quarters
    return meter
  }

  /// The event that gives the engine these bars, from a frame on.
  public func event(source: UInt8, frame: Int64) -> Event {
    // A Float holds the place within a bar, but not within hours.
    let first = origin - (origin / bar).rounded(.down) * bar
    var power: UInt8 = 0
    while power < Self.shortest, 4 / Double(1 << power) > unit { power += 1 }
    return Event(
      frame: frame, kind: .clockMeter, source: source, target: power, note: UInt8(beats), value: Float(first))
  }
}
