// Moves of the effects' knobs for measurements.

extension KnobMove {
  /// A move of each continuous knob of the effects that neither changes the pitch nor adds inharmonic components.
  public static let effects: [KnobMove] =
    drive + equalizer + delay + reverb + phaser + flanger + compressor + rotary

  /// The other knobs, and the reasons why they are left out.
  public static let effectsWithout: [(reason: String, addresses: [String])] = [
    (
      "moves the pitch",
      [
        "/chorus/rate", "/chorus/depth", "/chorus/mix", "/delay/time", "/reverb/modulation", "/phaser/rate",
        "/phaser/depth", "/phaser/frequency", "/phaser/spread", "/rotary/rate", "/rotary/inertia",
        "/rotary/spread", "/flanger/rate", "/flanger/depth", "/flanger/delay", "/flanger/spread",
      ]
    )
  ]

  private static let drive: [KnobMove] = [
    KnobMove("/drive/gain", 0, 24, driven), KnobMove("/drive/tilt", -6, 6, driven),
    KnobMove("/drive/tone", 1_000, 20_000, driven), KnobMove("/drive/mix", 0, 1, driven),
  ]
  private static let driven: [(String, Float)] = [("/drive/on", 1), ("/amp/level", -12)]

  private static let equalizer: [KnobMove] =
    ["low", "1", "2", "3", "high"].flatMap { band in
      let stem = "/eq/" + band
      let boosted: [(String, Float)] = [("/eq/on", 1), (stem + "/gain", 12)]
      let hertz: (Float, Float) =
        band == "low" ? (200, 1_000) : band == "high" ? (2_000, 8_000) : (2_000, 6_000)
      let moves = [
        KnobMove(stem + "/frequency", hertz.0, hertz.1, boosted), KnobMove(stem + "/gain", -12, 12, boosted),
      ]
      return band.count == 1 ? moves + [KnobMove(stem + "/q", 0.3, 10, boosted)] : moves
    } + [KnobMove("/eq/mix", 0, 1, [("/eq/on", 1), ("/eq/2/gain", 12)])]

  private static let delay: [KnobMove] = [
    KnobMove("/delay/feedback", 0, 0.9, echoes), KnobMove("/delay/highpass", 20, 1_000, echoes),
    KnobMove("/delay/lowpass", 1_000, 20_000, echoes), KnobMove("/delay/saturation", 0, 1, echoes),
    KnobMove("/delay/mix", 0, 1, echoes),
  ]
  private static let echoes: [(String, Float)] = [
    ("/delay/on", 1), ("/delay/time", 0.05), ("/delay/mix", 0.5), ("/amp/level", -12),
  ]

  private static let reverb: [KnobMove] = [
    KnobMove("/reverb/predelay", 0, 0.2, room), KnobMove("/reverb/size", 0, 1, room),
    KnobMove("/reverb/decay", 0.2, 20, room), KnobMove("/reverb/low", 0.2, 2, room),
    KnobMove("/reverb/high", 0.1, 1, room), KnobMove("/reverb/width", 0, 1, room),
    KnobMove("/reverb/mix", 0, 1, room),
  ]
  private static let compressor: [KnobMove] = [
    KnobMove("/compressor/threshold", -40, 0, compressed), KnobMove("/compressor/ratio", 1, 20, compressed),
    KnobMove("/compressor/attack", 0.0005, 0.2, compressed),
    KnobMove("/compressor/release", 0.01, 2, compressed), KnobMove("/compressor/mix", 0, 1, compressed),
  ]
  private static let compressed: [(String, Float)] = [
    ("/compressor/on", 1), ("/compressor/threshold", -30), ("/amp/level", -12),
  ]

  // At rest, because a sweep shifts the pitch.
  private static let phaser: [KnobMove] = [
    KnobMove("/phaser/feedback", -0.95, 0.95, phased), KnobMove("/phaser/mix", 0, 1, phased),
  ]
  private static let phased: [(String, Float)] = [("/phaser/on", 1), ("/phaser/depth", 0)]

  // At rest, too.
  private static let flanger: [KnobMove] = [
    KnobMove("/flanger/feedback", -0.95, 0.95, flanged), KnobMove("/flanger/mix", 0, 1, flanged),
  ]
  private static let flanged: [(String, Float)] = [("/flanger/on", 1), ("/flanger/depth", 0)]

  // At rest, too.
  private static let rotary: [KnobMove] = [
    KnobMove("/rotary/horn", 0, 1, stopped), KnobMove("/rotary/mix", 0, 1, stopped),
  ]
  private static let stopped: [(String, Float)] = [("/rotary/on", 1), ("/rotary/speed", 0)]

  private static let room: [(String, Float)] = [
    ("/reverb/on", 1), ("/reverb/modulation", 0), ("/reverb/decay", 0.5), ("/reverb/mix", 0.5),
    ("/amp/level", -12),
  ]
}
