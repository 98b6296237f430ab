import Parameters
import Scenes

/// An effect of the rack, as the table has it. Tests go through `all`, so that a new effect is tested without being
/// listed.
public struct RackEffect: CustomStringConvertible, Sendable {
  /// The first word of its addresses, as `drive`.
  public let name: String
  /// Its index in `EffectKnobs`.
  public let index: Int

  public var description: String { name }
  /// Its mix as a target of the matrix.
  public var target: ModulationTarget { .mix(of: index) }
  public var on: String { "/\(name)/on" }
  public var mix: String { "/\(name)/mix" }
  /// What makes it heard; it is on.
  public var knobs: [(String, Float)] { [(on, 1)] + (Self.heard[name] ?? []) }

  /// What makes it heard, with its mix.
  public func mixed(_ mix: Float) -> [(String, Float)] { knobs + [(self.mix, mix)] }

  /// All effects, in the order of their indices: what has a mix, and a switch that is an effect's.
  public static let all: [RackEffect] = Table.rows.compactMap { row in
    let words = row.address.split(separator: "/")
    guard words.count == 2, words[1] == "on" else { return nil }
    let name = String(words[0])
    guard Table.rows.contains(where: { $0.address == "/\(name)/mix" }) else { return nil }
    let bits = Scene.with([("/\(name)/on", 1), ("/\(name)/mix", 1)])[0].patch.effects.on
    return bits == 0 ? nil : RackEffect(name: name, index: bits.trailingZeroBitCount)
  }.sorted { $0.index < $1.index }

  // Knobs without which one would hardly notice that it is on.
  private static let heard: [String: [(String, Float)]] = [
    "drive": [("/drive/gain", 24)],
    "eq": [("/eq/2/gain", 12)],
    "delay": [("/delay/time", 0.02), ("/delay/feedback", 0.5)],
    "reverb": [("/reverb/decay", 1)],
    "phaser": [("/phaser/rate", 1)],
    "compressor": [("/compressor/threshold", -40), ("/compressor/ratio", 10)],
    "rotary": [("/rotary/speed", 2)],
    "flanger": [("/flanger/rate", 1)],
  ]
}
