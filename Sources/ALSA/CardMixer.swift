import CALSA
import Glibc

/// An open mixer of a card: ALSA's (`CardMixer`), or a test's.
protocol Mixer {
  /// The path from the playback stream to the socket, with its current settings.
  var path: MixerPath { get }
  /// Applies changes. Settings that the card refuses stay as they are.
  func apply(_ changes: [MixerPath.Change])
  /// The descriptors for `poll`.
  var descriptors: [pollfd] { get }
  /// Reads pending events. Returns false if the card was removed.
  func readEvents() -> Bool
  /// Closes the mixer. Call once.
  func close()
}

/// ALSA's mixer of a card. For one thread, and never the audio thread: a control of a USB card may take a second.
struct CardMixer: Mixer {
  private let handle: OpaquePointer
  private let card: Card

  /// Opens the mixer of a card; nil for a card without a mixer.
  init?(_ card: Card) {
    alsa_be_quiet()
    var opened: OpaquePointer?
    guard snd_mixer_open(&opened, 0) == 0, let opened else { return nil }
    guard snd_mixer_attach(opened, "hw:CARD=\(card.id)") == 0,
      snd_mixer_selem_register(opened, nil, nil) == 0,
      snd_mixer_load(opened) == 0
    else {
      snd_mixer_close(opened)
      return nil
    }
    (handle, self.card) = (opened, card)
  }

  func close() { snd_mixer_close(handle) }

  // MARK: - Reading it

  var path: MixerPath { MixerPath(elements.map(Self.element)) }

  private var elements: [OpaquePointer] {
    var all: [OpaquePointer] = []
    var next = snd_mixer_first_elem(handle)
    while let element = next {
      if snd_mixer_selem_is_active(element) != 0 { all.append(element) }
      next = snd_mixer_elem_next(element)
    }
    return all
  }

  private static func element(_ element: OpaquePointer) -> MixerElement {
    // A capture element may share its control with playback; changing it would change the recording level.
    let isCapture =
      snd_mixer_selem_has_capture_volume(element) != 0 && snd_mixer_selem_has_common_volume(element) == 0
      && snd_mixer_selem_has_playback_volume(element) == 0
    var read = MixerElement(
      String(cString: snd_mixer_selem_get_name(element)), index: Int(snd_mixer_selem_get_index(element)))
    if isCapture || snd_mixer_selem_is_enumerated(element) != 0 { return read }
    let channels = channels(element)
    if snd_mixer_selem_has_playback_switch(element) != 0 {
      read.isOn = channels.contains { channel in
        var value: Int32 = 0
        return snd_mixer_selem_get_playback_switch(element, channel, &value) == 0 && value != 0
      }
    }
    if snd_mixer_selem_has_playback_volume(element) != 0 { read.volume = volume(element, channels) }
    return read
  }

  /// The channels of an element.
  private static func channels(_ element: OpaquePointer) -> [snd_mixer_selem_channel_id_t] {
    (0...SND_MIXER_SCHN_LAST.rawValue).map { snd_mixer_selem_channel_id_t($0) }.filter {
      snd_mixer_selem_has_playback_channel(element, $0) != 0
    }
  }

  private static func volume(
    _ element: OpaquePointer, _ channels: [snd_mixer_selem_channel_id_t]
  ) -> MixerElement.Volume? {
    var (low, high) = (0, 0)
    guard snd_mixer_selem_get_playback_volume_range(element, &low, &high) == 0, low < high else { return nil }
    // The level of the loudest channel is used.
    func loudest(_ read: (snd_mixer_selem_channel_id_t, UnsafeMutablePointer<Int>) -> Int32) -> Int? {
      channels.compactMap { channel in
        var value = 0
        return read(channel, &value) == 0 ? value : nil
      }.max()
    }
    let raw = loudest { snd_mixer_selem_get_playback_volume(element, $0, $1) } ?? low
    var (least, most) = (0, 0)
    // A card whose level range is empty has no usable decibel scale.
    guard snd_mixer_selem_get_playback_dB_range(element, &least, &most) == 0, least < most,
      let level = loudest({ snd_mixer_selem_get_playback_dB(element, $0, $1) })
    else { return MixerElement.Volume(raw: raw, of: low...high) }
    return MixerElement.Volume(
      raw: raw, of: low...high, level: max(level, MixerElement.Volume.mute),
      in: max(least, MixerElement.Volume.mute)...most)
  }

  // MARK: - Setting it

  func apply(_ changes: [MixerPath.Change]) {
    let elements = elements
    for change in changes where change.index < elements.count {
      let element = elements[change.index]
      if let level = change.level { set(element, level) }
      if let raw = change.raw { snd_mixer_selem_set_playback_volume_all(element, raw) }
      if let isOn = change.isOn { snd_mixer_selem_set_playback_switch_all(element, isOn ? 1 : 0) }
    }
  }

  /// Sets an element to the nearest level that is not louder.
  private func set(_ element: OpaquePointer, _ level: Int) {
    snd_mixer_selem_set_playback_dB_all(element, level, -1)
    // On a card whose steps ALSA computes, the level may still be rounded up.
    for _ in 0..<4 {
      guard let volume = Self.volume(element, Self.channels(element)), let now = volume.level, now > level,
        volume.raw > volume.rawRange.lowerBound
      else { return }
      snd_mixer_selem_set_playback_volume_all(element, volume.raw - 1)
    }
  }

  // MARK: - Its events

  var descriptors: [pollfd] {
    let count = snd_mixer_poll_descriptors_count(handle)
    guard count > 0 else { return [] }
    var all = [pollfd](repeating: pollfd(), count: Int(count))
    let filled = snd_mixer_poll_descriptors(handle, &all, UInt32(count))
    return Array(all.prefix(Int(max(0, filled))))
  }

  func readEvents() -> Bool { snd_mixer_handle_events(handle) >= 0 }
}

/// The current mixer settings of a card, read only; nil for a card without playback elements. May take a second.
public func mixerPath(of card: Card) -> MixerPath? {
  guard let mixer = CardMixer(card) else { return nil }
  defer { mixer.close() }
  let path = mixer.path
  return path.path.isEmpty ? nil : path
}

/// Sets the volume of a card, or only reads it if `decibels` is nil. Returns the resulting volume as text; nil for a
/// card without a volume control. May take a second.
public func setVolume(of card: Card, decibels: Double?) -> String? {
  guard let mixer = CardMixer(card) else { return nil }
  defer { mixer.close() }
  guard let volume = mixer.path.volume?.volume else { return nil }
  if let decibels { mixer.apply(mixer.path.setting(normalized: volume.normalized(decibels: decibels))) }
  return mixer.path.isSilent ? "off" : mixer.path.volume?.volume?.words
}
