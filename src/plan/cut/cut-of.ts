/** The cut that an assembly is, once its media are known. */
import type { Cut } from '../../domain/cut.ts';
import { isMeasured, type MediaFacts } from '../../domain/media.ts';
import type { Problem } from '../obstacles.ts';
import type { Assembly, MediaField } from './assembly.ts';
import { cutMessages } from './cut-messages.ts';
import { layOut } from './lay-out.ts';
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
  const { size, rate, clips, frames } = layout;
  if (!size) return { is: 'wrong', problems: [{ message: cutMessages.sizeNotKnown(), at: first.places() }] };
  // A video that does not tell its rate is taken for one of the usual rate.
  const settled = rate
    ? layout
    : layOut({ ...assembly, rate: { frames: 24, seconds: 1 } }, field => sources.facts(field));
  const whole = {
    size,
    rate: rate ?? { frames: 24, seconds: 1 },
    clips: clips ?? settled.clips,
    frames: frames ?? settled.frames,
  };
  if (!whole.clips || whole.frames === undefined)
    return { is: 'wrong', problems: [{ message: cutMessages.noLength(first.called), at: first.places() }] };
  return {
    is: 'cut',
    cut: toCut(assembly, { ...whole, clips: whole.clips, frames: whole.frames }, field => sources.source(field)),
  };
}

/** Media that are here, and do not tell how long they are. */
function lengthless({ clips, music }: Assembly, sources: KnownSources): readonly Problem[] {
  const isLong = (field: MediaField) =>
    sources.facts(field)?.kind === 'image' || isMeasured(sources.facts(field)?.duration);
  const ofClips = clips.flatMap(clip => {
    const { shows, voice, out } = clip;
    const pictures =
      shows.is === 'title' || out !== undefined || typeof clip.for === 'number'
        ? []
        : shows.is === 'media'
          ? [shows.media]
          : shows.media;
    return [...pictures, ...(voice ? [voice.media] : [])].every(isLong)
      ? []
      : [{ message: cutMessages.noLength(clip.called), at: clip.places('from') }];
  });
  const ofMusic =
    music && !isLong(music.media) ? [{ message: cutMessages.noLength('the music'), at: music.places('from') }] : [];
  return [...ofClips, ...ofMusic];
}
