/**
 * How drawn pictures get from the thread that draws them to the thread that encodes them: through memory that both see, with room
 * for one. While it is being encoded the next one is drawn, and waits on its canvas; so a film never piles up. Only the turns travel
 * as messages.
 *
 *     drawing: draw ─▶ wait for room ─▶ put it there ── picture ──▶ encoding: copy it into libav's own memory
 *                            ▲                                          │
 *                            └────────────────── room ◀─────────────────┘
 */
import { setImmediate } from 'node:timers/promises';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { DrawnPictures } from '../encode/encoder-settings.ts';

/** What the encoding thread is given. */
export interface FrameChannelEnd extends Omit<DrawnPictures, 'pixels'> {
  readonly memory: SharedArrayBuffer;
  readonly port: MessagePort;
}

export interface FrameChannel {
  /** To be sent, and its port handed over with it. */
  readonly end: FrameChannelEnd;
  /** What drawing threw, once it has. */
  readonly failure: { readonly error: unknown } | undefined;
  /** Draws no more. Settles when the drawing has stopped. */
  close(): Promise<void>;
}

type Note = 'picture' | 'end' | 'failed';
const ROOM = 'room';

/** Starts to draw at once. */
export function frameChannel({ pixels, ...shape }: DrawnPictures): FrameChannel {
  const { width, height } = shape;
  const source = Symbol.asyncIterator in pixels ? pixels[Symbol.asyncIterator]() : pixels[Symbol.iterator]();
  const size = width * height * 4;
  const memory = new SharedArrayBuffer(size);
  const shared = new Uint8Array(memory);
  const { port1: here, port2: port } = new MessageChannel();
  const bell = doorbell();
  let failure: { readonly error: unknown } | undefined;
  let open = true;
  let ended = false;
  let room = true;
  const post = (note: Note) => here.postMessage(note);

  const draw = async () => {
    while (open) {
      // A turn of the event loop for each picture: messages get theirs, and the copies of canvases are freed in it.
      await setImmediate();
      const picture = await source.next();
      ended = picture.done === true;
      if (picture.done) return post('end');
      if (picture.value.byteLength !== size) {
        throw new Error(
          `a drawn picture has ${picture.value.byteLength} bytes, but ${width}x${height} RGBA has ${size}`,
        );
      }
      while (open && !room) await bell.rung();
      if (!open) return;
      shared.set(picture.value);
      room = false;
      post('picture');
    }
  };
  here.on('message', () => {
    room = true;
    bell.ring();
  });
  const drawing = draw().catch(error => {
    failure = { error };
    post('failed');
  });

  return {
    end: { ...shape, memory, port },
    get failure() {
      return failure;
    },
    async close() {
      open = false;
      bell.ring();
      await drawing;
      here.close();
      if (!ended) await source.return?.();
    },
  };
}

/** The pictures that come through a channel. One may be drawn over when the next is asked for. */
export async function* receivedFrames({ memory, port }: FrameChannelEnd): AsyncGenerator<Uint8Array> {
  const notes: Note[] = [];
  const bell = doorbell();
  port.on('message', (note: Note) => {
    notes.push(note);
    bell.ring();
  });
  try {
    for (;;) {
      const note = notes.shift();
      if (note === undefined) await bell.rung();
      else if (note === 'end') return;
      else if (note === 'failed') throw new Error('the drawing failed');
      else {
        yield new Uint8Array(memory);
        port.postMessage(ROOM);
      }
    }
  } finally {
    port.close();
  }
}

/** One side waits until the other rings. */
function doorbell() {
  let wake = () => {};
  return {
    ring: () => wake(),
    rung: () =>
      new Promise<void>(resolve => {
        wake = resolve;
      }),
  };
}
