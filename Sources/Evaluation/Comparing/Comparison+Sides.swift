extension Comparison {
  /// What changed from one side to the other.
  ///
  /// - Throws: as `init(_:with:)`, and `EvaluationError.usage` where both sides are the baseline.
  init(from before: ComparisonSide, to after: ComparisonSide) throws {
    if let results = after.results {
      try self.init(results, with: before.values, called: before.reference(beside: after))
    } else if let results = before.results {
      // A baseline has no units and directions: the run lends its own, and the comparison is turned round.
      try self.init(results, with: after.values, called: after.reference(beside: before))
      turnRound()
      changedParameters = Self.changedParameters(from: before.values, to: after.values)
    } else {
      throw EvaluationError.usage("expected a run beside the baseline, found the baseline twice")
    }
  }

  /// Takes what was before for what comes after.
  private mutating func turnRound() {
    changes = changes.map { change in
      var change = change
      (change.before, change.after) = (change.after, change.before)
      // A loss one way is the same gain the other way in every direction; + 0 leaves no negative zero.
      change.gains = change.gains.mapValues { -$0 + 0 }
      change.pooledGain = change.pooledGain.map { -$0 + 0 }
      return change
    }
    changedCounts = changedCounts.map { count in
      var count = count
      (count.before, count.after) = (count.after, count.before)
      return count
    }
    changedAnswers = changedAnswers.map(\.turnedRound)
  }
}
