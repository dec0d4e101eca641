/** Sound on its way: 48 kHz stereo, left and right by turns, −1 to 1 (and beyond: only the last stage limits it). */

export interface SampleStream extends AsyncDisposable {
  /** So many samples of each channel; fewer only at the end, and none after it. The answer is the caller's. */
  read(count: number): Promise<Float32Array>;
}

/** Samples that wait until they are asked for. */
interface SampleQueue {
  /** Of each channel. */
  readonly length: number;
  push(samples: Float32Array): void;
  /** At most so many of each channel, from the oldest on. */
  take(count: number): Float32Array;
}

export function sampleQueue(): SampleQueue {
  let parts: Float32Array[] = [];
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(samples) {
      if (samples.length === 0) return;
      parts.push(samples);
      length += samples.length / 2;
    },
    take(count) {
      const taken = new Float32Array(Math.min(count, length) * 2);
      let filled = 0;
      let used = 0;
      while (filled < taken.length) {
        const part = parts[used]!;
        const room = taken.length - filled;
        taken.set(part.length <= room ? part : part.subarray(0, room), filled);
        filled += Math.min(part.length, room);
        if (part.length > room) parts[used] = part.subarray(room);
        else used++;
      }
      parts = parts.slice(used);
      length -= taken.length / 2;
      return taken;
    },
  };
}
