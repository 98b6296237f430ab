import Glibc
import Scratch
import System
import Testing

@Suite("Lines of the log") struct LogPriorityTests {
  @Test("carry their priority as sd-daemon(3) writes it, and are information without one")
  func priorities() {
    #expect(LogLine(.warning("lost")) == LogLine("<4>lost"))
    #expect(LogLine("<4>lost").priority == .warning && LogLine("<4>lost").text == "lost")
    #expect(LogLine(.error("broken")).priority == .error)
    for line in ["plain", "", "<", "<4", "<9>odd", "<x>odd", "<44>odd"] {
      #expect(LogLine(line).priority == .information && LogLine(line).text == line, "\(line)")
    }
  }

  @Test("go to a journal only where systemd named this very stream")
  func journal() {
    let folder = Folder()
    let file = open(folder.file("log", ""), O_WRONLY)
    defer { close(file) }
    var information = stat()
    fstat(file, &information)
    let name = "\(information.st_dev):\(information.st_ino)"
    #expect(LogLine.isJournal(file, named: name))
    #expect(!LogLine.isJournal(file, named: nil))
    #expect(!LogLine.isJournal(file, named: name + "1"))
    #expect(!LogLine.isJournal(-1, named: name))
  }
}
