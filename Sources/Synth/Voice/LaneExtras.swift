/// What a lane keeps for what most sounds do not use: unison, oscillators that act on one another, the sub oscillator,
/// noise, drift. Vectors and nothing else, as `LaneState`; apart from it, so that sounds without them do not bring it
/// near.
struct LaneExtras {
  /// The phases of the voices of a unison beyond the first, by oscillator and voice.
  var phases0 = UnisonPhases()
  var phases1 = UnisonPhases()
  /// The phases of what each voice of the second oscillator is synchronized to, but for the first.
  var masters = UnisonPhases()
  /// The levels of the oscillators, while their waveforms are made by themselves.
  var output0 = Ramp()
  var output1 = Ramp()
  /// The product of the oscillators.
  var ring = Ramp()
  /// How far the second oscillator moves the phase of the first, in units of half a period.
  var index = Ramp()
  /// How far each oscillator moves its own, and its last two samples.
  var feedback0 = Feedback()
  var feedback1 = Feedback()
  /// How many periods of the second oscillator one of the first takes, while it is synchronized.
  var syncRatio = Ramp()
  /// Cents of the outermost voices of a unison, where a route moves it.
  var detune0 = Lanes.zero
  var detune1 = Lanes.zero
  /// Where the voices of a unison lie, where a route moves that.
  var sides0 = UnisonSides()
  var sides1 = UnisonSides()
  var drift0 = DriftLanes()
  var drift1 = DriftLanes()
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
}

extension UnsafeMutablePointer where Pointee == LaneExtras {
  /// The phases of an oscillator's unison, in a row.
  @_noLocks @inline(__always)
  func phases(_ oscillator: Int) -> UnsafeMutablePointer<Phases> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: Phases.self) + 6 &* oscillator
  }

  /// The phases of what a unison is synchronized to, in a row.
  var masters: UnsafeMutablePointer<Phases> { @_noLocks get { phases(2) } }

  /// The level of an oscillator.
  @_noLocks @inline(__always)
  func output(_ oscillator: Int) -> UnsafeMutablePointer<Ramp> {
    UnsafeMutableRawPointer(phases(3)).assumingMemoryBound(to: Ramp.self) + oscillator
  }

  @_noLocks @inline(__always)
  func feedback(_ oscillator: Int) -> UnsafeMutablePointer<LaneExtras.Feedback> {
    (UnsafeMutableRawPointer(output(0)) + 4 &* MemoryLayout<Ramp>.size)
      .assumingMemoryBound(to: LaneExtras.Feedback.self) + oscillator
  }

  @_noLocks @inline(__always)
  func detune(_ oscillator: Int) -> UnsafeMutablePointer<Lanes> {
    (UnsafeMutableRawPointer(feedback(2)) + MemoryLayout<Ramp>.size)
      .assumingMemoryBound(to: Lanes.self) + oscillator
  }

  @_noLocks @inline(__always)
  func sides(_ oscillator: Int) -> UnsafeMutablePointer<UnisonSides> {
    UnsafeMutableRawPointer(detune(2)).assumingMemoryBound(to: UnisonSides.self) + oscillator
  }

  @_noLocks @inline(__always)
  func drift(_ oscillator: Int) -> UnsafeMutablePointer<DriftLanes> {
    UnsafeMutableRawPointer(sides(2)).assumingMemoryBound(to: DriftLanes.self) + oscillator
  }
}
