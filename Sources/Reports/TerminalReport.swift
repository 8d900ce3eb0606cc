import Files
import Foundation

/// A part of a report on a terminal, laid out to the terminal's width.
public enum TextBlock: Equatable, Sendable {
  case heading(String)
  case paragraph(String)
  case item(String)
  /// A line that is not broken, such as a command.
  case code(String)
  /// The first row names the columns.
  case table([[String]])
  /// An empty line; several in a row are one.
  case gap
}

extension RunReport {
  /// The report for a terminal, without pictures.
  public var terminal: [TextBlock] {
    let model = model([])
    let head: [TextBlock] = [
      .heading("\(model.suite): \(model.verdict.outcome): \(model.verdict.reason)"), .gap,
      .paragraph(model.verdict.advice), .gap,
    ]
    return
      (head + model.warnings.map(\.block) + model.changeBlocks + model.metricBlocks
      + model.clips.flatMap(\.blocks) + model.sliceBlocks + model.robustness.flatMap(\.blocks)
      + .section("Latency and cost", model.latency.blocks + [.gap, .paragraph("In parentheses 95 % intervals."), .gap])
      + model.costs.map(TextBlock.item)
      + .section("Data", model.datasets.map(\.block))
      + .section("Parameters", model.detectors.map(\.block))
      + .section(
        "How this was computed", .making(model.versions, model.commands, caveat: model.commandsCaveat))
      + .section("What this cannot say", model.limits.map(TextBlock.item))
      + [
        .gap,
        .paragraph(
          "All metrics, slices and parameters, the charts, and how each number was computed: report.md."),
      ]).oneLine
  }
}

extension StudyReport {
  /// The report for a terminal, without pictures.
  public func terminal(by origin: Origin) -> [TextBlock] {
    let model = model(named: kind, by: origin, [])
    let sections = model.sections.flatMap { section -> [TextBlock] in
      .section(
        section.heading,
        section.texts.map(TextBlock.paragraph) + section.items.map(TextBlock.item) + [.gap]
          + (section.table?.blocks ?? []))
    }
    let data =
      model.datasets.isEmpty
      ? [.paragraph("No recordings: the study is simulated, in the marked cases from the values of a baseline.")]
      : model.datasets.map(\.block)
    return
      ([.heading("\(model.suite): \(model.title)"), .gap] + model.summary.map(TextBlock.item) + [.gap]
      + model.warnings.map(\.block) + sections + .section("Data", data)
      + .section(
        "How this was computed",
        model.method.map(TextBlock.item) + .making(model.versions, model.commands, caveat: model.commandsCaveat))
      + .section("What this cannot say", model.limits.map(TextBlock.item))).oneLine
  }
}

extension ReportModel {
  fileprivate var changeBlocks: [TextBlock] {
    var blocks = summary.map(TextBlock.paragraph) + changedParameters.map { .item("Set: \($0)") }
    blocks += changes.map { change in
      let name = "\(change.name) (\(change.metric)) of \(change.detector)"
      guard change.isBetter || change.isWorse else { return .item("\(name) is unchanged on average") }
      return .item(
        "\(name) is \(change.isBetter ? "better" : "worse") by \(change.amount) (\(change.gain)): \(change.forWhom)"
          + (change.isShown ? "" : ". It may be chance"))
    }
    if let moreChangesCount { blocks.append(.item("and \(moreChangesCount) more metrics")) }
    blocks += changedClips.map { clip in
      .item(
        "\(clip.name) (\(clip.view)): \(clip.detector) \(clip.change)"
          + (clip.isBetter ? ", nearer" : clip.isWorse ? ", farther" : ""))
    }
    if let moreChangedClips { blocks.append(.item("and \(moreChangedClips) more")) }
    return .section("What changed, and for whom", blocks)
  }

  fileprivate var metricBlocks: [TextBlock] {
    let header = ["metric", "value", "95 % interval", "gain", "margin", "trend"]
    let rows = metrics.map { metric in
      [
        "\(metric.name) (\(metric.metric)) of \(metric.detector)",
        metric.unit.isEmpty ? metric.value : "\(metric.value) \(metric.unit)",
        metric.interval, metric.gain, metric.margin ?? "", metric.trend ?? "",
      ]
    }
    return .section(
      "Metrics",
      [
        .table([header] + rows), .gap,
        .paragraph("A gain above 0 is better. Metrics without a margin never block a release."),
      ])
  }

  fileprivate var sliceBlocks: [TextBlock] {
    let changed = changedSlices.filter { !$0.isFolded }.flatMap { slice in
      [.paragraph("Changes by \(slice.dimension), for the subjects with a value on both sides:"), .gap]
        + slice.table.blocks + [.gap]
    }
    return .section(
      "Slices",
      changed + [.paragraph(noSlices ?? "Changes by other properties, and all values: report.md.")])
  }
}

extension ClipsModel {
  fileprivate var blocks: [TextBlock] {
    .section(
      heading,
      (hasTable ? [.paragraph("Of \(detector):"), .gap] + table.blocks : []) + (allRight.map { [.paragraph($0)] } ?? [])
    )
  }
}

extension RobustnessModel {
  fileprivate var blocks: [TextBlock] {
    let words =
      "Each metric at the strongest step of each perturbation, everything else as it was recorded; seed \(seed)."
    return .section(
      "When things go wrong", table.blocks + [.gap, .paragraph(words), .gap] + notes.map(TextBlock.item))
  }
}

extension WarningModel {
  fileprivate var block: TextBlock { .paragraph("\(label): \(text)") }
}

extension DatasetModel {
  fileprivate var block: TextBlock {
    .item(
      "\(name) \(version), \(origin): \(clips) clips of \(subjects) subjects. Licence: \(licence). Source: \(source). "
        + "Content: \(content)")
  }
}

extension DetectorModel {
  fileprivate var block: TextBlock {
    .item("\(name), " + (changed.map { "not at its defaults: \($0)" } ?? "at its defaults"))
  }
}

extension TableModel {
  fileprivate var blocks: [TextBlock] {
    header.isEmpty ? [] : [.table([header] + rows.map { $0.cells.map(\.text) })]
  }
}

extension [TextBlock] {
  fileprivate static func section(_ heading: String, _ blocks: [TextBlock]) -> [TextBlock] {
    [.gap, .heading(heading), .gap] + blocks
  }

  /// The versions that made the report, and the commands that make it again.
  fileprivate static func making(_ versions: [FactModel], _ commands: [String], caveat: String?) -> [TextBlock] {
    versions.map { .item("\($0.name): \($0.value)") } + [.gap, .paragraph("The same again:"), .gap]
      + commands.map(TextBlock.code) + (caveat.map { [.paragraph($0)] } ?? [])
  }

  /// Each text on one line, without characters that a terminal interprets.
  var oneLine: [TextBlock] {
    map { block in
      switch block {
      case .heading(let text): .heading(text.visibleLine)
      case .paragraph(let text): .paragraph(text.visibleLine)
      case .item(let text): .item(text.visibleLine)
      case .code(let text): .code(text.visibleLine)
      case .table(let rows): .table(rows.map { $0.map(\.visibleLine) })
      case .gap: .gap
      }
    }
  }
}
