import Scenes

/// State of a lane that most sounds do not use: unison, interacting oscillators, the sub oscillator, noise, drift. It
/// consists of vectors only, like `LaneState`, and is separate from it, so that sounds without these features do not
/// load it into the cache.
struct LaneExtras {
  /// The phases that synchronize the unison voices of the second oscillator, except the first voice.
  var masters = UnisonPhases()
  /// The extra state of each oscillator.
  var first = OscillatorExtras()
  var second = OscillatorExtras()
  var third = OscillatorExtras()
  /// Phase modulation of the first oscillator by the second, and of the second by the third, in half periods.
  var index = Ramp()
  var index2 = Ramp()
  /// Factors by which the smoothing of these modulators' jumps is widened.
  var softness = Lanes(repeating: 4)
  var softness2 = Lanes(repeating: 4)
  /// Level of the ring modulation.
  var ring = Ramp()
  /// Periods of the second oscillator per period of the first, while it is synchronized.
  var syncRatio = Ramp()
  var sub = SubOscillatorLanes()
  var noise = NoiseLanes()
  /// The filter of the right side if the sound is stereo, and the stages that may precede it.
  var right = FilterLanes()
  var rightHighPass = HighPassLanes()
  var rightDrive = DriveLanes()
  /// The ladder, and its stages on either side.
  var ladder = LadderLanes()
  var ladderLeft = LadderStages()
  var ladderRight = LadderStages()
  /// The formant filter of either side, and its settings.
  var formant = FormantLanes()
  var formantRight = FormantLanes()
  var formantShape = FormantShape()
  /// The comb, its settings, and the one-pole in its loop on either side.
  var comb = CombLanes()
  var combShape = CombShape()
  var combPole = Lanes.zero
  var combPoleRight = Lanes.zero
  /// The modulation of the cutoff by the second oscillator.
  var fm = CutoffModulation()
  /// The fades from one character of the filter to another.
  var fades = CharacterFades()
  /// Gain of the right side, where a route pans a voice.
  var rightGain = Ramp()

  /// The phases of six voices beyond the first.
  struct UnisonPhases {
    var one = Phases.zero
    var two = Phases.zero
    var three = Phases.zero
    var four = Phases.zero
    var five = Phases.zero
    var six = Phases.zero
  }

  /// Phase feedback of an oscillator: its depth, and the last two samples of its modulator.
  struct Feedback {
    var depth = Ramp()
    var last = Lanes.zero
    var before = Lanes.zero
  }

  /// State of one oscillator beyond `OscillatorLanes`.
  struct OscillatorExtras {
    /// The phases of its unison voices beyond the first.
    var phases = UnisonPhases()
    /// Its level while the oscillators are rendered separately.
    var output = Ramp()
    /// Depth of the feedback, and the last two samples.
    var feedback = Feedback()
    /// Detune of the outermost unison voices in cents, where a route moves it.
    var detune = Lanes.zero
    /// Gains that position the unison voices, where a route moves them.
    var sides = UnisonSides()
    /// Factor by which phase modulation speeds up the crossing of a jump or a corner; its smoothing is widened by the
    /// same factor. 1 or more.
    var blunting = Lanes(repeating: 1)
    /// A further factor of that width for the end of a pulse and the corners of a triangle or trisaw; 1 or more.
    var endBlunting = Lanes(repeating: 1)
    var drift = DriftLanes()
  }
}

// Elements with an index are found by address, because a tuple has no subscript and an array would count references.
// Both structs begin with the elements that are accessed in this way, which a test verifies.
extension UnsafeMutablePointer where Pointee == LaneExtras {
  /// The extra state of oscillator 0, 1 or 2, in place.
  @_noLocks @inline(__always)
  func oscillator(_ index: Int) -> UnsafeMutablePointer<LaneExtras.OscillatorExtras> {
    (UnsafeMutableRawPointer(self) + MemoryLayout<LaneExtras.UnisonPhases>.size)
      .assumingMemoryBound(to: LaneExtras.OscillatorExtras.self) + index
  }

  /// The phase modulation of oscillator 0 or 1 by the next one, in place.
  @_noLocks @inline(__always)
  func index(_ carrier: Int) -> UnsafeMutablePointer<Ramp> {
    let first = UnsafeMutableRawPointer(oscillator(Limits.oscillators)).assumingMemoryBound(to: Ramp.self)
    return first + carrier
  }

  /// The factor, in place, by which the smoothing of jumps is widened while oscillator 1 or 2 modulates a phase.
  @_noLocks @inline(__always)
  func softness(of modulator: Int) -> UnsafeMutablePointer<Lanes> {
    UnsafeMutableRawPointer(index(2)).assumingMemoryBound(to: Lanes.self) + (modulator &- 1)
  }

  /// The phases of an oscillator's unison voices, contiguous.
  @_noLocks @inline(__always)
  func phases(_ index: Int) -> UnsafeMutablePointer<Phases> {
    UnsafeMutableRawPointer(oscillator(index)).assumingMemoryBound(to: Phases.self)
  }

  /// The phases that synchronize the unison voices, contiguous.
  var masters: UnsafeMutablePointer<Phases> {
    @_noLocks get { UnsafeMutableRawPointer(self).assumingMemoryBound(to: Phases.self) }
  }
}
