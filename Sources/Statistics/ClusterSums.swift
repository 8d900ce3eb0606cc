/// What each cluster adds to a statistic: a row of numbers that pool by adding, such as a subject's tallies.
public struct ClusterSums: Hashable, Sendable {
  public let clusters: Int
  /// Numbers in a row.
  public let width: Int
  /// Row by row.
  public private(set) var values: [Double]

  /// All 0.
  ///
  /// - Precondition: Neither is negative.
  public init(clusters: Int, width: Int) {
    precondition(clusters >= 0 && width >= 0)
    self.clusters = clusters
    self.width = width
    values = [Double](repeating: 0, count: clusters * width)
  }

  /// Adds a clip's row to its cluster's.
  ///
  /// - Precondition: The row has `width` numbers, and there is such a cluster.
  public mutating func add(_ row: some Collection<Double>, to cluster: Int) {
    precondition(row.count == width && (0..<clusters).contains(cluster))
    for (column, value) in row.enumerated() { values[cluster * width + column] += value }
  }

  /// Over all clusters.
  public var total: [Double] {
    var total = [Double](repeating: 0, count: width)
    for cluster in 0..<clusters { accumulate(cluster, into: &total) }
    return total
  }

  func accumulate(_ cluster: Int, into sum: inout [Double]) {
    let start = cluster * width
    for column in 0..<width { sum[column] += values[start + column] }
  }
}
