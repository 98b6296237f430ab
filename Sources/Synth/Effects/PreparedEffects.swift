import CRealtime

/// The effects of a part since its last recall, made ready for audio. Control thread only.
///
/// Audio may go on with them when no image has them any more: a recalled part's old sound rings on.
final class PreparedEffects {
  let rate: Double
  private(set) var effects = PartEffects()
  private let users: UnsafeMutablePointer<UInt64>

  /// None yet, for a sample rate.
  init(rate: Double) {
    self.rate = rate
    let users = UnsafeMutablePointer<UInt64>.allocate(capacity: 8)
    users.initialize(repeating: 0, count: 8)
    self.users = users
    effects.users = UInt(bitPattern: users)
  }

  deinit {
    effects.drive?.pointee.deallocate()
    effects.equalizer?.pointee.deallocate()
    effects.chorus?.pointee.deallocate()
    effects.delay?.pointee.deallocate()
    effects.reverb?.pointee.deallocate()
    effects.drive?.deallocate()
    effects.equalizer?.deallocate()
    effects.chorus?.deallocate()
    effects.delay?.deallocate()
    effects.reverb?.deallocate()
    users.deallocate()
  }

  /// True while a sound uses them.
  var isUsed: Bool { UInt32(truncatingIfNeeded: rt_load_ordered(users)) != 0 }

  /// Makes those that are on and not there yet.
  func prepare(_ knobs: EffectKnobs) {
    func place<Effect>(_ effect: Effect) -> UnsafeMutablePointer<Effect> {
      let place = UnsafeMutablePointer<Effect>.allocate(capacity: 1)
      place.initialize(to: effect)
      return place
    }
    if effects.drive == nil, knobs.drive.isOn { effects.drive = place(EffectDrive(rate: rate)) }
    if effects.equalizer == nil, knobs.equalizer.isOn {
      effects.equalizer = place(FiveBandEqualizer(rate: rate))
    }
    if effects.chorus == nil, knobs.chorus.isOn { effects.chorus = place(Chorus(rate: rate)) }
    if effects.delay == nil, knobs.delay.isOn { effects.delay = place(Delay(rate: rate)) }
    if effects.reverb == nil, knobs.reverb.isOn { effects.reverb = place(Reverb(rate: rate)) }
  }
}
