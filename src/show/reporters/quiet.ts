/** Only what failed, the last line, and what a person has to decide. */
import type { RecordedEvent, Reporter } from '../../model/run/event.ts';
import { reduce } from '../../records/views/reduce.ts';
import { emptyRunView } from '../../records/views/run-view.ts';
import { outcomeLine } from '../text/opening-and-outcome.ts';
import type { PlainWords } from '../text/plain-lines.ts';
import { waitingLines } from '../text/run-summary.ts';
import { endText } from '../text/state-text.ts';

/** `write` is given one line at a time, without its line feed. */
export function quietReporter(
  write: (line: string) => void,
  { film, reviewCommand }: Pick<PlainWords, 'film' | 'reviewCommand'> = {},
): Reporter {
  const run = emptyRunView();
  return {
    report(event: RecordedEvent): void {
      reduce(run, event);
      if (event.type === 'run_finished') {
        write(outcomeLine(run));
        for (const { role, text } of waitingLines(run, film, reviewCommand))
          write(role === 'command' ? `  ${text}` : text);
      }
      if (event.type !== 'failed') return;
      const instance = run.instances.get(event.key);
      if (instance?.state.is === 'failed') write(`${instance.label} ${endText(instance.state)}`);
    },
    close: () => Promise.resolve(),
  };
}
