import Scenes

/// The modulation routes of one sound at one control tick: first the fixed routes, which every sound has, each with a
/// knob for its depth; then the slots of the matrix. A route adds its source, times its depth, times a second source,
/// to its target.
///
/// An unused route costs nothing, because one bit for each route tells whether it is used.
struct ModulationRoutes {
  /// Depth of each route, in the unit of its target. The first field, so that depths can be read by their index.
  private var depths = SIMD32<Float>.zero
  /// Source, scale and target of each route, packed by `code`; 0 for none.
  private var codes = SIMD32<UInt32>.zero
  /// Routes to targets that are sources, to the mixes of effects, and to all other targets, one bit each.
  private(set) var toSources: UInt32 = 0
  private(set) var toEffects: UInt32 = 0
  private(set) var toVoice: UInt32 = 0
  /// The targets that any route moves, one bit each.
  private(set) var moved: ModulationTargets = 0
  /// The sources that any route reads, one bit each.
  private(set) var read: UInt32 = 0

  /// Index of the first slot, which follows the fixed routes.
  fileprivate static var firstSlot: Int { @_noLocks get { 16 } }
  fileprivate static var count: Int { @_noLocks get { firstSlot + Limits.slots } }
  /// The part of its range below which a slot that fades is silent.
  fileprivate static var nothing: Float { @_noLocks get { 0.001 } }

  /// The fixed routes, at depth 0.
  @_noLocks init() {
    route(0, .lfo, to: .pitch)
    route(1, .lfo, scale: .touch, to: .pitch)
    route(2, .patchBend, to: .pitch)
    route(3, .lfo, to: .cutoff)
    route(4, .filterEnvelope, to: .cutoff)
    route(5, .key, to: .cutoff)
    route(6, .velocity, to: .cutoff)
    route(7, .lfo, to: .level)
    route(8, .envelope3, to: .pitch)
    route(9, .velocity, to: .ampSpeed)
    route(10, .velocity, to: .filterSpeed)
    route(11, .velocity, to: .speed3)
    route(12, .cardTune, to: .pitch)
    route(13, .cardCutoff, to: .cutoff)
    route(14, .cardSpeed, to: .ampSpeed)
    route(15, .cardSpeed, to: .filterSpeed)
  }

  /// Depths that a patch sets for the fixed routes, in their order.
  @_noLocks
  private static func depths(_ patch: UnsafePointer<Patch>) -> SIMD16<Float> {
    let (lfo, filter, third) = (patch.pointee.lfo, patch.pointee.filter, patch.pointee.envelope3)
    let vintage = patch.pointee.play.vintage
    let (tune, cutoff) = (vintage * VoiceCard.tune, vintage * VoiceCard.cutoff)
    let speed = vintage * VoiceCard.speed
    return SIMD16(
      lfo.pitch / 1200, lfo.wheel / 1200, patch.pointee.play.bend / 12, lfo.cutoff, filter.amount,
      filter.track,
      filter.velocity, 0.5 * lfo.level, third.pitch / 12, patch.pointee.amplifier.envelope.speed,
      filter.envelope.speed, third.envelope.speed, tune, cutoff, speed, speed)
  }

  @_noLocks
  private mutating func route(
    _ index: Int, _ source: ModulationSource, scale: ModulationSource = .constant, to target: ModulationTarget
  ) {
    codes[index] = Self.code(source.index, scale.index, target.index)
  }

  @_noLocks
  private static func code(_ source: Int, _ scale: Int, _ target: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: source | scale &<< 8 | target &<< 16)
  }

  /// The code of a slot; 0 when it has no source or no target.
  @_noLocks
  fileprivate static func code(_ knobs: UnsafeMutablePointer<SlotKnobs>) -> UInt32 {
    let source = ModulationSource.index(knobs.pointee.source)
    let target = ModulationTarget.at(knobs.pointee.target).index
    if source == 0 || target == 0 { return 0 }
    let scale = ModulationSource.index(knobs.pointee.scale)
    return code(source, scale == 0 ? ModulationSource.constant.index : scale, target)
  }

  /// The depth of a slot at an amount of 100 %.
  @_noLocks
  fileprivate static func fullDepth(_ code: UInt32) -> Float {
    let scale = ModulationSource.normalizingFactor(Int(code &>> 8 & 0xff))
    return ModulationTarget.at(Float(code &>> 16)).range
      * ModulationSource.normalizingFactor(Int(code & 0xff)) * scale
  }

  /// Moves the depths of the fixed routes towards their knobs, by a share of the distance.
  @_noLocks
  fileprivate mutating func follow(_ patch: UnsafePointer<Patch>, share: Float) {
    let goal = Self.depths(patch)
    if share == 1 { depths.lowHalf = goal } else { depths.lowHalf += (goal - depths.lowHalf) * share }
  }

  @_noLocks
  fileprivate mutating func use(
    toSources: UInt32, toEffects: UInt32, toVoice: UInt32, moved: ModulationTargets, read: UInt32
  ) {
    (self.toSources, self.toEffects, self.toVoice) = (toSources, toEffects, toVoice)
    (self.moved, self.read) = (moved, read)
  }

  // MARK: - For each tick

  /// Whether any route moves a target.
  @_noLocks @inline(__always)
  func moves(_ target: ModulationTarget) -> Bool { moved & target.bit != 0 }

  /// Whether any route reads a source.
  @_noLocks @inline(__always)
  func reads(_ source: ModulationSource) -> Bool { read &>> UInt32(source.index) & 1 != 0 }

  /// Whether any route reads a macro.
  var readsMacros: Bool {
    @_noLocks @inline(__always) get {
      let macros = (UInt32(1) &<< UInt32(Limits.macros) &- 1) &<< UInt32(ModulationSource.macro1.index)
      return read & macros != 0
    }
  }
}

extension UnsafePointer where Pointee == ModulationRoutes {
  /// Sets to 0 the sums of those `targets` that routes move.
  @_noLocks @inline(__always)
  func clear(_ targets: ModulationTargets, _ sums: UnsafeMutablePointer<Lanes>) {
    var left = pointee.moved & targets
    while left != 0 {
      sums[left.trailingZeroBitCount] = .zero
      left &= left &- 1
    }
  }

  /// Adds the values of some `routes`, one bit each, to the sums of their targets.
  @_noLocks @inline(__always)
  func add(_ routes: UInt32, _ sources: UnsafePointer<Lanes>, to sums: UnsafeMutablePointer<Lanes>) {
    // Depths and codes are addressed by their layout in memory, which a test checks.
    let depths = UnsafeRawPointer(self).assumingMemoryBound(to: Float.self)
    let codes = UnsafeRawPointer(self).advanced(by: MemoryLayout<SIMD32<Float>>.size).assumingMemoryBound(
      to: UInt32.self)
    var left = routes
    while left != 0 {
      let index = left.trailingZeroBitCount
      left &= left &- 1
      let (depth, code) = (depths[index], Int(codes[index]))
      let source = sources[code & 0xff] * depth
      let (scale, target) = (code &>> 8 & 0xff, code &>> 16)
      let sum = sums[target]
      sums[target] =
        scale == ModulationSource.constant.index ? sum + source : multiplyAdd(source, sources[scale], sum)
    }
  }
}

// MARK: - Following the knobs

extension UnsafeMutablePointer where Pointee == ModulationRoutes {
  // Depths and codes are addressed by their layout in memory, which a test checks: an index into a vector would copy
  // it.
  private var depths: UnsafeMutablePointer<Float> {
    @_noLocks get { UnsafeMutableRawPointer(self).assumingMemoryBound(to: Float.self) }
  }
  private var codes: UnsafeMutablePointer<UInt32> {
    @_noLocks get {
      (UnsafeMutableRawPointer(self) + MemoryLayout<SIMD32<Float>>.size).assumingMemoryBound(to: UInt32.self)
    }
  }

  /// Sets all routes from the knobs at once.
  @_noLocks
  func snap(_ patch: UnsafeMutablePointer<Patch>) {
    pointee.follow(patch, share: 1)
    for slot in 0..<Limits.slots {
      let (knobs, index) = (patch.slots + slot, ModulationRoutes.firstSlot &+ slot)
      codes[index] = ModulationRoutes.code(knobs)
      depths[index] = knobs.pointee.amount * ModulationRoutes.fullDepth(codes[index])
    }
    gather()
  }

  /// Follows knobs that move: `now` holds their current values, `patch` their goals. The depth of a slot moves by
  /// `share`; a slot that changes its source, scale or target fades first. True when a slot has just changed, and its
  /// whole ramp lies ahead.
  @_noLocks
  func follow(
    _ now: UnsafeMutablePointer<Patch>, _ patch: UnsafeMutablePointer<Patch>, share: Float
  ) -> Bool {
    pointee.follow(now, share: share)
    var changed = false
    var slot = 0
    while slot < Limits.slots {
      let (knobs, index) = (patch.slots + slot, ModulationRoutes.firstSlot &+ slot)
      let (code, depth) = (ModulationRoutes.code(knobs), depths[index])
      slot &+= 1
      if code == codes[index] {
        if code == 0 { continue }
        let amount = (now.slots + (slot &- 1)).pointee.amount
        depths[index] += (amount * ModulationRoutes.fullDepth(code) - depth) * share
      } else if depth.magnitude > ModulationRoutes.nothing * ModulationRoutes.fullDepth(codes[index]) {
        depths[index] -= depth * share
      } else {
        (codes[index], depths[index]) = (code, 0)
        changed = true
      }
    }
    gather()
    return changed
  }

  /// Collects the routes, targets and sources that are used.
  @_noLocks
  private func gather() {
    var (toSources, toEffects, toVoice) = (UInt32(0), UInt32(0), UInt32(0))
    var (moved, read) = (ModulationTargets(0), UInt32(0))
    for index in 0..<ModulationRoutes.count {
      if depths[index] != 0, codes[index] != 0 {
        let code = codes[index]
        let route = UInt32(1) &<< UInt32(index)
        let target = ModulationTargets(1) &<< ModulationTargets(truncatingIfNeeded: code &>> 16)
        moved |= target
        read |= 1 &<< (code & 0xff) | 1 &<< (code &>> 8 & 0xff)
        if target & ModulationTarget.ofSources != 0 {
          toSources |= route
        } else if target & ModulationTarget.ofEffects != 0 {
          toEffects |= route
        } else {
          toVoice |= route
        }
      }
    }
    pointee.use(toSources: toSources, toEffects: toEffects, toVoice: toVoice, moved: moved, read: read)
  }
}

extension UnsafePointer where Pointee == ModulationRoutes {
  /// The value of a knob that all lanes share, modulated in each lane.
  @_noLocks @inline(__always)
  func moved(_ knob: Float, by target: ModulationTarget, _ sums: UnsafePointer<Lanes>) -> Lanes {
    let knob = Lanes(repeating: knob)
    return pointee.moves(target) ? knob + sums[target.index] : knob
  }

  /// The value of a knob, modulated in each lane and clamped to 0…`most`.
  @_noLocks
  func moved(_ knob: Float, by target: ModulationTarget, _ sums: UnsafePointer<Lanes>, most: Float) -> Lanes {
    smaller(larger(moved(knob, by: target, sums), Lanes.zero), Lanes(repeating: most))
  }
}
