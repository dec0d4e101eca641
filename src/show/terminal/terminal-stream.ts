/**
 * What Ink takes for its standard output: the terminal of the screen. Ink writes a frame in pieces, and once more where lines go to the
 * scroll-back; the terminal gets one write, a synchronised update. What Ink leaves to us is done here too: rows that a narrower terminal has
 * wrapped are erased, and a picture that a frame may have erased is drawn again.
 */
import { EventEmitter } from 'node:events';
import { type Instance, render } from 'ink';
import type { ReactNode } from 'react';
import type { PlacedPicture } from './pictures/pictures.ts';
import type { ScreenTerminal } from './screen-options.ts';

/** The marks of a synchronised update, which Ink writes around each frame. */
const BEGIN = '\x1b[?2026h';
const END = '\x1b[?2026l';
const ERASE_BELOW = '\x1b[J';

interface Overlay {
  /** Rows from the top of the picture down to the cursor. */
  readonly up: number;
  /** Cells to its left. */
  readonly column: number;
  readonly picture: PlacedPicture;
}

export class TerminalStream extends EventEmitter {
  readonly isTTY = true;
  readonly writable = true;
  readonly #terminal: ScreenTerminal;
  readonly #unsize: () => void;
  #columns: number;
  #isMuted = false;
  #isFrame = false;
  /** Frames of this turn of the event loop. */
  #frames = '';
  #isDue = false;
  #overlay: Overlay | undefined;
  /** Cells of each row of the live part. */
  widths: () => readonly number[] = () => [];

  constructor(terminal: ScreenTerminal) {
    super();
    this.#terminal = terminal;
    this.#columns = terminal.columns;
    this.#unsize = terminal.onResize(() => this.#resized());
  }

  get columns(): number {
    return this.#terminal.columns;
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  write(text: string, written?: () => void): boolean {
    if (text === BEGIN) this.#isFrame = true;
    else if (text === END) this.#endFrame();
    else if (this.#isFrame) this.#frames += text;
    else this.#send(text);
    if (written) queueMicrotask(written);
    return true;
  }

  /** Discards what Ink writes during `action`. */
  muted(action: () => void): void {
    this.#flush();
    this.#isMuted = true;
    action();
    this.#isMuted = false;
  }

  /** Draws a picture, and draws it again after each frame where a frame erases it. */
  place(overlay: Overlay): void {
    this.#overlay = overlay;
    this.#send(drawn(overlay));
  }

  takeAway(): void {
    if (this.#overlay) this.#send(this.#overlay.picture.hide);
    this.#overlay = undefined;
  }

  /** Ink's last frame, of nothing, is an empty row: what follows the screen is written there. */
  closeGap(): void {
    this.#send('\x1b[1A');
  }

  close(): void {
    this.#flush();
    this.#unsize();
  }

  /** In the order in which it was written. */
  #send(text: string): void {
    this.#flush();
    if (text !== '' && !this.#isMuted) this.#terminal.write(text);
  }

  #endFrame(): void {
    this.#isFrame = false;
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => this.#flush());
  }

  #flush(): void {
    const frames = this.#frames;
    this.#frames = '';
    this.#isDue = false;
    if (frames === '' || this.#isMuted) return;
    const overlay = this.#overlay;
    // A picture that has a command to hide it lies above the cells, and a frame does not erase it.
    const again = overlay && overlay.picture.hide === '' ? drawn(overlay) : '';
    this.#terminal.write(`${BEGIN}${frames}${again}${END}`);
  }

  /** Ink erases as many rows as it has drawn: those that the terminal has wrapped since are erased before. */
  #resized(): void {
    const { columns, reflows } = this.#terminal;
    if (reflows && columns < this.#columns) {
      const wrapped = this.widths().reduce((sum, width) => sum + Math.max(0, Math.ceil(width / columns) - 1), 0);
      if (wrapped > 0) this.#send(`\x1b[${wrapped}A\r${ERASE_BELOW}`);
    }
    this.#columns = columns;
    this.emit('resize');
  }
}

const drawn = ({ up, column, picture }: Overlay): string => `\x1b7\x1b[${up}A\x1b[${column + 1}G${picture.show}\x1b8`;

/** Draws `tree` at once, and again whenever its state changes. */
export const startInk = (tree: ReactNode, output: TerminalStream): Instance =>
  render(tree, {
    stdout: output as unknown as NodeJS.WriteStream,
    // The caller has decided that this terminal is drawn on; Ink would decide again, and refuse where `CI` is set.
    ...{ interactive: true, exitOnCtrlC: false, patchConsole: false, incrementalRendering: true },
    // No limit of Ink's own: the screens set the pace, and a frame that is due is drawn at once.
    maxFps: 0,
  });
