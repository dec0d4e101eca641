/** A sound as it is heard in the film: from its place in its source, at its speed, its level and its fades. */
import { brokenSource } from '../cut-messages.ts';
import type { Kit } from '../kit.ts';
import { endingSoftly, goingRound } from './ends.ts';
import type { SampleStream } from './sample-stream.ts';
import { type PlacedSound, shareAt } from './sound-places.ts';
import { UndecodableSound } from './source-decoder.ts';
import { openSourceSound } from './source-sound.ts';
import { stretched } from './stretched.ts';

/** Exactly as long as its place; what its source does not fill is silent. */
export interface HeardSound extends AsyncDisposable {
  /** The next so many samples, which are not more than are left. @throws {CutFailure} */
  read(count: number): Promise<Float32Array>;
}

export async function openHeardSound(kit: Kit, placed: PlacedSound): Promise<HeardSound> {
  const source = await told(placed, () => openSource(kit, placed));
  const level = 10 ** (placed.sound.level / 20);
  const wholeUntil = placed.to - placed.from - placed.fall;
  let n = 0;
  return {
    async read(count) {
      const samples = new Float32Array(count * 2);
      let filled = 0;
      while (filled < count) {
        const piece = await told(placed, () => source.read(count - filled));
        if (piece.length === 0) break;
        samples.set(piece, filled * 2);
        filled += piece.length / 2;
      }
      for (let i = 0; i < count; i++, n++) {
        const isWhole = n >= placed.rise && n < wholeUntil;
        const share = isWhole ? level : level * shareAt(placed, n);
        samples[i * 2]! *= share;
        samples[i * 2 + 1]! *= share;
      }
      return samples;
    },
    [Symbol.asyncDispose]: () => source[Symbol.asyncDispose](),
  };
}

async function openSource({ av, pathOf }: Kit, { sound }: PlacedSound): Promise<SampleStream> {
  const path = pathOf(sound.source.sha256);
  const open = async (): Promise<SampleStream> => {
    const source = await openSourceSound(av, path, sound.in);
    if (source !== undefined) return await stretched(av, source, sound.speed);
    // Not every clip has a sound; whoever names a voice or music means one.
    if (sound.role === 'clip') return SILENT;
    throw new UndecodableSound('there is no sound in it');
  };
  return endingSoftly(sound.loop ? await goingRound(open) : await open());
}

const SILENT: SampleStream = { read: async () => new Float32Array(0), [Symbol.asyncDispose]: async () => {} };

async function told<T>({ name }: PlacedSound, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UndecodableSound) throw brokenSource(name, error.message);
    throw error;
  }
}
