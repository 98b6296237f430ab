/// A command of the program. Parsing, help, the configuration file, completion and the manual come from this table.
struct Subcommand: Sendable {
  let name: String
  /// The operands, as the help shows them; nil if there are none.
  let operand: String?
  /// The permitted number of operands.
  let operands: ClosedRange<Int>
  let options: [String]
  let about: String
  /// Additional lines of the help page.
  let more: String
  let run: @Sendable (CommandArguments) throws -> Void

  init(
    _ name: String, _ operand: String? = nil, takes operands: ClosedRange<Int>? = nil, options: [String],
    _ about: String, more: String = "",
    run: @escaping @Sendable (CommandArguments) throws -> Void
  ) {
    self.name = name
    self.operand = operand
    let most = operand == nil ? 0 : 1
    self.operands = operands ?? (operand?.hasPrefix("[") ?? true ? 0 : 1)...most
    self.options = options + ["help", "version"]
    self.about = about
    self.more = more
    self.run = run
  }

  /// The rows of the command's options.
  var rows: [Option] { options.compactMap { name in Option.all.first { $0.name == name } } }
}
