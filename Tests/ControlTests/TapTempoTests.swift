import Testing

@testable import Control

@Suite("A tapped tempo") struct TapTempoTests {
  /// Taps at these seconds, and the tempo after the last.
  private func tempo(_ seconds: [Double]) -> Float? {
    var tempo = TapTempo()
    var last: Float?
    for second in seconds { last = tempo.tap(at: 1_000_000_000_000 + Int64(second * 1e9)) }
    return last
  }

  @Test("is the interval of two taps, and the median of more")
  func median() throws {
    #expect(tempo([0]) == nil)
    #expect(abs(try #require(tempo([0, 0.5])) - 120) < 1e-3)
    // One late tap among five.
    #expect(abs(try #require(tempo([0, 0.5, 1, 1.62, 2])) - 120) < 1e-3)
    #expect(abs(try #require(tempo([0, 0.4, 1])) - 120) < 1e-3)
  }

  @Test("follows a new tempo, begins anew after two seconds, and takes no tap twice")
  func anew() throws {
    #expect(abs(try #require(tempo([0, 0.5, 1, 1.5, 2, 2.3, 2.6, 2.9, 3.2])) - 200) < 1e-2)
    #expect(tempo([0, 0.5, 2.6]) == nil)
    #expect(abs(try #require(tempo([0, 0.5, 2.6, 3.6])) - 60) < 1e-3)
    #expect(tempo([0, 0.01]) == nil)
  }
}
