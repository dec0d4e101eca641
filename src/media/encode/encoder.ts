/**
 * The encoder, as everybody uses it. A job with drawn pictures is carried out in a thread of its own (`encoder-thread.ts`): they are
 * drawn on this side and encoded on the other, so that both cores of a small machine work. A job without is libav's business from
 * end to end, which has threads of its own: it is carried out right here.
 */
import { type MessagePort, Worker } from 'node:worker_threads';
import { programFile } from '../../machine/process/program-url.ts';
import { type FrameChannel, frameChannel } from '../decode/frame-channel.ts';
import { NoEngine } from '../libav.ts';
import type { FromThread, SentJob, ToThread } from './encoder-thread.ts';
import { type EncodeJob, encodeHere } from './encoding.ts';

/** @throws an Error naming the step that failed, or what drawing threw; {@link NoEngine} where the engine is missing. */
export async function encode(job: EncodeJob): Promise<{ frames: number }> {
  const { frames, overlay, onFrame = () => {}, ...plain } = job;
  if (!frames && !overlay) return await encodeHere(job);
  const raw = frames && frameChannel(frames);
  const over = overlay && frameChannel(overlay);
  const channels = [raw, over].filter(it => it !== undefined);
  try {
    const sent = { ...plain, ...(raw ? { frames: raw.end } : {}), ...(over ? { overlay: over.end } : {}) };
    return await theThread().encode(sent, channels.map(portOf), onFrame);
  } catch (error) {
    const drawing = channels.find(it => it.failure)?.failure;
    throw drawing ? drawing.error : error;
  } finally {
    await Promise.all(channels.map(it => it.close()));
  }
}

const portOf = ({ end }: FrameChannel): MessagePort => end.port;

/** One for the whole process: loading libav takes a third of a second, and a film and its clean plate are encoded side by side. */
let running: EncodingThread | undefined;

function theThread(): EncodingThread {
  if (!running?.isAlive) running = new EncodingThread();
  return running;
}

interface Waiting {
  readonly onFrame: (n: number) => void;
  readonly resolve: (done: { frames: number }) => void;
  readonly reject: (error: Error) => void;
}

/** It keeps the process alive only while it has something to do. */
class EncodingThread {
  isAlive = true;
  readonly #worker = new Worker(PROGRAM);
  readonly #waiting = new Map<number, Waiting>();
  #sent = 0;

  constructor() {
    this.#worker.unref();
    this.#worker.on('message', (message: FromThread) => this.#receive(message));
    this.#worker.on('error', error => this.#fail(error));
    this.#worker.on('exit', code => this.#fail(new Error(`the encoding thread ended with code ${code}`)));
  }

  encode(
    job: SentJob,
    ports: readonly MessagePort[],
    onFrame: (n: number) => void,
  ): Promise<{ readonly frames: number }> {
    return new Promise((resolve, reject) => {
      const id = ++this.#sent;
      this.#waiting.set(id, { onFrame, resolve, reject });
      this.#worker.ref();
      this.#worker.postMessage({ id, job } satisfies ToThread, [...ports]);
    });
  }

  #receive(message: FromThread): void {
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    if (message.type === 'frame') {
      waiting.onFrame(message.n);
      return;
    }
    this.#waiting.delete(message.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (message.type === 'done') waiting.resolve({ frames: message.frames });
    else waiting.reject(asThrown(message));
  }

  #fail(error: Error): void {
    this.isAlive = false;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

function asThrown({ message, stack, noEngine }: FromThread & { readonly type: 'failed' }): Error {
  const error = noEngine ? new NoEngine(message) : new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}

const PROGRAM = programFile(import.meta.url, './encoder-thread.ts', './encoder-thread.js');
