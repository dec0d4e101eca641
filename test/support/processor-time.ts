/** Milliseconds that this process has worked since: a clock on the wall counts what others do on a busy machine as well. */
export function processorTime(): () => number {
  const begun = process.cpuUsage();
  return () => process.cpuUsage(begun).user / 1_000;
}
