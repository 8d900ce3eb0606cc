import Evaluation
import Statistics

/// The rate of wrong decisions in each setting, one row per setting, with the claimed limit.
public struct ErrorRates: Chart {
  public struct Row: Hashable, Sendable {
    /// The group of the row. Rows of one group are adjacent; the first of them shows the group's name.
    public var group: String
    public var name: String
    /// Rates from 0 to 1 with intervals of the simulation error; `nil` for none.
    public var falseAlarm: Estimate?
    public var wrongPass: Estimate?

    public init(group: String, name: String, falseAlarm: Estimate?, wrongPass: Estimate?) {
      self.group = group
      self.name = name
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
        + "\(Self.percent(worst.rate)): \(worst.row.group), \(worst.row.name)"
  }

  public var subtitle: String { "\(topic) · \(source)" }

  public func bodyHeight(on page: Page) -> Double? {
    Legend(entries).rowHeight(ofWidth: page.bodyWidth) + 16 + 22 * Double(max(3, shown.count)) + Self.axisDepth
  }

  private static let axisDepth = Axis(LinearScale(0...1), edge: .bottom, title: " ").depth

  /// The rows with a rate to draw.
  private var shown: [Row] { rows.filter { $0.falseAlarm != nil || $0.wrongPass != nil } }

  public var table: ChartTable {
    func percent(_ rate: Estimate?) -> [ChartTable.Cell] { rate?.cells(times: 100) ?? [.empty, .empty, .empty] }
    return ChartTable(
      ["gains", "setting"], .estimate("false alarm", unit: "%", .upTo(2)), .estimate("wrong pass", unit: "%", .upTo(2)),
      rows: rows.map {
        ChartTable.row([.text($0.group), .text($0.name)], percent($0.falseAlarm), percent($0.wrongPass))
      })
  }

  private static func percent(_ rate: Double) -> String { "\(NumberText.plain(rate * 100, decimals: 2)) %" }

  private var entries: [LegendEntry] {
    let hasIntervals = shown.contains { $0.falseAlarm?.interval != nil || $0.wrongPass?.interval != nil }
    let candidates = [
      (true, LegendEntry(.ring(.worse), "false alarm")), (true, LegendEntry(.disc(.worse), "wrong pass")),
      (hasIntervals, LegendEntry(.line(.uncertain), "95 % interval")),
      (true, LegendEntry(.line(.quiet), "nominal: \(Self.percent(nominal))")),
      (true, LegendEntry(.dashedLine(.ink), "claimed at most: \(Self.percent(limit))")),
    ]
    return candidates.filter(\.0).map(\.1)
  }

  public func draw(on canvas: Canvas, in area: Rect) {
    let rows = shown
    let top = Legend(entries).drawRow(on: canvas, in: area) + 16
    let groups = min(0.26 * area.width, rows.map { canvas.width(of: $0.group, .note) }.max() ?? 0)
    let names = min(0.2 * area.width, rows.map { canvas.width(of: $0.name, .note) }.max() ?? 0)
    let rates = rows.flatMap { [$0.falseAlarm, $0.wrongPass].flatMap { $0?.values ?? [] } }.map { 100 * $0 }
    let axis = Axis(LinearScale(covering: [0, 125 * limit] + rates), edge: .bottom, title: "rate, %")
    let plot = Rect(
      left: area.left + groups + names + 40, top: top, right: area.right - 12,
      bottom: area.bottom - Self.axisDepth)
    let rowHeight = plot.height / Double(max(1, rows.count))
    axis.draw(on: canvas, around: plot)
    for (rate, meaning, dash) in [(nominal, SemanticColor.quiet, [Double]()), (limit, .ink, [6, 4])] {
      guard let x = axis.position(of: 100 * rate, in: plot) else { continue }
      canvas.line(
        from: Point(x: x, y: plot.top), to: Point(x: x, y: plot.bottom), meaning, width: 1.5, dash: dash)
    }
    let scale = CategoryScale(rows.map(\.name))
    for (index, row) in rows.enumerated() {
      let y = plot.top + (scale.fraction(of: Double(index)) ?? 0) * plot.height
      if index == 0 || rows[index - 1].group != row.group {
        // The name has as many lines as the group has rows.
        let lines = TextStyle.note.lines(
          of: row.group, width: groups, limit: rows[index...].prefix { $0.group == row.group }.count)
        for (line, text) in lines.enumerated() {
          let place = Point(x: area.left, y: y + Double(line) * TextStyle.note.lineHeight)
          canvas.text(text, at: place, Anchor(.left, .middle), .note, maxWidth: groups)
        }
        let edge = y - rowHeight / 2
        canvas.line(from: Point(x: area.left, y: edge), to: Point(x: plot.right, y: edge), .grid)
      }
      canvas.text(
        row.name, at: Point(x: plot.left - 14, y: y), Anchor(.right, .middle), .note.colored(.quiet), maxWidth: names)
      for (rate, isPass, offset) in [(row.wrongPass, true, 4.0), (row.falseAlarm, false, -4)] {
        guard let rate, let x = axis.position(of: 100 * rate.value, in: plot) else { continue }
        if let interval = rate.interval, let left = axis.position(of: 100 * interval.lowerBound, in: plot),
          let right = axis.position(of: 100 * interval.upperBound, in: plot)
        {
          let (start, end) = (Point(x: left, y: y + offset), Point(x: right, y: y + offset))
          canvas.line(from: start, to: end, .uncertain, width: 2)
        }
        canvas.disc(
          at: Point(x: x, y: y + offset), radius: 4, isPass ? .worse : .background, rim: .worse, rimWidth: 1.5)
      }
    }
  }
}

extension ChartRecipe {
  static let selftest = ChartRecipe(
    "selftest", "Error rates of the gate, by kind of gains and number of subjects.",
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
          group: $0.gains, name: "\($0.subjects) subjects", falseAlarm: $0.falseAlarm.map(estimate),
          wrongPass: $0.wrongPass.map(estimate))
      }, nominal: nominal, limit: limit)
    var kinds: [String] = []
    for group in groups where !kinds.contains(group.gains) { kinds.append(group.gains) }
    let curves = kinds.enumerated().map { index, kind in
      let own = groups.filter { $0.gains == kind }
      return ReportPicture(
        file: "power-\(index + 1).png", heading: "Detected losses by number of subjects: \(kind)",
        chart: PowerCurve(
          topic: "Gains: \(kind)", source: source(own), subjects: own.map(\.subjects),
          series: [
            PowerCurve.Series(
              "detects a loss of one standard deviation beyond the margin", .prediction,
              chances: own.map { estimate($0.shownLoss) }),
            PowerCurve.Series(
              "wrongly passes a loss of exactly the margin", .worse, chances: own.map { estimate($0.wrongPass ?? 0) }),
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
    /// The highest rate of wrong passes; `nil` if nothing passes.
    package var wrongPass: Double? { isRefused ? nil : results.map(\.rates.wrongPasses).max() }
    /// The smallest rate of detected losses: in the only metric, and in any of eight.
    package var shownLoss: Double { results.map(\.rates.shownLosses).min() ?? 0 }
    package var shownOfEight: Double? { results.compactMap(\.rates.shownOfEight).min() }
    package var unanimousLosses: Double? { results.compactMap(\.rates.unanimousLosses).min() }
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
