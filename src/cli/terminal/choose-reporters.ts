/** Which reporter shows a run: the screen at a terminal, lines of text elsewhere. Both go to stderr; results and JSON go to stdout. */
import type { Reporter } from '../../domain/event.ts';
import { systemClock } from '../../host/clock.ts';
import type { FileOf } from '../../reporters/json-lines.ts';
import type { Decider } from '../../run/ports/decider.ts';
import { print, say, whenOutletBreaks } from '../outlets.ts';
import { personAtTerminal } from './person.ts';

export type Ui = 'tui' | 'plain' | 'json' | 'quiet';

export interface Told {
  readonly reporters: readonly Reporter[];
  /** Asks whoever sits at the terminal; absent where nobody does. */
  readonly decide?: NonNullable<Decider['decide']>;
}

export interface Telling {
  /** What to type to go on, shown where a run does not finish. */
  readonly command: string;
  /** Options that say which film is meant, as they are typed: `--draft`. */
  readonly film: string;
  /** Where content lies on this machine. */
  readonly fileOf: FileOf;
  /** The name that answers at the terminal bear. */
  readonly who: () => Promise<string>;
}

export async function chooseReporters(
  requested: Ui | undefined,
  { command, film, fileOf, who }: Telling,
): Promise<Told> {
  const ui = requested ?? (process.stderr.isTTY === true && !('CI' in process.env) ? 'tui' : 'plain');
  const color = process.stderr.isTTY === true && !process.env.NO_COLOR;
  switch (ui) {
    case 'tui': {
      const { startScreen } = await import('../../ui/screen.tsx');
      const gone = (leave: () => void) => whenOutletBreaks(leave);
      // In CI nobody sits there, whatever screen was asked for.
      const person = 'CI' in process.env ? undefined : personAtTerminal(fileOf, who);
      const screen = startScreen({ stdout: process.stderr, clock: systemClock, color, command, film, gone, ...person });
      return { reporters: [screen], ...(screen.decide && { decide: screen.decide }) };
    }
    case 'plain': {
      const { plainReporter } = await import('../../reporters/plain.ts');
      return { reporters: [plainReporter(say, { command, film, clock: systemClock })] };
    }
    case 'json': {
      const { jsonReporter } = await import('../../reporters/json-lines.ts');
      return { reporters: [jsonReporter(line => print(`${line}\n`), fileOf)] };
    }
    case 'quiet': {
      const { quietReporter } = await import('../../reporters/quiet.ts');
      return { reporters: [quietReporter(say, { film })] };
    }
  }
}
