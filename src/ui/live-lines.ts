/**
 * Lines that are written once, and below them lines that are drawn in place, on any terminal: only those that changed are written again.
 * Each frame is one write between the marks of a synchronised update, and leaves the cursor in the first cell of the row below it, where
 * whoever writes next (a shell, an error message) finds a line of its own.
 *
 * A library for that lays out boxes, which lines do not need: importing Ink alone takes some fifty megabytes and 200 ms of processor.
 */
import { cellWidth } from '../domain/cells.ts';
import { safePainted } from '../domain/clean.ts';
import type { PlacedPicture } from './pictures.ts';
import type { ScreenTerminal } from './screen-terminal.ts';

/** A picture over the cells at the right of some of the lines: it stays while they change, and is drawn once. */
export interface Overlay {
  /** The line that its top is in. */
  readonly row: number;
  /** Cells to its left. */
  readonly column: number;
  readonly picture: PlacedPicture;
}

export class LiveLines {
  readonly #terminal: ScreenTerminal;
  /** As they stand on the terminal now, top to bottom. */
  #shown: readonly string[] = [];
  /** How wide the terminal was when they were drawn. */
  #columns = 0;
  #isCursorHidden = false;
  #overlay: Overlay | undefined;

  constructor(terminal: ScreenTerminal) {
    this.#terminal = terminal;
  }

  /** `past` goes above `live`, for good. Lines are painted already, and no wider than the terminal; `live` has fewer than it has rows. */
  draw(past: readonly string[], live: readonly string[], overlay?: Overlay): void {
    const { columns } = this.#terminal;
    const lines = live.map((line, row) => besideOf(overlay, row, safePainted(line)));
    const isInPlace = past.length === 0 && columns === this.#columns && isSame(overlay, this.#overlay);
    const body = isInPlace
      ? this.#changes(lines)
      : `${this.#erased()}${past.map(ended).join('')}${lines.map(ended).join('')}${shown(overlay, lines.length)}`;
    this.#overlay = overlay;
    const cursor = this.#isCursorHidden ? '' : HIDE_CURSOR;
    this.#isCursorHidden = true;
    this.#shown = lines;
    this.#columns = columns;
    // A Ctrl-C that the terminal itself has shown as `^C` goes as well.
    this.#terminal.write(`${BEGIN}${cursor}${body}${ERASE_BELOW}${END}`);
  }

  /** Takes the live lines off the terminal, and gives the cursor back: before the process is suspended, and at the end. */
  clear(): void {
    if (!this.#isCursorHidden) return;
    this.#terminal.write(`${BEGIN}${this.#erased()}${ERASE_BELOW}${SHOW_CURSOR}${END}`);
    this.#shown = [];
    this.#overlay = undefined;
    this.#isCursorHidden = false;
  }

  /** What is shown stays as it is, and the cursor is given back. */
  leave(): void {
    if (this.#isCursorHidden) this.#terminal.write(SHOW_CURSOR);
    this.#shown = [];
    this.#overlay = undefined;
    this.#isCursorHidden = false;
  }

  /** Somebody else has written since: what was shown is somewhere above, and left alone. */
  forget(): void {
    this.#shown = [];
    this.#overlay = undefined;
    this.#isCursorHidden = false;
  }

  /** Back to the first cell of the first live line. What is there is erased with what follows. */
  #erased(): string {
    const rows = this.#rowsNow();
    const hide = this.#overlay?.picture.hide ?? '';
    return `${hide}${rows > 0 ? `\x1b[${rows}A` : ''}\r${ERASE_BELOW}`;
  }

  /** How many rows the lines take now: a terminal that was made narrower has broken those that are too wide for it. */
  #rowsNow(): number {
    const { columns, reflows } = this.#terminal;
    if (!reflows || columns >= this.#columns) return this.#shown.length;
    const rows = this.#shown.reduce(
      (sum, line) => sum + Math.max(1, Math.ceil(shownWidth(line) / Math.max(1, columns))),
      0,
    );
    return rows;
  }

  #changes(lines: readonly string[]): string {
    const before = this.#shown;
    let text = before.length > 0 ? `\x1b[${before.length}A` : '';
    let skipped = 0;
    for (const [row, line] of lines.entries()) {
      if (row < before.length && line === before[row]) {
        skipped += 1;
        continue;
      }
      text += `${down(skipped)}${line}${isBeside(this.#overlay, row) ? '' : ERASE_RIGHT}\n`;
      skipped = 0;
    }
    return text + down(skipped);
  }
}

const BEGIN = '\x1b[?2026h';
const END = '\x1b[?2026l';
const HIDE_CURSOR = '\x1b[?25l';
export const SHOW_CURSOR = '\x1b[?25h';
const SAVE_CURSOR = '\x1b7';
const RESTORE_CURSOR = '\x1b8';
const ERASE_BELOW = '\x1b[J';
const ERASE_RIGHT = '\x1b[K';

/** Blanks up to the picture take away what stood there, and leave it alone. */
const besideOf = (overlay: Overlay | undefined, row: number, line: string): string =>
  overlay && isBeside(overlay, row) ? line + ' '.repeat(Math.max(0, overlay.column - shownWidth(line))) : line;

const isBeside = (overlay: Overlay | undefined, row: number): boolean =>
  overlay !== undefined && row >= overlay.row && row < overlay.row + overlay.picture.rows;

const isSame = (one: Overlay | undefined, other: Overlay | undefined): boolean =>
  one?.picture === other?.picture && one?.row === other?.row && one?.column === other?.column;

/** The cursor is below the lines, and there again afterwards: the last of the picture is above it, so that nothing scrolls. */
const shown = (overlay: Overlay | undefined, lines: number): string =>
  overlay === undefined
    ? ''
    : `${SAVE_CURSOR}\x1b[${lines - overlay.row}A\x1b[${overlay.column + 1}G${overlay.picture.show}${RESTORE_CURSOR}`;

const ended = (line: string): string => `${safePainted(line)}\n`;
const down = (rows: number): string => (rows === 0 ? '' : `\x1b[${rows}B`);
const shownWidth = (line: string): number => cellWidth(line.replace(/\x1b\[[\d;]*m/g, ''));
