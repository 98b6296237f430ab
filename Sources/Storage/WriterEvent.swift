/// An event from the writer thread to the control thread.
enum WriterEvent: Sendable {
  /// The file was opened with these documents. Nothing is written until the control thread allows it. Repeated after
  /// the file was deleted, damaged or read-only; `notes` are sentences about what was damaged.
  case opened(DocumentSet, notes: [String], isReadOnly: Bool)
  /// A sentence about what was damaged.
  case note(String)
  /// These documents, which the player has saved, were written to the disk.
  case durable([DocumentID])
  /// A write succeeded after a failure.
  case recovered
  /// Opening or writing failed, and will be tried again.
  case failed(StoreError, waiting: Int)
}
