import Glibc

/// Whether tests render the whole bank, and hours of recalls, which takes minutes: with `packaging/test --long`.
public let runsLongTests = getenv("PIPIT_LONG") != nil

/// All elements with `packaging/test --long`, otherwise each eighth of them.
public func sample<Element>(_ all: some Collection<Element>) -> [Element] {
  all.enumerated().filter { runsLongTests || $0.offset % 8 == 0 }.map(\.element)
}
