/** An assembly with a place for every clip → the `Cut` that is rendered. */
import type {
  Cut,
  CutOverlay,
  CutPicture,
  CutShot,
  CutSound,
  CutSource,
  FrameRate,
  Size,
} from '../../model/media/cut.ts';
import { isMeasured, type MediaFacts } from '../../model/media/media.ts';
import type { Problem } from '../obstacles.ts';
import { type Assembly, type AssemblyOverlay, cutMessages, type MediaField, mediaShown } from './assembly.ts';
import { fitted, shifted } from './cues.ts';
import { framesOf, type LaidClip, layOut, secondsOf, USUAL_RATE } from './lay-out.ts';

/** A layout of which everything is known. */
interface WholeLayout {
  readonly size: Size;
  readonly rate: FrameRate;
  readonly clips: readonly LaidClip[];
  readonly frames: number;
}

type SourceOf = (field: MediaField) => CutSource;

function toCut(assembly: Assembly, layout: WholeLayout, sourceOf: SourceOf): Cut {
  const { size, rate, frames, clips } = layout;
  const sounds = [
    ...clips.flatMap((one, index) => clipSound(one, clips[index + 1], rate, sourceOf)),
    ...clips.flatMap(one => voiceSound(one, rate, sourceOf)),
    ...musicSound(assembly, layout, sourceOf),
  ];
  const captions = captionsOf(assembly, layout);
  return {
    ...{ size, rate, frames },
    shots: clips.map(one => shotOf(one, sourceOf)),
    overlays: [
      ...clips.flatMap(({ clip, at, frames: length, dissolve, fadeIn, fadeOut }, index) => {
        const next = clips[index + 1]?.dissolve ?? 0;
        const shown = { at, frames: length, fadeIn: Math.max(fadeIn, dissolve), fadeOut: Math.max(fadeOut, next) };
        return clip.overlays.map(overlay => overlayOf(overlay, shown, rate, sourceOf));
      }),
      ...assembly.overlays.map(overlay => overlayOf(overlay, { at: 0, frames, fadeIn: 0, fadeOut: 0 }, rate, sourceOf)),
    ],
    sounds,
    ...(captions && { captions }),
    // Silence has no loudness.
    loudness: sounds.length === 0 ? null : assembly.loudness,
    codec: assembly.codec,
    ...(assembly.isDraft && { isDraft: true }),
  };
}

function shotOf({ clip, at, frames, dissolve, fadeIn, fadeOut }: LaidClip, sourceOf: SourceOf): CutShot {
  const { shows, name } = clip;
  const picture: CutPicture =
    shows.is === 'title'
      ? { is: 'title', text: shows.text }
      : shows.is === 'media'
        ? onePicture(clip, sourceOf(shows.media))
        : { is: 'beside', pictures: shows.media.map(field => onePicture(clip, sourceOf(field))) };
  return { at, frames, dissolve, fadeIn, fadeOut, picture, name };
}

function onePicture(
  { in: start, out, speed, fit, move }: LaidClip['clip'],
  source: CutSource,
): Extract<CutPicture, { is: 'video' | 'still' }> {
  if (source.facts.kind !== 'video') return { is: 'still', source, fit, move };
  const { duration } = source.facts;
  const stops = out !== undefined && !(isMeasured(duration) && out >= duration);
  return { is: 'video', source, in: start, ...(stops && { out }), speed, fit };
}

/** Its own sound, as long as its pictures run. Of several side by side it is that of the first. */
function clipSound(
  { clip, measured, at, frames, dissolve, fadeIn, fadeOut }: LaidClip,
  next: LaidClip | undefined,
  rate: FrameRate,
  sourceOf: SourceOf,
): readonly CutSound[] {
  const { shows, sound, in: start, speed, level } = clip;
  const [field] = mediaShown(shows);
  if (field === undefined || !sound) return [];
  const source = sourceOf(field);
  if (source.facts.kind !== 'video' || typeof source.facts.audio_codec !== 'string') return [];
  const length = Math.min(frames, framesOf(measured.runs ?? 0, rate));
  // The last frame of a shot may be one that its rounding has added.
  const audible = frames - length <= 1 ? frames : length;
  if (audible < 1) return [];
  const end = audible === frames ? Math.max(fadeOut, next?.dissolve ?? 0) : 0;
  return [
    {
      ...{ source, role: 'clip', at, frames: audible, in: start, speed, level },
      ...{ fadeIn: Math.min(audible, Math.max(fadeIn, dissolve)), fadeOut: Math.min(audible, end) },
    },
  ];
}

/** From when the clip is there alone. */
function voiceSound(
  { clip, at, frames, dissolve }: LaidClip,
  rate: FrameRate,
  sourceOf: SourceOf,
): readonly CutSound[] {
  const { voice } = clip;
  if (!voice) return [];
  const source = sourceOf(voice.media);
  // Not a word is cut off: a frame that it reaches into is its own.
  const length = Math.ceil(((source.facts.duration ?? 0) * rate.frames) / rate.seconds - 1e-6);
  const audible = Math.max(1, Math.min(length, frames - dissolve));
  return [
    {
      ...{ source, role: 'voice', at: at + dissolve, frames: audible, in: 0, speed: 1, level: voice.level },
      ...{ fadeIn: 0, fadeOut: 0 },
    },
  ];
}

function musicSound({ music }: Assembly, { frames, rate }: WholeLayout, sourceOf: SourceOf): readonly CutSound[] {
  if (!music) return [];
  const source = sourceOf(music.media);
  const { duration } = source.facts;
  const own = isMeasured(duration) ? Math.max(1, framesOf(duration - music.in, rate)) : frames;
  const audible = music.loop ? frames : Math.min(frames, own);
  const fadeIn = Math.min(audible, framesOf(music.fadeIn, rate));
  return [
    {
      ...{ source, role: 'music', at: 0, frames: audible, in: music.in, speed: 1, level: music.level },
      ...{ fadeIn, fadeOut: Math.min(audible - fadeIn, framesOf(music.fadeOut, rate)) },
      ...(music.duck && { duck: true as const }),
      ...(music.loop && own < frames && { loop: true as const }),
    },
  ];
}

interface Stretch {
  readonly at: number;
  readonly frames: number;
}

/** What comes in the middle of a picture, or goes in it, does so softly. */
const SOFTLY = 0.25;

/** What begins with its clip comes with it: in a dissolve it appears as the picture does. */
function overlayOf(
  overlay: AssemblyOverlay,
  on: Stretch & Pick<LaidClip, 'fadeIn' | 'fadeOut'>,
  rate: FrameRate,
  sourceOf: SourceOf,
): CutOverlay {
  const late = Math.min(on.frames - 1, framesOf(overlay.in, rate));
  const rest = on.frames - late;
  const frames = Math.max(1, overlay.for === undefined ? rest : Math.min(rest, framesOf(overlay.for, rate)));
  const soft = framesOf(SOFTLY, rate);
  const fadeIn = Math.min(frames, late === 0 ? on.fadeIn : soft);
  const fadeOut = Math.min(frames - fadeIn, frames === rest ? on.fadeOut : soft);
  const stretch = {
    ...{ at: on.at + late, frames, place: overlay.place },
    ...(fadeIn > 0 && { fadeIn }),
    ...(fadeOut > 0 && { fadeOut }),
  };
  return overlay.is === 'text'
    ? { ...stretch, is: 'text', text: overlay.text }
    : { ...stretch, is: 'picture', source: sourceOf(overlay.media), size: overlay.size };
}

function captionsOf({ captions, clips: written }: Assembly, { clips, frames, rate }: WholeLayout): Cut['captions'] {
  const isAsked = captions !== undefined || written.some(({ cues }) => cues.length > 0);
  if (!isAsked) return undefined;
  const spoken = clips.flatMap(({ clip, at, dissolve }) => shifted(clip.cues, secondsOf(at + dissolve, rate)));
  const cues = fitted([...(captions?.cues ?? []), ...spoken], secondsOf(frames, rate));
  const { style, place, track } = captions ?? { style: 'line', place: 'bottom', track: false };
  return cues.length === 0 ? undefined : { style, place, track, cues };
}

type MadeCut =
  | { readonly is: 'cut'; readonly cut: Cut }
  | { readonly is: 'wrong'; readonly problems: readonly Problem[] }
  /** Some media are addresses that are not fetched yet. */
  | { readonly is: 'open' };

interface KnownSources {
  readonly facts: (field: MediaField) => MediaFacts | undefined;
  readonly source: SourceOf;
  /** Fields with media that are still to be fetched. */
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
