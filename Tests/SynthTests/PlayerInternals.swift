@_exported import EngineHarness

// What the engine's own tests add to the player.
extension Player {
  func lift(_ note: Int, at frame: Int = 0, source: Int = 0) { release(note, at: frame, source: source) }
}
