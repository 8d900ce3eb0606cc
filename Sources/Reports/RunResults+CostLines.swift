import Evaluation

extension RunResults {
  /// What was measured of the update costs that the suite names, a sentence a ratio; empty where it names none.
  public var costLines: [String] {
    measured.sorted { $0.key < $1.key }.flatMap { detector, measured -> [String] in
      guard let ratios = measured.ratios else { return [] }
      func line(_ ratio: CostRatio, _ other: String) -> String {
        let interval = ratio.interval.map {
          "95 % interval \(NumberText.value($0.low, unit: "")) to \(NumberText.value($0.high, unit: "")), sign"
        }
        return "an update of \(detector) takes \(NumberText.value(ratio.median, unit: "")) times as long as \(other) "
          + "(\(interval ?? "no interval from so few"); median of \(ratio.byClip.count) clips)"
      }
      return [line(ratios.toReference, "the fixed loop")]
        + (ratios.toBaseline.map { [line($0, "with the baseline's parameters, in turns")] } ?? [])
    }
  }
}
