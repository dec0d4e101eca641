/**
 * The terminal behind standard error, as a screen draws on it, and whole again however this process ends: the cursor is shown, and no
 * frame is left half drawn. What Node has set on the keyboard it takes back itself as it ends.
 */
import { writeSync } from 'node:fs';
import type { ScreenTerminal, TerminalSignals } from '../../show/terminal/screen-options.ts';
import { draw } from '../outlets.ts';
import { onSuspend } from './suspension.ts';

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

type Environment = Readonly<Record<string, string | undefined>>;

const PUSH_TITLE = '\x1b[22;2t';
const POP_TITLE = '\x1b[23;2t';
const NO_PROGRESS = '\x1b]9;4;0\x1b\\';

/** The states of OSC 9;4. */
const STATES = { running: 1, failed: 2, waiting: 4 } as const;

interface RestorableSignals extends TerminalSignals {
  /** Restores what was changed; empty where nothing was. */
  readonly restoring: () => string;
}

export function terminalSignals(environment: Environment, write: (text: string) => void): RestorableSignals {
  const has = { title: hasTitle(environment), progress: hasProgress(environment) };
  let isTitled = false;
  let hasBegun = false;
  const restoring = () => `${isTitled ? POP_TITLE : ''}${hasBegun ? NO_PROGRESS : ''}`;
  return {
    title(words) {
      if (!has.title) return;
      write(`${isTitled ? '' : PUSH_TITLE}\x1b]2;${words}\x1b\\`);
      isTitled = true;
    },
    progress(state, share) {
      if (!has.progress) return;
      hasBegun = true;
      write(`\x1b]9;4;${STATES[state]};${Math.floor(share * 100)}\x1b\\`);
    },
    bell: () => write('\x07'),
    reset() {
      const text = restoring();
      if (text !== '') write(text);
      isTitled = false;
      hasBegun = false;
    },
    restoring,
  };
}

/** Terminals that keep a stack of titles: without one the title of before would be lost. */
const hasTitle = (environment: Environment): boolean =>
  !isWithinAnother(environment) && /^(xterm|foot|alacritty|wezterm|contour|mintty)/.test(environment.TERM ?? '');

/** Terminals that show progress. In others OSC 9 is a notification, or text. */
function hasProgress(environment: Environment): boolean {
  if (isWithinAnother(environment)) return false;
  const { WT_SESSION, ConEmuANSI, TERM, TERM_PROGRAM = '', TERM_PROGRAM_VERSION = '' } = environment;
  if (WT_SESSION !== undefined || ConEmuANSI === 'ON' || TERM === 'xterm-ghostty') return true;
  if (TERM_PROGRAM === 'ghostty' || TERM_PROGRAM === 'WezTerm') return true;
  return TERM_PROGRAM === 'iTerm.app' && isAtLeast(TERM_PROGRAM_VERSION, [3, 6, 6]);
}

function isAtLeast(version: string, least: readonly number[]): boolean {
  const parts = version.split('.').map(part => Number.parseInt(part, 10) || 0);
  const at = least.findIndex((part, place) => part !== (parts[place] ?? 0));
  return at < 0 || (parts[at] ?? 0) > (least[at] ?? 0);
}

export const isWithinAnother = ({ TERM = '', TMUX, STY }: Readonly<Record<string, string | undefined>>): boolean =>
  TMUX !== undefined || STY !== undefined || /^(screen|tmux)/.test(TERM);
