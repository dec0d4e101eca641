/** Who tells the story of a run: the screen at a terminal, lines of text elsewhere. The story goes to stderr, results to stdout. */
import type { Reporter } from '../../domain/event.ts';
import { systemClock } from '../../host/clock.ts';
import { print, say, whenOutletBreaks } from '../outlets.ts';

export const UIS = ['tui', 'plain', 'json', 'quiet'] as const;
export type Ui = (typeof UIS)[number];

/** @param command what to type to go on, told where a run does not come to its end. */
export async function chooseReporters(asked: Ui | undefined, command: string): Promise<readonly Reporter[]> {
  const ui = asked ?? (process.stderr.isTTY === true && !('CI' in process.env) ? 'tui' : 'plain');
  const color = process.stderr.isTTY === true && !process.env.NO_COLOR;
  switch (ui) {
    case 'tui': {
      const { startScreen } = await import('../../ui/screen.tsx');
      const gone = (leave: () => void) => whenOutletBreaks(leave);
      return [startScreen({ stdout: process.stderr, clock: systemClock, color, command, gone })];
    }
    case 'plain': {
      const { plainReporter } = await import('../../reporters/plain.ts');
      return [plainReporter(say, { command })];
    }
    case 'json': {
      const { jsonReporter } = await import('../../reporters/json.ts');
      return [jsonReporter(line => print(`${line}\n`))];
    }
    case 'quiet': {
      const { quietReporter } = await import('../../reporters/quiet.ts');
      return [quietReporter(say)];
    }
  }
}
