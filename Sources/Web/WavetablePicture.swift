import Scenes
import Synth

/// The frames of a wavetable as numbers for a picture.
enum WavetablePicture {
  /// The number that stands for full scale.
  private static let peak = 100

  /// `{"peak": 100, "frames": [[0, 5, …], …]}`: a list of samples of one period for each frame.
  static func json(_ table: WaveSpectrum) -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.name("peak")
    json.value(peak)
    json.name("frames")
    json.beginList()
    for frame in table.outline() {
      json.beginList()
      for sample in frame { json.value(Int(clamping: (sample * Float(peak)).rounded())) }
      json.endList()
    }
    json.endList()
    json.endObject()
    return json.bytes
  }
}
