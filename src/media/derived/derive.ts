/** Takes a frame or the sound out of a video that lies on this machine. */
import { writeFile } from 'node:fs/promises';
import type { DerivedPart } from '../../domain/derived-media.ts';
import type { MediaFacts } from '../../domain/media.ts';
import { type Frame, type Libav, libav } from '../libav.ts';
import { framePng } from './frame-png.ts';
import { ShownFrames } from './shown-frames.ts';
import { writeSound } from './video-sound.ts';

export interface DeriveJob {
  /** The video. */
  readonly path: string;
  readonly what: DerivedPart;
  /** Where the PNG or the WAV is written: nothing is there yet. */
  readonly out: string;
}

/** Facts of what was written. @throws {NotMedia} where the video does not have it, in words about it: `it has no sound`. */
export async function derive({ path, what, out }: DeriveJob): Promise<MediaFacts> {
  const av = await libav();
  if (what.is === 'sound') {
    const { seconds } = await writeSound(av, path, out);
    return { kind: 'audio', format: 'wav', duration: seconds, audio_codec: PCM };
  }
  await using video = await ShownFrames.open(av, path);
  const frame = await frameOf(video, what);
  try {
    return await written(av, frame, video, out);
  } finally {
    frame.free();
  }
}

/** As probing calls it. */
const PCM = 'pcm-s16';

function frameOf(video: ShownFrames, what: Exclude<DerivedPart, { is: 'sound' }>): Promise<Frame> {
  switch (what.is) {
    case 'first_frame':
      return video.first();
    case 'last_frame':
      return video.last();
    case 'frame_at':
      return video.at(what.at);
  }
}

async function written(av: Libav, frame: Frame, { stream }: ShownFrames, out: string): Promise<MediaFacts> {
  const { bytes, width, height } = await framePng(av, frame, stream);
  await writeFile(out, bytes, { flag: 'wx' });
  return { kind: 'image', format: 'png', width, height };
}
