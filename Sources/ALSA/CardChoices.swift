import CALSA
import Synth

/// The rates and periods that a card supports.
struct CardChoices {
  var rates: [Int] = []
  var periods: [Int] = []

  // Common values to offer; a card may support more.
  private static let commonRates: [UInt32] = [44_100, 48_000, 88_200, 96_000, 176_400, 192_000]
  private static let commonPeriods: [UInt] = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096]

  /// Asks the card of a PCM, which may be playing, for its choices at its current rate.
  init(of pcm: PCM) {
    guard let card = pcm.card else { return }
    var memory: OpaquePointer?
    guard snd_pcm_hw_params_malloc(&memory) == 0, let able = memory else { return }
    defer { snd_pcm_hw_params_free(able) }
    guard snd_pcm_hw_params_any(card, able) >= 0 else { return }
    for rate in Self.commonRates {
      let isAble = snd_pcm_hw_params_test_rate(card, able, rate, 0) == 0 && Limits.rates.contains(Int(rate))
      if isAble || Int(rate) == pcm.rate { rates.append(Int(rate)) }
    }
    guard snd_pcm_hw_params_set_rate(card, able, UInt32(pcm.rate), 0) >= 0 else { return }
    for period in Self.commonPeriods {
      let isAble = snd_pcm_hw_params_test_period_size(card, able, period, 0) == 0
      if isAble || Int(period) == pcm.frames { periods.append(Int(period)) }
    }
  }
}
