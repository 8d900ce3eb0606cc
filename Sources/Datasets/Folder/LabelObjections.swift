/// What a reader of labels does where they break the rules of the format.
///
/// Import and run throw the first objection. Whoever looks for all that is wrong with a folder goes on instead.
struct LabelObjections {
  /// Of a label that can't be, as a rep that ends before it starts. Where this does not throw, the label is kept as it is.
  let contradiction: (DataError) throws -> Void
  /// Of a row that is no label at all. Where this does not throw, the row is left out.
  let row: (DataError) throws -> Void

  static var strict: Self { Self(contradiction: { throw $0 }, row: { throw $0 }) }
}
