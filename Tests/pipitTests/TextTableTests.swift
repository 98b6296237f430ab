import Testing

@testable import pipit

@Suite("A table for people") struct TextTableTests {
  private let rows = [["No.", "Name", "What"], ["1", "Warm Bass", "a low one"], ["12", "Pad", ""]]

  @Test("has aligned columns two letters apart, and no blanks at the end of a line")
  func aligned() {
    let text = "No.  Name       What\n1    Warm Bass  a low one\n12   Pad\n"
    #expect(TextTable(rows: rows).text(width: nil) == text)
    // It is 25 letters wide.
    #expect(TextTable(rows: rows).text(width: 25) == text)
    #expect(TextTable(rows: []).text(width: 80).isEmpty)
  }

  @Test("makes its widest column narrower where it must, down to the longest word")
  func narrow() {
    let table = TextTable(rows: [["A", "B", "C"], ["one two three four", "five six", "x"]])
    #expect(table.text(width: 20) == "A        B         C\none two  five six  x\nthree\nfour\n")
    #expect(table.text(width: 19) == "A        B        C\none two  five     x\nthree    six\nfour\n")
    #expect(table.text(width: 5) == table.text(width: 14))
  }

  @Test("has its last column below the rows where that would have less than thirty letters")
  func below() {
    let long = "this is a sentence of more than thirty letters, which has room below only"
    let table = TextTable(rows: [["Name", "About"], ["Warm Bass of mine", long]], notes: [1: "a note"])
    #expect(
      table.text(width: 49)
        == """
        Name               About
        Warm Bass of mine  this is a sentence of more
                           than thirty letters, which has
                           room below only
            a note

        """)
    #expect(
      table.text(width: 48)
        == """
        Name
        Warm Bass of mine
            this is a sentence of more than thirty
            letters, which has room below only
            a note

        """)
  }

  @Test("breaks lines between words alone")
  func wrapped() {
    #expect(TextTable.wrapped("one two three", 13) == ["one two three"])
    #expect(TextTable.wrapped("one two three", 12) == ["one two", "three"])
    #expect(TextTable.wrapped("one two three", 7) == ["one two", "three"])
    #expect(TextTable.wrapped("one two three", 6) == ["one", "two", "three"])
    #expect(TextTable.wrapped("unbreakable", 3) == ["unbreakable"])
    #expect(TextTable.wrapped("", 3) == [""])
  }
}
