import QR
import Scratch
import Testing

@testable import pipit

@Suite("pipit qr") struct QRCommandTests {
  private let folder = Folder()

  private func qr(_ configuration: String, _ more: String...) -> Run {
    Run(["qr", "--config", folder.file("pipit.conf", configuration)] + more)
  }

  @Test("shows the address with the name or the number as a code, and both in words")
  func addresses() throws {
    let name = "http://\(NetworkAddresses.localName):8123/"
    let named = qr("web-port = 8123\n", "--name")
    let lines = named.output.split(separator: "\n").map(String.init)
    let code = try #require(QRCode(name))
    #expect(named.status == 0 && Array(lines.prefix(code.lines.count)) == code.lines)
    #expect(lines[code.lines.count] == name && NetworkAddresses.localName.hasSuffix(".local"))
    let numbered = qr("web-port = 80\n")
    guard let host = NetworkAddresses.ofDefaultRoute else {
      #expect(numbered.status == 1 && numbered.errors.contains("has no network"))
      return
    }
    #expect(NetworkAddresses.all.contains(host) && lines.last == "http://\(host):8123/")
    #expect(numbered.status == 0 && numbered.output.contains("\nhttp://\(host)/\n"), "\(numbered.output)")
    #expect(numbered.output.hasPrefix(try #require(QRCode("http://\(host)/")).lines.joined(separator: "\n")))
  }

  @Test("shows a text as a code, with the text below it")
  func text() throws {
    let text = "WIFI:T:WPA;S:stage;P:secret12;;"
    let code = try #require(QRCode(text))
    let run = qr("", text)
    #expect(run.status == 0 && run.output == (code.lines + [text, ""]).joined(separator: "\n"))
    let long = qr("", String(repeating: "a", count: 2_332))
    #expect(long.status == 1 && long.errors.contains("2,331") && long.errors.utf8.count < 200)
    #expect(qr("", "a", "b").status == 2)
  }

  @Test("says that there is no page")
  func off() {
    let run = qr("web-port = 0\n")
    #expect(run.status == 1 && run.errors.contains("web-port = 0") && run.output.isEmpty)
    #expect(qr("", "--web-port", "70000").status == 2)
  }
}
