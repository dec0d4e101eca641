/**
 * Milliseconds that this thread has worked since. A clock on the wall counts what others do on a busy machine as well, and the time of the process
 * counts what the other threads of the tests do.
 */
export function processorTime(): () => number {
  const begun = process.threadCpuUsage();
  return () => process.threadCpuUsage(begun).user / 1_000;
}
