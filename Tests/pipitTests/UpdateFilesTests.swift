import Control
import Glibc
import Scenes
import Scratch
import System
import Testing
@testable import pipit

@Suite("Updates from the page") struct UpdateFilesTests {
  private let folder = Folder()
  private var files: UpdateFiles {
    UpdateFiles(folder: folder.path + "/update", result: folder.path + "/result")
  }

  private func exists(_ name: String) -> Bool { access(folder.path + "/update/" + name, F_OK) == 0 }

  private func refusal(_ request: UpdateRequest) -> String? {
    do {
      _ = try files.answer(request)
      return nil
    } catch { return error.description }
  }

  @Test("are put together from pieces, and handed to the service as a whole")
  func pieces() throws {
    #expect(try files.answer(.state) == UpdateAnswer(.none))
    #expect(refusal(.install) != nil, "there is no file yet")
    #expect(try files.answer(.piece([1, 2, 3], offset: 0)).stage == .receiving)
    #expect(try files.answer(.piece([4, 5], offset: 3)).words == "5 bytes are there")
    #expect(try files.answer(.install) == UpdateAnswer(.installing))
    #expect(try readFile(folder.path + "/update/ready", limit: 100) == [1, 2, 3, 4, 5])
    #expect(!exists("incoming") && !exists("restart"))
    #expect(refusal(.piece([1], offset: 0))?.contains("being installed") == true)
    #expect(refusal(.install)?.contains("being installed") == true)
    // The service takes it by another name.
    rename(folder.path + "/update/ready", folder.path + "/update/installing")
    #expect(try files.answer(.state).stage == .installing)
  }

  @Test("are refused where a piece is missing, comes twice, or leads too far; the first piece begins anew")
  func order() throws {
    _ = try files.answer(.piece([1, 2, 3], offset: 0))
    for offset in [-1, 1, 2, 4, Int.max, Int.min, Limits.updateBytes] {
      #expect(refusal(.piece([9], offset: offset)) != nil, "\(offset)")
    }
    #expect(refusal(.piece([], offset: 3)) != nil)
    _ = try files.answer(.piece([7], offset: 0))
    _ = try files.answer(.piece([8], offset: 1))
    #expect(try readFile(folder.path + "/update/incoming", limit: 100) == [7, 8])
  }

  @Test("end with the sentence of the service, whatever its file holds")
  func result() throws {
    for (text, answer) in [
      (
        "installed pipit 0.3.0 starts at the next boot.\n",
        UpdateAnswer(.installed, "pipit 0.3.0 starts at the next boot.")
      ),
      ("failed the file is cut short\nmore", UpdateAnswer(.failed, "the file is cut short")),
      ("", UpdateAnswer(.none)), ("\u{0}\u{1}", UpdateAnswer(.none)), ("installed", UpdateAnswer(.installed)),
    ] {
      _ = folder.file("result", text)
      #expect(try files.answer(.state) == answer, "\(text)")
    }
    _ = try files.answer(.piece([1], offset: 0))
    #expect(try files.answer(.restart).stage == .receiving && exists("restart"))
  }

  @Test("say that there is no room, and leave nothing behind")
  func full() throws {
    guard let disk = Disk(kilobytes: 1_024) else { return }
    let files = UpdateFiles(folder: disk.folder.path + "/update", result: folder.path + "/result")
    let piece = [UInt8](repeating: 1, count: 400_000)
    var problem: String?
    for number in 0..<4 {
      do { _ = try files.answer(.piece(FileContents(piece), offset: number * piece.count)) } catch {
        problem = error.description
        break
      }
    }
    #expect(problem?.contains("full") == true || problem?.contains("No space") == true, "\(problem ?? "")")
    #expect(access(disk.folder.path + "/update/incoming", F_OK) != 0)
  }
}
