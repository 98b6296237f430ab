import Testing

@testable import Surface

/// What the asker is told of what was not taken, or not taken as it was said.
struct RefusalTests {
  private let program = Peer(host: 0xC000_0201, port: 50_000)

  private func errors(_ harness: SurfaceHarness) -> [String] {
    let all = harness.transport.answers.compactMap {
      if $0.address == "/error", case .string(let text) = $0.value { text } else { nil as String? }
    }
    harness.transport.answers = []
    // A tablet is told where it speaks from and where it listens.
    return all.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
  }

  @Test("A value beyond the range is said once, with what it became; the next inside and outside again anew")
  func clamped() {
    let harness = SurfaceHarness()
    var now: Int64 = 0
    func said(_ address: String, _ value: Double) -> [String] {
      now += 1_000_000_000
      harness.send(address, value, from: program, at: now)
      return errors(harness)
    }
    #expect(said("/channel", 17) == ["/channel 17 became 16; it takes 0…16"])
    #expect(harness.control.stage.scene[0].strip.channel == 16)
    #expect(said("/channel", 17).isEmpty && said("/channel", 18).isEmpty)
    #expect(said("/channel", 3).isEmpty && said("/channel", -1) == ["/channel -1 became 0; it takes 0…16"])
    #expect(said("/filter/cutoff/hz", 30_000) == ["/filter/cutoff/hz 30000 became 20000; it takes 20…20000"])
    #expect(said("/filter/cutoff/hz", 20_000).isEmpty && said("/filter/cutoff/hz", 20).isEmpty)
    // A fader that goes a little too far is no typed value.
    #expect(said("/filter/cutoff", 1.000001).isEmpty && said("/filter/cutoff", -0.0001).isEmpty)
    // Every part that a pattern means takes it.
    _ = said("/part/*/channel", 99)
    #expect((0..<8).allSatisfy { harness.control.stage.scene[$0].strip.channel == 16 })
  }

  @Test("A client that is wrong all the time gets twenty errors and ten a second, and silences no other's")
  func flood() {
    let harness = SurfaceHarness()
    let other = Peer(host: 0xC000_0202, port: 50_000)
    for _ in 0..<500 { harness.send("/focus", "nine", from: program, at: 0) }
    #expect(errors(harness).count == 20)
    harness.send("/focus", "ten", from: other, at: 0)
    #expect(errors(harness) == ["/focus takes a part, 1…8, not \"ten\""])
    for _ in 0..<500 { harness.send("/focus", "nine", from: program, at: 1_000_000_000) }
    #expect(errors(harness).count == 10)
  }

  @Test("Who is no client has a limit too: another's wrong addresses silence no program of any machine")
  func strays() {
    let harness = SurfaceHarness()
    func said(_ count: Int, _ peer: Peer, over transport: RecordedTransport? = nil) -> Int {
      let transport = transport ?? harness.transport
      transport.answers = []
      for _ in 0..<count { harness.surface.receive("/nowhere", [], from: peer, over: transport, now: 0) }
      return transport.answers.count { $0.address == "/error" }
    }
    #expect(said(500, program) == 20 && said(1, program) == 0)
    // A page or a command of the same machine, another program there, and another machine.
    let connections = RecordedTransport(replyPort: nil, isLossy: false)
    #expect(said(500, Peer(program.host, connection: 1), over: connections) == 20)
    #expect(said(1, Peer(program.host, connection: 2), over: connections) == 1)
    #expect(said(500, Peer(program.host, port: 50_001)) == 20)
    #expect(said(1, Peer(host: 0xC000_0202, port: 50_000)) == 1)
  }

  @Test("A thousand senders are sent a bounded number of errors, and one of yesterday leaves its place")
  func crowd() {
    let transport = RecordedTransport()
    func sender(_ number: Int) -> MessageSender {
      MessageSender(peer: Peer(host: 0xC000_0300 + UInt32(number), port: 50_000), transport: transport)
    }
    var limits = ErrorLimits()
    var told = 0
    for port in 0..<1_000 {
      for _ in 0..<30 where limits.take(sender(port), 0) { told += 1 }
    }
    #expect(told == (ErrorLimits.senders + 1) * 20)
    // Meanwhile a new sender is one of many; later each has its own again.
    let second: Int64 = 1_000_000_000
    #expect(limits.take(sender(2_000), second) && !limits.take(sender(5), 0))
    for port in 3_000..<3_000 + ErrorLimits.senders {
      let taken = (0..<30).count { _ in limits.take(sender(port), 3 * second) }
      #expect(taken == 20)
    }
  }

  @Test("A machine with many ports leaves others their errors")
  func portsOfOneMachine() {
    let transport = RecordedTransport()
    func told(_ host: UInt32, port: Int) -> Int {
      let sender = MessageSender(peer: Peer(host: host, port: port), transport: transport)
      return (0..<30).count { _ in limits.take(sender, 0) }
    }
    var limits = ErrorLimits()
    let all = (0..<500).reduce(0) { $0 + told(0xC000_0300, port: 1_000 + $1) }
    #expect(all == (ErrorLimits.sendersOfHost + 1) * 20)
    #expect(told(0xC000_0301, port: 50_000) == 20)
  }

  @Test("Words are as long as names and lists of them; texts of documents may fill a packet")
  func longWords() {
    let player = Player()
    let tags = (0..<3_000).map { "+tag\($0)" }.joined(separator: ",")
    #expect(
      player.refusal("/presets/tag", .string("0/1"), .string(tags))
        == "/presets/tag takes words of at most 8192 bytes, not \(tags.utf8.count)")
    #expect(player.refusal("/preset/load", .string(tags))?.contains("at most 8192 bytes") == true)
    let text = "pipit preset 1\nname Long\n" + String(repeating: "# a remark\n", count: 1_000)
    #expect(player.refusal("/presets/import", .string(text)) == nil)
  }

  @Test("Too many and too few arguments are refused with what the address takes")
  func counts() {
    let player = Player()
    let one = OSCArgument.number(1)
    #expect(
      player.refusal("/note", .number(60), .number(0.8), .number(0.5))
        == "/note takes two values: note 0…127, velocity 0…1")
    #expect(player.refusal("/note", .number(60)) == "/note takes note 0…127, velocity 0…1")
    #expect(
      player.refusal("/play/xy", one, one, one, one)
        == "/play/xy takes two or three values: pitch 0…1, loudness 0…1, finger 0…1, or none")
    #expect(player.refusal("/filter/cutoff/hz", one, one) == "/filter/cutoff/hz takes one value: 20…20000")
    #expect(player.refusal("/filter/cutoff/text", one, one) == "/filter/cutoff/text is read-only")
    #expect(player.refusal("/preset/next", one, one) == "/preset/next takes none, or 1 (0 is ignored)")
    #expect(player.refusal("/unsubscribe", one, one) == "/unsubscribe takes nothing")
    #expect(
      player.refusal("/preset/load", .string("Wide"), .string("Pad"))
        == "/preset/load takes one value: a name, its beginning, BANK/PROGRAM, or a number of /preset/list")
    var refused = 0
    for node in NodeTree.instrument.nodes where node.isWritable {
      let address = node.address(number: node.numbers?.lowerBound ?? 0)
      let (least, most) = (node.arguments.count { !$0.isOptional }, node.arguments.count)
      let spare = Array(repeating: one, count: max(most, 1) + 1)
      // None asks for a value.
      let few = least > 0 && (!node.isReadable || least > 1) ? [Array(repeating: one, count: least - 1)] : []
      for arguments in few + [spare] {
        player.harness.transport.answers.removeAll()
        player.now += 1_000_000_000
        player.say(address, arguments)
        let error = player.harness.transport.answers.first { $0.address == "/error" }?.value
        guard case .string(let words)? = error else {
          Issue.record("\(address) takes \(arguments.count) arguments")
          continue
        }
        refused += 1
        let takes = node.arguments.isEmpty && !node.isTrigger ? "nothing" : node.takes
        #expect(words.hasPrefix("\(address) takes ") && words.hasSuffix(takes), "\(words)")
      }
    }
    #expect(refused > 800)
  }

  @Test("What was not taken is named")
  func named() {
    let harness = SurfaceHarness()
    func said(_ address: String, _ text: String) -> String? {
      harness.send(address, text, from: program, at: 0)
      return errors(harness).first
    }
    #expect(said("/filter/cutoff/hz", "loud") == "/filter/cutoff/hz takes a number, not \"loud\"")
    #expect(said("/drive/on", "perhaps")?.hasSuffix("takes 0 or 1, on or off, not \"perhaps\"") == true)
    #expect(said("/osc/1/wave", "wavy")?.hasSuffix(", not \"wavy\"") == true)
    #expect(said("/focus", "nine") == "/focus takes a part, 1…8, not \"nine\"")
    let long = String(repeating: "x", count: 500)
    #expect(said("/focus", long).map { $0.count < 100 } == true)
    harness.send("/focus", 9, from: program, at: 0)
    #expect(errors(harness) == ["/focus takes a part, 1…8, not 9"])
    #expect(said("/split/at", "H9") == "/split/at takes a key, 0…127 or its name, as C4, not \"H9\"")
  }
}
