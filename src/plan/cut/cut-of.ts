/** The cut that an assembly is, once its media are known. */
import type { Cut } from '../../domain/cut.ts';
import { isMeasured, type MediaFacts } from '../../domain/media.ts';
import type { Problem } from '../obstacles.ts';
import { type Assembly, type MediaField, mediaShown } from './assembly.ts';
import { cutMessages } from './cut-messages.ts';
import { layOut, USUAL_RATE } from './lay-out.ts';
import { type SourceOf, toCut } from './to-cut.ts';

export type MadeCut =
  | { readonly is: 'cut'; readonly cut: Cut }
  | { readonly is: 'wrong'; readonly problems: readonly Problem[] }
  /** Some media are addresses that nobody has fetched yet. */
  | { readonly is: 'open' };

export interface KnownSources {
  readonly facts: (field: MediaField) => MediaFacts | undefined;
  readonly source: SourceOf;
  /** Fields whose media are still to be fetched. */
  readonly addresses: { readonly size: number };
}

/** Asked when every value is there. */
export function cutOf(assembly: Assembly, sources: KnownSources): MadeCut {
  const layout = layOut(assembly, field => sources.facts(field));
  if (layout.problems.length > 0) return { is: 'wrong', problems: layout.problems };
  if (sources.addresses.size > 0) return { is: 'open' };
  const [first] = assembly.clips;
  if (!first) return { is: 'wrong', problems: [] };
  const missing = lengthless(assembly, sources);
  if (missing.length > 0) return { is: 'wrong', problems: missing };
  const { size, rate = USUAL_RATE } = layout;
  if (!size) return { is: 'wrong', problems: [{ message: cutMessages.sizeNotKnown(), at: first.places() }] };
  // A video that does not tell its rate is taken for one of the usual rate.
  const { clips, frames } = layout.rate ? layout : layOut({ ...assembly, rate }, field => sources.facts(field));
  if (!clips || frames === undefined)
    return { is: 'wrong', problems: [{ message: cutMessages.noLength(first.called), at: first.places() }] };
  return { is: 'cut', cut: toCut(assembly, { size, rate, clips, frames }, field => sources.source(field)) };
}

/** Media that are here, and do not tell how long they are. */
function lengthless({ clips, music }: Assembly, sources: KnownSources): readonly Problem[] {
  const isLong = (field: MediaField) =>
    sources.facts(field)?.kind === 'image' || isMeasured(sources.facts(field)?.duration);
  const ofClips = clips.flatMap(clip => {
    const { shows, voice, out } = clip;
    const pictures = out !== undefined || typeof clip.for === 'number' ? [] : mediaShown(shows);
    return [...pictures, ...(voice ? [voice.media] : [])].every(isLong)
      ? []
      : [{ message: cutMessages.noLength(clip.called), at: clip.places('from') }];
  });
  const ofMusic =
    music && !isLong(music.media) ? [{ message: cutMessages.noLength('the music'), at: music.places('from') }] : [];
  return [...ofClips, ...ofMusic];
}
