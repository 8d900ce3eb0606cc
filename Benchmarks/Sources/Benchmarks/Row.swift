/// A row of the table: the claim and the measured value.
struct Row {
  var what: String
  var claimed: String
  var measured: String
  var holds: Bool

  var text: String { "| \(what) | \(claimed) | \(measured) | \(holds ? "yes" : "NO") |" }
}
