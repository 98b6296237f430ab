import Control
import ControlHarness
import MIDI
import Scenes
import Testing
@testable import Surface

@Suite("A number is a number, whatever its type") struct NumberTests {
  private let shell = Peer(host: 0x7F00_0001, port: 50_000)
  private let asked = RequestLog<DeviceRequest>()

  private func harness() throws -> SurfaceHarness {
    let harness = SurfaceHarness()
    harness.control.devices.table = try .keys(as: 0, bound: "cc 21 any pickup 0 1 7 /filter/cutoff")
    harness.control.devices.handler = asked
    return harness
  }

  private func say(_ harness: SurfaceHarness, _ address: String, _ arguments: OSCArgument...) -> String {
    harness.transport.answers = []
    harness.surface.receive(address, arguments, from: shell, over: harness.transport, now: 0)
    if case .string(let text)? = harness.transport.answers.first?.value { return text }
    return ""
  }

  @Test("where a device, a binding or a value is named by it")
  func questions() throws {
    let harness = try harness()
    let set = say(harness, "/bindings/set", .number(1), .string("low"), .number(Double(Float(0.2))))
    #expect(set == "cc 21: low 0.2")
    var lows: [Float] = []
    if case .set(1, let settings)? = asked.requests.last { lows = settings.bindings.map(\.low) }
    #expect(lows == [0.2])
    #expect(
      say(harness, "/bindings/set", .string("1"), .string("channel"), .number(3))
        == "cc 21 on channel 3: channel 3")
    #expect(say(harness, "/bindings/remove", .number(1)) == "cc 21 moves /filter/cutoff no more")
    #expect(
      say(harness, "/bindings/add", .number(1), .string("cc 22 any jump 0 1 7 /amp/decay")).hasPrefix(
        "cc 22 of Keys"))
    #expect(say(harness, "/device/deny", .number(1)) == "Keys: play off")
    #expect(say(harness, "/device/allow", .number(1)) == "Keys: play on")
    #expect(say(harness, "/device/set", .number(1), .string("parts"), .number(3)) == "Keys: parts 3")
    // As T and F come in.
    #expect(say(harness, "/device/set", .number(1), .string("clock"), .number(1)) == "Keys: clock on")
    #expect(say(harness, "/device/set", .number(1), .string("play"), .number(0)) == "Keys: play off")
    #expect(say(harness, "/device/forget", .number(1)).contains("Keys is plugged in"))
    #expect(say(harness, "/bindings/remove", .number(1.5)).contains("finds no binding \"1.5\""))
    #expect(say(harness, "/bindings/remove", .number(1e300)).contains("finds no binding \"1e+300\""))
    #expect(say(harness, "/bindings/remove", .number(.nan)).contains("NaN"))
    #expect(say(harness, "/bindings/remove", .other("b")).contains("type 'b'"))
  }

  @Test("where it comes as a word, as a shell sends it")
  func words() throws {
    let harness = SurfaceHarness()
    #expect(say(harness, "/filter/resonance", .string("0.25")).isEmpty)
    #expect(harness.control.stage.scene[0].patch.filter.resonance == 0.25)
    #expect(say(harness, "/focus", .string("3")).isEmpty && harness.control.focus == 2)
    #expect(say(harness, "/hold", .string("30")).isEmpty)
    #expect(say(harness, "/part/1/note", .string("60"), .string("0.5")).isEmpty)
    #expect(say(harness, "/focus", .string("three")).contains("takes a part"))
    #expect(say(harness, "/filter/resonance", .string("nan")).contains("takes a number"))
    // A release is one, too.
    #expect(say(harness, "/preset/copy", .string("0")).isEmpty && !harness.control.page.isCopyArmed)
  }
}
