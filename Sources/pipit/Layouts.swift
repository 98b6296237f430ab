import Glibc
import Layout

/// `pipit layout`: the tablet's front panel into a file.
enum Layouts {
  static func run(_ arguments: Arguments) throws {
    guard let path = arguments[.output] else {
      throw Complaint.usage(
        "layout: no file to write is named, use -o pipit.tosc", "pipit layout --help")
    }
    let size = arguments[.size].flatMap { Size(rawValue: $0) } ?? .tablet
    guard let file = fopen(path, "w") else { throw failure(path) }
    let root = TouchOSC.root(size, replyPort: arguments.number(.replyPort))
    let bytes = TouchOSC.file(root)
    let written = fwrite(bytes, 1, bytes.count, file)
    // A disk that is full may say so only at the end.
    if fclose(file) != 0 || written < bytes.count { throw failure(path) }
    Output.print("\(path): \(root.frame.w) by \(root.frame.h), \(root.all.count) controls\n")
  }

  private static func failure(_ path: String) -> Complaint {
    Complaint("layout: cannot write \(path): \(String(cString: strerror(errno)))")
  }
}
