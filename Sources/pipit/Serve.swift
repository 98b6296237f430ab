/// The instrument itself, put together from its parts.
enum Serve {
  static func run(_ arguments: Arguments) throws {
    let arguments = try Configuration.completed(arguments)
    let state = try Folders.state(arguments)
    Output.log("\(version), state in \(state)")
    throw Complaint("serve: the instrument is not put together yet")
  }
}
