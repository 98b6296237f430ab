/// The keys of an arpeggio, said as simply as they can be.
struct ArpKeysModel {
  struct Key: Equatable {
    let source: Int
    let channel: Int
    let key: Int
    var isDown = true
  }

  var keys: [Key] = []
  /// By source.
  var pedals = [false, false]
  /// 0 off, 1 hold, 2 add; 0 latch, 1 sustain, 2 ignore; and whether the arpeggiator is on.
  var (latch, pedal, isOn) = (0, 0, true)

  /// What is in the set, as words that can be compared.
  var words: [String] { keys.map { "\($0.source):\($0.channel):\($0.key):\($0.isDown)" }.sorted() }

  private mutating func settle() {
    let keeps = latch != 0 || pedal == 0 && pedals.contains(true)
    keys.removeAll { !$0.isDown && !keeps }
  }

  mutating func press(_ source: Int, _ channel: Int, _ key: Int) {
    if !isOn { return }
    if latch == 2 {
      if let place = keys.firstIndex(where: { !$0.isDown && $0.source == source && $0.key == key }) {
        keys.remove(at: place)
        return
      }
    } else if !keys.contains(where: \.isDown) {
      keys = []
    }
    keys.removeAll { $0.source == source && $0.channel == channel && $0.key == key }
    keys.append(Key(source: source, channel: channel, key: key))
  }

  mutating func lift(_ source: Int, where isOne: (Key) -> Bool = { _ in true }) {
    for place in keys.indices where keys[place].source == source && isOne(keys[place]) {
      keys[place].isDown = false
    }
    settle()
  }

  mutating func remove(_ source: Int) { keys.removeAll { $0.source == source } }

  mutating func change(_ body: (inout ArpKeysModel) -> Void) {
    body(&self)
    if !isOn { keys = [] }
    settle()
  }
}
