import Synth

/// The groups of feedback entries that a client receives as a whole, in the order of their entries: the shared ones,
/// then the sound of each part, then the details of each part.
struct EntryGroups {
  /// The number of shared entries.
  let shared: Int
  /// The number of entries of a part's sound, without its details.
  let sound: Int
  /// The number of entries of a part's details.
  let details: Int

  /// The number of groups.
  static let count = 1 + 2 * Limits.parts
  /// The groups of a part.
  static func sound(of part: Int) -> Int { 1 + part }
  static func details(of part: Int) -> Int { 1 + Limits.parts + part }

  /// The number of all entries.
  var entryCount: Int { shared + Limits.parts * (sound + details) }

  /// The number of entries of a group.
  func size(of group: Int) -> Int { group == 0 ? shared : group <= Limits.parts ? sound : details }

  /// The entries of a group.
  func entries(of group: Int) -> Range<Int> {
    let (sounds, after) = (min(max(group - 1, 0), Limits.parts), max(group - 1 - Limits.parts, 0))
    let start = (group == 0 ? 0 : shared) + sounds * sound + after * details
    return start..<start + size(of: group)
  }

  /// The group of an entry, and its offset in the group.
  func location(of entry: Int) -> (group: Int, offset: Int) {
    if entry < shared { return (0, entry) }
    let inSounds = entry - shared
    if inSounds < Limits.parts * sound { return (1 + inSounds / sound, inSounds % sound) }
    let inDetails = inSounds - Limits.parts * sound
    return (1 + Limits.parts + inDetails / details, inDetails % details)
  }
}
