/**
 * How this terminal shows a picture: by what it says it is, and otherwise by what it answers. Within tmux and screen it is another terminal
 * that would have to be asked: tmux says that it can, and draws a box of plus signs where the one around it cannot.
 */
import type { PictureProtocol, PictureTerminal } from '../../ui/pictures.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** How large is a character, and what are you? Every terminal answers the second, and those that know the first answer in this order. */
export const PICTURE_QUESTION = '\x1b[16t\x1b[c';
/** Primary device attributes (DA1). */
const ATTRIBUTES = /\x1b\[\?([\d;]*)c/;
const CELL = /\x1b\[6;(\d+);(\d+)t/;
/** Of DEC's own, and of all that say nothing else. */
const USUAL_CELL = { width: 10, height: 20 };
/** Pixels: what is told beyond them is no character. */
const MOST_CELL = 200;

export const isLastAnswer = (answer: string): boolean => ATTRIBUTES.test(answer);

/**
 * Undefined where it shows none: what it does not know would stand in the scroll-back as text.
 *
 * @param ask gives what the terminal answers to the question; undefined where it does not.
 */
export async function pictureTerminal(
  environment: Environment,
  ask: () => Promise<string | undefined>,
): Promise<PictureTerminal | undefined> {
  if (isWithinAnother(environment)) return undefined;
  const answer = (await ask()) ?? '';
  const protocol = namedProtocol(environment) ?? (saysSixel(answer) ? 'sixel' : undefined);
  return protocol && { protocol, cell: cellIn(answer) };
}

const isWithinAnother = ({ TERM = '', TMUX, STY }: Environment): boolean =>
  TMUX !== undefined || STY !== undefined || /^(screen|tmux)/.test(TERM);

function namedProtocol({ TERM, TERM_PROGRAM, KITTY_WINDOW_ID }: Environment): PictureProtocol | undefined {
  if (TERM === 'xterm-kitty' || TERM === 'xterm-ghostty' || KITTY_WINDOW_ID !== undefined) return 'kitty';
  return TERM_PROGRAM === 'iTerm.app' || TERM_PROGRAM === 'WezTerm' ? 'iterm2' : undefined;
}

/** Of the attributes, 4 is sixel; the first number is what the terminal is like, and 4 is a VT132 there. */
function saysSixel(answer: string): boolean {
  const [, ...attributes] = ATTRIBUTES.exec(answer)?.[1]?.split(';') ?? [];
  return attributes.includes('4');
}

function cellIn(answer: string): PictureTerminal['cell'] {
  const [, height, width] = (CELL.exec(answer) ?? []).map(Number);
  const isSensible = (pixels: number | undefined): pixels is number =>
    pixels !== undefined && pixels > 0 && pixels <= MOST_CELL;
  return isSensible(height) && isSensible(width) ? { width, height } : USUAL_CELL;
}
