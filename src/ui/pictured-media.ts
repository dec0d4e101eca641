import { pieceOf } from '../domain/result.ts';
import type { InstanceView } from '../records/views/run-view.ts';
import type { PicturedMedia } from './pictures.ts';

/** The image or video that an instance gave; undefined where it gave neither, or has not ended. */
export function picturedMedia(instance: InstanceView | undefined): PicturedMedia | undefined {
  const state = instance?.state;
  const made = state?.is === 'succeeded' || state?.is === 'reused' ? pieceOf(state.result) : undefined;
  if (made?.is !== 'media' || (made.media.kind !== 'image' && made.media.kind !== 'video')) return undefined;
  return { sha256: made.sha256, kind: made.media.kind, seconds: made.media.duration ?? 0 };
}
