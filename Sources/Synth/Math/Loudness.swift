import CRealtime
import Scenes

// Conversion of decibels to gain, and the peak of samples.

/// The gain for a level in decibels; 0 at `Limits.silence` and below.
@_noLocks
func amplitude(decibels: Float) -> Float {
  decibels <= Limits.silence ? 0 : rt_exp2(decibels * 0.166096405)
}

/// The largest magnitude among samples.
@_noLocks
func loudest(_ samples: UnsafeMutablePointer<Float>, _ frames: Int) -> Float {
  loudest(samples, samples, frames)
}

/// The largest magnitude among the samples of both sides.
@_noLocks
func loudest(
  _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
) -> Float {
  var lanes = Lanes.zero
  var i = 0
  while i &+ Limits.lanesPerGroup <= frames {
    lanes = larger(larger(magnitude((left + i).eight), magnitude((right + i).eight)), lanes)
    i &+= Limits.lanesPerGroup
  }
  var peak = lanes.max()
  while i < frames {
    peak = max(peak, max(left[i].magnitude, right[i].magnitude))
    i &+= 1
  }
  return peak
}
