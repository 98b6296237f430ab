import Glibc
import Synth
import Testing

@testable import Control
@testable import Presets

/// A database that is out of reach when pipit starts.
struct LateLibraryTests {
  @Test("Presets that come late are shown to whoever listens, and the session that lies there is left alone")
  func late() throws {
    var name = Array("/tmp/pipit-late-XXXXXX".utf8CString)
    let folder = mkdtemp(&name).map { String(cString: $0) } ?? "/nowhere"
    defer { _ = system("rm -r \(folder)") }
    let path = folder + "/presets.sqlite"
    do {
      let library = Library(database: path, factory: nil, log: { _ in })
      try library.save(.initial, name: "Mine")
      library.keep(Session(focus: 5))
      #expect(library.stop(within: 30))
    }
    let other = try Database(path, create: false)
    try other.script("BEGIN EXCLUSIVE", "hold the file")
    let library = Library(database: path, factory: nil, log: { _ in })
    let control = Control(link: Link(.initial), library: library, log: { _ in })
    let loop = try #require(Loop())
    control.join(loop)
    var told: [Change] = []
    control.listen { told.append($0) }
    #expect(control.page == nil)
    try other.script("COMMIT", "let go")
    library.writer?.put([:])
    let end = monotonic() + 20_000_000_000
    while monotonic() < end && !told.contains(.page) { loop.round(limit: 10_000_000) }
    #expect(told.contains(.page))
    #expect(control.slot(button: 1).flatMap { library[$0]?.name } == "Mine")
    #expect(control.finish(within: 30))
    #expect(Library(database: path, factory: nil, log: { _ in }).session?.focus == 5)
  }
}
