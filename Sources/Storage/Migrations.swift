import CSQLite

/// A step from one version of the database schema to the next.
struct Migration: Sendable {
  let name: String
  /// Its statements, executed as one transaction.
  let statements: String
  /// Statements about tables that may be missing or differ; one that SQLite rejects for that reason is skipped.
  var optional: [String] = []
}

/// The migrations of the database to the current schema.
///
/// `user_version` of a file counts its completed steps. A released step is never changed; new steps are added at the
/// end.
enum Migrations {
  static let all = [
    Migration(
      name: "the tables of version 0.1",
      statements: """
        CREATE TABLE presets (
          bank INTEGER NOT NULL, program INTEGER NOT NULL, age INTEGER NOT NULL,
          name TEXT NOT NULL, text TEXT NOT NULL, UNIQUE (bank, program, age));
        CREATE TABLE factory (bank INTEGER, program INTEGER, name TEXT NOT NULL, text TEXT NOT NULL);
        CREATE TABLE session (id INTEGER PRIMARY KEY CHECK (id = 1), text NOT NULL);
        """),
    Migration(
      name: "one table of documents",
      statements: """
        CREATE TABLE documents (
          kind TEXT NOT NULL, key TEXT NOT NULL, age INTEGER NOT NULL,
          name TEXT NOT NULL, text TEXT NOT NULL, UNIQUE (kind, key, age));
        INSERT INTO documents \(presetsOfVersion01);
        INSERT OR IGNORE INTO documents \(factoryOfVersion01);
        INSERT INTO documents \(sessionOfVersion01);
        DROP TABLE presets;
        DROP TABLE factory;
        DROP TABLE session;
        """,
      // Version 0.1 created this table only for its first client.
      optional: ["INSERT OR IGNORE INTO documents \(clientsOfVersion01)", "DROP TABLE clients"]),
    Migration(
      name: "the times of saves",
      // Seconds since 1970; NULL if unknown.
      statements: "ALTER TABLE documents ADD COLUMN saved INTEGER;"),
  ]

  // The data of version 0.1 as documents, also for the rescue of a damaged file of that version.
  static let presetsOfVersion01 =
    "SELECT 'preset', bank || '/' || program, age, name, text FROM presets"
  static let factoryOfVersion01 =
    "SELECT 'factory', coalesce(bank || '/' || program, '-/' || name), 0, name, text FROM factory"
  static let sessionOfVersion01 = "SELECT 'session', '', 0, '', text FROM session"
  static let clientsOfVersion01 =
    "SELECT 'clients', '', 0, '', text FROM clients WHERE typeof(text) = 'text'"
}

extension Database {
  /// The number of completed steps. No pipit writes a negative number: then the file is damaged.
  func migrationsDone() throws(StoreError) -> Int {
    var count = 0
    try run("PRAGMA user_version", [], "read the version") { count = $0.integer(0) }
    guard count >= 0 else {
      throw StoreError(
        code: SQLITE_CORRUPT, message: "there is no schema \(count)", attempt: "check presets", path: path)
    }
    return count
  }

  /// Performs the remaining steps, each as a whole or not at all.
  func migrate(_ steps: [Migration] = Migrations.all) throws(StoreError) {
    for (index, step) in steps.enumerated().dropFirst(try migrationsDone()) {
      let attempt = "bring the presets to \(step.name)"
      try transaction(attempt) { () throws(StoreError) in
        try script(step.statements, attempt)
        for statement in step.optional {
          do throws(StoreError) {
            try script(statement, attempt)
          } catch {
            guard error.isBadStatement else { throw error }
          }
        }
        try script("PRAGMA user_version = \(index + 1)", attempt)
      }
    }
  }
}
