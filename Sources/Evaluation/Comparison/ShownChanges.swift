import Statistics

extension [MetricChange] {
  /// Decides which changes are shown: the one decision that headlines, charts and marks use.
  ///
  /// The gating metrics are one family, the suite's other metrics a second one. Metrics that the suite does not name
  /// are not tested.
  ///
  /// - Parameter looks: Of the gating metrics' gate.
  mutating func decideShown(looks: GateRule.Looks) {
    for isGating in [true, false] {
      let family = indices.filter {
        (self[$0].margin != nil) == isGating && (isGating || self[$0].isListed) && !self[$0].isUnchanged
          && !self[$0].gains.isEmpty && self[$0].gains.values.allSatisfy(\.isFinite)
      }
      guard !family.isEmpty else { continue }
      let subjects = Set(family.flatMap { self[$0].gains.keys }).sorted()
      let changes = ShownChange.of(
        family.map { index in
          let gains = self[index].gains
          return subjects.map { gains[$0] }
        }, looks: looks)
      for (index, change) in zip(family, changes) { self[index].shown = change }
    }
  }
}
