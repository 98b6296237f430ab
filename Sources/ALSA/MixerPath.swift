import System

/// What of a card's mixer lies between what pipit plays and the socket, and how it is opened. Pure: a list of elements in,
/// changes out.
///
/// The rule. The first time that a card is met, its path is switched on and set to 0 dB, or to the nearest that is not
/// louder. From then on what the player, `alsamixer` or `alsactl` has set is kept, and remembered: only a path that is
/// silent where it was not when it was last seen is given that level again, as after a boot without `alsactl`, when the
/// driver has begun anew. Nothing is set because something else was just set, so that pipit never fights anybody.
public struct MixerPath: Sendable, Equatable {
  /// One thing to do to an element.
  struct Change: Equatable, Sendable {
    /// The place of the element in the list that the path was made from.
    let place: Int
    /// Switch it on.
    var isSwitchedOn = false
    /// The level to set, hundredths of a decibel: the card takes the nearest that is not louder.
    var level: Int?
    /// The card's own number to set, where it tells no decibels.
    var raw: Int?
  }

  /// All elements, those of the path and the others.
  public let elements: [MixerElement]
  // Those of the path, by their places: what everything goes through, and the outputs beside one another.
  private let through: [Int]
  private let outputs: [Int]

  /// The path through the elements of a mixer.
  public init(_ elements: [MixerElement]) {
    self.elements = elements
    func places(_ isWanted: (MixerElement) -> Bool) -> [Int] {
      elements.indices.filter { elements[$0].isOn != nil || elements[$0].volume != nil }
        .filter { isWanted(elements[$0]) }
    }
    let through = places { Self.through.contains($0.name) }
    let outputs = places { element in Self.outputs.contains { element.name.hasPrefix($0) } }
      .filter { !through.contains($0) && !Self.isAside(elements[$0].name) }
    // A card whose names say nothing: what has a volume and is no input.
    let isKnown = !through.isEmpty || !outputs.isEmpty
    self.through = isKnown ? through : places { $0.volume != nil && !Self.isAside($0.name) }
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

  private var places: [Int] { through + outputs }

  /// The elements of the path.
  public var path: [MixerElement] { places.map { elements[$0] } }

  /// True when nothing of what is played comes out: one that everything goes through is shut, or every output is.
  public var isSilent: Bool {
    through.contains { elements[$0].isSilent }
      || (!outputs.isEmpty && outputs.allSatisfy { elements[$0].isSilent })
  }

  /// What of the path is open and yet so low that hardly anything is heard; nil when nothing is.
  public var faint: MixerElement? {
    let isFaint = { (place: Int) in elements[place].volume?.isFaint == true }
    let all = [volumePlace].compactMap { $0 }.filter(through.contains) + through
    let place = all.first(where: isFaint) ?? (outputs.allSatisfy(isFaint) ? outputs.first : nil)
    return place.map { elements[$0] }
  }

  /// The place of the element that is the card's volume: the first of those that everything goes through, else an
  /// output; nil when no element has one.
  var volumePlace: Int? {
    let named = Self.through.compactMap { name in through.first { elements[$0].name == name } }
    return (named + through + outputs).first { elements[$0].volume != nil }
  }

  /// The element that is the card's volume.
  public var volume: MixerElement? { volumePlace.map { elements[$0] } }

  // MARK: - Opening it

  /// What it takes to play at 0 dB, or at `level` hundredths of a decibel, through every element.
  func opening(at level: Int = 0) -> [Change] {
    places.compactMap { place in
      let element = elements[place]
      var change = Change(place: place, isSwitchedOn: element.isOn == false)
      if let volume = element.volume {
        let wanted = place == volumePlace ? level : 0
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
      return change.isSwitchedOn || change.level != nil || change.raw != nil ? change : nil
    }
  }

  /// What the path was seen at, to be remembered: hundredths of a decibel, `mute` when nothing comes out, 0 where the card
  /// tells no decibels.
  var seen: Int { isSilent ? MixerElement.Volume.mute : volume?.volume?.level ?? 0 }

  /// What a card that was last seen at `level` needs to be heard again: nothing unless it is silent now and was not.
  func reopening(at level: Int) -> [Change] {
    guard isSilent, level > MixerElement.Volume.mute else { return [] }
    return opening(at: level).filter { elements[$0.place].isSilent }
  }

  // MARK: - The player's hand

  /// What it takes to set the card's volume, at a way of 0…1 from its lowest to its highest; what is shut is opened
  /// with it, unless the volume goes to its lowest.
  func setting(way: Double) -> [Change] {
    guard let volumePlace, let volume = elements[volumePlace].volume else { return [] }
    var change = Change(place: volumePlace)
    if let range = volume.shownRange {
      let low = Double(range.lowerBound)
      change.level =
        way <= 0 ? volume.range?.lowerBound : Int((low + way * (Double(range.upperBound) - low)).rounded())
    } else {
      let low = Double(volume.rawRange.lowerBound)
      change.raw = Int((low + way * (Double(volume.rawRange.upperBound) - low)).rounded())
    }
    if way <= 0 { return [change] }
    change.isSwitchedOn = elements[volumePlace].isOn == false
    let silent = isSilent ? opening().filter { $0.place != volumePlace && elements[$0.place].isSilent } : []
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
  public var way: Double {
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
  public func way(decibels: Double) -> Double {
    guard let range = decibelRange else { return max(0, min(1 + decibels / 60, 1)) }
    return max(0, min((decibels - range.lowerBound) / (range.upperBound - range.lowerBound), 1))
  }
}
