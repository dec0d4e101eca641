/** Which reporter shows a run: the screen at a terminal, lines of text elsewhere. Both go to stderr; results and JSON go to stdout. */

import { systemClock } from '../../machine/time/clock.ts';
import type { Reporter } from '../../model/run/event.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { Decider } from '../../run/ports/decider.ts';
import type { FileOf } from '../../show/reporters/json-lines.ts';
import type { PlannedWords } from '../../show/terminal/instance-in-full.ts';
import type { Pictures, PictureTerminal } from '../../show/terminal/pictures/pictures.ts';
import type { LimitsShown } from '../../show/text/step-tally.ts';
import { print, sayLine, whenOutletBreaks, withoutSecrets } from '../outlets.ts';
import { personAtTerminal, type TerminalKeyboard } from './keyboard.ts';
import { pictureTerminal } from './picture-protocol.ts';
import { isDumb, realTerminal } from './real-terminal.ts';

export type Ui = 'tui' | 'plain' | 'json' | 'quiet';

interface ChosenReporters {
  readonly reporters: readonly Reporter[];
  /** Asks the person at the terminal; absent without one. */
  readonly decide?: NonNullable<Decider['decide']>;
}

interface Telling {
  /** What to type to go on, shown where a run does not finish. */
  readonly command: string;
  /** Options that say which film is meant, as they are typed: `--draft`. */
  readonly film: string;
  /** The command that opens what waits for a person; absent: `shotlist review` of the file. */
  readonly reviewCommand?: string;
  /** Where content lies on this machine. */
  readonly fileOf: FileOf;
  /** The name that answers at the terminal bear. */
  readonly who: () => Promise<string>;
  /** Opens the review page; gives what came of it, as a sentence. */
  readonly review?: () => Promise<string>;
  /** How much is done at once. */
  readonly limits?: LimitsShown;
  /** The command that decides what waits for a person, as it is typed. */
  readonly deciding?: string;
  /** It is carried out elsewhere: who ends looking at it leaves it alone. */
  readonly elsewhere?: true;
  /** The plan's words about an instance. */
  readonly planned?: (key: InstanceKey) => PlannedWords | undefined;
  /** Small pictures of results, the terminal's title, progress and bell, where the terminal has them. */
  readonly extras?: boolean;
}

export async function chooseReporters(requested: Ui | undefined, telling: Telling): Promise<ChosenReporters> {
  const { command, film, reviewCommand, fileOf, who, review, limits, deciding, planned, elsewhere } = telling;
  const color = process.stderr.isTTY === true && !process.env.NO_COLOR;
  const ui = uiFor(requested);
  const words = { command, film, ...(reviewCommand !== undefined && { reviewCommand }) };
  switch (ui) {
    case 'tui': {
      const { startScreen } = await import('../../show/terminal/screen.tsx');
      const gone = (leave: () => void) => whenOutletBreaks(leave);
      // CI has no person, whatever screen was asked for.
      const { person, keyboard } =
        'CI' in process.env ? {} : personAtTerminal({ fileOf, who, ...(review && { review }) });
      const screen = startScreen({
        ...{ terminal: realTerminal(telling.extras), clock: systemClock, color, gone },
        ...words,
        hide: withoutSecrets,
        ...(limits && { limits }),
        ...(deciding !== undefined && { deciding }),
        ...(planned && { planned }),
        ...(elsewhere && { elsewhere }),
        ...picturesHere(telling, keyboard),
        ...(person && { person }),
      });
      return { reporters: [screen], ...(screen.decide && { decide: screen.decide }) };
    }
    case 'plain': {
      const { plainReporter } = await import('../../show/reporters/plain.ts');
      return { reporters: [plainReporter(sayLine, { ...words, clock: systemClock })] };
    }
    case 'json': {
      const { jsonReporter } = await import('../../show/reporters/json-lines.ts');
      return { reporters: [jsonReporter(line => print(`${line}\n`), fileOf)] };
    }
    case 'quiet': {
      const { quietReporter } = await import('../../show/reporters/quiet.ts');
      return { reporters: [quietReporter(sayLine, words)] };
    }
  }
}

/** A terminal that cannot be drawn on in place gets lines, whatever was asked for. */
function uiFor(requested: Ui | undefined): Ui {
  const drawn = isDumb(process.env) ? 'plain' : 'tui';
  if (requested !== undefined) return requested === 'tui' ? drawn : requested;
  return process.stderr.isTTY === true && !('CI' in process.env) ? drawn : 'plain';
}

function picturesHere(
  { extras, fileOf }: Telling,
  keyboard: TerminalKeyboard | undefined,
): { readonly pictures?: Pictures } {
  if (!extras || 'CI' in process.env) return {};
  let foundTerminal: Promise<PictureTerminal | undefined> | undefined;
  const of: Pictures['of'] = async ({ sha256, kind, seconds }, within, signal) => {
    const file = fileOf(sha256);
    if (file === undefined) return undefined;
    const { smallPicture } = await import('../../app/reports/small-picture.ts');
    return smallPicture({ file, kind, seconds, within }, signal);
  };
  return {
    pictures: {
      terminal: () => {
        const { columns, rows } = realTerminal();
        const ask: TerminalKeyboard['ask'] = async (question, isLast) => keyboard?.ask(question, isLast);
        foundTerminal ??= pictureTerminal(process.env, { columns, rows, ask });
        return foundTerminal;
      },
      of,
    },
  };
}
