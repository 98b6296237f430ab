@_exported import EngineHarness

extension Player {
  func lift(_ note: Int, at frame: Int = 0, source: Int = 0) { release(note, at: frame, source: source) }
}
