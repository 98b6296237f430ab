import CALSA
import EngineHarness
import Parameters
import Scenes

/// A configuration of a card, and the samples that the card must then receive.
public struct PCMSetup: CustomStringConvertible {
  /// The sample format, one of `formats`.
  public var format: snd_pcm_format_t
  /// The number of channels, 1…8.
  public var channels: Int
  /// The sample rate in Hz.
  public var rate: Int
  /// The frames in a period.
  public var period: Int
  /// The number of periods in the card's buffer.
  public var periods: Int
  /// The outputs of the parts.
  public var outputs = PartOutputs()

  public init(
    format: snd_pcm_format_t = SND_PCM_FORMAT_S32_LE, channels: Int = 2, rate: Int = 48_000,
    period: Int = 128,
    periods: Int = 2
  ) {
    (self.format, self.channels, self.rate, self.period, self.periods) = (
      format, channels, rate, period, periods
    )
  }

  public var description: String {
    "\(String(cString: snd_pcm_format_name(format))), \(channels) channels, \(rate) Hz, \(periods) x \(period)"
  }

  /// The bytes of a frame.
  public var frameBytes: Int { Int(snd_pcm_format_physical_width(format)) / 8 * channels }

  /// pipit's description of the card after its name, if the card has accepted the requested values.
  public var latencyDescription: String {
    let latency = (Double(periods * period * 10_000) / Double(rate)).rounded() / 10
    return "\(rate) Hz, \(periods) periods of \(period) frames, \(latency) ms, "
  }

  /// All formats that pipit can write; the first five have this machine's byte order.
  public static let formats = [
    SND_PCM_FORMAT_S16_LE, SND_PCM_FORMAT_S24_3LE, SND_PCM_FORMAT_S24_LE, SND_PCM_FORMAT_S32_LE,
    SND_PCM_FORMAT_FLOAT_LE, SND_PCM_FORMAT_S16_BE, SND_PCM_FORMAT_S24_3BE, SND_PCM_FORMAT_S24_BE,
    SND_PCM_FORMAT_S32_BE, SND_PCM_FORMAT_FLOAT_BE,
  ]

  /// The sounds of the test. Left and right differ.
  public static let scene: Scene = {
    var scene = Scene.initial
    (scene[0].strip.pan, scene[1].strip.pan) = (-0.5, 0.75)
    return scene
  }()

  /// Presses the keys that `reference` plays.
  public static func press(_ push: (Event) -> Void) {
    for (frame, note) in [(0, 45), (300, 64)] {
      push(Event(frame: Int64(frame), kind: .noteOn, note: UInt8(note), value: 1))
    }
    push(Event(frame: 150, kind: .noteOn, target: Event.part(1), note: 57, value: 1))
  }

  /// The bytes that the card must receive in this configuration, from the first rendered frame: rendered without a
  /// device, then converted by an independent implementation.
  public func reference(frames: Int) -> [UInt8] {
    let player = OutputsPlayer(
      Self.scene, rate: Double(rate), outputs: outputs, pairs: channels < 2 * outputs.count ? 1 : nil)
    Self.press { player.link.midi.push($0) }
    player.play(frames, block: 64)
    let dither = dither(frames: frames, pairs: player.further.count + 1)
    var bytes: [UInt8] = []
    for frame in 0..<frames {
      // The output fades in within 10 ms.
      let rise = rate / 100
      let gain = frame + 1 < rise ? Float(frame + 1) / Float(rise) : 1
      let (left, right) = (player.left[frame], player.right[frame])
      var outputs = channels == 1 ? [(left + right) * 0.5 * gain] : [left * gain, right * gain]
      for pair in player.further { outputs += [pair.left[frame] * gain, pair.right[frame] * gain] }
      for channel in 0..<channels {
        let isAudible = channel < outputs.count
        bytes += Self.sample(
          isAudible ? outputs[channel] : 0, format, dither: isAudible ? dither[frame][channel] : 0)
      }
    }
    return bytes
  }

  /// The dither of each frame and channel: for each period, one pair of channels after the other.
  private func dither(frames: Int, pairs: Int) -> [[Double]] {
    var noise = BookNoise()
    var dither = [[Double]](repeating: [], count: frames)
    for begin in stride(from: 0, to: frames, by: period) {
      for _ in 0..<pairs {
        for frame in begin..<begin + period {
          let pair = (0..<min(2, channels)).map { _ in noise.next() }
          if frame < frames { dither[frame] += pair }
        }
      }
    }
    return dither
  }

  /// Converts a sample to bytes.
  private static func sample(_ sample: Float, _ format: snd_pcm_format_t, dither: Double) -> [UInt8] {
    let x = Double(sample)
    let (count, scale): (Int, Double)
    switch format {
    case SND_PCM_FORMAT_FLOAT_LE, SND_PCM_FORMAT_FLOAT_BE:
      let bits = sample.bitPattern
      let bytes = (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt32($0))) }
      return format == SND_PCM_FORMAT_FLOAT_LE ? bytes : bytes.reversed()
    case SND_PCM_FORMAT_S32_LE, SND_PCM_FORMAT_S32_BE: (count, scale) = (4, 0x1p31)
    case SND_PCM_FORMAT_S24_LE, SND_PCM_FORMAT_S24_BE: (count, scale) = (4, 0x1p23)
    case SND_PCM_FORMAT_S24_3LE, SND_PCM_FORMAT_S24_3BE: (count, scale) = (3, 0x1p23)
    default: (count, scale) = (2, 0x1p15)
    }
    let noise = count == 2 && x != 0 ? dither : 0
    let number = Int64((x * scale + noise).rounded(.toNearestOrAwayFromZero))
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * Int64($0))) }
    return snd_pcm_format_little_endian(format) == 1 ? bytes : bytes.reversed()
  }
}

/// Knuth's MMIX generator; the triangular noise is the difference of its two highest 16-bit numbers.
private struct BookNoise {
  private var x: UInt64 = 1
  mutating func next() -> Double {
    x = x &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (Double(x >> 48) - Double((x >> 32) & 0xFFFF)) / 65_536
  }
}
