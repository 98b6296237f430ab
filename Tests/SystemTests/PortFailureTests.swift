import Glibc
import System
import Testing

/// The words for a port that cannot be had.
struct PortFailureTests {
  @Test("A port that cannot be had is explained with its reason, in words that a phone shows")
  func words() {
    let cases: [(Int, Int32, Bool, String, String)] = [
      (8000, EADDRINUSE, true, "UDP port 8000 is another pipit's", "another pipit on this machine"),
      (8000, EADDRINUSE, false, "UDP port 8000 is taken", "'sudo ss -lunp sport = :8000'"),
      (80, EACCES, true, "UDP port 80 is not permitted", "the system's, set osc-port in pipit.conf"),
      (8000, EPERM, false, "UDP port 8000 is not permitted", "is not permitted to pipit; "),
      (8000, ENOBUFS, false, "UDP port 8000: ", "cannot listen on UDP port 8000"),
    ]
    for (port, code, isPipit, short, long) in cases {
      let failure = PortFailure(.udp, port: port, code: code)
      let words = failure.words(without: "tablet", option: "osc-port", isPipit: isPipit)
      #expect(words.short.hasPrefix(short) && words.short.count <= 70)
      #expect(words.long.contains(long) && words.long.contains("plays without a tablet"))
      #expect((code == EADDRINUSE && isPipit) == words.long.contains("another pipit"))
    }
    let web = PortFailure(.tcp, port: 8000, code: EADDRINUSE)
      .words(without: "page", option: "web-port", isPipit: false)
    #expect(web.short == "TCP port 8000 is taken: no page until it is free" && web.long.contains("ss -ltnp"))
  }
}
