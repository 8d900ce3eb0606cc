extension TableModel {
  /// From rows of text, the first of which names the columns.
  init(_ rows: [[String]]) {
    header = rows.first ?? []
    self.rows = rows.dropFirst().map { row in
      RowModel(
        cells: row.enumerated().map { column, text in
          CellModel(label: column < header.count ? header[column] : "", text: text)
        })
    }
  }
}
