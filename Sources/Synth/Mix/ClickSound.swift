import CRealtime

/// The samples of the click: a sine in an envelope that begins and ends smoothly, so that a stroke has no corners and
/// nothing in it lies near half the sample rate. The accent is an octave higher.
struct ClickSound {
  /// Length of a stroke in frames.
  let frames: Int
  private let samples: UnsafeMutablePointer<Float>

  /// Frequencies of a beat and of the first beat of a bar, hertz.
  static let hertz = (beat: 880.0, accent: 1_760.0)
  /// Length of a stroke, and of its attack, seconds.
  static let seconds = 0.03
  static let attack = 0.002

  init(rate: Double) {
    frames = Int(ClickSound.seconds * rate)
    samples = .allocate(capacity: 2 * frames)
    samples.initialize(repeating: 0, count: 2 * frames)
    for (index, hertz) in [ClickSound.hertz.beat, ClickSound.hertz.accent].enumerated() {
      for frame in 0..<frames {
        let time = Double(frame) / rate
        let turns = (hertz * time).truncatingRemainder(dividingBy: 1)
        let sine = rt_sin(Float(2 * Double.pi * turns))
        samples[index * frames + frame] = sine * ClickSound.envelope(time)
      }
    }
  }

  func deallocate() { samples.deallocate() }

  /// The samples of a stroke, whose peak is about 1.
  @_noLocks
  subscript(isAccent: Bool) -> UnsafePointer<Float> { UnsafePointer(samples + (isAccent ? frames : 0)) }

  /// Half a period of a raised cosine upwards, then the sixth power of a quarter downwards.
  private static func envelope(_ time: Double) -> Float {
    if time < attack {
      let sine = rt_sin(Float(Double.pi / 2 * time / attack))
      return sine * sine
    }
    let cosine = rt_cos(Float(Double.pi / 2 * (time - attack) / (seconds - attack)))
    let square = cosine * cosine
    return square * square * square
  }
}
