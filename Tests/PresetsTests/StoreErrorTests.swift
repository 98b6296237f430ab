import Testing

@testable import Presets
@testable import Storage

/// What is said of a database that could not be opened or written, by SQLite's codes.
struct StoreErrorTests {
  private func error(_ code: Int32) -> StoreError {
    StoreError(code: code, message: "its words", attempt: "save presets", path: "/state/presets.sqlite")
  }

  // One by one, each with its type: older compilers take too long over them together.
  private static let causes: [(code: Int32, reason: String, remedy: String)] = [
    (13, "disk full", "; free some space on the disk"),
    (8, "read-only disk", "; make the folder writable for the user that runs pipit"),
    (3, "read-only disk", "; make the folder writable for the user that runs pipit"),
    (14, "no access to the disk", "; make the folder writable for the user that runs pipit"),
    (5, "file held by another program", "; another program holds the file; close it"),
    (6, "file held by another program", "; another program holds the file; close it"),
    (17, "file of a newer pipit", "; nothing in it is changed; install that pipit again to use it"),
    (10, "disk error", "; check the disk or the memory card"), (11, "file damaged", ""),
    (26, "file damaged", ""), (7, "its words", ""),
  ]

  @Test("It says what was tried, on what, why not and what to do, and has a few words for a label")
  func sentences() {
    for (code, reason, remedy) in Self.causes {
      // SQLite says more in the bits above.
      for code in [code, code | 3 << 8] {
        #expect(error(code).reason == reason, "\(code)")
        #expect(
          "\(error(code))"
            == "could not save presets in /state/presets.sqlite: its words (SQLite \(code))\(remedy)")
      }
    }
  }

  @Test("A broken or strange file is put aside; one that is full, held, closed or newer is not")
  func damage() {
    let codes = Array(Int32(1)...26)
    #expect(codes.filter { error($0).isDamage } == [1, 11, 18, 19, 20, 24, 26])
    #expect(codes.filter { error($0 | 2 << 8).isDamage } == [1, 11, 18, 19, 20, 24, 26])
    #expect(codes.filter { error($0).isBusy } == [5, 6])
    #expect(codes.filter { error($0).isBadStatement } == [1])
  }

  @Test("The log has a sentence for each report")
  func reports() throws {
    let ids = [DocumentID(.preset, "1/5"), DocumentID(.session)]
    #expect("\(Report.durable(ids))" == "saved preset 1/5, session")
    #expect("\(Report.recovered)" == "presets are saved again")
    let full = error(13)
    #expect("\(Report.failed(full, waiting: 0))" == "\(full)")
    #expect("\(Report.failed(full, waiting: 3))" == "\(full); saves waiting in memory: 3")
    #expect("\(Report.opened(isReadOnly: false))" == "presets are saved")
    #expect("\(Report.opened(isReadOnly: true))".contains("database is read-only"))
    #expect(ids.sorted() == ids && DocumentID(.factory, "9") < DocumentID(.preset, "1"))
  }
}
