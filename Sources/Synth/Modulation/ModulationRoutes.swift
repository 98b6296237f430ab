/// The ways from sources to targets of one sound, at one control tick: those that every sound has, each with a knob of
/// its own for its depth, and then the slots of the matrix. A route adds its source, times its depth, times a second
/// source.
///
/// One that is not used costs nothing: a bit says for each whether it is.
struct ModulationRoutes {
  /// How deep each route is, in the unit of its target: at the beginning, so that they can be read by their number.
  private var depths = SIMD32<Float>.zero
  /// Each route's source, scale and target, as `code` writes them; 0 for none.
  private var codes = SIMD32<UInt32>.zero
  /// Routes that bring something to a source, one bit each, to an effect's mix, and to anything else.
  private(set) var toSources: UInt32 = 0
  private(set) var toEffects: UInt32 = 0
  private(set) var toVoice: UInt32 = 0
  /// The targets that any route moves.
  private(set) var moved: UInt64 = 0
  /// The sources that any route reads.
  private(set) var read: UInt32 = 0

  /// Routes before the slots.
  fileprivate static var firstSlot: Int { @_noLocks get { 16 } }
  fileprivate static var count: Int { @_noLocks get { firstSlot + Limits.slots } }
  /// The part of its range at which a slot that fades is nothing.
  fileprivate static var nothing: Float { @_noLocks get { 0.001 } }

  /// No route yet.
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
  }

  /// How deep a patch makes the routes that every sound has, in the same order.
  @_noLocks
  private static func depths(_ patch: UnsafePointer<Patch>) -> SIMD16<Float> {
    let (lfo, filter, third) = (patch.pointee.lfo, patch.pointee.filter, patch.pointee.envelope3)
    return SIMD16(
      lfo.pitch / 1200, lfo.wheel / 1200, patch.pointee.play.bend / 12, lfo.cutoff, filter.amount,
      filter.track,
      filter.velocity, 0.5 * lfo.level, third.pitch / 12, patch.pointee.amplifier.envelope.speed,
      filter.envelope.speed, third.envelope.speed, 0, 0, 0, 0)
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

  /// What a slot joins; 0 when that is nothing.
  @_noLocks
  fileprivate static func code(_ knobs: UnsafeMutablePointer<SlotKnobs>) -> UInt32 {
    let source = ModulationSource.index(knobs.pointee.source)
    let target = ModulationTarget.at(knobs.pointee.target).index
    if source == 0 || target == 0 { return 0 }
    let scale = ModulationSource.index(knobs.pointee.scale)
    return code(source, scale == 0 ? ModulationSource.constant.index : scale, target)
  }

  /// The depth of a slot at 100 %.
  @_noLocks
  fileprivate static func unit(_ code: UInt32) -> Float {
    let scale = ModulationSource.unit(Int(code &>> 8 & 0xff))
    return ModulationTarget.at(Float(code &>> 16)).range * ModulationSource.unit(Int(code & 0xff)) * scale
  }

  /// Follows the knobs of the routes that every sound has, a share of the way that is left.
  @_noLocks
  fileprivate mutating func follow(_ patch: UnsafePointer<Patch>, share: Float) {
    let goal = Self.depths(patch)
    if share == 1 { depths.lowHalf = goal } else { depths.lowHalf += (goal - depths.lowHalf) * share }
  }

  @_noLocks
  fileprivate mutating func use(
    toSources: UInt32, toEffects: UInt32, toVoice: UInt32, moved: UInt64, read: UInt32
  ) {
    (self.toSources, self.toEffects, self.toVoice) = (toSources, toEffects, toVoice)
    (self.moved, self.read) = (moved, read)
  }

  // MARK: - For each tick

  /// Whether anything moves a target.
  @_noLocks @inline(__always)
  func moves(_ target: ModulationTarget) -> Bool { moved & target.bit != 0 }

  /// Whether anything reads a source.
  @_noLocks @inline(__always)
  func reads(_ source: ModulationSource) -> Bool { read &>> UInt32(source.index) & 1 != 0 }
}

extension UnsafePointer where Pointee == ModulationRoutes {
  /// Empties the sums of what is moved, of those `targets`.
  @_noLocks @inline(__always)
  func clear(_ targets: UInt64, _ sums: UnsafeMutablePointer<Lanes>) {
    var left = pointee.moved & targets
    while left != 0 {
      sums[left.trailingZeroBitCount] = .zero
      left &= left &- 1
    }
  }

  /// Adds what some `routes`, one bit each, bring to their targets.
  @_noLocks @inline(__always)
  func add(_ routes: UInt32, _ sources: UnsafePointer<Lanes>, to sums: UnsafeMutablePointer<Lanes>) {
    // Depths and codes as they lie in memory; a test holds them to it.
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
  // Depths and codes as they lie in memory; a test holds them to it. By their number in a vector they would be copied.
  private var depths: UnsafeMutablePointer<Float> {
    @_noLocks get { UnsafeMutableRawPointer(self).assumingMemoryBound(to: Float.self) }
  }
  private var codes: UnsafeMutablePointer<UInt32> {
    @_noLocks get {
      (UnsafeMutableRawPointer(self) + MemoryLayout<SIMD32<Float>>.size).assumingMemoryBound(to: UInt32.self)
    }
  }

  /// Follows the knobs at once.
  @_noLocks
  func arrive(_ patch: UnsafeMutablePointer<Patch>) {
    pointee.follow(patch, share: 1)
    var slot = 0
    while slot < Limits.slots {
      let (knobs, index) = (patch.slots + slot, ModulationRoutes.firstSlot &+ slot)
      codes[index] = ModulationRoutes.code(knobs)
      depths[index] = knobs.pointee.amount * ModulationRoutes.unit(codes[index])
      slot &+= 1
    }
    gather()
  }

  /// Follows knobs that move: `now` holds where they are, `patch` where they go. A slot goes a `share` of its way, and
  /// one that is to join others fades first. True when one has, and has all of its way before it.
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
        depths[index] += (amount * ModulationRoutes.unit(code) - depth) * share
      } else if depth.magnitude > ModulationRoutes.nothing * ModulationRoutes.unit(codes[index]) {
        depths[index] -= depth * share
      } else {
        (codes[index], depths[index]) = (code, 0)
        changed = true
      }
    }
    gather()
    return changed
  }

  /// Finds out what is used.
  @_noLocks
  private func gather() {
    var (toSources, toEffects, toVoice) = (UInt32(0), UInt32(0), UInt32(0))
    var (moved, read) = (UInt64(0), UInt32(0))
    var index = 0
    while index < ModulationRoutes.count {
      if depths[index] != 0, codes[index] != 0 {
        let code = codes[index]
        let (route, target) = (UInt32(1) &<< UInt32(index), UInt64(1) &<< UInt64(code &>> 16))
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
      index &+= 1
    }
    pointee.use(toSources: toSources, toEffects: toEffects, toVoice: toVoice, moved: moved, read: read)
  }
}
