/// What the writer's thread tells the control thread.
enum WriterEvent: Sendable {
  /// The file is open, and this is in it. Nothing is written until the control thread allows it. Comes again when the
  /// file was gone, damaged or could only be read.
  case opened(DocumentSet, damaged: String?, isReadOnly: Bool)
  /// These documents are on the disk.
  case durable([DocumentID])
  /// Something was written after that had failed.
  case recovered
  /// It could not be opened or written; it will be tried again.
  case failed(StoreError, waiting: Int)
}
