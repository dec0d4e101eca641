/** The encoding thread's program: it carries out what `encoder.ts` sends, any number of jobs side by side. */
import { parentPort } from 'node:worker_threads';
import { type FrameChannelEnd, receivedFrames } from '../decode/frame-channel.ts';
import { NoEngine } from '../libav.ts';
import { type EncodeJob, encodeHere } from './encoding.ts';

/** A job as it crosses over: its pictures arrive through frame channels. */
export interface SentJob extends Omit<EncodeJob, 'frames' | 'overlay' | 'onFrame'> {
  readonly frames?: FrameChannelEnd;
  readonly overlay?: FrameChannelEnd;
}

export interface ToThread {
  readonly id: number;
  readonly job: SentJob;
}

export type FromThread = { readonly id: number } & (
  | { readonly type: 'frame'; readonly n: number }
  | { readonly type: 'done'; readonly frames: number }
  | { readonly type: 'failed'; readonly message: string; readonly stack?: string; readonly noEngine: boolean }
);

const post = (message: FromThread) => parentPort?.postMessage(message);

parentPort?.on('message', async ({ id, job }: ToThread) => {
  const { frames, overlay, ...plain } = job;
  try {
    const done = await encodeHere({
      ...plain,
      ...(frames ? { frames: { ...frames, pixels: receivedFrames(frames) } } : {}),
      ...(overlay ? { overlay: { ...overlay, pixels: receivedFrames(overlay) } } : {}),
      onFrame: n => post({ type: 'frame', id, n }),
    });
    post({ type: 'done', id, frames: done.frames });
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    post({ type: 'failed', id, message, ...(stack ? { stack } : {}), noEngine: error instanceof NoEngine });
  }
});
