import CALSA
import EngineHarness
import Glibc
import Parameters
import Synth
import TestCard
import Testing

@testable import ALSA

/// A card's ways to be driven, each bit for bit as the engine plays without a device.
@Suite struct FormatTests {
  /// One way. Its frames are ALSA's, its samples one of `formats`.
  struct Way: CustomStringConvertible {
    var format = SND_PCM_FORMAT_S32_LE
    var channels = 2
    var rate = 48_000
    var period = 128
    var periods = 2
    var description: String {
      "\(String(cString: snd_pcm_format_name(format))), \(channels) channels, \(rate) Hz, \(periods) x \(period)"
    }
  }

  static let formats = [
    SND_PCM_FORMAT_S16_LE, SND_PCM_FORMAT_S24_3LE, SND_PCM_FORMAT_S24_LE, SND_PCM_FORMAT_S32_LE,
    SND_PCM_FORMAT_FLOAT_LE, SND_PCM_FORMAT_S16_BE, SND_PCM_FORMAT_S24_3BE, SND_PCM_FORMAT_S24_BE,
    SND_PCM_FORMAT_S32_BE, SND_PCM_FORMAT_FLOAT_BE,
  ]

  @Test func everyFormatAndNumberOfChannels() throws {
    for (index, format) in Self.formats.enumerated() {
      for channels in index < 5 ? 1...8 : 2...2 { try play(Way(format: format, channels: channels)) }
    }
  }

  @Test(arguments: [44_100, 48_000, 88_200, 96_000, 176_400, 192_000])
  func everyPeriodAndNumberOfPeriods(rate: Int) throws {
    var index = 0
    for period in [16, 32, 64, 100, 128, 256, 441, 512, 999, 1_024] {
      try play(
        Way(
          format: Self.formats[index % 5], channels: 2, rate: rate, period: period, periods: 2 + index % 3))
      index += 1
    }
  }

  // Every format with every number of channels, rate, period and number of periods: PIPIT_FORMATS=all.
  @Test(.enabled(if: isAsked)) func everyWay() throws {
    var count = 0
    for rate in [44_100, 48_000, 88_200, 96_000, 176_400, 192_000] {
      for period in [16, 32, 64, 128, 256, 512, 1_024] {
        for periods in 2...4 {
          for channels in [1, 2, 4, 6, 8] {
            for format in Self.formats {
              try play(
                Way(format: format, channels: channels, rate: rate, period: period, periods: periods))
              count += 1
            }
          }
        }
      }
    }
    print("formats: \(count) ways, each bit for bit")
  }

  private func play(_ way: Way) throws {
    let frames = max(1_536, 2 * way.period)
    let frame = Int(snd_pcm_format_physical_width(way.format)) / 8 * way.channels
    let card = TestCard(bytes: (frames + 6 * way.period) * frame)
    card.card.pointee.formats = 1 << UInt64(way.format.rawValue)
    (card.card.pointee.channels_min, card.card.pointee.channels_max) = (
      UInt32(way.channels), UInt32(way.channels)
    )
    (card.card.pointee.rate_min, card.card.pointee.rate_max) = (UInt32(way.rate), UInt32(way.rate))

    let played = try PlayedCard(card, rate: way.rate, period: way.period, periods: way.periods)
    Self.press { played.link.midi.push($0) }
    played.run(seconds: Double(frames) / Double(way.rate))

    let latency = (Double(way.periods * way.period * 10_000) / Double(way.rate)).rounded() / 10
    #expect(
      played.playing.hasPrefix(
        "\(card.name), \(way.rate) Hz, \(way.periods) periods of \(way.period) frames, \(latency) ms, "))
    #expect(card.card.pointee.period == way.period && card.card.pointee.buffer == way.periods * way.period)
    #expect(played.link.meters[.xruns] == 0)
    // Silence fills the card up to its last period; then comes what the engine plays.
    let silence = (way.periods - 1) * way.period * frame
    let heard = card.sound
    let sound = Self.reference(way, frames: frames)
    #expect(heard.count >= silence + sound.count)
    #expect(heard.prefix(silence).allSatisfy { $0 == 0 }, "\(way)")
    #expect(heard.dropFirst(silence).starts(with: sound), "\(way)")
  }

  private static func press(_ push: (Event) -> Void) {
    for (frame, note) in [(0, 45), (300, 64)] {
      push(Event(frame: Int64(frame), kind: .noteOn, note: UInt8(note), value: 1))
    }
  }

  /// What such a card is to get: rendered without a device, then converted by the book.
  private static func reference(_ way: Way, frames: Int) -> [UInt8] {
    let player = Player(rate: Double(way.rate))
    press { player.link.midi.push($0) }
    player.play(frames, block: 64)
    var noise = BookNoise()
    var bytes: [UInt8] = []
    for frame in 0..<frames {
      // The output fades in, within 10 ms.
      let rise = way.rate / 100
      let gain = frame + 1 < rise ? Float(frame + 1) / Float(rise) : 1
      let (left, right) = (player.left[frame], player.right[frame])
      let outputs = way.channels == 1 ? [(left + right) * 0.5 * gain] : [left * gain, right * gain]
      for channel in 0..<way.channels {
        bytes += sample(channel < outputs.count ? outputs[channel] : nil, way.format, &noise)
      }
    }
    return bytes
  }

  /// A sample in its bytes; nil is a channel that nothing plays on.
  private static func sample(
    _ sample: Float?, _ format: snd_pcm_format_t, _ noise: inout BookNoise
  ) -> [UInt8] {
    let x = Double(sample ?? 0)
    let (count, scale): (Int, Double)
    switch format {
    case SND_PCM_FORMAT_FLOAT_LE, SND_PCM_FORMAT_FLOAT_BE:
      let bits = (sample ?? 0).bitPattern
      let bytes = (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt32($0))) }
      return format == SND_PCM_FORMAT_FLOAT_LE ? bytes : bytes.reversed()
    case SND_PCM_FORMAT_S32_LE, SND_PCM_FORMAT_S32_BE: (count, scale) = (4, 0x1p31)
    case SND_PCM_FORMAT_S24_LE, SND_PCM_FORMAT_S24_BE: (count, scale) = (4, 0x1p23)
    case SND_PCM_FORMAT_S24_3LE, SND_PCM_FORMAT_S24_3BE: (count, scale) = (3, 0x1p23)
    default: (count, scale) = (2, 0x1p15)
    }
    let dither = count == 2 && sample != nil ? noise.next() : 0
    let number = Int64((x * scale + (x == 0 ? 0 : dither)).rounded(.toNearestOrAwayFromZero))
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * Int64($0))) }
    return snd_pcm_format_little_endian(format) == 1 ? bytes : bytes.reversed()
  }

  /// Knuth's MMIX generator; triangular noise is the difference of its two highest 16-bit numbers.
  private struct BookNoise {
    private var x: UInt64 = 1
    mutating func next() -> Double {
      x = x &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (Double(x >> 48) - Double((x >> 32) & 0xFFFF)) / 65_536
    }
  }

  private static var isAsked: Bool { getenv("PIPIT_FORMATS").map { String(cString: $0) == "all" } ?? false }
}
