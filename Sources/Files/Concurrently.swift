import Dispatch
import Foundation
import Synchronization

/// Read once: the system keeps it in several files.
package let availableCores = ProcessInfo.processInfo.activeProcessorCount

/// Does jobs at the same time, on as many threads as the machine has cores. A job may do jobs in this way too.
///
/// - Parameter threads: The most threads; by default the number of cores.
/// - Returns: The values in the order of the jobs.
/// - Throws: The error of the first job that failed, in their order; all jobs are done first.
package func concurrently<Value: Sendable, Failure: Error>(
  _ count: Int, threads: Int = availableCores,
  _ job: @escaping @Sendable (Int) throws(Failure) -> Value
) throws(Failure) -> [Value] {
  let jobs = Jobs(count, job)
  for _ in 1..<max(1, min(count, threads)) { DispatchQueue.global().async { jobs.work() } }
  jobs.work()
  return try jobs.values()
}

/// Does two jobs at the same time.
///
/// - Throws: The error of the first job, else that of the second.
package func concurrently<First: Sendable, Second: Sendable>(
  _ first: @escaping @Sendable () throws -> First, _ second: @escaping @Sendable () throws -> Second
) throws -> (First, Second) {
  let both = try concurrently(2, threads: 2) { index throws -> (First?, Second?) in
    if index == 0 { return (try first(), nil) } else { return (nil, try second()) }
  }
  guard let first = both[0].0, let second = both[1].1 else { preconditionFailure("each job leaves its result") }
  return (first, second)
}

/// Jobs that threads take one after the other.
///
/// `DispatchQueue.concurrentPerform` within itself uses one thread. Here a thread that comes late finds what is left,
/// or nothing.
private final class Jobs<Value: Sendable, Failure: Error>: Sendable {
  private struct State {
    var next = 0
    var results: [Result<Value, Failure>?]
    var finished = 0
  }

  private let state: Mutex<State>
  private let count: Int
  private let job: @Sendable (Int) throws(Failure) -> Value
  private let isDone = DispatchSemaphore(value: 0)

  init(_ count: Int, _ job: @escaping @Sendable (Int) throws(Failure) -> Value) {
    (self.count, self.job) = (count, job)
    state = Mutex(State(results: Array(repeating: nil, count: count)))
  }

  /// Does jobs until none is left to begin.
  func work() {
    while let index = begin() {
      let result = Result { () throws(Failure) in try job(index) }
      let isLast = state.withLock { state in
        state.results[index] = result
        state.finished += 1
        return state.finished == count
      }
      if isLast { isDone.signal() }
    }
  }

  private func begin() -> Int? {
    state.withLock { state in
      guard state.next < count else { return nil }
      state.next += 1
      return state.next - 1
    }
  }

  /// Waits for all jobs.
  func values() throws(Failure) -> [Value] {
    if count > 0 { isDone.wait() }
    let results = state.withLock { $0.results }
    var values: [Value] = []
    values.reserveCapacity(count)
    for result in results { if let value = try result?.get() { values.append(value) } }
    return values
  }
}
