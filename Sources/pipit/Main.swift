/// The entry point, with the name that `swift build` gives the linker. Swift's own kinds, `@main` and code at the top
/// level of a file, belong to the main actor and link Swift's concurrency runtime, a twentieth of the program.
@_cdecl("pipit_main")
func main(_ count: Int32, _ words: UnsafePointer<UnsafePointer<CChar>>) -> Int32 {
  Program.run((0..<Int(count)).map { String(cString: words[$0]) })
}
