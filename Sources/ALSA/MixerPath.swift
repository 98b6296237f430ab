import System

/// The mixer elements of a card between the playback stream and the socket, and how to open them. Pure: a list of
/// elements in, changes out.
///
/// When pipit first uses a card, it switches the card's path on and sets it to 0 dB, or to the nearest level that is
/// not louder. Later settings of the player or of `alsamixer` are kept and remembered. A card that appears, at a boot
/// or when it is plugged in, gets the remembered settings, because its driver or `alsactl` has just changed them;
/// until `CardMonitor.settling` has passed, changes by other programs are reverted. A card that has been connected
/// for longer keeps its settings, unless it is silent now and was not silent when it was last seen.
public struct MixerPath: Sendable, Equatable {
  /// A change of one element.
  struct Change: Equatable, Sendable {
    /// The index of the element in the list that the path was made from.
    let index: Int
    /// The new state of the switch; nil leaves it as it is.
    var isOn: Bool?
    /// The new level, hundredths of a decibel; the card gets the nearest level that is not louder.
    var level: Int?
    /// The new raw value.
    var raw: Int?

    /// True if nothing changes.
    var isEmpty: Bool { isOn == nil && level == nil && raw == nil }
  }

  /// The state of one element of a path.
  struct ElementState: Equatable, Sendable {
    let name: String
    let index: Int
    /// The state of the switch; nil for an element without a switch.
    let isOn: Bool?
    /// The raw value; nil for an element without a volume.
    let raw: Int?
  }

  /// All elements of the mixer, including those outside the path.
  public let elements: [MixerElement]
  // The indices of the elements of the path: those in series, which everything passes through, and the parallel
  // outputs.
  private let through: [Int]
  private let outputs: [Int]

  /// Finds the path among the elements of a mixer.
  public init(_ elements: [MixerElement]) {
    self.elements = elements
    func indices(_ isWanted: (MixerElement) -> Bool) -> [Int] {
      elements.indices.filter { elements[$0].isOn != nil || elements[$0].volume != nil }
        .filter { isWanted(elements[$0]) }
    }
    let through = indices { Self.through.contains($0.name) }
    let outputs = indices { element in Self.outputs.contains { element.name.hasPrefix($0) } }
      .filter { !through.contains($0) && !Self.isAside(elements[$0].name) }
    // If no name is known, every element that has a volume and is not an input belongs to the path.
    let isKnown = !through.isEmpty || !outputs.isEmpty
    self.through = isKnown ? through : indices { $0.volume != nil && !Self.isAside($0.name) }
    self.outputs = outputs
  }

  // Elements that everything passes through, in the order in which they serve as the card's volume.
  private static let through = [
    "Master", "Digital", "PCM", "DAC", "Playback", "Analogue", "Wave", "Output", "Main",
  ]
  // Sockets and loudspeakers; a number may follow the name.
  private static let outputs = [
    "Headphone", "Speaker", "Line Out", "Front", "Surround", "Center", "LFE", "Side", "HP", "Lineout",
  ]
  // Inputs that are mixed in, and boosts above the nominal level.
  private static let aside = [
    "mic", "capture", "input", "adc", "boost", "beep", "sidetone", "loopback", "cd", "aux", "phono", "video",
    "tuner", "iec958", "spdif", "hdmi", "mono", "tone", "bass", "treble", "gain",
  ]

  private static func isAside(_ name: String) -> Bool {
    let name = name.lowercased()
    return aside.contains { name.includes($0) }
  }

  private var indices: [Int] { through + outputs }

  /// The elements of the path.
  public var path: [MixerElement] { indices.map { elements[$0] } }

  /// True if the path is silent: an element that everything passes through is silent, or every output is.
  public var isSilent: Bool {
    through.contains { elements[$0].isSilent }
      || (!outputs.isEmpty && outputs.allSatisfy { elements[$0].isSilent })
  }

  /// An element of the path that makes the sound hardly audible; nil if there is none.
  public var faint: MixerElement? {
    let isFaint = { (index: Int) in elements[index].volume?.isFaint == true }
    let all = [volumeIndex].compactMap { $0 }.filter(through.contains) + through
    let index = all.first(where: isFaint) ?? (outputs.allSatisfy(isFaint) ? outputs.first : nil)
    return index.map { elements[$0] }
  }

  /// The index of the element that is the card's volume: the first of those that everything passes through, or else
  /// an output; nil if no element has a volume.
  var volumeIndex: Int? {
    let named = Self.through.compactMap { name in through.first { elements[$0].name == name } }
    return (named + through + outputs).first { elements[$0].volume != nil }
  }

  /// The element that is the card's volume.
  public var volume: MixerElement? { volumeIndex.map { elements[$0] } }

  // MARK: - Opening it

  /// The changes that set every element to 0 dB, or to `level` hundredths of a decibel.
  func opening(at level: Int = 0) -> [Change] {
    indices.compactMap { index in
      let element = elements[index]
      var change = Change(index: index, isOn: element.isOn == false ? true : nil)
      if let volume = element.volume {
        let wanted = index == volumeIndex ? level : 0
        if let range = volume.range, let now = volume.level {
          let nearest = max(range.lowerBound, min(wanted, range.upperBound))
          if now != nearest { change.level = nearest }
        } else {
          // The decibels of a raw value are unknown. Three quarters of the range is audible and not too loud.
          let span = volume.rawRange.upperBound - volume.rawRange.lowerBound
          change.raw = volume.rawRange.lowerBound + span * 3 / 4
          if change.raw == volume.raw { change.raw = nil }
        }
      }
      return change.isEmpty ? nil : change
    }
  }

  /// The observed level of the path, to be remembered: hundredths of a decibel, `mute` if the path is silent, 0 if
  /// the card has no decibel scale.
  var observedLevel: Int { isSilent ? MixerElement.Volume.mute : volume?.volume?.level ?? 0 }

  /// The changes that make a card audible again if it is silent now and was last seen at an audible `level`.
  func reopening(at level: Int) -> [Change] {
    guard isSilent, level > MixerElement.Volume.mute else { return [] }
    return opening(at: level).filter { elements[$0.index].isSilent }
  }

  /// The states of the elements of the path, to be remembered.
  var elementStates: [ElementState] {
    path.map { ElementState(name: $0.name, index: $0.index, isOn: $0.isOn, raw: $0.volume?.raw) }
  }

  /// The changes that restore the path to an earlier state. Elements that are not in `states` stay as they are.
  func restoring(_ states: [ElementState]) -> [Change] {
    indices.compactMap { index in
      let element = elements[index]
      guard let then = states.first(where: { ($0.name, $0.index) == (element.name, element.index) }) else {
        return nil
      }
      var change = Change(index: index)
      if let now = element.isOn, let isOn = then.isOn, isOn != now { change.isOn = isOn }
      if let volume = element.volume, let raw = then.raw, raw != volume.raw, volume.rawRange.contains(raw) {
        change.raw = raw
      }
      return change.isEmpty ? nil : change
    }
  }

  // MARK: - Changes by the player

  /// The changes that set the card's volume to a normalized position, 0…1 from its lowest to its highest. Silent
  /// elements of the path are opened too, unless the volume is set to its lowest.
  func setting(normalized: Double) -> [Change] {
    guard let volumeIndex, let volume = elements[volumeIndex].volume else { return [] }
    var change = Change(index: volumeIndex)
    if let range = volume.shownRange {
      let low = Double(range.lowerBound)
      change.level =
        normalized <= 0
        ? volume.range?.lowerBound
        : Int(clamping: (low + normalized * (Double(range.upperBound) - low)).rounded())
    } else {
      let low = Double(volume.rawRange.lowerBound)
      change.raw = Int(clamping: (low + normalized * (Double(volume.rawRange.upperBound) - low)).rounded())
    }
    if normalized <= 0 { return [change] }
    if elements[volumeIndex].isOn == false { change.isOn = true }
    let silent = isSilent ? opening().filter { $0.index != volumeIndex && elements[$0.index].isSilent } : []
    return [change] + silent
  }
}

extension MixerElement.Volume {
  /// The range of levels of a fader, hundredths of a decibel: the upper 60 dB at most. Its lowest position still sets
  /// the card's lowest level. Nil for a card without decibels.
  public var shownRange: ClosedRange<Int>? {
    range.map { max($0.lowerBound, $0.upperBound - 60_00)...$0.upperBound }
  }

  /// The fader position of the volume, 0…1.
  public var normalized: Double {
    if let level, let range = shownRange {
      let span = Double(max(1, range.upperBound - range.lowerBound))
      return max(0, min(Double(level - range.lowerBound) / span, 1))
    }
    return Double(raw - rawRange.lowerBound) / Double(max(1, rawRange.upperBound - rawRange.lowerBound))
  }

  /// The level in decibels, limited to the range of the fader; nil for a card without decibels.
  public var decibels: Double? {
    shownRange.flatMap { range in level.map { Double(max($0, range.lowerBound)) / 100 } }
  }

  /// The range of the fader in decibels.
  public var decibelRange: ClosedRange<Double>? {
    shownRange.map { Double($0.lowerBound) / 100...Double($0.upperBound) / 100 }
  }

  /// The fader position for a level in decibels. On a card without decibels, 0 dB is the top.
  public func normalized(decibels: Double) -> Double {
    guard let range = decibelRange else { return max(0, min(1 + decibels / 60, 1)) }
    return max(0, min((decibels - range.lowerBound) / (range.upperBound - range.lowerBound), 1))
  }
}
