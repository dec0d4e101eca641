/**
 * A file can pass every look at its head and its packets, and still break when its pictures are decoded. Asked only after a render
 * has stumbled: was it the file, or was it us?
 */
import { existsSync } from 'node:fs';
import { readAudio, readFrames } from '../../../media/decode/decode.ts';
import { readPackets } from '../../../media/decode/packets.ts';
import { still } from '../../../media/encode/open-still.ts';
import type { LocalInput, RenderJob } from '../job.ts';

/** The sentence for the requester about the first input that cannot be decoded to its end; undefined when all can. */
export async function damageIn({ inputs }: Pick<RenderJob, 'inputs'>): Promise<string | undefined> {
  for (const [field, given] of Object.entries(inputs)) {
    for (const [index, input] of given.entries()) {
      const name = given.length > 1 ? `${field}[${index}]` : field;
      if (await breaks(input)) return `${name} is damaged: it cannot be decoded to its end; export it again`;
    }
  }
  return undefined;
}

/** Seconds of sound that are held to look at them. */
const ENOUGH = 60;

async function breaks({ path, cleanPlate = path, facts }: LocalInput): Promise<boolean> {
  // A file that is gone was taken away by us.
  if (!existsSync(cleanPlate)) return false;
  try {
    if (facts.kind === 'image') await still(cleanPlate).stats();
    if (facts.kind === 'video' && (await picturesIn(cleanPlate)) < ((facts.duration ?? 0) * (facts.fps ?? 0)) / 2)
      return true;
    if (facts.kind === 'image' || facts.audio_codec === null) return false;
    await readAudio(path, { seconds: ENOUGH });
    const { packets = [] } = (await readPackets(path, 'audio')) ?? {};
    return packets.some(({ dts }, i) => i > 0 && dts <= packets[i - 1]!.dts);
  } catch {
    return true;
  }
}

/** A decoder drops what it cannot read without an error. */
async function picturesIn(path: string): Promise<number> {
  let count = 0;
  for await (const _ of readFrames(path, { pixelFormat: 'gray', through: 'scale=16:16' })) count++;
  return count;
}
