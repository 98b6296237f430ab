/// What a lane keeps for what most sounds do not use: unison, oscillators that act on one another, the sub oscillator,
/// noise, drift. Vectors and nothing else, as `LaneState`; apart from it, so that sounds without them do not bring it
/// near.
struct LaneExtras {
  /// The phases of what each voice of the second oscillator is synchronized to, but for the first.
  var masters = UnisonPhases()
  /// What each of both oscillators keeps.
  var first = OscillatorExtras()
  var second = OscillatorExtras()
  /// The product of the oscillators.
  var ring = Ramp()
  /// How far the second oscillator moves the phase of the first, in units of half a period.
  var index = Ramp()
  /// How many periods of the second oscillator one of the first takes, while it is synchronized.
  var syncRatio = Ramp()
  var sub = SubOscillatorLanes()
  var noise = NoiseLanes()
  /// The filter of the right side, where a sound has two, and what may be in front of it.
  var right = FilterLanes()
  var rightHighPass = HighPassLanes()
  var rightDrive = DriveLanes()
  /// The factor of the right side, where a route moves a voice between left and right.
  var rightGain = Ramp()

  /// Six voices beyond the first.
  struct UnisonPhases {
    var one = Phases.zero
    var two = Phases.zero
    var three = Phases.zero
    var four = Phases.zero
    var five = Phases.zero
    var six = Phases.zero
  }

  /// An oscillator that moves its own phase.
  struct Feedback {
    var depth = Ramp()
    var last = Lanes.zero
    var before = Lanes.zero
  }

  /// What one oscillator keeps besides `OscillatorLanes`.
  struct OscillatorExtras {
    /// The phases of the voices of its unison beyond the first.
    var phases = UnisonPhases()
    /// Its level, while its waveforms are made by themselves.
    var output = Ramp()
    /// How far it moves its own phase, and its last two samples.
    var feedback = Feedback()
    /// Cents of the outermost voices of its unison, where a route moves it.
    var detune = Lanes.zero
    /// Where the voices of its unison lie, where a route moves that.
    var sides = UnisonSides()
    var drift = DriftLanes()
  }
}

// What is found by a number is found by an address: a tuple has no subscript, and an array would count references. Both
// structs begin with the row that is looked for; a test holds them to it.
extension UnsafeMutablePointer where Pointee == LaneExtras {
  /// What oscillator 0 or 1 keeps, in place.
  @_noLocks @inline(__always)
  func oscillator(_ index: Int) -> UnsafeMutablePointer<LaneExtras.OscillatorExtras> {
    (UnsafeMutableRawPointer(self) + MemoryLayout<LaneExtras.UnisonPhases>.size)
      .assumingMemoryBound(to: LaneExtras.OscillatorExtras.self) + index
  }

  /// The phases of an oscillator's unison, in a row.
  @_noLocks @inline(__always)
  func phases(_ index: Int) -> UnsafeMutablePointer<Phases> {
    UnsafeMutableRawPointer(oscillator(index)).assumingMemoryBound(to: Phases.self)
  }

  /// The phases of what a unison is synchronized to, in a row.
  var masters: UnsafeMutablePointer<Phases> {
    @_noLocks get { UnsafeMutableRawPointer(self).assumingMemoryBound(to: Phases.self) }
  }
}
