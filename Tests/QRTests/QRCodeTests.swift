import QR
import Testing

@Suite("A QR code") struct QRCodeTests {
  @Test("has the size of its version, its three finder patterns, and nothing around it")
  func patterns() throws {
    let code = try #require(QRCode("http://box.local:8000/"))
    #expect(code.size == 25)
    let finder: [String] = ["#######", "#     #", "# ### #", "# ### #", "# ### #", "#     #", "#######"]
    for (left, top) in [(0, 0), (18, 0), (0, 18)] {
      let rows = (0..<7).map { y in (0..<7).map { x in code[left + x, top + y] ? "#" : " " }.joined() }
      #expect(rows == finder, "\(rows)")
    }
    for place in -4..<29 {
      #expect(!code[place, -1] && !code[-1, place] && !code[place, 25] && !code[25, place])
    }
    // The timing pattern.
    for place in 8..<17 { #expect(code[place, 6] == (place % 2 == 0) && code[6, place] == (place % 2 == 0)) }
  }

  @Test("is as one that a reader has read")
  func known() throws {
    let code = try #require(QRCode("http://192.168.1.20:8000/"))
    let rows = (0..<code.size).map { y in (0..<code.size).map { x in code[x, y] ? "#" : "." }.joined() }
    #expect(rows == QRCodeTests.read, "\(rows.joined(separator: "\n"))")
  }

  @Test("is drawn in a picture and in text as it is")
  func drawn() throws {
    let code = try #require(QRCode("http://box.local:8000/"))
    let lines = code.lines
    #expect(lines.count == 17 && lines.allSatisfy { $0.count == 33 })
    #expect(lines[0] == String(repeating: "█", count: 33))
    for (row, line) in lines.enumerated() {
      for (column, character) in line.enumerated() {
        let (x, y) = (column - 4, 2 * row - 4)
        let upper = character == " " || character == "▄"
        #expect(upper == code[x, y], "\(x) \(y)")
        if y + 1 < 29 { #expect((character == " " || character == "▀") == code[x, y + 1], "\(x) \(y + 1)") }
      }
    }
    // The runs of the path cover the dark modules.
    var dark: Set<[Int]> = []
    let path = code.svg.split(separator: "d=\"").last ?? ""
    for run in path.split(separator: "M") {
      let numbers = run.split { !"0123456789".contains($0) }.compactMap { Int($0) }
      guard numbers.count >= 3 else { continue }
      for x in 0..<numbers[2] { dark.insert([numbers[0] - 4 + x, numbers[1] - 4]) }
    }
    for y in 0..<25 { for x in 0..<25 { #expect(dark.contains([x, y]) == code[x, y], "\(x) \(y)") } }
    #expect(code.svg.contains("viewBox=\"0 0 33 33\"") && code.svg.hasSuffix("</svg>\n"))
  }

  @Test("grows with its text, up to a limit")
  func limits() {
    #expect(QRCode("") == nil && QRCode("a\0b") == nil)
    #expect(QRCode(String(repeating: "a", count: 2_331))?.size == 177)
    #expect(QRCode(String(repeating: "a", count: 2_332)) == nil)
    #expect(QRCode("http://bäckerei.local/") != nil)
  }
}

extension QRCodeTests {
  /// The code of http://192.168.1.20:8000/, read by quirc.
  static let read: [String] = [
    "#######.#...##..#.#######",
    "#.....#.####..#.#.#.....#",
    "#.###.#......#..#.#.###.#",
    "#.###.#.#.#.#..#..#.###.#",
    "#.###.#...##..###.#.###.#",
    "#.....#..#.#.#....#.....#",
    "#######.#.#.#.#.#.#######",
    "........#.#...#..........",
    "#.##.###..#.##..#.#..#.##",
    ".#.##..######.##.###...#.",
    "#.#.#.##..#.#...#.#......",
    ".#####....###.#.###..##..",
    "#...###.#..##...#.....###",
    ".......##..##.#.#.#.#...#",
    ".#.#.###.#.#.#.#...##.##.",
    "#.##.....###....###..#..#",
    "....###.....#.#.#####.###",
    "........###.....#...#.#.#",
    "#######.#.#..####.#.##.##",
    "#.....#.#.##.####...#.##.",
    "#.###.#..##..########..#.",
    "#.###.#.#.#....##..##.#.#",
    "#.###.#.#.#...###..#.###.",
    "#.....#...#####.....##...",
    "#######.#..#.....###.####",
  ]
}
