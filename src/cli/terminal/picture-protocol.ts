/**
 * How this terminal shows a picture: by its variables, and otherwise by its answer. Within tmux and screen the terminal around them would
 * have to be asked: tmux claims that it can, and draws a box of plus signs where the one around it cannot.
 */
import type { PictureProtocol, PictureTerminal } from '../../show/terminal/pictures/pictures.ts';
import { isWithinAnother } from './real-terminal.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Primary device attributes (DA1): every terminal answers that, after what was asked before it. */
const WHAT = '\x1b[c';
const ATTRIBUTES = /\x1b\[\?([\d;]*)c/;
/** The size of one character. xterm answers only where it is set to. */
const CELL = { asked: '\x1b[16t', reply: /\x1b\[6;(?<height>\d+);(?<width>\d+)t/ };
/** Of the largest picture in sixel, by default the window. Asked only of terminals that have sixel. */
const LARGEST = { asked: '\x1b[?2;1;0S', reply: /\x1b\[\?2;0;(?<width>\d+);(?<height>\d+)S/ };
/** So small that a picture takes no more characters than there is room for, nearly everywhere. */
const SMALL_CELL = { width: 8, height: 16 };
/** Pixels: an answer beyond them is no character. */
const [LEAST_CELL, MOST_CELL] = [4, 200];

/** A terminal, and how it is asked. */
interface AskedTerminal {
  /** Cells. */
  readonly columns: number;
  readonly rows: number;
  /** Its answers, one behind the other, up to the one that `isLast`; undefined where it does not answer. */
  readonly ask: (question: string, isLast: (answer: string) => boolean) => Promise<string | undefined>;
}

/** Undefined where it shows none: a sequence that it does not know would be text in the scroll-back. */
export async function pictureTerminal(
  environment: Environment,
  { columns, rows, ask }: AskedTerminal,
): Promise<PictureTerminal | undefined> {
  if (isWithinAnother(environment)) return undefined;
  const asks = async (question: string) => (await ask(question + WHAT, answer => ATTRIBUTES.test(answer))) ?? '';
  const answer = await asks(CELL.asked);
  const protocol = namedProtocol(environment) ?? (hasSixel(answer) ? 'sixel' : undefined);
  if (!protocol) return undefined;
  const cell = extentIn(answer, CELL.reply, { columns: 1, rows: 1 });
  if (cell || protocol !== 'sixel') return { protocol, cell: cell ?? SMALL_CELL };
  return { protocol, cell: extentIn(await asks(LARGEST.asked), LARGEST.reply, { columns, rows }) ?? SMALL_CELL };
}

function namedProtocol({ TERM, TERM_PROGRAM, KITTY_WINDOW_ID }: Environment): PictureProtocol | undefined {
  if (TERM === 'xterm-kitty' || TERM === 'xterm-ghostty' || KITTY_WINDOW_ID !== undefined) return 'kitty';
  return TERM_PROGRAM === 'iTerm.app' || TERM_PROGRAM === 'WezTerm' ? 'iterm2' : undefined;
}

/** Of the attributes, 4 is sixel; the first number is what the terminal is like, and 4 is a VT132 there. */
function hasSixel(answer: string): boolean {
  const [, ...attributes] = ATTRIBUTES.exec(answer)?.[1]?.split(';') ?? [];
  return attributes.includes('4');
}

/** The size of one character, of an answer about so many; undefined where that cannot be. */
function extentIn(
  answer: string,
  reply: RegExp,
  { columns, rows }: Pick<AskedTerminal, 'columns' | 'rows'>,
): PictureTerminal['cell'] | undefined {
  const { width = '', height = '' } = reply.exec(answer)?.groups ?? {};
  const cell = { width: Math.floor(Number(width) / columns), height: Math.floor(Number(height) / rows) };
  const isSensible = (pixels: number) => pixels >= LEAST_CELL && pixels <= MOST_CELL;
  return isSensible(cell.width) && isSensible(cell.height) ? cell : undefined;
}
