/**
 * Resolves when everything has gone on that needs neither time nor another process: turns of the event loop, until nothing is read from
 * or written to a disk. A pause of so many milliseconds would race the disk of a busy machine.
 */
export async function settled(): Promise<void> {
  const latest = performance.now() + PATIENCE;
  let calm = 0;
  while (calm < CALM) {
    await new Promise(resolve => setImmediate(resolve));
    calm = isAtFiles() && performance.now() < latest ? 0 : calm + 1;
  }
}

/** Turns in which nothing is under way, one behind the other: what a result leads to may begin a turn later. */
const CALM = 2;
/** Milliseconds for a file that never answers, such as a pipe which nobody reads. */
const PATIENCE = 2_000;

const isAtFiles = (): boolean => process.getActiveResourcesInfo().some(name => /^(FSReq|CloseReq)/.test(name));
