/**
 * The terminal behind standard error, as a screen draws on it, and whole again however this process ends: the cursor is shown, and no
 * frame is left half drawn. What Node has set on the keyboard it takes back itself as it ends.
 */
import { writeSync } from 'node:fs';
import type { ScreenTerminal } from '../../ui/screen-terminal.ts';
import { draw } from '../outlets.ts';
import { onSuspend } from './suspension.ts';
import { terminalSignals } from './terminal-signals.ts';

const STDERR = 2;
/** The end of a synchronised update, and the cursor. */
const WHOLE = '\x1b[?2026l\x1b[?25h';

/** @param hasSignals it rings its bell, and shows title and progress. */
export function realTerminal(hasSignals = false): ScreenTerminal {
  const { stderr, env } = process;
  let isTouched = false;
  const signals = terminalSignals(env, draw);
  process.once('exit', () => {
    if (isTouched) tryToWrite(`${WHOLE}${signals.restoring()}`);
  });
  return {
    get columns() {
      return stderr.columns || 80;
    },
    get rows() {
      return stderr.rows || 24;
    },
    // xterm itself, the console of Linux and GNU screen cut a line off; all others break it.
    reflows: !('XTERM_VERSION' in env || 'STY' in env || env.TERM === 'linux'),
    write(text) {
      isTouched = true;
      draw(text);
    },
    onResize(changed) {
      stderr.on('resize', changed);
      return () => void stderr.off('resize', changed);
    },
    onSuspend,
    ...(hasSignals && { signals }),
  };
}

function tryToWrite(text: string): void {
  try {
    writeSync(STDERR, text);
  } catch {
    // The terminal is gone.
  }
}

/** A terminal on which nothing can be drawn in place. */
export const isDumb = (env: Readonly<Record<string, string | undefined>>): boolean => env.TERM === 'dumb';
