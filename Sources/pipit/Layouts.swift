import Layout
import Song
import System

/// `pipit layout`: the tablet's front panel into a file.
enum Layouts {
  static func run(_ arguments: Arguments) throws {
    guard let path = arguments[.output] else {
      throw Complaint.usage(
        "layout: no file to write is named, use -o pipit.tosc", "pipit layout --help")
    }
    let size = arguments[.size].flatMap { Size(rawValue: $0) } ?? .tablet
    let root = TouchOSC.root(size, replyPort: arguments.number(.replyPort))
    // A layout that is there stays until the new one is whole.
    do throws(FileError) {
      let file = try NewFile(path)
      try file.write(TouchOSC.file(root))
      try file.finish()
    } catch {
      throw Complaint("layout: \(error)")
    }
    Output.print("\(path): \(root.frame.w) by \(root.frame.h), \(root.all.count) controls\n")
  }
}
