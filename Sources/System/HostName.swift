import Glibc

/// The name of this machine.
public func hostName() -> String {
  var bytes = [CChar](repeating: 0, count: 256)
  gethostname(&bytes, bytes.count - 1)
  return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
