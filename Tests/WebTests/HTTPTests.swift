import Glibc
import QR
import Scratch
import System
import Testing

@testable import Web

/// The server over real connections.
struct HTTPTests {
  @Test(
    "The page is for browsers, the tree for programs, at one address; files come compressed and are not sent twice"
  )
  func page() throws {
    let served = try ServedPage()
    let page = try served.ask("GET /", ["Accept: text/html"])
    #expect(
      page.status == 200 && page.text.contains("<title>pipit")
        && page.fields["content-type"] == "text/html; charset=utf-8")
    #expect(page.fields["content-security-policy"]?.contains("default-src 'self'") == true)
    #expect(
      page.fields["x-content-type-options"] == "nosniff" && page.fields["access-control-allow-origin"] == nil)
    #expect(try served.ask("GET /").fields["content-type"] == "application/json")
    let (whole, small) = (
      try served.ask("GET /?PAGE"), try served.ask("GET /?PAGE", ["Accept-Encoding: gzip"])
    )
    #expect(small.fields["content-encoding"] == "gzip" && small.body.count < whole.body.count / 6)
    let plain = try served.ask("GET /app/main.js")
    let tag = try #require(plain.fields["etag"])
    let zipped = try served.ask("GET /app/main.js", ["Accept-Encoding: br, gzip"])
    #expect(zipped.fields["content-encoding"] == "gzip" && zipped.body.count < plain.body.count / 10)
    #expect(try served.ask("GET /app/main.js", ["If-None-Match: \(tag)"]).status == 304)
    for path in [
      "/app/secret.conf", "/app/nothing.js", "/app/../main.js", "/app/", "/app/%2e%2e/x", "/nothing",
    ] {
      #expect(try served.ask("GET \(path)").status == 404, "\(path)")
    }
  }

  @Test("The frames of a wavetable are numbers for its picture")
  func wavetable() throws {
    let served = try ServedPage()
    let answer = try served.ask("GET /app/wavetables/basic.json")
    #expect(answer.status == 200 && answer.fields["content-type"] == "application/json")
    let lists = answer.text.split(separator: "[").dropFirst(1)
    let frames = lists.map { list in
      list.split { !"-0123456789".contains($0) }.compactMap { Int($0) }
    }
    #expect(frames.count == 32 && frames.allSatisfy { $0.count == 256 })
    // The first is a sine, the last a square.
    #expect(frames.first?[64] ?? 0 > 60 && frames.last?.max() ?? 0 <= 100)
    for path in ["/app/wavetables/nothing.json", "/app/wavetables/basic", "/app/wavetables/"] {
      #expect(try served.ask("GET \(path)").status == 404, "\(path)")
    }
  }

  @Test("The Wi-Fi network that the machine has opened is named, with a code that joins it")
  func accessPoint() throws {
    let served = try ServedPage()
    #expect(try served.ask("GET /app/wifi.txt").text == "\n")
    #expect(try served.ask("GET /app/wifi.svg").status == 404)
    for damaged in ["", "pipit-ab12\nsecret12\n", "pipit-ab12\n\nWIFI:;;\n", "a\nb\nc", "\n\n\n"] {
      _ = served.folder.file("access-point", damaged)
      #expect(try served.ask("GET /app/wifi.txt").text == "\n", "\(damaged)")
      #expect(try served.ask("GET /app/wifi.svg").status == 404, "\(damaged)")
    }
    _ = served.folder.file("access-point", "pipit-ab12\nsecret12\nWIFI:T:WPA;S:pipit-ab12;P:secret12;;\n")
    let words = try served.ask("GET /app/wifi.txt")
    #expect(words.text == "pipit-ab12\nsecret12\n" && words.fields["cache-control"] == "no-store")
    let code = try #require(QRCode("WIFI:T:WPA;S:pipit-ab12;P:secret12;;"))
    #expect(try served.ask("GET /app/wifi.svg").text == code.svg)
    #expect(words.fields["access-control-allow-origin"] == nil, "no other page reads the password")
  }

  @Test("One connection asks many times, and a head without its body is an answer")
  func kept() throws {
    let served = try ServedPage()
    let browser = try served.connect()
    for _ in 0..<20 {
      browser.ask("GET /?HOST_INFO")
      #expect(browser.answer()?.status == 200)
    }
    browser.ask("HEAD /app/main.js")
    let head = try #require(browser.answer(hasBody: false))
    #expect(head.status == 200 && head.fields["content-length"] == "2500")
    browser.ask("GET /filter/cutoff?VALUE")
    #expect(browser.answer()?.text.hasPrefix("{\"VALUE\":[") == true)
  }

  @Test("A request arrives byte by byte, and is answered all the same")
  func split() throws {
    let served = try ServedPage()
    let browser = try served.connect()
    for byte in Array("GET /?HOST_INFO HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8) { browser.send([byte]) }
    #expect(browser.answer()?.text.contains("\"OSC_PORT\":8000") == true)
  }

  @Test("A name in a path is not cut at a NUL")
  func nul() throws {
    let served = try ServedPage()
    let answer = try served.ask("GET /app/index.html%00.txt")
    #expect(answer.status == 404 && answer.text.contains("index.html%00.txt"))
    #expect(try served.ask("GET /app/index%2Ehtml").status == 200)
  }

  @Test("Wrong requests have their answers, and change nothing")
  func wrong() throws {
    let served = try ServedPage()
    let cases: [(String, [String], [UInt8], Int)] = [
      ("GET /", ["Host: evil.example"], [], 421), ("GET /", ["Origin: http://evil.example"], [], 403),
      ("PUT /app/backup", [], [1], 403), ("PUT /app/backup", ["X-Pipit: 1"], [1], 422),
      ("PUT /app/song/x.mid", ["X-Pipit: 1"], [UInt8](repeating: 0, count: 2 << 20), 413),
      ("PUT /filter/cutoff", ["X-Pipit: 1"], [], 405), ("PUT /filter/cutoff", ["X-Pipit: 1"], [1], 413),
      ("POST /", ["X-Pipit: 1", "Transfer-Encoding: chunked"], [], 411), ("BREW /", [], [], 405),
      ("GET /", ["Upgrade: websocket"], [], 400),
      ("GET /" + String(repeating: "x", count: 20_000), [], [], 414),
      ("GET /", ["X: " + String(repeating: "x", count: 20_000)], [], 431),
    ]
    for (line, fields, body, status) in cases {
      let answer = try? served.ask(line, fields, body: body)
      // A connection that is cut while it sends too much may get no answer.
      if status == 413 && answer == nil { continue }
      #expect(answer?.status == status, "\(line.prefix(40)) \(fields.first?.prefix(40) ?? "")")
    }
    served.instrument.lock.set(true)
    for path in ["backup", "presets.txt", "song/x.mid"] {
      #expect(try served.ask("PUT /app/\(path)", ["X-Pipit: 1"], body: [1]).status == 423, "\(path)")
    }
    #expect(try served.ask("GET /app/presets.txt").status == 200)
    let browser = try served.connect()
    browser.send(Array("\u{16}\u{3}\u{1}\0nonsense\r\n\r\n".utf8))
    #expect(browser.answer()?.status ?? 400 == 400)
    #expect(try served.ask("GET /?HOST_INFO").status == 200)
  }

  @Test("A machine outside the allowed networks gets no answer")
  func networks() throws {
    // The machine itself is always allowed, so the others are asked by the rule.
    let served = try ServedPage(allow: "10.0.0.0/8")
    #expect(try served.ask("GET /?HOST_INFO").status == 200)
    #expect(!served.surface.admits(.init(0xC0A8_0101)))
  }

  @Test(
    "The page goes to allowed machines alone: from an address of its network, this machine is another one",
    .enabled(if: Browser.networkAddress != nil))
  func outsider() throws {
    let address = try #require(Browser.networkAddress)
    for (allow, status) in [("127.0.0.1", nil), ("any", 200)] {
      let browser = try Browser(ServedPage(allow: allow), at: address)
      browser.ask("GET /?HOST_INFO")
      #expect(browser.answer()?.status == status, "\(allow)")
    }
  }

  @Test("More connections than there may be leave the others alone, and leave nothing behind")
  func crowd() throws {
    let served = try ServedPage()
    #expect(try served.ask("GET /?HOST_INFO").status == 200)
    do {
      var crowd: [Browser] = []
      for _ in 0..<200 {
        crowd.append(try served.connect())
        served.run(1)
      }
      #expect(
        served.run {
          crowd.count { browser in
            browser.listen(0)
            return browser.hasEnded
          } >= 200 - Slots.perHost
        })
    }
    #expect(served.run { served.server.http.connectionCount == 0 })
    #expect(try served.ask("GET /?HOST_INFO").status == 200)
  }

  @Test("Bytes at random, and requests with changed bytes, end in an answer or the end of the connection")
  func random() throws {
    let served = try ServedPage()
    var random = SeededRandom.ofRun
    let text = Array(
      "PUT /app/song/x.mid?a=b HTTP/1.1\r\nHost: localhost\r\nX-Pipit: 1\r\nContent-Length: 3\r\n\r\nabc".utf8
    )
    for _ in 0..<ServedPage.inputs {
      let browser = try served.connect()
      var bytes = text
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      browser.send(bytes)
      browser.listen(1)
    }
    #expect(try served.ask("GET /?HOST_INFO").status == 200)
  }
}
