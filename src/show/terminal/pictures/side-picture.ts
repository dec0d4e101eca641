/**
 * The picture beside the instance that a person looks at. It is drawn in the background, the last that was asked for first: a person who
 * goes through twenty instances waits for one picture. A few stay, for the way back.
 */

import { pieceOf } from '../../../model/run/result.ts';
import type { InstanceView } from '../../../records/views/run-view.ts';
import {
  type PicturedMedia,
  type Pictures,
  type PictureTerminal,
  type PlacedPicture,
  placedPicture,
} from './pictures.ts';

interface SidePictureOptions {
  readonly pictures: Pictures;
  /** There is one more to be shown. */
  readonly changed: () => void;
  /** The screen is closed. */
  readonly signal: AbortSignal;
}

/** In cells, at most. */
export interface PictureRoom {
  readonly columns: number;
  readonly rows: number;
}

const KEPT = 8;

export class SidePicture {
  readonly #options: SidePictureOptions;
  /** By content and room, the oldest first; null: there is none. */
  readonly #kept = new Map<string, PlacedPicture | null>();
  #wanted: { readonly id: string; readonly media: PicturedMedia; readonly room: PictureRoom } | undefined;
  #drawing: Promise<void> | undefined;

  constructor(options: SidePictureOptions) {
    this.#options = options;
  }

  /** The same object as long as it looks the same; undefined while it is drawn, and where there is none. */
  of(media: PicturedMedia, room: PictureRoom): PlacedPicture | undefined {
    const id = `${media.sha256} ${room.columns}×${room.rows}`;
    const found = this.#kept.get(id);
    if (found !== undefined) return found ?? undefined;
    this.#wanted = { id, media, room };
    this.#drawing ??= this.#draw();
    return undefined;
  }

  /** Resolves when nothing is drawn any more, after its signal. */
  async settled(): Promise<void> {
    await this.#drawing;
  }

  async #draw(): Promise<void> {
    const { pictures, signal, changed } = this.#options;
    const terminal = await pictures.terminal();
    // One that shows none is not asked for any other.
    while (terminal && !signal.aborted && this.#wanted && !this.#kept.has(this.#wanted.id)) {
      const { id, media, room } = this.#wanted;
      // A picture is an ornament: a missing one is not reported.
      this.#keep(id, (await this.#placed(terminal, media, room).catch(() => undefined)) ?? null);
      if (!signal.aborted) changed();
    }
    if (terminal) this.#drawing = undefined;
  }

  async #placed(
    terminal: PictureTerminal,
    media: PicturedMedia,
    room: PictureRoom,
  ): Promise<PlacedPicture | undefined> {
    const { cell } = terminal;
    const within = { width: room.columns * cell.width, height: room.rows * cell.height };
    const { pictures, signal } = this.#options;
    const picture = await pictures.of(media, within, signal);
    if (!picture) return undefined;
    return placedPicture(terminal, picture);
  }

  #keep(id: string, placed: PlacedPicture | null): void {
    this.#kept.set(id, placed);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }
}

/** The image or video that an instance gave; undefined where it gave neither, or has not ended. */
export function picturedMedia(instance: InstanceView | undefined): PicturedMedia | undefined {
  const state = instance?.state;
  const made = state?.is === 'succeeded' || state?.is === 'reused' ? pieceOf(state.result) : undefined;
  if (made?.is !== 'media' || (made.media.kind !== 'image' && made.media.kind !== 'video')) return undefined;
  return { sha256: made.sha256, kind: made.media.kind, seconds: made.media.duration ?? 0 };
}
