/** Only what failed, and the last line. */
import type { Reporter, Stamped } from '../domain/event.ts';
import { ended, verdict } from '../telling/run-text.ts';
import { told, untold } from '../telling/run-view.ts';

/** `write` is given one line at a time, without its line feed. */
export function quietReporter(write: (line: string) => void): Reporter {
  const tale = untold();
  return {
    report(event: Stamped): void {
      told(tale, event);
      if (event.type === 'run_finished') write(verdict(tale));
      if (event.type !== 'failed') return;
      const instance = tale.instances.get(event.key);
      if (instance?.standing.is === 'failed') write(`${instance.label} ${ended(instance.standing)}`);
    },
    close: () => Promise.resolve(),
  };
}
