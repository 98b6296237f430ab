import CRealtime

/// A position in a level of a wavetable: two neighbouring frames, blended linearly.
///
/// Between samples it interpolates with the cubic that is optimal for waves sampled four times as densely as needed
/// (O. Niemitalo, "Polynomial Interpolators for High-Quality Resampling of Oversampled Audio", 2001: 4-point, third order).
struct TablePlace {
  /// The frames, each from the sample before its first one.
  let frame: UnsafePointer<Float>
  private let next: UnsafePointer<Float>
  private let blend: Float

  /// The place at `position`, 0…`last`.
  @_noLocks @inline(__always)
  init(_ level: WavetableLevel, _ position: Float, _ last: Float) {
    let index = min(rt_whole_number(position), max(rt_whole_number(last) &- 1, 0))
    blend = position - Float(index)
    frame = level.samples + Int(index) &* level.stride
    next = last > 0 ? frame + level.stride : frame
  }

  /// True if only one frame is heard.
  var isOneFrame: Bool { @_noLocks get { blend == 0 } }

  /// The sample at a phase, of which the whole range of 32 bits is one period of 2 to the power of `bits` samples.
  @_noLocks @inline(__always)
  func sample(_ phase: UInt32, _ bits: UInt32) -> Float {
    let index = Int(phase &>> (32 &- bits))
    let (one, two) = ((frame + index).four, (next + index).four)
    return Self.interpolate(multiplyAdd(two - one, Quad(repeating: blend), one), phase, bits)
  }

  /// The value between the middle two of four samples.
  @_noLocks @inline(__always)
  private static func interpolate(_ four: Quad, _ phase: UInt32, _ bits: UInt32) -> Float {
    // The fraction less a half.
    let z = Quad(repeating: Float(Int32(bitPattern: (phase &<< bits) ^ 0x8000_0000)) * 0x1p-32)
    let c3 = Quad(-0.15578801, 0.4689607, -0.4689607, 0.15578801)
    let c2 = Quad(0.25194475, -0.25194475, -0.25194475, 0.25194475)
    let c1 = Quad(-0.15429463, -0.53743831, 0.53743831, 0.15429463)
    let c0 = Quad(0.0343273, 0.46567255, 0.46567255, 0.0343273)
    let product = four * multiplyAdd(z, multiplyAdd(z, multiplyAdd(z, c3, c2), c1), c0)
    let pair = product.lowHalf + product.highHalf
    return pair[0] + pair[1]
  }

  /// Reads the course of a lane from both frames.
  @_noLocks
  func read(_ bits: UInt32, _ course: TableCourse, _ out: UnsafeMutablePointer<Float>) {
    var (phase, out, i) = (course.phase, out, 0)
    while i < course.frames {
      out.pointee = sample(phase &+ course.offsets[i &* Limits.lanesPerGroup], bits)
      phase &+= course.advance
      out += Limits.lanesPerGroup
      i &+= 1
    }
  }

  /// Reads the course of a lane from the first frame alone.
  @_noLocks
  func readFrame(_ bits: UInt32, _ course: TableCourse, _ out: UnsafeMutablePointer<Float>) {
    var (phase, out, i) = (course.phase, out, 0)
    while i < course.frames {
      let at = phase &+ course.offsets[i &* Limits.lanesPerGroup]
      out.pointee = Self.interpolate((frame + Int(at &>> (32 &- bits))).four, at, bits)
      phase &+= course.advance
      out += Limits.lanesPerGroup
      i &+= 1
    }
  }

  /// Fades from the course of a lane to the samples in `out`, whose gain is `fade` at first.
  @_noLocks
  func fade(
    _ bits: UInt32, _ course: TableCourse, _ fade: Float, _ out: UnsafeMutablePointer<Float>
  ) {
    var (phase, out, gain, i) = (course.phase, out, fade, 0)
    while i < course.frames {
      let sample = sample(phase &+ course.offsets[i &* Limits.lanesPerGroup], bits)
      out.pointee = sample + (out.pointee - sample) * gain
      gain = min(gain + TableLanes.perFrame, 1)
      phase &+= course.advance
      out += Limits.lanesPerGroup
      i &+= 1
    }
  }
}
