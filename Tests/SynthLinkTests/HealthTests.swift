import CRealtime
import EngineHarness
import Glibc
import Testing
@testable import Scenes
@testable import Synth

@Suite("Health figures") struct HealthTests {
  @Test("A histogram gives the value at any share no more than 6.25 percent too high, and never too low")
  func histogramShares() {
    let histogram = Histogram()
    defer { histogram.deallocate() }
    #expect(histogram.counts.value(share: 0.5) == 0 && histogram.counts.total == 0)
    for value in 1...100_000 { histogram.record(UInt64(value)) }
    let counts = histogram.counts
    #expect(counts.total == 100_000 && counts.worst == 100_000)
    for share in [0.0001, 0.01, 0.5, 0.99, 0.9999] {
      let exact = Double(100_000) * share
      let told = Double(counts.value(share: share))
      #expect(told >= exact && told <= exact * 1.0625, "\(share): \(told)")
    }
    #expect(counts.value(share: 1) == 100_000)
    histogram.record(7)
    #expect(histogram.counts.since(counts).total == 1)
    #expect(histogram.counts.since(counts).value(share: 0.5) == 7)
  }

  @Test("A histogram accepts any 64-bit value") func anyValue() {
    let histogram = Histogram()
    defer { histogram.deallocate() }
    for bit in 0..<64 { histogram.record(1 << UInt64(bit)) }
    histogram.record(0)
    histogram.record(.max)
    #expect(histogram.counts.total == 66 && histogram.worst == .max)
  }

  @Test("A histogram gives values up to 31 exactly and tells the two largest values apart")
  func histogramEnds() {
    for value in 0...31 as ClosedRange<UInt64> {
      let histogram = Histogram()
      defer { histogram.deallocate() }
      histogram.record(value)
      histogram.record(1_000)
      #expect(histogram.counts.value(share: 0.5) == value)
    }
    let histogram = Histogram()
    defer { histogram.deallocate() }
    let larger: UInt64 = 0xff_ffff_ffff
    histogram.record(larger - 0x8_0000_0000)
    histogram.record(larger)
    #expect(histogram.counts.value(share: 0.5) < larger && histogram.counts.value(share: 1) == larger)
  }

  @Test("Denormals are flushed to zero until the previous mode is restored") func flushedDenormals() {
    // In memory, so that the optimiser moves no product past the calls between them.
    let products = UnsafeMutablePointer<Float>.allocate(capacity: 2)
    defer { products.deallocate() }
    products.initialize(repeating: -1, count: 2)
    func product() -> Float { Float(bitPattern: UInt32(getpid() > 0 ? 0x0080_0000 : 0)) * 0.5 }
    let control = rt_flush_denormals()
    products[0] = product()
    rt_restore_denormals(control)
    products[1] = product()
    // By their bits: to a thread that flushes they could look the same.
    #expect(products[0].bitPattern == 0)
    #expect(products[1].bitPattern == 0x0040_0000)
  }

  @Test("Rendering leaves the floating-point mode of its caller unchanged") func callerMode() {
    let before = rt_flush_denormals()
    rt_restore_denormals(before)
    let player = Player()
    player.render(64)
    let after = rt_flush_denormals()
    rt_restore_denormals(after)
    #expect(after | 0x3F == before | 0x3F, "but for the flags of exceptions")
  }
}
