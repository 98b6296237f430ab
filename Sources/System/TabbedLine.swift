extension Sequence where Element == String {
  /// The fields as one line, separated by tabs, as the commands of the shell read it. A tab or a line break in a field
  /// becomes a space. Any thread.
  public var tabbedLine: String {
    map { field in String(field.map { $0 == "\t" || $0.isNewline ? " " : $0 }) }.joined(separator: "\t")
  }
}
