import System

/// What of a card's mixer lies between what pipit plays and the socket, and how it is opened. Pure: a list of elements in,
/// changes out.
///
/// The first time that pipit meets a card, it switches the card's path on and sets it to 0 dB, or to the nearest level that
/// is not louder. What the player or `alsamixer` sets later is kept and remembered. A card that appears, at a boot or when
/// it is plugged in, gets what is remembered, since its driver or `alsactl` has just set it to something else; for a
/// moment (`CardMonitor.settling`) changes that others make are set back. A card that has been there for longer stays as
/// it is, unless it is silent and was not when it was last seen.
public struct MixerPath: Sendable, Equatable {
  /// One thing to do to an element.
  struct Change: Equatable, Sendable {
    /// The index of the element in the list that the path was made from.
    let index: Int
    /// Switch it on or off; nil leaves its switch.
    var isOn: Bool?
    /// The level to set, hundredths of a decibel: the card takes the nearest that is not louder.
    var level: Int?
    /// The card's own number to set.
    var raw: Int?

    /// True when there is nothing to do.
    var isEmpty: Bool { isOn == nil && level == nil && raw == nil }
  }

  /// What an element of a path stood at.
  struct Standing: Equatable, Sendable {
    let name: String
    let index: Int
    /// Nil for an element without a switch.
    let isOn: Bool?
    /// The card's own number; nil for an element without a volume.
    let raw: Int?
  }

  /// All elements, those of the path and the others.
  public let elements: [MixerElement]
  // The indices of the elements of the path: what everything goes through, and the outputs beside one another.
  private let through: [Int]
  private let outputs: [Int]

  /// The path through the elements of a mixer.
  public init(_ elements: [MixerElement]) {
    self.elements = elements
    func indices(_ isWanted: (MixerElement) -> Bool) -> [Int] {
      elements.indices.filter { elements[$0].isOn != nil || elements[$0].volume != nil }
        .filter { isWanted(elements[$0]) }
    }
    let through = indices { Self.through.contains($0.name) }
    let outputs = indices { element in Self.outputs.contains { element.name.hasPrefix($0) } }
      .filter { !through.contains($0) && !Self.isAside(elements[$0].name) }
    // A card whose names say nothing: what has a volume and is no input.
    let isKnown = !through.isEmpty || !outputs.isEmpty
    self.through = isKnown ? through : indices { $0.volume != nil && !Self.isAside($0.name) }
    self.outputs = outputs
  }

  // What everything that is played goes through, the one that a hand would turn first.
  private static let through = [
    "Master", "Digital", "PCM", "DAC", "Playback", "Analogue", "Wave", "Output", "Main",
  ]
  // Sockets and loudspeakers; also with a number behind.
  private static let outputs = [
    "Headphone", "Speaker", "Line Out", "Front", "Surround", "Center", "LFE", "Side", "HP", "Lineout",
  ]
  // What is mixed in from an input, or makes louder than the card is meant to be.
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

  /// True when nothing of what is played comes out: one that everything goes through is shut, or every output is.
  public var isSilent: Bool {
    through.contains { elements[$0].isSilent }
      || (!outputs.isEmpty && outputs.allSatisfy { elements[$0].isSilent })
  }

  /// What of the path is open and yet so low that hardly anything is heard; nil when nothing is.
  public var faint: MixerElement? {
    let isFaint = { (index: Int) in elements[index].volume?.isFaint == true }
    let all = [volumeIndex].compactMap { $0 }.filter(through.contains) + through
    let index = all.first(where: isFaint) ?? (outputs.allSatisfy(isFaint) ? outputs.first : nil)
    return index.map { elements[$0] }
  }

  /// The index of the element that is the card's volume: the first of those that everything goes through, else an
  /// output; nil when no element has one.
  var volumeIndex: Int? {
    let named = Self.through.compactMap { name in through.first { elements[$0].name == name } }
    return (named + through + outputs).first { elements[$0].volume != nil }
  }

  /// The element that is the card's volume.
  public var volume: MixerElement? { volumeIndex.map { elements[$0] } }

  // MARK: - Opening it

  /// What it takes to play at 0 dB, or at `level` hundredths of a decibel, through every element.
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
          // What it is in decibels nobody can say: three quarters, which is heard and harms nobody.
          let span = volume.rawRange.upperBound - volume.rawRange.lowerBound
          change.raw = volume.rawRange.lowerBound + span * 3 / 4
          if change.raw == volume.raw { change.raw = nil }
        }
      }
      return change.isEmpty ? nil : change
    }
  }

  /// What the path was seen at, to be remembered: hundredths of a decibel, `mute` when nothing comes out, 0 where the card
  /// tells no decibels.
  var seen: Int { isSilent ? MixerElement.Volume.mute : volume?.volume?.level ?? 0 }

  /// What a card that was last seen at `level` needs to be heard again: nothing unless it is silent now and was not.
  func reopening(at level: Int) -> [Change] {
    guard isSilent, level > MixerElement.Volume.mute else { return [] }
    return opening(at: level).filter { elements[$0.index].isSilent }
  }

  /// What the elements of the path stand at, to be remembered.
  var standing: [Standing] {
    path.map { Standing(name: $0.name, index: $0.index, isOn: $0.isOn, raw: $0.volume?.raw) }
  }

  /// What it takes to bring the path to where it stood; an element that was not there then stays as it is.
  func restoring(_ standing: [Standing]) -> [Change] {
    indices.compactMap { index in
      let element = elements[index]
      guard let then = standing.first(where: { ($0.name, $0.index) == (element.name, element.index) }) else {
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

  // MARK: - The player's hand

  /// The changes that set the card's volume to a normalized position, 0…1 from its lowest to its highest; what is shut is opened
  /// with it, unless the volume goes to its lowest.
  func setting(normalized: Double) -> [Change] {
    guard let volumeIndex, let volume = elements[volumeIndex].volume else { return [] }
    var change = Change(index: volumeIndex)
    if let range = volume.shownRange {
      let low = Double(range.lowerBound)
      change.level =
        normalized <= 0
        ? volume.range?.lowerBound : Int((low + normalized * (Double(range.upperBound) - low)).rounded())
    } else {
      let low = Double(volume.rawRange.lowerBound)
      change.raw = Int((low + normalized * (Double(volume.rawRange.upperBound) - low)).rounded())
    }
    if normalized <= 0 { return [change] }
    if elements[volumeIndex].isOn == false { change.isOn = true }
    let silent = isSilent ? opening().filter { $0.index != volumeIndex && elements[$0.index].isSilent } : []
    return [change] + silent
  }
}

extension MixerElement.Volume {
  /// The levels that a fader spans: no more than its upper 60 dB, hundredths of a decibel; its lowest position is the
  /// card's lowest level all the same. Nil for a card that tells none.
  public var shownRange: ClosedRange<Int>? {
    range.map { max($0.lowerBound, $0.upperBound - 60_00)...$0.upperBound }
  }

  /// Where a fader of 0…1 stands.
  public var normalized: Double {
    if let level, let range = shownRange {
      let span = Double(max(1, range.upperBound - range.lowerBound))
      return max(0, min(Double(level - range.lowerBound) / span, 1))
    }
    return Double(raw - rawRange.lowerBound) / Double(max(1, rawRange.upperBound - rawRange.lowerBound))
  }

  /// The level in decibels, no lower than a fader shows; nil for a card that tells none.
  public var decibels: Double? {
    shownRange.flatMap { range in level.map { Double(max($0, range.lowerBound)) / 100 } }
  }

  /// What a fader spans, in decibels.
  public var decibelRange: ClosedRange<Double>? {
    shownRange.map { Double($0.lowerBound) / 100...Double($0.upperBound) / 100 }
  }

  /// Where a fader stands for so many decibels; of a card that tells none, at the top for 0.
  public func normalized(decibels: Double) -> Double {
    guard let range = decibelRange else { return max(0, min(1 + decibels / 60, 1)) }
    return max(0, min((decibels - range.lowerBound) / (range.upperBound - range.lowerBound), 1))
  }
}
