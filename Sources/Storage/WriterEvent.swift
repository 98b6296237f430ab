/// An event from the writer thread to the control thread.
enum WriterEvent: Sendable {
  /// The file was opened with these documents. Nothing is written until the control thread allows it. Repeated after
  /// the file was deleted, damaged or read-only.
  case opened(DocumentSet, damaged: String?, isReadOnly: Bool)
  /// These documents, which the player has saved, were written to the disk.
  case durable([DocumentID])
  /// A write succeeded after a failure.
  case recovered
  /// Opening or writing failed, and will be tried again.
  case failed(StoreError, waiting: Int)
}
