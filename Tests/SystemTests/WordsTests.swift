import System
import Testing

@Suite("Words in a text") struct WordsTests {
  @Test(
    "are found where they stand, and nowhere else",
    arguments: [
      ("held by pulse", "pulse", true), ("held by pulse", "held", true), ("held by pulse", "Pulse", false),
      ("aab", "ab", true), ("", "a", false), ("a", "", true), ("a", "ab", false),
      ("Lautstärke", "stär", true),
    ])
  func included(text: String, words: String, isThere: Bool) {
    #expect(text.includes(words) == isThere)
    #expect(text.dropFirst(0).includes(words) == isThere)
  }

  @Test(
    "are replaced wherever they stand",
    arguments: [
      ("/note/<n> is <n>", "<n>", "`<n>`", "/note/`<n>` is `<n>`"), ("a b c", " ", "_", "a_b_c"),
      ("aaa", "aa", "b", "ba"), ("", "a", "b", ""), ("<n", "<n>", "", "<n"),
      ("one\ntwo", "\n", " ", "one two"),
    ])
  func replaced(text: String, words: String, other: String, result: String) {
    #expect(text.with(words, replacedBy: other) == result)
  }
}
