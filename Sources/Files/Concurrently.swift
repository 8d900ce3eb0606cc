import Dispatch
import Synchronization

/// Does jobs at the same time, on as many threads as the machine has cores.
///
/// - Returns: The values in the order of the jobs.
/// - Throws: The error of the first job that failed, in their order; all jobs are done first.
package func concurrently<Value: Sendable>(
  _ count: Int, _ job: @Sendable (Int) throws -> Value
) throws -> [Value] {
  let results = Mutex([Result<Value, any Error>?](repeating: nil, count: count))
  DispatchQueue.concurrentPerform(iterations: count) { index in
    let result = Result { try job(index) }
    results.withLock { $0[index] = result }
  }
  return try results.withLock { try $0.compactMap { try $0?.get() } }
}

/// Does two jobs at the same time.
///
/// - Throws: The error of the first job, else that of the second.
package func concurrently<First: Sendable, Second: Sendable>(
  _ first: @Sendable () throws -> First, _ second: @Sendable () throws -> Second
) throws -> (First, Second) {
  let one = Mutex<Result<First, any Error>?>(nil)
  let two = Mutex<Result<Second, any Error>?>(nil)
  DispatchQueue.concurrentPerform(iterations: 2) { index in
    if index == 0 {
      let result = Result { try first() }
      one.withLock { $0 = result }
    } else {
      let result = Result { try second() }
      two.withLock { $0 = result }
    }
  }
  guard let first = one.withLock({ $0 }), let second = two.withLock({ $0 }) else {
    preconditionFailure("each job leaves a result")
  }
  return (try first.get(), try second.get())
}
