/// Weights of six consecutive samples that interpolate between the middle two, for four frames. They are cubics of the
/// fractional position.
///
/// The cubics add the least noise up to 10.5 kHz at 48 kHz: least squares of the part of the response that changes with
/// the position, while the mean response is free (the idea is in O. Niemitalo, "Polynomial Interpolators for
/// High-Quality Resampling of Oversampled Audio", 2001). Noise at 1, 3, 9 and 10 kHz is -91, -78, -67 and -61 dB of the
/// tone; with the cubic through four samples (E. Catmull and R. Rom, 1974) it is -92, -63, -32 and -29 dB.
struct SixPoints {
  // Weights from the newest sample to the oldest.
  private let a: SIMD4<Float>
  private let b: SIMD4<Float>
  private let c: SIMD4<Float>
  private let d: SIMD4<Float>
  private let e: SIMD4<Float>
  private let f: SIMD4<Float>

  /// Weights for a fractional position of -0.5, at the newer of the middle two samples, to 0.5, at the older one.
  @_noLocks @inline(__always)
  init(_ s: SIMD4<Float>) {
    // Mirrored positions have mirrored weights: the sum and the difference of an even and an odd polynomial.
    let z = s * s
    let outer = line(z, -0.07318655, 0.01749552)
    let outerTilt = line(z, 0.0262574, -0.00328897) * s
    let between = line(z, 0.45999364, -0.11299938)
    let betweenTilt = line(z, -0.29360697, 0.06106354) * s
    let inner = line(z, -0.38681168, 0.59550385)
    let innerTilt = line(z, 0.74986543, -1.16631717) * s
    (a, b, c) = (outer + outerTilt, between + betweenTilt, inner + innerTilt)
    (d, e, f) = (inner - innerTilt, between - betweenTilt, outer - outerTilt)
  }

  /// Interpolates four frames. The first is made of six samples, the oldest at `x`.
  @_noLocks @inline(__always)
  func between(_ x: UnsafePointer<Float>) -> SIMD4<Float> {
    let older = multiplyAdd((x + 2).four, d, multiplyAdd((x + 1).four, e, x.four * f))
    return multiplyAdd((x + 5).four, a, multiplyAdd((x + 4).four, b, multiplyAdd((x + 3).four, c, older)))
  }

  /// Interpolates four frames at the mirrored position, `-s`.
  @_noLocks @inline(__always)
  func mirrored(_ x: UnsafePointer<Float>) -> SIMD4<Float> {
    let older = multiplyAdd((x + 2).four, c, multiplyAdd((x + 1).four, b, x.four * a))
    return multiplyAdd((x + 5).four, f, multiplyAdd((x + 4).four, e, multiplyAdd((x + 3).four, d, older)))
  }
}

@_noLocks @inline(__always)
private func line(_ x: SIMD4<Float>, _ slope: Float, _ base: Float) -> SIMD4<Float> {
  multiplyAdd(x, SIMD4<Float>(repeating: slope), SIMD4<Float>(repeating: base))
}
