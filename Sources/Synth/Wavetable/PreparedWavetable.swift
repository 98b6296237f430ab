import CRealtime
import Scenes

/// Returns the frames of a wavetable that is not a factory table, by its number from 0 on; nil if it is not
/// available. Any thread.
public typealias WavetableSource = @Sendable (Int) -> WaveSpectrum?

/// A wavetable ready to be read: its frames in all levels, with one gain for all frames, so that the largest peak is 1. One
/// copy serves all parts. Made on any thread, as its memory does not change later; the audio thread only reads it, and
/// counts the sounds that use it.
public final class PreparedWavetable: @unchecked Sendable {
  private let header: UnsafeMutablePointer<Wavetable>
  private let levels: UnsafeMutablePointer<WavetableLevel>
  private let memory: UnsafeMutablePointer<Float>

  /// The address as a scene holds it.
  var address: UInt { UInt(bitPattern: header) }

  /// True while a sound uses it.
  var isUsed: Bool {
    rt_load_ordered(UnsafeMutableRawPointer(header).assumingMemoryBound(to: UInt64.self)) != 0
  }

  /// Makes the table with a number; the first factory table in place of one that is not available. Takes ten
  /// milliseconds and more.
  convenience init(_ number: Int, _ source: WavetableSource) {
    let further = number - FactoryWavetable.allCases.count
    let factory = FactoryWavetable.at(further < 0 ? number : 0)
    self.init((further < 0 ? nil : source(further)) ?? factory.spectrum())
  }

  /// Makes all levels of a spectrum.
  init(_ spectrum: WaveSpectrum) {
    let strides = (0..<WavetableLevels.count).map(WavetableLevels.stride)
    let count = strides.reduce(0, +) * spectrum.frames
    memory = .allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
    levels = .allocate(capacity: WavetableLevels.count)
    header = .allocate(capacity: 1)
    var pointer = memory
    for (level, stride) in strides.enumerated() {
      (levels + level).initialize(
        to: WavetableLevel(
          samples: UnsafePointer(pointer), stride: stride, bits: UInt32(WavetableLevels.bits(level)),
          top: WavetableLevels.top(level)))
      pointer += stride * spectrum.frames
    }
    header.initialize(to: Wavetable(frames: spectrum.frames, levels: UnsafePointer(levels)))
    fill(spectrum, count)
  }

  deinit {
    header.deallocate()
    levels.deallocate()
    memory.deallocate()
  }

  private func fill(_ spectrum: WaveSpectrum, _ count: Int) {
    var peak: Float = 0
    var transform = FourierTransform(bits: WavetableLevels.bits(0))
    for level in 0..<WavetableLevels.count {
      let bits = WavetableLevels.bits(level)
      if transform.count != 1 << bits { transform = FourierTransform(bits: bits) }
      for frame in stride(from: 0, to: spectrum.frames, by: 2) {
        let (one, two) = spectrum.samples(frame, level: level, transform)
        peak = max(peak, write(one, frame, level))
        if frame + 1 < spectrum.frames { peak = max(peak, write(two, frame + 1, level)) }
      }
    }
    if peak == 0 { return }
    for index in 0..<count { memory[index] /= peak }
  }

  /// Writes a frame with the guard samples around it. Returns its peak.
  private func write(_ samples: [Float], _ frame: Int, _ level: Int) -> Float {
    let pointer = UnsafeMutablePointer(mutating: levels[level].samples) + frame * levels[level].stride
    let mask = samples.count - 1
    var peak: Float = 0
    for index in 0..<samples.count + 4 { pointer[index] = samples[(index - 1) & mask] }
    for sample in samples { peak = max(peak, sample.magnitude) }
    return peak
  }
}
