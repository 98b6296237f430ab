import Testing
@testable import Scenes
@testable import Synth

/// What a lane is made of.
@Suite("Lane state") struct LaneVectorTests {
  /// A voice moves to another lane by a copy of one element of each vector, so nothing else may lie between them.
  @Test("The state of the lanes consists only of vectors of eight 32-bit elements") func vectorsOnly() {
    for state in [LaneState(), LaneExtras(), OscillatorLanes(), TableLanes()] as [Any] {
      #expect(Self.others(in: state, at: "\(type(of: state))") == [])
    }
  }

  /// The paths of all stored values that are no vectors of eight 32-bit elements.
  private static func others(in value: Any, at path: String) -> [String] {
    if value is Lanes || value is LaneWords || value is Phases { return [] }
    let children = Mirror(reflecting: value).children
    if children.isEmpty { return ["\(path): \(type(of: value))"] }
    return children.flatMap { others(in: $0.value, at: "\(path).\($0.label ?? "")") }
  }
}
