/// The sound: a scene and performance events in, samples out. Lives behind a pointer; audio thread only.
public struct Engine: ~Copyable {
  /// Sample rate, Hz.
  public let rate: Double
  /// The next frame to be rendered.
  public private(set) var frame: Int64 = 0
  private let scene: ManagedScene.AudioSide
  private let midi: EventRing
  private let control: EventRing
  private let meters: Meters

  /// An engine at `rate` Hz (within `Limits.rates`) that reads from `link`, which must outlive it.
  public init(rate: Double, link: Link) {
    self.rate = rate
    scene = link.scene.audioSide
    midi = link.midi
    control = link.control
    meters = link.meters
  }

  /// Renders the next `frames` frames (any number above 0) into two buffers. Any split gives the same bits.
  @_noLocks
  public mutating func render(
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frames: Int
  ) {
    left.update(repeating: 0, count: frames)
    right.update(repeating: 0, count: frames)
    frame &+= Int64(frames)
  }
}
