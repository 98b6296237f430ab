import Layout
import Song
import System

/// `pipit layout`: writes the layout for TouchOSC.
enum Layouts {
  static func run(_ arguments: CommandArguments) throws {
    guard let path = arguments[.output] else {
      throw CommandError.usage(
        "layout: no file to write is named, use -o pipit.tosc", "pipit layout --help")
    }
    let arguments = try Configuration.adding([.replyPort], to: arguments)
    let size = arguments[.size].flatMap { Size(rawValue: $0) } ?? .tablet
    let theme: Theme = arguments[.light] == nil ? .dark : .light
    let root = TouchOSC.root(size, theme, replyPort: arguments.number(.replyPort))
    // The old file remains until the new one is complete.
    do throws(FileError) {
      let file = try NewFile(path)
      try file.write(TouchOSC.file(root))
      try file.finish()
    } catch {
      throw CommandError("layout: \(error)")
    }
    Console.print("\(path): \(root.frame.w) by \(root.frame.h), \(root.all.count) controls\n")
  }
}
