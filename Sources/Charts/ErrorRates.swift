import Evaluation
import Statistics

/// How often a decision is wrong by the number of subjects, with the claimed limit: a panel for each kind of gains, all on
/// one scale.
public struct ErrorRates: Chart {
  public struct Row: Hashable, Sendable {
    /// Rows of one group are in one panel.
    public var group: String
    public var subjects: Int
    /// 0…1, with the intervals of simulation error; `nil` if there is none.
    public var falseAlarm: Estimate?
    public var wrongPass: Estimate?

    public init(group: String, subjects: Int, falseAlarm: Estimate?, wrongPass: Estimate?) {
      self.group = group
      self.subjects = subjects
      self.falseAlarm = falseAlarm
      self.wrongPass = wrongPass
    }
  }

  /// The topic, at the start of the subtitle.
  public var topic: String
  /// The simulated settings and the number of simulations.
  public var source: String
  public var rows: [Row]
  /// The claimed rate, 0 to 1.
  public var nominal: Double
  /// The highest rate that simulation error explains if the true rate is the nominal rate.
  public var limit: Double

  public init(topic: String, source: String, rows: [Row], nominal: Double, limit: Double) {
    self.topic = topic
    self.source = source
    self.rows = rows
    self.nominal = nominal
    self.limit = limit
  }

  /// The highest rate compared with the limit: `Wrong in at most 6.6 % of comparisons, within the claimed 6.81 %`
  public var title: String {
    let rates = shown.flatMap { row in
      [row.falseAlarm, row.wrongPass].compactMap { $0?.value }.filter(\.isFinite).map { (row: row, rate: $0) }
    }
    guard let worst = rates.max(by: { $0.rate < $1.rate }) else { return "No rate is known" }
    let beyond = rates.count { $0.rate > limit }
    return beyond == 0
      ? "Wrong in at most \(Self.percent(worst.rate)) of comparisons, within the claimed \(Self.percent(limit))"
      : "\(beyond) of \(rates.count) rates exceed the claimed \(Self.percent(limit)), the worst with "
        + "\(Self.percent(worst.rate)): \(worst.row.group), \(NumberText.count(worst.row.subjects, "person"))"
  }

  public var subtitle: String {
    let hasGaps = shown.contains { $0.falseAlarm == nil || $0.wrongPass == nil }
    return "\(topic) · \(source)" + (hasGaps ? "; no point where that error cannot happen or no rate is claimed" : "")
  }

  public func bodyHeight(on page: Page) -> Double? {
    let lines = (groups.count + Self.columns(on: page) - 1) / Self.columns(on: page)
    return Legend(entries).rowHeight(ofWidth: page.bodyWidth) + 16 + Self.height * Double(max(1, lines)) + Self.titles
  }

  /// The height of a panel with its name and the numbers below it.
  private static let height = 190.0
  /// The room for the titles of the axes.
  private static let titles = 2 * TextStyle.note.lineHeight + 4
  private static func columns(on page: Page) -> Int { page.isNarrow ? 2 : 4 }

  /// In the order of the rows.
  private var groups: [String] { shown.reduce(into: []) { if !$0.contains($1.group) { $0.append($1.group) } } }

  /// The rows with a rate to draw.
  private var shown: [Row] { rows.filter { $0.falseAlarm != nil || $0.wrongPass != nil } }

  public var table: ChartTable {
    func percent(_ rate: Estimate?) -> [ChartTable.Cell] { rate?.cells(times: 100) ?? [.empty, .empty, .empty] }
    return ChartTable(
      ["gains", "subjects"], .estimate("false alarm", unit: "%", .upTo(2)),
      .estimate("wrong pass", unit: "%", .upTo(2)),
      rows: rows.map {
        ChartTable.row([.text($0.group), .count($0.subjects)], percent($0.falseAlarm), percent($0.wrongPass))
      })
  }

  private static func percent(_ rate: Double) -> String { "\(NumberText.plain(rate * 100, decimals: 2)) %" }

  private var entries: [LegendEntry] {
    let hasIntervals = shown.contains { $0.falseAlarm?.interval != nil || $0.wrongPass?.interval != nil }
    let candidates = [
      (true, LegendEntry(.ring(.prediction), "false alarm")), (true, LegendEntry(.disc(.prediction), "wrong pass")),
      (shown.contains(where: exceeds), LegendEntry(.disc(.worse), "exceeds the claim")),
      (hasIntervals, LegendEntry(.line(.uncertain), "95 % interval")),
      (true, LegendEntry(.line(.quiet), "nominal: \(Self.percent(nominal))")),
      (true, LegendEntry(.dashedLine(.ink), "claimed at most: \(Self.percent(limit))")),
    ]
    return candidates.filter(\.0).map(\.1)
  }

  private func exceeds(_ row: Row) -> Bool {
    [row.falseAlarm, row.wrongPass].contains { ($0?.value ?? 0) > limit }
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let (rows, groups) = (shown, groups)
    let top = Legend(entries).drawRow(on: canvas, in: area) + 16
    canvas.text(
      "rate, %", at: Point(x: area.left, y: top), Anchor(.left, .top), .note.colored(.quiet), maxWidth: area.width)
    canvas.text(
      "people", at: Point(x: area.middle.x, y: area.bottom), Anchor(.center, .bottom), .note.colored(.quiet))
    let rates = rows.flatMap { [$0.falseAlarm, $0.wrongPass].flatMap { $0?.values ?? [] } }.map { 100 * $0 }
    let most = rates.filter { $0.isFinite && $0 < 1e6 }.max() ?? 0
    let axis = Axis(LinearScale(0...max(1.1 * most, 115 * limit)), edge: .left)
    let columns = Self.columns(on: canvas.page)
    let names = Set(rows.map(\.subjects)).sorted()
    let first = top + TextStyle.note.lineHeight + 6
    for (index, group) in groups.enumerated() {
      let cell = Rect(
        x: area.left + Double(index % columns) * area.width / Double(columns),
        y: first + Double(index / columns) * Self.height, width: area.width / Double(columns), height: Self.height)
      canvas.text(
        group, at: Point(x: cell.left + 34, y: cell.top), Anchor(.left, .top), .note, maxWidth: cell.width - 48)
      let plot = Rect(left: cell.left + 34, top: cell.top + 28, right: cell.right - 14, bottom: cell.bottom - 38)
      draw(rows.filter { $0.group == group }, of: names, on: canvas, plot, axis)
    }
  }

  /// - Parameter names: The numbers of subjects of all panels.
  private func draw(_ rows: [Row], of names: [Int], on canvas: Canvas, _ plot: Rect, _ axis: Axis) {
    axis.draw(on: canvas, around: plot)
    for (rate, meaning, dash) in [(nominal, SemanticColor.quiet, [Double]()), (limit, .ink, [6, 4])] {
      guard let y = axis.position(of: 100 * rate, in: plot) else { continue }
      canvas.line(
        from: Point(x: plot.left, y: y), to: Point(x: plot.right, y: y), meaning, width: 1.5, dash: dash)
    }
    let scale = CategoryScale(names.map(String.init))
    for (index, subjects) in names.enumerated() {
      guard let x = scale.fraction(of: Double(index)).map({ plot.left + $0 * plot.width }) else { continue }
      canvas.text("\(subjects)", at: Point(x: x, y: plot.bottom + 6), Anchor(.center, .top), .small.colored(.quiet))
      for row in rows where row.subjects == subjects {
        for (rate, isPass, offset) in [(row.falseAlarm, false, -3.5), (row.wrongPass, true, 3.5)] {
          guard let rate, let y = axis.position(of: 100 * rate.value, in: plot) else { continue }
          if let interval = rate.interval, let low = axis.position(of: 100 * interval.lowerBound, in: plot),
            let high = axis.position(of: 100 * interval.upperBound, in: plot)
          {
            canvas.line(
              from: Point(x: x + offset, y: low), to: Point(x: x + offset, y: high), .uncertain, width: 2)
          }
          let meaning: SemanticColor = rate.value > limit ? .worse : .prediction
          canvas.disc(
            at: Point(x: x + offset, y: y), radius: 4, isPass ? meaning : .background, rim: meaning, rimWidth: 1.5)
        }
      }
    }
  }
}

extension ChartRecipe {
  static let selftest = ChartRecipe(
    "selftest", "Error rates of the gate, by kind of gains and number of people.",
    needs: "--from a selftest.json (default: the suite's newest)", takes: [.from]
  ) { context in
    let file = try context.studyFile("selftest", remedy: "")
    let selftest = try GateSelftest(file: file)
    let content = (selftest.datasets ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return context.pictures(
      selftest.pictures, bench: selftest.bench, suite: selftest.suite, content: content.joined(separator: ", "),
      file: file)
  }
}

extension GateSelftest {
  /// The error rates of all settings, then the effect of more subjects for each kind of gains.
  public var pictures: [ReportPicture] {
    let groups = groups
    func source(_ shown: [Group]) -> String { "suite \(suite) · \(Self.worst(of: shown))\(headline)" }
    func estimate(_ share: Double) -> Estimate { Estimate(SimulatedShare(share, of: trials)) }
    let rates = ErrorRates(
      topic: "How often the gate is wrong", source: source(groups),
      rows: groups.map {
        ErrorRates.Row(
          group: $0.gains, subjects: $0.subjects, falseAlarm: $0.falseAlarm.map(estimate),
          wrongPass: $0.wrongPass.map(estimate))
      }, nominal: nominal, limit: limit)
    var kinds: [String] = []
    for group in groups where !kinds.contains(group.gains) { kinds.append(group.gains) }
    let curves = kinds.enumerated().map { index, kind in
      let own = groups.filter { $0.gains == kind }
      return ReportPicture(
        file: "power-\(index + 1).png", heading: "Detected losses by number of people: \(kind)",
        chart: PowerCurve(
          topic: "Gains: \(kind)", source: source(own), subjects: own.map(\.subjects),
          series: [
            PowerCurve.Series(
              "detects a loss of one standard deviation beyond the margin", .prediction,
              chances: own.map { estimate($0.shownLoss) }),
            PowerCurve.Series(
              "wrongly passes a loss of exactly the margin", .worse,
              chances: own.map { estimate($0.highestWrongPass ?? 0) }),
          ]))
    }
    return [ReportPicture(file: "error-rates.png", heading: "Error rates by setting", chart: rates)] + curves
  }

  /// The settings of which each point shows the worst: `worst of correlation 0, 0.5 and 0.8 between metrics · `
  private static func worst(of groups: [Group]) -> String {
    let correlations = Set(groups.flatMap { $0.results.compactMap(\.setting.correlation) }).sorted()
    guard correlations.count > 1, let last = correlations.last else { return "" }
    let others = correlations.dropLast().map { NumberText.plain($0) }.joined(separator: ", ")
    return "worst of correlation \(others) and \(NumberText.plain(last)) between metrics · "
  }

  /// The number of settings and comparisons, and the claim.
  package var headline: String {
    "\(results.count) settings of \(trials) comparisons, seed \(seed); nominal "
      + "\(Self.percent(nominal)), claimed at most \(Self.percent(limit))"
  }

  package static func percent(_ share: Double) -> String { NumberText.fixed(share * 100, decimals: 2) + " %" }

  /// Settings that differ only in their correlation.
  package struct Group: Sendable {
    package var gains: String
    package var subjects: Int
    /// The settings of the group; at least one.
    package var results: [GateSimulation.Result]

    package var isRefused: Bool { results.contains(where: \.isRefused) }
    /// The reasons for not claiming a false alarm rate, by the number of metrics.
    package var outOfReach: [Int: String] { results.first?.outOfReach ?? [:] }
    /// The reason for not claiming a rate of wrong passes; `nil` for a claim.
    package var passOutOfReach: String? { results.first?.passOutOfReach }
    /// The highest rate of wrong passes; `nil` if nothing passes, and without a claim.
    package var wrongPass: Double? { passOutOfReach == nil ? highestWrongPass : nil }
    /// The same with or without a claim.
    package var highestWrongPass: Double? { isRefused ? nil : results.map(\.rates.wrongPasses).max() }
    /// The smallest rate of detected losses: in the only metric, and in any of eight.
    package var shownLoss: Double { results.map(\.rates.shownLosses).min() ?? 0 }
    package var shownOfEight: Double? { results.compactMap(\.rates.shownOfEight).min() }
    /// The smallest share of losses that stop a release.
    package var stoppedLoss: Double? { results.compactMap(\.rates.stoppedLosses).min() }
    /// The highest shares of harmless changes that stop a release, by their true loss.
    package var stoppedHarmless: [Double] {
      let shares = results.map(\.rates.stoppedHarmless)
      return (shares.first ?? []).indices.map { index in shares.map { $0[index] }.max() ?? 0 }
    }
    /// The highest false alarm rate for any number of gating metrics; `nil` with a true loss or without a claim.
    package var falseAlarm: Double? {
      results.flatMap { result in result.rates.falseRegressions.filter { result.outOfReach[$0.key] == nil }.values }
        .max()
    }

    package func falseAlarm(metrics: Int) -> Double? {
      results.compactMap { $0.rates.falseRegressions[metrics] }.max()
    }
  }

  /// The groups in the order of the simulation.
  package var groups: [Group] {
    results.reduce(into: []) { groups, result in
      if let last = groups.last, last.gains == result.setting.gains, last.subjects == result.setting.subjects {
        groups[groups.count - 1].results.append(result)
      } else {
        groups.append(Group(gains: result.setting.gains, subjects: result.setting.subjects, results: [result]))
      }
    }
  }
}
