/// The settings of the click. They belong to the instrument: the session keeps them, presets do not.
public struct ClickKnobs: Sendable {
  /// 1 when the click plays on each beat of the running transport.
  public var on: Float = 0
  /// Level in decibels.
  public var level: Float = 0
  /// Beats of a bar, 2…12. The first is accented.
  public var beats: Float = 0
  /// Count-in: bars that the click plays before the internal clock starts, 0…4, even if the click is off.
  public var countIn: Float = 0
  /// Outputs: 0 for those that `PartOutputs` names for the click, or the number of a pair from 1.
  public var output: Float = 0
  /// 1 when recordings contain the click.
  public var record: Float = 0

  /// All knobs at zero.
  public init() {}

  /// The beats of a bar, 1 at least.
  public var beatsPerBar: Int { @_noLocks get { Int(max(1, min(beats, 255))) } }
}
