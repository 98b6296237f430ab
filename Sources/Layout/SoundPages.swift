// The knobs of the part in focus, in the order of the signal path; on a phone one page for each stage.

extension Panel {
  /// The tablet's sound page: the filter in the middle, the largest, and the envelopes side by side below it.
  mutating func sound(_ frame: Frame) {
    let columns = frame.columns([36, 54, 36], gap: size.gap)
    stack([("/osc/1", false), ("/osc/2", false)], columns[0], [1, 1])
    var middle = columns[1]
    let envelopes = middle.cutBottom(middle.h / 2, gap: size.gap).columns(2, gap: size.gap)
    section("/filter", false, middle)
    section("/filter", true, envelopes[0])
    section("/amp", true, envelopes[1])
    stack([("/lfo", false), ("/amp", false)], columns[2], [7, 3])
  }

  /// The third envelope and the second LFO, which the matrix has.
  mutating func modulation(_ frame: Frame) {
    var rest = frame
    if size == .tablet {
      let columns = rest.columns([10, 36, 36], gap: size.gap)
      section("/env3", false, columns[0])
      section("/env3", true, columns[1])
      section("/lfo2", false, columns[2])
      return
    }
    section("/lfo2", false, rest.cutBottom(frame.h * 2 / 5, gap: size.gap))
    section("/env3", false, rest.cutLeft(80, gap: size.gap))
    section("/env3", true, rest)
  }

  /// Sections one below the other, each named by the stem of its addresses and whether it is the envelope.
  mutating func stack(_ sections: [(String, Bool)], _ frame: Frame, _ weights: [Double]) {
    for ((stem, isEnvelope), cell) in zip(sections, frame.rows(weights, gap: size.gap)) {
      section(stem, isEnvelope, cell)
    }
  }

  /// What stands beside the waveforms and the pitch of the oscillators: unison and phase, and the other sources.
  mutating func oscillators(_ frame: Frame) {
    let rows = frame.rows(2, gap: size.gap)
    grid(KnobSection.of(.oscillators).filter(\.isDetail), rows[0])
    sources(rows[1])
  }

  /// What sounds beside the oscillators.
  mutating func sources(_ frame: Frame) {
    let sections = KnobSection.of(.oscillators).filter { !$0.isDetail }
    let weights = sections.map { $0.rows.contains(where: \.isRadio) ? 3.0 : 1 }
    let cells =
      size == .tablet ? frame.columns(weights, gap: size.gap) : frame.rows(sections.count, gap: size.gap)
    for (section, cell) in zip(sections, cells) { self.section(section, in: cell) }
  }

  private mutating func section(_ stem: String, _ isEnvelope: Bool, _ frame: Frame) {
    if let section = KnobSection.all.first(where: {
      $0.stem == stem && $0.isEnvelope == isEnvelope && !$0.isDetail
    }) {
      self.section(section, in: frame)
    }
  }

  /// Any sections, in one column or two.
  mutating func grid(_ sections: [KnobSection], _ frame: Frame) {
    let across = size == .tablet && sections.count > 1 ? 2 : 1
    let rows = frame.rows((sections.count + across - 1) / across, gap: size.gap)
    for (index, section) in sections.enumerated() {
      let cell = rows[index / across].columns(across, gap: size.gap)[index % across]
      self.section(section, in: cell)
    }
  }
}
