/**
 * Ctrl-Z, or `kill -TSTP`: the screen erases its live part first, and draws it again when the process goes on (`fg`).
 * The signal is then sent once more with its usual meaning, so that it is the system that stops us: where no shell could bring us back it
 * does not, and we go on at once.
 */
import type { Suspension } from '../../show/terminal/screen-options.ts';

const listeners = new Set<Suspension>();

export function onSuspend(listener: Suspension): () => void {
  if (listeners.size === 0) listen();
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) unlisten();
  };
}

/** Before a signal that ends this process and lets it say nothing. */
export const takeDown = (): void => {
  for (const { suspending } of [...listeners]) suspending();
};

/** The next SIGCONT belongs to a stop that was handled already. */
let isHandled = false;

function suspend(): void {
  takeDown();
  process.off('SIGTSTP', suspend);
  isHandled = true;
  // Returns when the process goes on.
  process.kill(process.pid, 'SIGTSTP');
  setImmediate(() => {
    if (listeners.size === 0) return;
    process.on('SIGTSTP', suspend);
    goOn();
  });
}

/** Also after SIGSTOP, which no process sees coming. */
function continued(): void {
  if (isHandled) isHandled = false;
  else goOn();
}

function goOn(): void {
  for (const { resumed } of [...listeners]) resumed();
}

function listen(): void {
  process.on('SIGTSTP', suspend);
  process.on('SIGCONT', continued);
}

function unlisten(): void {
  process.off('SIGTSTP', suspend);
  process.off('SIGCONT', continued);
}
