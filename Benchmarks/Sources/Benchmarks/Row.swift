/// A row of the table: what is claimed, and what was measured.
struct Row {
  var what: String
  var claimed: String
  var measured: String
  var holds: Bool

  var text: String { "| \(what) | \(claimed) | \(measured) | \(holds ? "yes" : "NO") |" }
}
