/**
 * What stands where something else stands already (pure): words over a film make room for captions and for the words before them, and
 * keep their place for as long as they are seen, though the captions come and go.
 */
import type { Cut, CutOverlay } from '../../domain/cut.ts';
import { secondsOf } from '../kit.ts';
import { captionHeight } from './caption-plate.ts';
import { rowOf } from './places.ts';

type TextOverlay = Extract<CutOverlay, { readonly is: 'text' }>;

/** Of the shorter side, between two things that stand one above the other. */
const GAP = 0.02;

/** Pixels towards the middle of the frame that others have taken. */
export function beyondOf(cut: Cut, index: number, heightOf: (overlay: TextOverlay) => number): number {
  const overlay = cut.overlays[index]!;
  if (overlay.is !== 'text') return 0;
  const gap = Math.min(cut.size.width, cut.size.height) * GAP;
  const before = cut.overlays
    .slice(0, index)
    .filter(other => other.is === 'text')
    .filter(other => other.place === overlay.place && meet(other, overlay))
    .map(other => heightOf(other) + gap);
  const captions = isUnderCaptions(cut, overlay) ? captionHeight(cut.size) + gap : 0;
  return before.reduce((sum, height) => sum + height, captions);
}

/** What goes while another one comes gives its place to it. */
const meet = (one: CutOverlay, other: CutOverlay): boolean => begin(one) < end(other) && begin(other) < end(one);
const begin = ({ at, fadeIn = 0 }: CutOverlay): number => at + fadeIn;
const end = ({ at, frames, fadeOut = 0 }: CutOverlay): number => at + frames - fadeOut;

function isUnderCaptions({ captions, rate }: Cut, overlay: CutOverlay): boolean {
  if (captions === undefined || captions.track || rowOf(captions.place) !== rowOf(overlay.place)) return false;
  const [from, to] = [secondsOf(overlay.at, rate), secondsOf(overlay.at + overlay.frames, rate)];
  return captions.cues.some(cue => cue.start < to && cue.end > from);
}
