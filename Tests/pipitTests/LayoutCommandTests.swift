import Scratch
import Testing

/// `pipit layout`.
struct LayoutCommandTests {
  @Test("The layouts are written for tablet and phone, and differ")
  func written() {
    let folder = Folder()
    let tablet = Run(["layout", "-o", folder.path + "/tablet.tosc"])
    let phone = Run(["layout", "--size", "phone", "-o", folder.path + "/phone.tosc"])
    #expect(tablet.status == 0 && phone.status == 0)
    #expect(tablet.output.hasPrefix("\(folder.path)/tablet.tosc: 1280 by 800, "))
    let files = ["tablet", "phone"].map { contents(folder.path + "/\($0).tosc") }
    #expect(files.allSatisfy { $0.starts(with: [0x78, 0x9C]) })
    #expect(files[0].count != files[1].count)
  }

  @Test(
    "A file that cannot be written is an error that names it", arguments: ["/nowhere/a.tosc", "/dev/full"])
  func refused(path: String) {
    let run = Run(["layout", "-o", path])
    #expect(run.status == 1 && run.output == "")
    #expect(run.errors.hasPrefix("pipit: layout: cannot write \(path): "))
  }

  @Test("A disk that is full half way leaves the layout that was there, and nothing else")
  func fullDisk() {
    let folder = Folder()
    let path = folder.file("pipit.tosc", [1, 2, 3])
    // A file may grow to four blocks of 512 bytes.
    let run = Run(["layout", "-o", path], shell: "ulimit -f 4")
    #expect(run.status == 1)
    #expect(run.errors == "pipit: layout: cannot write \(path): File too large\n")
    #expect(contents(path) == [1, 2, 3] && folder.names == ["pipit.tosc"])
  }
}
