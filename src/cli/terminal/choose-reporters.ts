/** Which reporter shows a run: the screen at a terminal, lines of text elsewhere. Both go to stderr; results and JSON go to stdout. */
import type { Reporter } from '../../domain/event.ts';
import { systemClock } from '../../host/clock.ts';
import type { FileOf } from '../../reporters/json-lines.ts';
import { print, say, whenOutletBreaks } from '../outlets.ts';

export const UIS = ['tui', 'plain', 'json', 'quiet'] as const;
export type Ui = (typeof UIS)[number];

/**
 * @param command what to type to go on, shown where a run does not finish.
 * @param fileOf where content lies on this machine, for programs that read JSON.
 */
export async function chooseReporters(
  requested: Ui | undefined,
  command: string,
  fileOf: FileOf,
): Promise<readonly Reporter[]> {
  const ui = requested ?? (process.stderr.isTTY === true && !('CI' in process.env) ? 'tui' : 'plain');
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
      const { jsonReporter } = await import('../../reporters/json-lines.ts');
      return [jsonReporter(line => print(`${line}\n`), fileOf)];
    }
    case 'quiet': {
      const { quietReporter } = await import('../../reporters/quiet.ts');
      return [quietReporter(say)];
    }
  }
}
