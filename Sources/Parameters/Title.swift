extension Parameter {
  /// Its name within its section, such as "Key track".
  public var title: String {
    let leaf = String(address[(address.lastIndex(of: "/") ?? address.startIndex)...].dropFirst())
    return Parameter.titles[address] ?? Parameter.titles[leaf] ?? leaf.prefix(1).uppercased()
      + leaf.dropFirst()
  }

  // Names by address or by its last word, where the last word itself is no name.
  private static let titles = [
    "semitone": "Semitones", "pm": "Phase mod", "/filter/fm": "Osc 2 mod", "unison": "Voices",
    "random": "Random phase",
    "track": "Key track",
    "highpass": "High-pass", "lowpass": "Low-pass", "pingpong": "Ping-pong", "predelay": "Pre-delay",
    "q": "Q",
    "glidemode": "Glide by", "glidewhen": "Glides", "/filter/amount": "Env amount",
    "/play/bend": "Bend range",
    "/macro/1": "Macro 1", "/macro/2": "Macro 2", "/macro/3": "Macro 3",
    "/macro/4": "Macro 4", "/play/curve": "Velocity curve",
    "/master/tune": "Concert pitch",
    "/reverb/low": "Low decay", "/reverb/high": "High decay", "on": "On",
  ]
}
