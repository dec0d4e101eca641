/** For a program that serves another and may be deep in native code, or spin, when that one ends: it then hears no disconnect. */
import { Worker } from 'node:worker_threads';

/** A thread that looks whether the parent is still ours. Its program is text: it belongs to whoever asks, not to this file. */
const WATCH = `
  const { workerData: parent } = require('node:worker_threads');
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 250);
`;

export function endWithParent(parent: number): void {
  new Worker(WATCH, { eval: true, workerData: parent }).unref();
}
