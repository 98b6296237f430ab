import MIDI
import Testing

@Suite("A value") struct MIDIValueTests {
  @Test("has its ends and its centre exactly, in every resolution", arguments: [7, 14, 16, 32] as [UInt32])
  func ends(bits: UInt32) {
    let (centre, most) = (UInt32(1) << (bits - 1), UInt32.max >> (32 - bits))
    let (low, middle, high) = (
      MIDIValue(0, bits: bits), MIDIValue(centre, bits: bits), MIDIValue(most, bits: bits)
    )
    #expect(low.unit == 0 && low.bipolar == -1 && low.raw == 0)
    #expect(middle.unit == 0.5 && middle.bipolar == 0 && middle.raw == 1 << 31)
    #expect(high.unit == 1 && high.bipolar == 1 && high.raw == .max)
  }

  @Test(
    "rises with its number, from end to end, and is given back whole", arguments: [7, 14, 16] as [UInt32])
  func rises(bits: UInt32) {
    let most = UInt32.max >> (32 - bits)
    var (unit, bipolar) = (Float(-1), Float(-2))
    var isRising = true
    for number in 0...most {
      let value = MIDIValue(number, bits: bits)
      isRising =
        isRising && value.unit > unit && value.bipolar > bipolar && value.raw >> (32 - bits) == number
      (unit, bipolar) = (value.unit, value.bipolar)
      // Straight lines on both sides of the centre.
      let centre = (most + 1) / 2
      let line =
        number < centre
        ? Double(number) / Double(centre) - 1 : Double(number - centre) / Double(most - centre)
      isRising = isRising && abs(Double(value.bipolar) - line) < 1e-6
    }
    #expect(isRising)
  }

  @Test("is scaled up as MIDI 2.0 does it")
  func vectors() {
    let vectors: [(number: UInt32, bits: UInt32, raw: UInt32)] = [
      (1, 7, 0x0200_0000), (63, 7, 0x7E00_0000), (65, 7, 0x8208_2082), (96, 7, 0xC104_1041),
      (100, 7, 0xC924_9249), (8193, 14, 0x8004_0020), (12_345, 14, 0xC0E6_0730), (51_492, 16, 0xC924_9249),
    ]
    for vector in vectors { #expect(MIDIValue(vector.number, bits: vector.bits).raw == vector.raw) }
    #expect(MIDIValue(127, bits: 7).sevenBits == 127 && MIDIValue(100, bits: 7).sevenBits == 100)
    // What does not fit is lost.
    #expect(MIDIValue(0xFF80, bits: 7) == MIDIValue(0, bits: 7))
  }
}
