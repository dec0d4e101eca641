/** Ends a child process with its parent, even while it is deep in native code, or spins, and hears no disconnect. */
import { Worker } from 'node:worker_threads';

/** The program of a thread that looks whether the parent is still the same. As text it needs no file of its own in the bundle. */
const WATCH = `
  const { workerData: parent } = require('node:worker_threads');
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 250);
`;

export function endWithParent(parent: number): void {
  new Worker(WATCH, { eval: true, workerData: parent }).unref();
}
