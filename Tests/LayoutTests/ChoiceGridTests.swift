import Parameters
import Testing

@testable import Layout

/// The grids of names that open in place of the pages; `Tests/Tablet/validate` runs their scripts.
struct ChoiceGridTests {
  @Test(
    "The field of a choice out of many shows its name, and opens a grid of all its names in their order",
    arguments: Size.allCases)
  func names(size: Size) throws {
    let root = LayoutTests.root(size)
    for row in Table.rows {
      let names = row.choices
      if !row.isGrid { continue }
      for address in LayoutTests.addresses(row) {
        for page in root.all where page.children.contains(where: { $0.name == address }) {
          let field = try #require(page.children.first { $0.name == address })
          // The field's script reads it there.
          #expect(page.children.contains { $0.type == .label && $0.name == address + "/text" }, "\(address)")
          let grid = try #require(root.children.first { $0.name == field.grid })
          let buttons = grid.all.filter { $0.type == .button && $0.name != "close" }
          #expect(buttons.map(\.name) == names && buttons.allSatisfy { $0.grid == grid.name }, "\(address)")
          #expect(
            grid.all.filter { $0.name.hasPrefix("lamp ") }.map { $0.name.dropFirst(5) }
              == names[...].map { $0[...] })
          #expect(grid.children.filter { $0.name == "close" }.map(\.grid) == [grid.name])
        }
      }
    }
  }

  @Test("Knobs with the same names share a grid, and no two grids have a name", arguments: Size.allCases)
  func shared(size: Size) {
    let grids = LayoutTests.root(size).children.filter { $0.type == .group }
    let choices = Table.rows.filter(\.isGrid).map(\.choices)
    #expect(Set(choices).count == grids.count && Set(grids.map(\.name)).count == grids.count)
  }
}
