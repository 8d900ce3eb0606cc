import Datasets
import Evaluation
import Foundation
import Mustache

/// The templates of reports: those that come along, and a project's own files in their place.
///
/// A template is `<name>.<format>.mustache`; its format decides how what is filled in is escaped, and which partials it
/// can call. What a template may name is described in docs/templates.md.
public struct ReportTemplates: Sendable {
  private struct File {
    var name: String
    var format: TemplateFormat
    var text: String
    /// In errors.
    var path: String
  }

  /// The version of the models that templates are filled with.
  static let model = "3"

  private let files: [File]

  /// - Parameter folder: a project's own templates; there may be no such folder.
  /// - Throws: `DataError` for a file that can't be read, is not called as a template is, takes no template's place and is
  ///   called by none, or is wrong as `render` says.
  public init(folder: String) throws { try self.init(folder: folder, filling: Self.reports) }

  /// - Parameter reports: the templates that are filled with a whole model, and the model's shape.
  init(folder: String, filling reports: [String: ModelShape]) throws {
    let own = try Self.own(in: folder)
    files = own + Self.builtIn.filter { file in !own.contains { $0.name == file.name && $0.format == file.format } }
    for file in own where reports[file.name] == nil { try requireUse(of: file) }
    // What is wrong is said before a run, not after it.
    for file in files { try reports[file.name].map { try check(file, $0) } }
  }

  /// Those that are filled with a whole report, and with what; the others are their partials.
  private static var reports: [String: ModelShape] {
    ["report": ReportModel.shape, "pull-request": ReportModel.shape, "study": StudyModel.shape]
  }

  /// A misspelt file would silently leave the one that comes along in its place.
  private func requireUse(of own: File) throws {
    let known = Self.builtIn.filter { $0.format == own.format }.map(\.name)
    guard !known.contains(own.name) else { return }
    let called = try files.filter { $0.format == own.format }.flatMap {
      try TemplateCheck.partials(of: $0.text, file: $0.path)
    }
    guard !called.contains(own.name) else { return }
    throw DataError(
      file: own.path, expected: "the name of a template that comes along, or a partial that another calls",
      found: NearNames.question(own.name, in: Set(known + called)))
  }

  private func check(_ template: File, _ shape: ModelShape) throws {
    try TemplateCheck(shape: shape) { partial in
      files.first { $0.format == template.format && $0.name == partial }.map { ($0.text, $0.path) }
    }.check(template.text, file: template.path)
  }

  private static var builtIn: [File] {
    func file(_ name: String, _ format: TemplateFormat, _ bytes: [UInt8]) -> File {
      File(
        name: name, format: format, text: String(decoding: bytes, as: UTF8.self),
        path: "\(name).\(format.rawValue).mustache (built in)")
    }
    return [
      file("report", .markdown, PackageResources.report_md_mustache),
      file("changed-clips", .markdown, PackageResources.changed_clips_md_mustache),
      file("changed-slices", .markdown, PackageResources.changed_slices_md_mustache),
      file("metrics", .markdown, PackageResources.metrics_md_mustache),
      file("metric-basis", .markdown, PackageResources.metric_basis_md_mustache),
      file("metric-row", .markdown, PackageResources.metric_row_md_mustache),
      file("pull-request", .markdown, PackageResources.pull_request_md_mustache),
      file("study", .markdown, PackageResources.study_md_mustache),
      file("picture", .markdown, PackageResources.picture_md_mustache),
      file("dataset", .markdown, PackageResources.dataset_md_mustache),
      file("versions", .markdown, PackageResources.versions_md_mustache),
      file("table", .markdown, PackageResources.table_md_mustache),
      file("change", .markdown, PackageResources.change_md_mustache),
      file("warnings", .markdown, PackageResources.warnings_md_mustache),
      file("report", .html, PackageResources.report_html_mustache),
      file("change", .html, PackageResources.change_html_mustache),
      file("changed-clips", .html, PackageResources.changed_clips_html_mustache),
      file("changed-slices", .html, PackageResources.changed_slices_html_mustache),
      file("figure", .html, PackageResources.figure_html_mustache),
      file("metric-basis", .html, PackageResources.metric_basis_html_mustache),
      file("metric-head", .html, PackageResources.metric_head_html_mustache),
      file("metric-row", .html, PackageResources.metric_row_html_mustache),
      file("picture", .html, PackageResources.picture_html_mustache),
      file("study", .html, PackageResources.study_html_mustache),
      file("style", .html, PackageResources.style_html_mustache),
      file("dataset", .html, PackageResources.dataset_html_mustache),
      file("method", .html, PackageResources.method_html_mustache),
      file("table", .html, PackageResources.table_html_mustache),
      file("report", .terminal, PackageResources.report_txt_mustache),
      file("study", .terminal, PackageResources.study_txt_mustache),
      file("versions", .terminal, PackageResources.versions_txt_mustache),
      file("table", .terminal, PackageResources.table_txt_mustache),
    ]
  }

  private static func own(in folder: String) throws -> [File] {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    return try names.filter { $0.hasSuffix(".mustache") && !$0.hasPrefix(".") }.map { file in
      let path = "\(folder)/\(file)"
      let parts = file.split(separator: ".").map(String.init)
      guard parts.count == 3, let format = TemplateFormat(rawValue: parts[1]), PortableName.isValid(parts[0]) else {
        throw DataError(
          file: path, expected: "a name such as report.md.mustache, with md, html or txt between the dots", found: file)
      }
      guard let text = String(data: try InputFile(path).bytes, encoding: .utf8) else {
        throw DataError(file: path, expected: "text in UTF-8", found: "other bytes")
      }
      return File(name: parts[0], format: format, text: text, path: path)
    }
  }

  /// A template filled with the model.
  ///
  /// - Throws: `DataError` with file and line for a template that names a key which the model does not have, or that is
  ///   wrong otherwise.
  func render(_ name: String, _ format: TemplateFormat, _ model: some ModelPart) throws -> String {
    TemplateFormat.register()
    let candidates = files.filter { $0.format == format }
    guard let template = candidates.first(where: { $0.name == name }) else {
      throw DataError(file: "\(name).\(format.rawValue).mustache", expected: "a template", found: "none")
    }
    try check(template, type(of: model).shape)
    var library = MustacheLibrary()
    for file in candidates {
      do {
        try library.register("{{% CONTENT_TYPE:\(format.contentType)}}\n" + file.text, named: file.name)
      } catch let error as MustacheTemplate.ParserError {
        // The line before the first is ours.
        throw DataError(
          file: file.path, line: max(1, error.context.lineNumber - 1), expected: "a Mustache template",
          found: "\(error.error)")
      }
    }
    return library.render(model.templateValue ?? Absent(), withTemplate: name) ?? ""
  }
}
