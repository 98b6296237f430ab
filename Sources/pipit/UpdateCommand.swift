import Glibc

/// `pipit update`: hands over to the program of the card image that writes a system beside the running one.
enum UpdateCommand {
  private static let program = "/usr/libexec/pipit-box/update"

  static func run(_ arguments: CommandArguments) throws {
    guard access(program, X_OK) == 0 else {
      throw CommandError(
        "update: this machine does not run pipit's card image; update the package, for example with apt")
    }
    let words = [program] + arguments.operands
    var pointers = words.map { strdup($0) } + [nil]
    execv(program, &pointers)
    throw CommandError("update: cannot run \(program): \(String(cString: strerror(errno)))")
  }
}
