/// Counts of stolen voices and refused notes since the start.
struct VoiceCounts {
  /// Voices stolen.
  var stolen: UInt64 = 0
  /// Notes refused because no group was free.
  var refused: UInt64 = 0

  /// None.
  @_noLocks init() {}

  /// Adds what has been counted since `before`.
  @_noLocks
  mutating func add(_ now: VoiceCounts, since before: VoiceCounts) {
    stolen &+= now.stolen &- before.stolen
    refused &+= now.refused &- before.refused
  }
}
