import Testing

@testable import Control

@Suite("The figures of the last hour") struct HealthHistoryTests {
  private let second: Int64 = 1_000_000_000

  @Test(
    "are one reading every fifteen seconds: the mean load, the late blocks, the most voices, and the temperature"
  )
  func readings() {
    var history = HealthHistory()
    for time in 0...29 {
      // 40 % for fifteen seconds, then 10 %.
      let busy = time <= 15 ? time * 400_000_000 : 6_000_000_000 + (time - 15) * 100_000_000
      history.take(
        busy: UInt64(busy), xruns: UInt64(time / 10), voices: time == 7 ? 99 : time, temperature: 50 + time,
        time: 1_000 + Int64(time) * second)
    }
    #expect(history.readings == [.init(load: 40, voices: 99, late: 1, temperature: 65)])
    history.take(busy: 7_500_000_000, xruns: 2, voices: 3, temperature: nil, time: 1_000 + 30 * second)
    #expect(history.readings.last == .init(load: 10, voices: 29, late: 1, temperature: nil))
  }

  @Test("are those of an hour, the oldest first, in memory that does not grow")
  func ring() {
    var history = HealthHistory()
    for number in 0...1_000 {
      history.take(
        busy: 0, xruns: UInt64(number * number / 2), voices: 0, temperature: number % 100,
        time: Int64(number) * HealthHistory.interval)
      #expect(history.readings.count == min(number, 240))
    }
    let last = (761...1_000).map { Int16($0 % 100) }
    #expect(history.readings.map(\.temperature) == last)
    #expect(MemoryLayout<HealthHistory.Reading>.stride * HealthHistory.mostReadings <= 2_048)
  }

  @Test("survive counters that begin again, and numbers that are too large")
  func odd() {
    var history = HealthHistory()
    history.take(busy: 1_000, xruns: 5, voices: 0, temperature: 20, time: 0)
    history.take(busy: 0, xruns: 0, voices: 1_000, temperature: 99_999, time: 15 * second)
    history.take(busy: .max, xruns: .max, voices: 0, temperature: -40, time: 30 * second)
    #expect(
      history.readings == [
        .init(load: 0, voices: 255, late: 0, temperature: .max),
        .init(load: 255, voices: 255, late: .max, temperature: -40),
      ])
  }
}
