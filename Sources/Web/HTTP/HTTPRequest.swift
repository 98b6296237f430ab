import CMicrohttpd
import Glibc
import Surface
import System

/// An HTTP request, complete with its body.
public struct HTTPRequest {
  /// The method of a request.
  public enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case put = "PUT"
    case post = "POST"
    case delete = "DELETE"
  }

  /// The method.
  public let method: Method
  /// The path, decoded, beginning with a slash.
  public let path: String
  /// The query parameters by name; the value of a name alone is empty.
  public let query: [String: String]
  /// The machine that sent it.
  public let host: HostAddress
  /// The header fields by their names in lower case; the last of several with one name.
  public let fields: [String: String]
  /// The body; empty without one.
  public internal(set) var body: FileContents = []

  /// A header field by its name in lower case.
  public subscript(field: String) -> String? { fields[field] }

  /// Whether a header field lists a word, as in `Accept-Encoding: gzip, br`, in any case. `word` is in lower case.
  func lists(_ word: String, in field: String) -> Bool {
    guard let list = fields[field] else { return false }
    return list.split(separator: ",").contains {
      $0.split(separator: ";").first.map { trimmed($0).lowercased() } == word
    }
  }
}

/// A text without the spaces around it.
func trimmed(_ text: some StringProtocol) -> String {
  String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
}

extension HTTPRequest {
  /// The longest head of a request, bytes. Its memory in libmicrohttpd holds the answer's head as well.
  static let headBytes = 8 << 10

  /// Reads the head of a request; nil for another method.
  init?(_ connection: OpaquePointer?, path: String, method: String, from host: HostAddress) {
    // Some clients of OSCQuery ask for ?HOST_INFO, without a slash.
    guard let method = Method(rawValue: method), path.isEmpty || path.hasPrefix("/") else { return nil }
    (self.method, self.path, self.host) = (method, path.isEmpty ? "/" : path, host)
    query = HTTPRequest.values(connection, .GET_ARGUMENT_KIND)
    fields = HTTPRequest.values(connection, .HEADER_KIND)
  }

  private static func values(_ connection: OpaquePointer?, _ kind: MHD_ValueKind) -> [String: String] {
    var values: [String: String] = [:]
    withUnsafeMutablePointer(to: &values) { values in
      _ = http_get_values(
        connection, kind,
        { values, kind, key, value in
          guard let values = values?.assumingMemoryBound(to: [String: String].self), let key else {
            return .NO
          }
          let name = String(cString: key)
          values.pointee[kind == .HEADER_KIND ? name.lowercased() : name] =
            value.map { String(cString: $0) } ?? ""
          return .YES
        }, values)
    }
    return values
  }
}
