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
/// Each step adds a table or a column, so that the tables of a file tell its completed steps. `user_version` has their
/// number, for a pipit that does not know all of them. A released step is never changed; new steps are added at the end.
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
    Migration(
      name: "the checksums of documents",
      statements: """
        ALTER TABLE documents ADD COLUMN sum INTEGER;
        UPDATE documents SET sum = \(Checksum.ofRow);
        """),
  ]

  private static let schemas = made(by: all)

  /// The tables after each of some steps, up to one that fails.
  static func schemas(of steps: [Migration]) -> [Tables] {
    steps.map(\.name) == all.map(\.name) ? schemas : made(by: steps)
  }

  private static func made(by steps: [Migration]) -> [Tables] {
    guard let database = try? Database(":memory:", create: true) else { return [] }
    var schemas: [Tables] = []
    for step in steps {
      guard (try? database.script(step.statements, step.name)) != nil, let tables = try? database.tables
      else {
        break
      }
      schemas.append(tables)
    }
    return schemas
  }

  // The data of version 0.1 as documents, also for the rescue of a damaged file of that version.
  static let presetsOfVersion01 =
    "SELECT 'preset', bank || '/' || program, age, name, text FROM presets"
  static let factoryOfVersion01 =
    "SELECT 'factory', coalesce(bank || '/' || program, '-/' || name), 0, name, text FROM factory"
  static let sessionOfVersion01 = "SELECT 'session', '', 0, '', text FROM session"
  static let clientsOfVersion01 =
    "SELECT 'clients', '', 0, '', text FROM clients WHERE typeof(text) = 'text'"
}

/// The columns of tables, in their order, by the names of the tables.
typealias Tables = [String: [String]]

extension Database {
  /// The number of completed steps that the file states.
  var userVersion: Int {
    get throws(StoreError) {
      var count = 0
      try run("PRAGMA user_version", [], "read the version") { count = $0.integer(0) }
      return count
    }
  }

  /// The tables of the file.
  var tables: Tables {
    get throws(StoreError) {
      var tables: Tables = [:]
      try run(
        """
        SELECT tables.name, columns.name FROM sqlite_master AS tables
        JOIN pragma_table_info(tables.name) AS columns
        WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%' ORDER BY tables.rowid, columns.cid
        """, [], "read the tables"
      ) { tables[$0.text(0), default: []].append($0.text(1)) }
      return tables
    }
  }

  /// The number of completed steps, by the tables of the file: its stated number may be damaged. Throws for a file of a
  /// newer pipit, and for tables that no pipit makes.
  func migrationsDone(_ steps: [Migration] = Migrations.all) throws(StoreError) -> Int {
    let (stated, tables, schemas) = (try userVersion, try self.tables, Migrations.schemas(of: steps))
    // Foreign tables beside the known ones are left alone. But in a file that states a higher number, they are a newer
    // pipit's.
    let done = schemas.lastIndex { $0.allSatisfy { tables[$0.key] == $0.value } }
    if let done, stated <= steps.count || tables.count == schemas[done].count { return done + 1 }
    if tables.isEmpty && stated == 0 { return 0 }
    if stated > steps.count {
      throw StoreError(
        code: SQLITE_SCHEMA,
        message: "written by a newer pipit (schema \(stated), this one knows \(steps.count))",
        attempt: "use presets", path: path)
    }
    throw StoreError(
      code: SQLITE_CORRUPT, message: "its tables are not those of pipit", attempt: "check presets", path: path
    )
  }

  /// Performs the remaining steps, each as a whole or not at all.
  func migrate(_ steps: [Migration] = Migrations.all) throws(StoreError) {
    for (index, step) in steps.enumerated().dropFirst(try migrationsDone(steps)) {
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
    if try userVersion != steps.count {
      try script("PRAGMA user_version = \(steps.count)", "mend the version of the presets")
    }
  }
}
