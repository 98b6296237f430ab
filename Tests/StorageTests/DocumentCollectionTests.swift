import Testing

@testable import Storage

/// The indices of a collection say the same as a search through all of its documents.
struct DocumentCollectionTests {
  private let kind = DocumentKind(
    "kind", earlierVersions: 2, textBytes: 100,
    keys: DocumentKeys(count: 40, assigned: 5..<35) {
      "\($0)"
    } number: {
      Int($0).flatMap { (0..<40).contains($0) ? $0 : nil }
    })

  @Test("After any edits, and when it is made anew from the same histories")
  func edits() {
    var random = SystemRandomNumberGenerator()
    var collection = DocumentCollection(kind)
    let names = ["A", "a", "Ab", "aB", "Abc", "B", "b 2", "É", "e\u{301}t", ""]
    for step in 0..<3_000 {
      // Unknown keys too.
      let key =
        Int.random(in: 0..<12, using: &random) == 0
        ? "x\(step % 3)" : "\(Int.random(in: 0..<40, using: &random))"
      var history = collection[key]
      switch Int.random(in: 0..<8, using: &random) {
      case 0: history = DocumentHistory()
      case 1...3: history.replace(nil, limit: 2)
      default:
        history.replace(Document(name: names.randomElement(using: &random) ?? "", text: "\(step)"), limit: 2)
      }
      collection[key] = history
      if step % 10 == 0 { check(collection) }
    }
    check(DocumentCollection(kind, collection.histories))
  }

  private func check(_ collection: DocumentCollection) {
    func order(_ one: String, _ other: String) -> Bool {
      let numbers = (Int(one) ?? .max, Int(other) ?? .max)
      return numbers.0 != numbers.1 ? numbers.0 < numbers.1 : one < other
    }
    let keys = collection.histories.keys.sorted(by: order)
    let views: [(DocumentIndex, (String) -> Document?)] = [
      (collection.current, { collection[$0].current }),
      (collection.trash, { collection[$0].current == nil ? collection[$0].earlier.last : nil }),
    ]
    for (index, document) in views {
      let all = keys.filter { document($0) != nil }
      #expect(index.places.map(\.key) == all && index.count == all.count)
      for name in ["a", "AB", "é", "zz", "", "b"] {
        let named = all.filter { document($0)?.name.lowercased() == name.lowercased() }
        #expect(index.named(name).map(\.key) == named)
        let beginning = all.filter { document($0)?.name.lowercased().hasPrefix(name.lowercased()) == true }
        if !name.isEmpty { #expect(index.beginning(name).sorted().map(\.key) == beginning) }
        #expect(index.beginning(name).least(2) == Array(index.beginning(name).sorted().prefix(2)))
      }
      for number in [0, 1, 17, 39, 40] {
        #expect(index.first(from: number)?.key == all.first { (Int($0) ?? .max) >= number })
        #expect(index.last(below: number)?.key == all.last { (Int($0) ?? .max) < number })
      }
    }
    let free = (5..<35).map { "\($0)" }
    let firstFree = free.first { collection[$0].current == nil }
    #expect(collection.freeKey(sparesTrash: false) == firstFree)
    #expect(collection.freeKey(sparesTrash: true) == free.first { collection[$0].isEmpty } ?? firstFree)
  }

  @Test("A new number is the first unused one; a long run of used ones is not tried one by one")
  func numbers() {
    for used in [0, 1, 5, 63, 64, 65, 1_000, 16_384] {
      var tried = 0
      let number = Document.unusedNumber(from: 2) { number in
        tried += 1
        return number < 2 + used
      }
      #expect(number == 2 + used && tried < 100)
    }
  }
}
