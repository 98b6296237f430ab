import Testing

@testable import Surface

/// The messages that wait to be acted on.
struct InboxTests {
  private let transport = RecordedTransport(replyPort: nil, isLossy: true)

  /// Adds messages of senders, named by their letters, and returns what the inbox gives, in its order.
  private func order(_ letters: String, then later: String = "", after first: Int = 0) -> String {
    var inbox = Inbox()
    func add(_ letters: String) {
      for letter in letters {
        let peer = Peer(.thisMachine, port: Int(letter.asciiValue ?? 0))
        let message = IncomingMessage("/\(letter)", [])
        let sender = MessageSender(peer: peer, transport: transport)
        let isAdded = inbox.add(message, from: sender) { _ in true }
        #expect(isAdded)
      }
    }
    var taken = ""
    add(letters)
    while taken.count < first, let next = inbox.next() { taken += next.message.address.dropFirst() }
    add(later)
    while let next = inbox.next() { taken += next.message.address.dropFirst() }
    #expect(inbox.isEmpty)
    return taken
  }

  @Test("Senders take turns, message by message, and the end of one takes no turn from another")
  func turns() {
    #expect(order("aaabbbccc") == "abcabcabc")
    #expect(order("abbbccc") == "abcbcbc")
    #expect(order("aaabccc") == "abcacac")
    #expect(order("aaabbbc") == "abcabab")
    #expect(order("aaaa") == "aaaa")
  }

  @Test("A sender that comes while others wait has its turn before a second one of any other")
  func comes() {
    #expect(order("aaaabb", then: "c", after: 1) == "abcabaa")
    #expect(order("aaaa", then: "bb", after: 2) == "aababa")
    #expect(order("ab", then: "aab", after: 2) == "ababa")
  }

  @Test("Long messages of a sender that floods take a megabyte of memory, and leave others room")
  func bytes() {
    var inbox = Inbox()
    func taken(_ port: Int) -> Int {
      let sender = MessageSender(peer: Peer(.thisMachine, port: port), transport: transport)
      let message = IncomingMessage("/setlists/import", [.string(String(repeating: "a", count: 57_000))])
      return (0..<100).count { _ in inbox.add(message, from: sender) { _ in false } }
    }
    #expect(taken(1) == 18 && taken(2) == 9 && inbox.dropped == 173)
    while inbox.next() != nil {}
    #expect(taken(1) == 18)
  }
}
