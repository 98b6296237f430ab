import CSndfile
import Glibc
import Testing

@testable import Recording

/// All frames of a sound file, as libsndfile reads it. What its header says of the length is compared with that, unless
/// `isGrowing`.
func frames(of path: String, isGrowing: Bool = false) throws -> [SIMD2<Float>] {
  typealias Read = @convention(c) (OpaquePointer?, UnsafeMutablePointer<Float>?, Int64) -> Int64
  let library = try SndfileLibrary.opened(for: path)
  let symbol = try #require(dlsym(dlopen("libsndfile.so.1", RTLD_NOW), "sf_readf_float"))
  let read = unsafeBitCast(symbol, to: Read.self)
  let descriptor = open(path, O_RDONLY)
  var info = SF_INFO()
  let file = try #require(library.open(descriptor, Int32(SFM_READ), &info, 1))
  defer { _ = library.close(file) }
  #expect(info.samplerate == 48_000 && info.channels == 2)
  var frames: [SIMD2<Float>] = []
  var samples = [Float](repeating: 0, count: 2 * 65_536)
  while true {
    let count = Int(read(file, &samples, 65_536))
    if count <= 0 { break }
    frames += (0..<count).map { SIMD2(samples[2 * $0], samples[2 * $0 + 1]) }
  }
  if !isGrowing { #expect(info.frames == frames.count) }
  return frames
}
