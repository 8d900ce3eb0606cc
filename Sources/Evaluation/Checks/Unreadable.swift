import Datasets

/// Rows of label files and pose files that break the rules of the format: import and run refuse such a dataset.
struct Unreadable: DatasetCheck {
  let name = "unreadable"
  let title = "rows or files break the rules of the format"
  let threshold = "any: the rules are those of import, which stops at the first that is broken"
  let remedy = "correct the file; until then import and run refuse the dataset"

  func findings(across dataset: CheckedDataset) -> [Finding] {
    dataset.unreadable.enumerated().map { index, error in
      var finding = finding(
        .problem, in: error.clip, weight: Double(dataset.unreadable.count - index),
        "expected \(error.expected), found \(error.found)")
      (finding.file, finding.line) = (error.file, error.line)
      return finding
    }
  }
}
