extension Library {
  /// Who was shown the instrument; empty when that was nobody, nil as long as the database could not be read.
  public var clients: String? { documents[.clients]?.text ?? (documents.isRead ? "" : nil) }

  /// Saves who is shown the instrument.
  public func keep(clients text: String) { try? documents.save(Document(text: text), .clients) }
}
