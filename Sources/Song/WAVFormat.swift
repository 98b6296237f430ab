/// The sample format of a WAV.
public enum WAVFormat: String, CaseIterable, Sendable {
  /// 16-bit integers.
  case s16
  /// 24-bit integers.
  case s24
  /// 32-bit floating point.
  case f32

  /// The size of a sample, bytes.
  public var bytes: Int {
    switch self {
    case .s16: 2
    case .s24: 3
    case .f32: 4
    }
  }

  /// The header of a stereo file of `frames` frames. Floating point needs a `fact` chunk and the size of a format
  /// extension, which is 0. A stream of unknown length, nil, states the largest size.
  func header(rate: Int, frames: Int?) -> [UInt8] {
    let frame = 2 * bytes
    let unknown = Int(UInt32.max)
    let float = self == .f32
    var format = word(float ? 3 : 1, 2) + word(2, 2) + word(rate, 4) + word(rate * frame, 4)
    format += word(frame, 2) + word(8 * bytes, 2) + (float ? word(0, 2) : [])
    var chunks = name("WAVE") + name("fmt ") + word(format.count, 4) + format
    if float { chunks += name("fact") + word(4, 4) + word(frames ?? unknown, 4) }
    chunks += name("data") + word(frames.map { $0 * frame } ?? unknown, 4)
    return name("RIFF") + word(frames.map { chunks.count + $0 * frame } ?? unknown, 4) + chunks
  }

  /// Appends a sample to `bytes`. A sample beyond full scale is clipped, and NaN becomes 0.
  @inline(__always)
  func append(_ sample: Float, to bytes: inout [UInt8]) {
    switch self {
    case .f32: low(Int(sample.bitPattern), 4, into: &bytes)
    case .s24: low(whole(sample, 8_388_608), 3, into: &bytes)
    case .s16: low(whole(sample, 32_768), 2, into: &bytes)
    }
  }
}

/// Appends the lowest `count` bytes of a number, the lowest first.
@inline(__always)
private func low(_ number: Int, _ count: Int, into bytes: inout [UInt8]) {
  var rest = number
  for _ in 0..<count {
    bytes.append(UInt8(truncatingIfNeeded: rest))
    rest >>= 8
  }
}

/// The nearest integer to `sample` times `scale`, at most `scale` - 1.
@inline(__always)
private func whole(_ sample: Float, _ scale: Double) -> Int {
  if sample.isNaN { return 0 }
  // Double holds 24 bits and a half exactly, and this rounding needs no call of the C library.
  let number = max(-scale, min(Double(sample) * scale, scale - 1))
  return Int(clamping: number + (number < 0 ? -0.5 : 0.5))
}

private func name(_ text: String) -> [UInt8] { Array(text.utf8) }

private func word(_ value: Int, _ count: Int) -> [UInt8] {
  var bytes: [UInt8] = []
  low(value, count, into: &bytes)
  return bytes
}
