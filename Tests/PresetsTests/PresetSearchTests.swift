import Scratch
import Testing

@testable import Presets

/// Presets by the names that people type.
struct PresetSearchTests {
  private func library(_ factory: [String], own: [String] = []) throws -> Library {
    let folder = Folder()
    for (index, name) in factory.enumerated() {
      folder.file("factory/\(10 + index)-x.txt", "pipit preset 1\nname \(name)\n")
    }
    folder.file("factory/bench.txt", "pipit preset 1\nname Bench\n")
    let library = Library(database: nil, factory: folder.path + "/factory") { Issue.record("\($0)") }
    for name in own { try library.save(.initial, name: name) }
    return library
  }

  @Test("The beginning of a name is enough where only one begins so, in any case and with blanks around it")
  func prefix() throws {
    let library = try library(["Warm Bass", "Wide Pad", "Ærø"])
    for typed in ["Warm Bass", "warm bass", "warm", " WA ", "warm b"] {
      #expect(try library.find(typed).name == "Warm Bass", "\(typed)")
    }
    #expect(try library.find("wi").name == "Wide Pad")
    #expect(try library.find("ær").name == "Ærø")
    // A preset outside the banks is found so too.
    #expect(try library.find("ben").slot == nil)
  }

  @Test("A whole name comes before the beginning of another, its exact spelling before any case")
  func exact() throws {
    let library = try library(["Warm", "Warm Bass", "Pad", "PAD"])
    #expect(try library.find("warm").name == "Warm")
    #expect(try library.find("warm ").name == "Warm")
    #expect(try library.find("PAD").slot?.program == 12)
    #expect(try library.find("Pad").slot?.program == 11)
    #expect(try library.find("pad").slot?.program == 11)
    #expect(try library.find("pA").slot?.program == 11)
  }

  @Test("The player's copy of a factory preset is one preset with it, and is the one that is found")
  func copies() throws {
    let library = try library(["Warm Bass", "Bench"], own: ["warm bass", "Warmer"])
    #expect(try library.find("warm b").isFactory == false)
    #expect(try library.find("Warm Bass").isFactory)
    // One in the bank and one outside it.
    #expect(try library.find("ben").slot != nil)
  }

  @Test("A place is a place, whatever a preset is called; a name that looks like one has = before it")
  func places() throws {
    let library = try library(["Warm Bass"], own: ["1/1", "1/0", "=4", "7/7"])
    // "1/1" lies in 1/0, and "1/0" in 1/1.
    #expect(try library.find("1/0").name == "1/1" && library.find("1/1").name == "1/0")
    #expect(try library.find("0/9").name == "Warm Bass")
    #expect(try library.find("=1/1").name == "1/1" && library.find("=1/0").name == "1/0")
    #expect(try library.find("=4").name == "=4" && library.find("=warm bass").name == "Warm Bass")
    // Nothing lies there, and the preset of that name is not taken for it.
    #expect { try library.find("7/7") } throws: {
      "\($0)" == "bank 7 program 7 is empty; the preset of that name is \"=7/7\""
    }
    #expect { try library.find("9/9") } throws: { "\($0)" == "bank 9 program 9 is empty" }
    for program in 0...1 { try library.remove(slot(1, program)) }
    #expect(try library.removed("1/0")?.name == "1/1" && library.removed("1/1")?.name == "1/0")
    #expect(try library.removed("=1/0")?.name == "1/0")
  }

  @Test("A name that means several or none is answered with those that it may be")
  func candidates() throws {
    let library = try library(["Warm Bass", "Sub Bass", "Warm Pad"], own: ["Warmer", "warm pad"])
    func refusal(_ name: String) -> NoSuchPreset? {
      do throws(NoSuchPreset) {
        _ = try library.find(name)
        return nil
      } catch {
        return error
      }
    }
    let several = try #require(refusal("warm"))
    #expect(several.candidates == ["Warm Bass", "Warmer", "warm pad"])
    #expect(several.description == "\"warm\" may be \"Warm Bass\", \"Warmer\", \"warm pad\"")
    // Where none begins so, a word in it may; of that alone nothing is recalled.
    #expect(refusal("bass")?.candidates == ["Warm Bass", "Sub Bass"])
    #expect(refusal("sub b") == nil)
    #expect(refusal("xyz")?.description == "no preset is named \"xyz\"")
    // A name of nothing is not the beginning of all.
    for nothing in ["", "  ", "\u{7}\n"] { #expect(refusal(nothing)?.candidates.isEmpty == true) }
    #expect(refusal("\u{1B}[2J\n")?.description == "no preset is named \"[2J\"")
    let many = NoSuchPreset(name: "p", candidates: (1...9).map { "P\($0)" })
    #expect(many.description == "\"p\" may be \"P1\", \"P2\", \"P3\", \"P4\", \"P5\", \"P6\" and 3 more")
    let seven = NoSuchPreset(name: "p", candidates: (1...7).map { "P\($0)" })
    #expect(seven.description.hasSuffix("\"P6\" and 1 more"))
  }
}
