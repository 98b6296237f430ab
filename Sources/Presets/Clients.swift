import Synth

// Who was shown the instrument, kept over a restart. What it says is the surfaces' own affair.
//
// Nothing depends on it: it has a transaction and a table of its own, and the table is made when it is first
// written, so that an older pipit reads the same file. That it cannot be written is not worth a word to the player.

extension Library {
  /// Keeps who is shown the instrument. On the disk soon after; never waits for it.
  public func keep(clients text: String) {
    clients = text
    writer?.put(clients: text)
  }
}

extension Writer {
  /// Puts the clients on the desk, to be written at once.
  func put(clients text: String) {
    desk.withLock {
      $0.clients = text
      $0.clientsDue = 0
    }
    wake.ring()
  }

  /// Writes the clients if they are others than those in the file. What fails is tried again later; only damage
  /// is thrown, since the file must be put aside.
  func writeClients(to store: Store, _ file: inout File) throws(StoreError) {
    let clients = desk.withLock { desk -> String? in
      guard desk.clientsDue <= now() || desk.isStopping else { return nil }
      desk.clientsDue = .infinity
      // They stay on the desk until the file can be written to, and come again when it is opened anew.
      if store.isReadOnly { return nil }
      defer { desk.clients = nil }
      return desk.clients
    }
    guard let clients, clients != file.clients else { return }
    do {
      try store.write(clients: clients)
      file.clients = clients
    } catch {
      desk.withLock { desk in
        if desk.clients != nil { return }
        (desk.clients, desk.clientsDue) = (clients, now() + Limits.retrySeconds)
      }
      if error.isDamage { throw error }
    }
  }
}

extension Store {
  /// The clients that the file holds; nil when it never held any.
  func clients() throws(StoreError) -> String? {
    var isThere = false
    var clients: String?
    try database.run("SELECT 1 FROM sqlite_master WHERE name = 'clients'", [], "load the clients") { _ in
      isThere = true
    }
    if isThere {
      try database.run("SELECT text FROM clients", [], "load the clients") { clients = $0.text(0) }
    }
    return clients
  }

  /// Writes the clients; they are durable when this returns.
  func write(clients text: String) throws(StoreError) {
    let attempt = "save the clients"
    try database.transaction(attempt) { () throws(StoreError) in
      try database.script(
        "CREATE TABLE IF NOT EXISTS clients (id INTEGER PRIMARY KEY CHECK (id = 1), text NOT NULL)", attempt)
      try database.run("REPLACE INTO clients VALUES (1, ?)", [.text(text)], attempt)
    }
  }
}
