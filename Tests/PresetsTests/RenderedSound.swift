import EngineHarness
import Foundation
import Parameters
import Scenes
@testable import Presets

/// A sound as it leaves the instrument, rendered without a device, in mono.
struct RenderedSound {
  static let rate = 48_000
  var samples: [Float]

  /// Keys of a velocity of 0.8, held for some seconds of all those that are rendered.
  init(_ patch: Patch, keys: [UInt8], held: Double, seconds: Double) {
    var scene = Scene.initial
    scene[0].patch = patch
    let player = Player(scene, rate: Double(RenderedSound.rate))
    for key in keys { player.press(Int(key)) }
    for key in keys { player.release(Int(key), at: Int(held * Double(RenderedSound.rate))) }
    player.play(Int(seconds * Double(RenderedSound.rate)), block: 256)
    samples = zip(player.left, player.right).map { ($0 + $1) / 2 }
  }

  /// How many cents the partial near `hertz` lies above it, in the two seconds from `start`: the turning of its
  /// phase against that of a pure tone, where it is loud more than where it is not.
  func tuning(_ hertz: Double, from start: Double) -> (cents: Double, strength: Double) {
    let first = Int(start * Double(RenderedSound.rate))
    let block = RenderedSound.rate / 20
    var before = (real: 0.0, imaginary: 0.0)
    var turn = (real: 0.0, imaginary: 0.0)
    var (power, total) = (0.0, 0.0)
    for index in 0..<40 {
      var now = (real: 0.0, imaginary: 0.0)
      for frame in index * block..<(index + 1) * block {
        let sample = Double(samples[first + frame])
        let angle = 2 * Double.pi * hertz * Double(frame) / Double(RenderedSound.rate)
        now.real += sample * cos(angle)
        now.imaginary -= sample * sin(angle)
        total += sample * sample
      }
      turn.real += now.real * before.real + now.imaginary * before.imaginary
      turn.imaginary += now.imaginary * before.real - now.real * before.imaginary
      power += now.real * now.real + now.imaginary * now.imaginary
      before = now
    }
    let offset = atan2(turn.imaginary, turn.real) / (2 * Double.pi) * 20
    return (1200 * log2(1 + offset / hertz), 2 * power / Double(block) / max(total, 1e-12))
  }

  /// Power in decibels below the loudest, in bands of half an octave from 80 Hz and steps of 100 ms.
  var picture: [[Float]] {
    let size = 1024
    var rows: [[Float]] = []
    for start in stride(from: 0, to: samples.count - size, by: RenderedSound.rate / 10) {
      var real = (0..<size).map { index -> Float in
        let angle: Double = 2 * Double.pi * Double(index) / Double(size)
        return samples[start + index] * Float(0.5 - 0.5 * cos(angle))
      }
      var imaginary = [Float](repeating: 0, count: size)
      fourier(&real, &imaginary)
      var bands = [Float](repeating: 1e-12, count: 16)
      for bin in 1..<size / 2 {
        let hertz = Double(bin * RenderedSound.rate) / Double(size)
        let band = Int((log2(hertz / 80) * 2).rounded(.down))
        if bands.indices.contains(band) {
          bands[band] += real[bin] * real[bin] + imaginary[bin] * imaginary[bin]
        }
      }
      rows.append(bands.map { 10 * log10($0) })
    }
    let top = rows.joined().max() ?? 0
    return rows.map { $0.map { max($0 - top, -50) } }
  }

  private func fourier(_ real: inout [Float], _ imaginary: inout [Float]) {
    let count = real.count
    var reversed = 0
    for index in 1..<count {
      var bit = count >> 1
      while reversed & bit != 0 {
        reversed ^= bit
        bit >>= 1
      }
      reversed |= bit
      if index < reversed { real.swapAt(index, reversed) }
    }
    var size = 2
    while size <= count {
      for offset in 0..<size / 2 {
        let angle = -2 * Double.pi * Double(offset) / Double(size)
        let (c, s) = (Float(cos(angle)), Float(sin(angle)))
        for start in stride(from: offset, to: count, by: size) {
          let other = start + size / 2
          let (r, i) = (real[other] * c - imaginary[other] * s, real[other] * s + imaginary[other] * c)
          (real[other], imaginary[other]) = (real[start] - r, imaginary[start] - i)
          (real[start], imaginary[start]) = (real[start] + r, imaginary[start] + i)
        }
      }
      size *= 2
    }
  }
}
