import CALSA
import Glibc
import Parameters
import Scenes
import TestCard
import Testing
@testable import ALSA

/// A card's ways to be driven, each bit for bit as the engine plays without a device.
@Suite("Formats of sound cards") struct FormatTests {
  @Test("Every sample format and number of channels plays bit for bit as the engine renders")
  func everyFormat() throws {
    for (index, format) in PCMSetup.formats.enumerated() {
      for channels in index < 5 ? 1...8 : 2...2 { try play(PCMSetup(format: format, channels: channels)) }
    }
  }

  @Test(
    "Every rate, period and number of periods plays bit for bit as the engine renders",
    arguments: [44_100, 48_000, 88_200, 96_000, 176_400, 192_000])
  func everyPeriod(rate: Int) throws {
    var index = 0
    for period in [16, 32, 64, 100, 128, 256, 441, 512, 999, 1_024] {
      try play(
        PCMSetup(
          format: PCMSetup.formats[index % 5], channels: 2, rate: rate, period: period, periods: 2 + index % 3
        ))
      index += 1
    }
  }

  // Every format with every number of channels, rate, period and number of periods: PIPIT_FORMATS=all.
  @Test("Every combination of format, channels, rate and periods plays bit for bit", .enabled(if: isAsked))
  func everyWay() throws {
    var count = 0
    for rate in [44_100, 48_000, 88_200, 96_000, 176_400, 192_000] {
      for period in [16, 32, 64, 128, 256, 512, 1_024] {
        for periods in 2...4 {
          for channels in [1, 2, 4, 6, 8] {
            for format in PCMSetup.formats {
              try play(
                PCMSetup(format: format, channels: channels, rate: rate, period: period, periods: periods))
              count += 1
            }
          }
        }
      }
    }
    print("formats: \(count) ways, each bit for bit")
  }

  @Test(
    "Parts with outputs of their own play bit for bit on those channels of the card",
    arguments: ["1-2,3-4", "3-4", "5-6,3-4", "1-2,7-8"])
  func partOutputs(_ text: String) throws {
    let outputs = try #require(PartOutputs(text))
    for format in [SND_PCM_FORMAT_S16_LE, SND_PCM_FORMAT_S24_3LE, SND_PCM_FORMAT_FLOAT_LE] {
      for channels in 2 * outputs.count...9 {
        var way = PCMSetup(format: format, channels: channels, period: channels % 2 == 0 ? 128 : 100)
        way.outputs = outputs
        #expect(try play(way).hasSuffix(", \(channels) channels, outputs \(text)"))
      }
    }
  }

  @Test("All parts play on outputs 1-2 if the card has too few channels for the chosen outputs")
  func tooFewChannels() throws {
    for channels in 1...5 {
      var way = PCMSetup(format: SND_PCM_FORMAT_S16_LE, channels: channels)
      way.outputs = try #require(PartOutputs("1-2,5-6"))
      let count = channels == 1 ? "1 channel" : "\(channels) channels"
      #expect(
        try play(way).hasSuffix(
          ", S16, \(count), all parts on 1-2 (outputs 1-2,5-6 take 6 channels of the card itself)"))
    }
  }

  @Test(
    "A card is opened with no more channels than the outputs of the parts need",
    arguments: [("1-2", 2), ("1-2,3-4", 4), ("5-6", 6), ("7-8", 8)])
  func fewestChannels(_ text: String, _ channels: UInt32) throws {
    let card = TestCard(bytes: 100_000)
    (card.card.pointee.channels_min, card.card.pointee.channels_max) = (2, 16)
    let played = try PlayedCard(card, outputs: try #require(PartOutputs(text)))
    #expect(card.card.pointee.channels == channels)
    #expect(played.playing.hasSuffix(channels == 2 ? "2 channels" : "\(channels) channels, outputs \(text)"))
  }

  @discardableResult
  private func play(_ way: PCMSetup) throws -> String {
    let frames = max(1_536, 2 * way.period)
    let frame = Int(snd_pcm_format_physical_width(way.format)) / 8 * way.channels
    let card = TestCard(bytes: (frames + 6 * way.period) * frame)
    card.card.pointee.formats = 1 << UInt64(way.format.rawValue)
    (card.card.pointee.channels_min, card.card.pointee.channels_max) = (
      UInt32(way.channels), UInt32(way.channels)
    )
    (card.card.pointee.rate_min, card.card.pointee.rate_max) = (UInt32(way.rate), UInt32(way.rate))

    let played = try PlayedCard(
      card, scene: PCMSetup.scene, rate: way.rate, period: way.period, periods: way.periods,
      outputs: way.outputs)
    PCMSetup.press { played.link.midi.push($0) }
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
    let sound = way.reference(frames: frames)
    #expect(heard.count >= silence + sound.count)
    #expect(heard.prefix(silence).allSatisfy { $0 == 0 }, "\(way)")
    #expect(heard.dropFirst(silence).starts(with: sound), "\(way)")
    return played.playing
  }

  private static var isAsked: Bool { getenv("PIPIT_FORMATS").map { String(cString: $0) == "all" } ?? false }
}
