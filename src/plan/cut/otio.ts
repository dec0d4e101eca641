/**
 * A cut as OpenTimelineIO, so that an editor can go on with it in a program of their own: pictures and sounds as clips of the media
 * they come from, dissolves as transitions, retimes, titles as generators, captions as markers. The schemas are those that 0.15 brought
 * and later versions read: Timeline.1, Stack.1, Track.1, Clip.2, Gap.1, Transition.1, LinearTimeWarp.1, FreezeFrame.1, ExternalReference.1,
 * GeneratorReference.1, Marker.2, RationalTime.1, TimeRange.1.
 *
 * In a cut both clips of a dissolve lie on the timeline; in a track of OpenTimelineIO no two items overlap. There the edit is in the middle of the
 * dissolve, each clip is trimmed to it, and what the transition reaches over is the rest of its media. What the format has no word for (a place in
 * the frame, a level, a fade) is under
 *  `metadata.shotlist`.
 */
import type { Cut, CutOverlay, CutPicture, CutShot, CutSound, CutSource, FrameRate } from '../../model/media/cut.ts';
import { perSecond } from '../../model/media/cut.ts';
import { isMeasured } from '../../model/media/media.ts';
import type { Json, JsonObject } from '../../model/text/json.ts';
import { framesOf, secondsOf } from './lay-out.ts';

interface TimelineTerms {
  /** What the film is called. */
  readonly name: string;
  /** The address of a medium, as a reader of the file finds it: a relative path, escaped as in addresses. */
  readonly urlOf: (source: CutSource) => string;
}

export function timelineOf(cut: Cut, terms: TimelineTerms): JsonObject {
  const pen = new Pen(cut.rate, terms);
  const { shots, overlays, sounds, captions, size, loudness, codec } = cut;
  const children = [
    pen.track('Pictures', 'Video', pictureItems(cut, pen)),
    ...layers(besideItems(cut, pen)).map((items, index) => pen.packed(`Beside ${index + 2}`, 'Video', items)),
    ...layers(overlays.map(overlay => overlayItem(overlay, pen))).map((items, index) =>
      pen.packed(`Over ${index + 1}`, 'Video', items),
    ),
    ...ROLES.flatMap(({ role, name }) => {
      const items = sounds.filter(sound => sound.role === role).flatMap(sound => soundItems(sound, pen));
      return layers(items).map((layer, index) =>
        pen.packed(index === 0 ? name : `${name} ${index + 1}`, 'Audio', layer),
      );
    }),
  ];
  const markers = (captions?.cues ?? []).map(({ start, end, text }) => ({
    OTIO_SCHEMA: 'Marker.2',
    name: text,
    color: 'GREEN',
    comment: '',
    marked_range: pen.range(
      framesOf(start, cut.rate),
      Math.max(1, framesOf(end, cut.rate) - framesOf(start, cut.rate)),
    ),
    metadata: { shotlist: { caption: true } },
  }));
  return {
    OTIO_SCHEMA: 'Timeline.1',
    name: terms.name,
    global_start_time: pen.time(0),
    metadata: {
      shotlist: { width: size.width, height: size.height, loudness, codec, clips: shots.length },
    },
    tracks: {
      ...pen.item('Stack.1', 'tracks', null),
      markers,
      children,
    },
  };
}

const ROLES = [
  { role: 'clip', name: 'Clips' },
  { role: 'voice', name: 'Voice' },
  { role: 'music', name: 'Music' },
] as const;

/** Something that lies on a timeline. */
interface Lying {
  readonly at: number;
  readonly frames: number;
  readonly item: JsonObject;
}

/** What the schemas are written with, at the rate of the film. */
class Pen {
  readonly rate: FrameRate;
  readonly #terms: TimelineTerms;

  constructor(rate: FrameRate, terms: TimelineTerms) {
    this.rate = rate;
    this.#terms = terms;
  }

  time(frames: number, rate = perSecond(this.rate)): JsonObject {
    return { OTIO_SCHEMA: 'RationalTime.1', rate, value: Math.round(frames * 1e6) / 1e6 };
  }

  range(start: number, frames: number, rate?: number): JsonObject {
    return { OTIO_SCHEMA: 'TimeRange.1', start_time: this.time(start, rate), duration: this.time(frames, rate) };
  }

  item(schema: string, name: string, range: JsonObject | null): JsonObject {
    return { OTIO_SCHEMA: schema, name, metadata: {}, source_range: range, effects: [], markers: [], enabled: true };
  }

  track(name: string, kind: 'Video' | 'Audio', children: readonly Json[]): JsonObject {
    return { ...this.item('Track.1', name, null), kind, children };
  }

  /** Items at their places, with gaps between them. */
  packed(name: string, kind: 'Video' | 'Audio', items: readonly Lying[]): JsonObject {
    let end = 0;
    const children = items.flatMap(({ at, frames, item }): readonly JsonObject[] => {
      const gap = at > end ? [this.item('Gap.1', '', this.range(0, at - end))] : [];
      end = at + frames;
      return [...gap, item];
    });
    return this.track(name, kind, children);
  }

  /** @param start seconds into the medium. */
  clip(
    name: string,
    reference: JsonObject,
    { start, frames }: { readonly start: number; readonly frames: number },
    more: { readonly effects?: readonly JsonObject[]; readonly metadata?: JsonObject } = {},
  ): JsonObject {
    const { effects = [], metadata } = more;
    return {
      ...this.item('Clip.2', name, this.range(start * perSecond(this.rate), frames)),
      effects,
      metadata: metadata ? { shotlist: metadata } : {},
      media_references: { DEFAULT_MEDIA: reference },
      active_media_reference_key: 'DEFAULT_MEDIA',
    };
  }

  external(source: CutSource): JsonObject {
    const { duration, fps } = source.facts;
    const rate = fps ?? perSecond(this.rate);
    return {
      OTIO_SCHEMA: 'ExternalReference.1',
      name: '',
      target_url: this.#terms.urlOf(source),
      available_range: isMeasured(duration) ? this.range(0, Math.round(duration * rate * 1000) / 1000, rate) : null,
      available_image_bounds: null,
      metadata: { shotlist: { sha256: source.sha256 } },
    };
  }

  words(text: string, frames: number): JsonObject {
    return {
      OTIO_SCHEMA: 'GeneratorReference.1',
      name: text,
      generator_kind: 'Text',
      parameters: { text },
      available_range: this.range(0, frames),
      available_image_bounds: null,
      metadata: {},
    };
  }
}

/** The main track: each shot trimmed to the middle of its dissolves. */
function pictureItems({ shots }: Cut, pen: Pen): readonly JsonObject[] {
  return shots.flatMap((shot, index) => {
    const next = shots[index + 1];
    const before = half(shot.dissolve);
    const after = next ? next.dissolve - half(next.dissolve) : 0;
    const picture = shot.picture.is === 'beside' ? shot.picture.pictures[0]! : shot.picture;
    const fades = {
      ...(shot.fadeIn > 0 && { fade_in: shot.fadeIn }),
      ...(shot.fadeOut > 0 && { fade_out: shot.fadeOut }),
    };
    const clips = pictureClips(shot, picture, { from: before, to: shot.frames - after }, fades, pen);
    return [...(shot.dissolve > 0 ? [transition(shot, pen)] : []), ...clips];
  });
}

/** Frames of a dissolve that lie before the edit. */
const half = (dissolve: number): number => Math.floor(dissolve / 2);

const transition = ({ dissolve }: CutShot, pen: Pen): JsonObject => ({
  OTIO_SCHEMA: 'Transition.1',
  name: 'dissolve',
  transition_type: 'SMPTE_Dissolve',
  in_offset: pen.time(half(dissolve)),
  out_offset: pen.time(dissolve - half(dissolve)),
  metadata: {},
});

type OnePicture = Exclude<CutPicture, { readonly is: 'beside' }>;

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** A part of a shot, in its own frames; where the video ends before, its last picture is held in a clip of its own. */
function pictureClips(
  { name, frames }: CutShot,
  picture: OnePicture,
  { from, to }: Stretch,
  metadata: JsonObject,
  pen: Pen,
): readonly JsonObject[] {
  const { rate } = pen;
  const length = to - from;
  const own = Object.keys(metadata).length > 0 ? { metadata } : {};
  if (picture.is === 'title')
    return [pen.clip(name, pen.words(picture.text, frames), { start: secondsOf(from, rate), frames: length }, own)];
  const { source, fit } = picture;
  if (picture.is === 'still') {
    const still = { fit, move: picture.move, ...metadata };
    return [
      pen.clip(name, pen.external(source), { start: 0, frames: length }, { effects: [freeze()], metadata: still }),
    ];
  }
  const { in: start, speed, out } = picture;
  const end = Math.min(
    out ?? Number.POSITIVE_INFINITY,
    isMeasured(source.facts.duration) ? source.facts.duration : Number.POSITIVE_INFINITY,
  );
  const runs = Number.isFinite(end) ? framesOf((end - start) / speed, rate) : frames;
  // A frame that rounding has added is no standstill.
  const moving = frames - runs <= 1 ? length : Math.max(0, Math.min(to, runs) - from);
  const facts = { fit, ...metadata };
  const clips: JsonObject[] = [];
  if (moving > 0) {
    const at = start + secondsOf(from, rate) * speed;
    const effects = speed === 1 ? [] : [warp(speed)];
    clips.push(pen.clip(name, pen.external(source), { start: at, frames: moving }, { effects, metadata: facts }));
  }
  if (length > moving) {
    const last = Math.max(start, end - secondsOf(1, rate) * speed);
    clips.push(
      pen.clip(
        name,
        pen.external(source),
        { start: last, frames: length - moving },
        { effects: [freeze()], metadata: facts },
      ),
    );
  }
  return clips;
}

const effect = (name: 'LinearTimeWarp' | 'FreezeFrame', speed: number): JsonObject => ({
  OTIO_SCHEMA: `${name}.1`,
  name: '',
  effect_name: name,
  time_scalar: speed,
  metadata: {},
});
const warp = (speed: number): JsonObject => effect('LinearTimeWarp', speed);
const freeze = (): JsonObject => effect('FreezeFrame', 0);

/** The first of several side by side is in the main track; the others lie above it. */
function besideItems({ shots }: Cut, pen: Pen): readonly Lying[] {
  return shots.flatMap(shot => {
    const { at, frames, picture } = shot;
    if (picture.is !== 'beside') return [];
    return picture.pictures.slice(1).flatMap((one, index) => {
      let place = at;
      return pictureClips(shot, one, { from: 0, to: frames }, { beside: index + 2 }, pen).map(item => {
        const length = lengthOf(item);
        place += length;
        return { at: place - length, frames: length, item };
      });
    });
  });
}

function lengthOf(item: JsonObject): number {
  const { duration } = item.source_range as { readonly duration: { readonly value: number } };
  return duration.value;
}

function overlayItem(overlay: CutOverlay, pen: Pen): Lying {
  const { at, frames, place } = overlay;
  if (overlay.is === 'text') {
    const stretch = { start: 0, frames };
    return {
      at,
      frames,
      item: pen.clip(overlay.text, pen.words(overlay.text, frames), stretch, { metadata: { place } }),
    };
  }
  const effects = overlay.source.facts.kind === 'image' ? [freeze()] : [];
  const metadata = { place, size: overlay.size };
  const reference = pen.external(overlay.source);
  return { at, frames, item: pen.clip('overlay', reference, { start: 0, frames }, { effects, metadata }) };
}

/** What is looped is so many clips, one after the other. */
function soundItems(sound: CutSound, pen: Pen): readonly Lying[] {
  const { source, at, frames, in: start, speed, level, fadeIn, fadeOut, duck, loop, role } = sound;
  const { duration } = source.facts;
  const whole = loop && isMeasured(duration) ? Math.max(1, framesOf((duration - start) / speed, pen.rate)) : frames;
  const metadata = { level, fade_in: fadeIn, fade_out: fadeOut, ...(duck && { duck }) };
  const effects = speed === 1 ? [] : [warp(speed)];
  const items: Lying[] = [];
  for (let done = 0; done < frames; done += whole) {
    const length = Math.min(whole, frames - done);
    const item = pen.clip(role, pen.external(source), { start, frames: length }, { effects, metadata });
    items.push({ at: at + done, frames: length, item });
  }
  return items;
}

/** As few tracks as hold them without two at once, in the order of their beginnings. */
function layers(items: readonly Lying[]): readonly (readonly Lying[])[] {
  const tracks: Lying[][] = [];
  for (const item of items.toSorted((a, b) => a.at - b.at)) {
    const free = tracks.find(track => {
      const last = track.at(-1);
      return !last || last.at + last.frames <= item.at;
    });
    if (free) free.push(item);
    else tracks.push([item]);
  }
  return tracks;
}
