import Testing

@testable import ALSA

/// How `pipit latency` hears.
@Suite("Capture streams") struct CaptureStreamTests {
  // ALSA's "null" always has a whole buffer.
  @Test(
    "One read returns all captured frames, here a whole buffer of 200 ms",
    arguments: [44_100, 96_000, 192_000])
  func wholeBuffer(rate: Int) throws {
    let capture = try CaptureStream("null", rate: rate)
    for _ in 0..<3 { #expect(try capture.read().samples.count == rate / 5) }
  }
}
