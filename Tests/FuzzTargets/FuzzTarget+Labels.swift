import Importers

extension FuzzTarget {
  /// What annotation tools write, a target a format.
  static let labels = [
    ("audacity", "txt"), ("cvat", "xml"), ("elan", "eaf"), ("label-studio", "json"), ("via", "json"),
    ("via-csv", "csv"),
  ].map { format, ending in
    FuzzTarget(format) { input in
      try withTemporaryFiles(["clip.\(ending)": Array(input.bytes)]) { folder in
        _ = try LabelImport(from: "\(folder)/clip.\(ending)", format: format, mapping: nil)
      }
    }
  }
}
