import Importers

extension FuzzTarget {
  /// What annotation tools write, a target a format.
  static let labels = LabelFormats.descriptions.map { format in
    FuzzTarget(format.name) { input in
      let file = "clip.\(format.ending)"
      try withTemporaryFiles([file: Array(input.bytes)]) { folder in
        _ = try LabelImport(from: "\(folder)/\(file)", format: format.name, mapping: nil)
      }
    }
  }
}
