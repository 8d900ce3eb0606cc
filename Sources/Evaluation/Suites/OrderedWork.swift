/// Works on several items at once and takes their results in the items' order: what is summed from them then rounds the
/// same whatever the number of threads.
///
/// Only a few results wait behind a slow one.
///
/// - Parameters:
///   - job: Makes the work on an item, just before it starts.
///   - take: Called with each item's index and result, in order.
func inOrder<Value: Sendable>(
  _ count: Int, threads: Int, isolation: isolated (any Actor)? = #isolation,
  _ job: (Int) -> @Sendable () throws -> Value, take: (Int, Value) throws -> Void
) async throws {
  let threads = max(1, threads)
  try await withThrowingTaskGroup(of: (Int, Value).self) { group in
    var waiting: [Int: Value] = [:]
    var (next, running, taken) = (0, 0, 0)
    func start() {
      while running < threads, next < count, next < taken + 8 * threads {
        let (index, work) = (next, job(next))
        next += 1
        running += 1
        group.addTask { (index, try work()) }
      }
    }
    start()
    while let (index, value) = try await group.next() {
      running -= 1
      waiting[index] = value
      while let value = waiting.removeValue(forKey: taken) {
        try take(taken, value)
        taken += 1
      }
      start()
    }
  }
}
