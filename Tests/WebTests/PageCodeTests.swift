import Scratch
import Testing

@testable import Web

/// What browsers are sent of the page's modules and style sheets.
struct PageCodeTests {
  private func code(_ text: String) -> String {
    String(decoding: PageFiles.code(Array(text.utf8)), as: UTF8.self)
  }

  @Test("Lines of comment are empty, and every other line is as it was")
  func comments() {
    #expect(code("// A\nlet a = 1 // b\n  /** c */\n\n  // d\nb()\n") == "\nlet a = 1 // b\n\n\n\nb()\n")
    #expect(code("/* a */\n.b { c: d } /* e */\n/* f\ng */\n") == "\n.b { c: d } /* e */\n/* f\ng */\n")
    #expect(code("/* a */ b()\n/x/.test(c)\n'http://d'") == "/* a */ b()\n/x/.test(c)\n'http://d'")
    #expect(code("") == "" && code("//") == "" && code("/*") == "/*")
  }

  @Test("Files of other kinds are sent as they are")
  func others() {
    let folder = Folder()
    folder.file("a.js", "// a\nb()\n")
    folder.file("a.svg", "// a\n<svg/>\n")
    let files = PageFiles(folder: folder.path)
    #expect(files["a.js"].map { String(decoding: $0.bytes, as: UTF8.self) } == "\nb()\n")
    #expect(files["a.svg"].map { String(decoding: $0.bytes, as: UTF8.self) } == "// a\n<svg/>\n")
  }
}
