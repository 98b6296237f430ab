import Glibc
import System

/// The length of finished recordings, from their headers. Any thread that may wait for a disk.
public enum RecordingLength {
  private static let headerBytes = 4096

  /// The length of a FLAC or WAV file in seconds; nil for any other file.
  public static func seconds(_ path: String) -> Int? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var header = [UInt8](repeating: 0, count: headerBytes)
    header.removeLast(headerBytes - max(0, pread(file, &header, headerBytes, 0)))
    return flac(header) ?? wav(header, bytes: Int(lseek(file, 0, SEEK_END)))
  }

  /// The length of a FLAC file in seconds, from the block STREAMINFO, which comes first (RFC 9639, section 8.2): 20
  /// bits of sample rate, 8 of channels and sample size, and 36 of samples.
  private static func flac(_ header: [UInt8]) -> Int? {
    guard header.starts(with: Array("fLaC".utf8)), header.count >= 26, header[4] & 0x7F == 0 else {
      return nil
    }
    let bits = header[18..<26].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let (rate, frames) = (bits >> 44, bits & (1 << 36 - 1))
    return rate == 0 ? nil : Int(frames / rate)
  }

  private static func wav(_ header: [UInt8], bytes: Int) -> Int? {
    let offsets = WAVRepair.chunks(header)
    guard let format = offsets["fmt "], let data = offsets["data"],
      let rate = WAVRepair.number(header, format + 4, 4),
      let frameBytes = WAVRepair.number(header, format + 12, 2), rate > 0, frameBytes > 0
    else { return nil }
    return max(0, bytes - data) / frameBytes / rate
  }
}
