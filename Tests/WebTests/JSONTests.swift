import Scratch
import Testing

@testable import Web

/// JSON in and out.
struct JSONTests {
  private func fields(_ text: String) -> [String: JSONReader.Value]? {
    Array(text.utf8).withUnsafeBytes { JSONReader.fields($0) }
  }

  @Test("Objects are read with every kind of value, escapes and spaces")
  func reads() {
    #expect(fields("{}") == [:])
    let read = fields(
      #" { "COMMAND" : "LISTEN" , "DATA":"/a\u00e9\ud83d\ude00\"\\\/\n" , "x":true,"y":-1.5e2,"z":null } "#)
    #expect(
      read == [
        "COMMAND": .text("LISTEN"), "DATA": .text("/aé😀\"\\/\n"), "x": .truth(true), "y": .number(-150),
        "z": .null,
      ])
  }

  @Test("Anything that is no such object is refused")
  func refuses() {
    let wrong = [
      "", "{", "}", "[]", "1", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":1}x", "{a:1}", "{\"a\":\"\\x\"}",
      "{\"a\":\"\\ud800\"}", "{\"a\":\"\\ud800\\u0041\"}", "{\"a\":\"\\u12\"}", "{\"a\":\"\u{1}\"}",
      "{\"a\":[1]}",
      "{\"a\":{}}", "{\"a\":tru}", "{\"a\":--1}", "{\"a\":\"unended",
    ]
    for text in wrong { #expect(fields(text) == nil, "\(text)") }
    #expect([UInt8(0xFF), 0xFE].withUnsafeBytes { JSONReader.fields($0) } == nil)
    // Text that is no UTF-8 within quotes.
    var bytes = Array("{\"a\":\"b\"}".utf8)
    bytes[6] = 0xFF
    #expect(bytes.withUnsafeBytes { JSONReader.fields($0) } == nil)
  }

  @Test("Every beginning of a command, and every byte of it changed, is read or refused")
  func mutated() {
    let text = Array(#"{"COMMAND":"LISTEN","DATA":"/filter/cutoff\u00e9","n":12.5}"#.utf8)
    for count in 0..<text.count { #expect(text[..<count].withUnsafeBytes { JSONReader.fields($0) } == nil) }
    var random = SeededRandom.ofRun
    for _ in 0..<20_000 {
      var changed = text
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        changed[Int.random(in: 0..<text.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      _ = changed.withUnsafeBytes { WebCommand($0) }
    }
  }

  @Test("What is written has commas where they belong, numbers with a point, and texts escaped")
  func writes() {
    var json = JSONWriter()
    json.beginObject()
    json.name("a\"\n")
    json.value("\u{1}é\\")
    json.name("list")
    json.beginList()
    json.value(1)
    json.value(1.0)
    json.value(Float(0.1))
    json.value(Float.nan)
    json.value(true)
    json.null()
    json.beginObject()
    json.endObject()
    json.endList()
    json.endObject()
    let text = String(decoding: json.bytes, as: UTF8.self)
    #expect(text == #"{"a\"\u000a":"\u0001é\\","list":[1,1.0,0.1,0.0,true,null,{}]}"#)
  }
}
