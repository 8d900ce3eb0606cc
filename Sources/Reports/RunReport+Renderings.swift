import Datasets
import Evaluation
import Foundation
import Plots

/// One model, several renderings.
extension RunReport {
  /// The report as GitHub-flavoured Markdown; its pictures are files beside it.
  ///
  /// - Throws: `DataError` where a template is wrong, `PlotError` where a chart can't be drawn.
  public func markdown(_ templates: ReportTemplates) throws -> String {
    try templates.render("report", .markdown, model(drawnPictures()))
  }

  /// The report as one HTML file that needs no other: its pictures are within it, in both themes and for
  /// wide and narrow screens.
  ///
  /// - Throws: `DataError` where a template is wrong, `PlotError` where a chart can't be drawn.
  public func html(_ templates: ReportTemplates) throws -> String {
    try templates.render("report", .html, model(drawnPictures(inline: true)))
  }

  /// The report for a terminal, in the simple Markdown that `TerminalLayout` lays out; without pictures.
  public func terminal(_ templates: ReportTemplates) throws -> String {
    try templates.render("report", .terminal, model([]))
  }

  /// No comment on GitHub is longer.
  ///
  /// The API answers "Body is too long (maximum is 65536 characters)"; what it counts has been measured as characters
  /// for pull requests and as four times as many bytes for comments (github.com/dead-claudia/github-limits/pull/13).
  /// Bytes are counted here, which are never fewer.
  public static let commentLimit = 65_536

  /// The short form for a comment on a pull request: as many changed clips as the limit lets it have.
  ///
  /// - Throws: `DataError` where a template is wrong or too long whatever it lists.
  public func pullRequest(_ templates: ReportTemplates) throws -> String {
    var length = 0
    for limit in [20, 10, 5, 2, 0] {
      let text = try templates.render("pull-request", .markdown, model([], limit: limit))
      length = text.utf8.count
      if length <= Self.commentLimit { return text }
    }
    throw DataError(
      file: "pull-request.md.mustache", expected: "at most \(Self.commentLimit) bytes, which GitHub takes",
      found: "\(length)")
  }

  /// The model itself, for who writes templates.
  public func json() throws -> String {
    String(decoding: try stableJSON(model(drawnPictures())), as: UTF8.self)
  }
}

extension RunReport {
  /// - Parameter inline: whether the model holds the pictures themselves, in both themes.
  func drawnPictures(inline: Bool = false) throws -> [DrawnPicture] {
    try pictures.drawn(metadata: metadata(run.name), inline: inline)
  }
}
