/** The timeline of a cut as OpenTimelineIO, held against what that project says of its own format. */
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Cut, CutPicture, CutShot, CutSource } from '../../../src/model/media/cut.ts';
import type { MediaFacts } from '../../../src/model/media/media.ts';
import { isObject, type Json, type JsonObject } from '../../../src/model/text/json.ts';
import { timelineOf } from '../../../src/plan/cut/otio.ts';

const ITEM = 'name:string metadata:map source_range effects:list markers:list enabled:boolean';
const MEDIA = 'name:string metadata:map available_range available_image_bounds';
const EFFECT = 'name metadata effect_name! time_scalar!';

/**
 * The schemas that a cut uses, as OpenTimelineIO 0.17.0 has them: the fields that its documentation lists, the types that they have in the
 * empty objects of its tests (`tests/baselines/`), and a `!` behind each without which its readers refuse a file.
 */
const FORMAT: Readonly<Record<string, string>> = {
  'Timeline.1': 'name:string metadata:map global_start_time tracks:map!',
  'Stack.1': `${ITEM} children:list!`,
  'Track.1': `${ITEM} children:list! kind:string!`,
  'Clip.2': `${ITEM} media_references:map! active_media_reference_key:string!`,
  'Gap.1': ITEM,
  'Transition.1': 'name:string metadata:map in_offset:map! out_offset:map! transition_type:string!',
  'LinearTimeWarp.1': EFFECT,
  'FreezeFrame.1': EFFECT,
  'Marker.2': 'name:string metadata:map color:string comment:string marked_range:map!',
  'ExternalReference.1': `${MEDIA} target_url:string!`,
  'GeneratorReference.1': `${MEDIA} generator_kind:string! parameters:map!`,
  'RationalTime.1': 'rate:number! value:number!',
  'TimeRange.1': 'start_time:map! duration:map!',
};

function* objectsIn(value: Json): Iterable<JsonObject> {
  if (Array.isArray(value)) for (const item of value as readonly Json[]) yield* objectsIn(item);
  else if (isObject(value)) {
    if ('OTIO_SCHEMA' in value) yield value;
    for (const inner of Object.values(value)) yield* objectsIn(inner);
  }
}

/** Without what is empty or usual, which `faults` looks for, and with each time as `value@rate`, each range as `start+duration`. */
function brief(value: Json): Json {
  if (Array.isArray(value)) return value.map(brief);
  if (!isObject(value)) return value;
  const { OTIO_SCHEMA: schema, ...fields } = value;
  if (schema === 'RationalTime.1') return `${fields.value}@${fields.rate}`;
  if (schema === 'TimeRange.1') return `${brief(fields.start_time!)}+${brief(fields.duration!)}`;
  const isUsual = (name: string, one: Json | undefined) =>
    one === null ||
    (name === 'enabled' && one === true) ||
    JSON.stringify(one) === '[]' ||
    JSON.stringify(one) === '{}';
  const shown = Object.entries(fields).filter(([name, one]) => !isUsual(name, one));
  return Object.fromEntries([
    ...(schema === undefined ? [] : [['is', schema] as const]),
    ...shown.map(([name, one]) => [name, brief(one as Json)] as const),
  ]);
}

const typeOf = (value: Json | undefined): string =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : isObject(value) ? 'map' : typeof value;

/** Everything in which a file is not as the format has it. */
function faults(timeline: JsonObject): readonly string[] {
  const found: string[] = [];
  for (const one of objectsIn(timeline)) {
    const schema = String(one.OTIO_SCHEMA);
    const fields = (FORMAT[schema] ?? '').split(' ').map(field => /^(\w*):?(\w*)(!?)$/.exec(field) ?? []);
    if (!FORMAT[schema]) found.push(`${schema} is no schema`);
    const known = new Set(['OTIO_SCHEMA', ...fields.map(([, name]) => name)]);
    for (const name of Object.keys(one)) if (!known.has(name)) found.push(`${schema} has no ${name}`);
    for (const [, name = '', type = '', required = ''] of fields) {
      const given = typeOf(one[name]);
      if (!(name in one)) {
        if (type || required) found.push(`${schema} lacks ${name}`);
      } else if (type && given !== type && given !== 'null') found.push(`${name} of ${schema} is ${given}`);
    }
  }
  return found;
}

const source = (name: string, facts: MediaFacts): CutSource => ({
  sha256: name.padEnd(64, '0'),
  path: `/content/${name}`,
  facts,
});
const clipOf = (name: string, duration = 5): CutSource =>
  source(name, { kind: 'video', width: 1920, height: 1080, duration, fps: 24, audio_codec: 'aac' });
const video = (of: CutSource, more: Partial<Extract<CutPicture, { is: 'video' }>> = {}): CutPicture => ({
  ...{ is: 'video', source: of, in: 0, speed: 1, fit: 'crop' },
  ...more,
});
const shot = (name: string, at: number, frames: number, picture: CutPicture, dissolve = 0): CutShot => ({
  ...{ name, at, frames, dissolve, fadeIn: 0, fadeOut: 0, picture },
});

const [fox, owl, bed, line] = [
  clipOf('f0'),
  clipOf('0e', 6),
  source('bed', { kind: 'audio', duration: 4 }),
  source('line', { kind: 'audio', duration: 3 }),
];
const still = source('st', { kind: 'image', width: 100, height: 100 });
const sound = { in: 0, speed: 1, level: 0, fadeIn: 0, fadeOut: 0 } as const;

const FILM: Cut = {
  size: { width: 1920, height: 1080 },
  rate: { frames: 24, seconds: 1 },
  frames: 446,
  shots: [
    shot('title', 0, 48, { is: 'title', text: 'The Frozen River' }),
    // Seen from its first to its fourth second.
    shot('shot[n=1]', 39, 72, video(fox, { in: 1 }), 9),
    // Half as fast for two seconds of its own, then standing still.
    { ...shot('shot[n=2]', 111, 120, video(owl, { in: 2, out: 4, speed: 0.5 })), fadeOut: 12 },
    shot('still', 221, 72, { is: 'still', source: still, fit: 'blur', move: 'push_in' }, 10),
    shot('before', 293, 120, { is: 'beside', pictures: [video(fox) as never, video(owl) as never] }),
    shot('slow', 413, 33, video(fox, { in: 4.5 })),
  ],
  overlays: [
    { at: 39, frames: 72, place: 'bottom', is: 'text', text: 'A river' },
    { at: 0, frames: 446, place: 'top right', is: 'picture', source: still, size: 0.08 },
  ],
  sounds: [
    { ...sound, source: fox, role: 'clip', at: 39, frames: 72, in: 1, fadeIn: 9 },
    { ...sound, source: owl, role: 'clip', at: 100, frames: 96, in: 2, speed: 0.5 },
    { ...sound, source: line, role: 'voice', at: 48, frames: 72, level: -2 },
    { ...sound, source: bed, role: 'music', at: 0, frames: 446, level: -18, duck: true, loop: true },
  ],
  captions: { style: 'line', place: 'bottom', track: false, cues: [{ start: 2, end: 3.5, text: 'a fox' }] },
  loudness: -16,
  codec: 'h264',
};

const timeline = timelineOf(FILM, { name: 'film', urlOf: ({ sha256 }) => `../store/${sha256.slice(0, 4)}.mp4` });

type Item = JsonObject & { readonly OTIO_SCHEMA: string; readonly name: string };
interface Track {
  readonly name: string;
  readonly kind: string;
  readonly children: readonly Item[];
}
const tracks = (timeline.tracks as unknown as { readonly children: readonly Track[] }).children;
const trackNamed = (name: string): Track => tracks.find(track => track.name === name)!;
const rangeOf = (item: Item): readonly [number, number] => {
  const range = item.source_range as unknown as Record<'start_time' | 'duration', { value: number }>;
  return [range.start_time.value, range.duration.value];
};
/** As OpenTimelineIO counts: transitions lie over their neighbours, and take no time of their own. */
const lengthOf = (track: Track): number =>
  track.children.filter(item => item.OTIO_SCHEMA !== 'Transition.1').reduce((sum, item) => sum + rangeOf(item)[1], 0);
const schemasOf = (track: Track): readonly string[] => track.children.map(item => item.OTIO_SCHEMA);

describe('the format', () => {
  test('is read, so that a mistake is seen', () => {
    expect(faults({ OTIO_SCHEMA: 'Clip.9' })).toContain('Clip.9 is no schema');
    const { rate: _, ...broken } = { OTIO_SCHEMA: 'RationalTime.1', rate: 24, value: 'two', more: 1 };
    expect(faults(broken)).toEqual([
      'RationalTime.1 has no more',
      'RationalTime.1 lacks rate',
      'value of RationalTime.1 is string',
    ]);
  });

  test('holds for the timeline of a cut, which uses all of it', () => {
    expect(faults(timeline)).toEqual([]);
    expect(new Set([...objectsIn(timeline)].map(one => one.OTIO_SCHEMA))).toEqual(new Set(Object.keys(FORMAT)));
  });
});

describe('the timeline of a cut', () => {
  test('has a track of pictures as long as the film, with its dissolves as transitions', () => {
    const pictures = trackNamed('Pictures');
    expect(lengthOf(pictures)).toBe(FILM.frames);
    expect(schemasOf(pictures)).toEqual([
      ...[
        'Clip.2',
        'Transition.1',
        'Clip.2',
        'Clip.2',
        'Clip.2',
        'Transition.1',
        'Clip.2',
        'Clip.2',
        'Clip.2',
        'Clip.2',
      ],
    ]);
    const [dissolve] = pictures.children.filter(item => item.OTIO_SCHEMA === 'Transition.1');
    expect(dissolve).toMatchObject({
      transition_type: 'SMPTE_Dissolve',
      in_offset: { rate: 24, value: 4 },
      out_offset: { rate: 24, value: 5 },
    });
  });

  test('a transition never reaches over more than the media around it hold', () => {
    const { children } = trackNamed('Pictures');
    // The title is seen to its 48th frame: 43 are before the middle of the dissolve, and 5 behind it.
    expect(rangeOf(children[0]!)).toEqual([0, 43]);
    // The fox begins 4 frames before that middle, one second into its file.
    expect(rangeOf(children[2]!)).toEqual([28, 68]);
  });

  test('a retime is a warp, and what is held is a frozen frame of its own', () => {
    const slow = trackNamed('Pictures').children.filter(({ name }) => name === 'shot[n=2]');
    expect(slow.map(({ effects }) => effects)).toMatchObject([
      [{ OTIO_SCHEMA: 'LinearTimeWarp.1', time_scalar: 0.5 }],
      [{ OTIO_SCHEMA: 'FreezeFrame.1', time_scalar: 0 }],
    ]);
    expect(slow.map(rangeOf)).toEqual([
      [48, 96],
      [95.5, 19],
    ]);
  });

  test('a title is a generator, and a still a frozen picture', () => {
    const [title] = trackNamed('Pictures').children;
    expect(title).toMatchObject({
      media_references: { DEFAULT_MEDIA: { generator_kind: 'Text', parameters: { text: 'The Frozen River' } } },
    });
    const one = trackNamed('Pictures').children.find(({ name }) => name === 'still');
    expect(one).toMatchObject({
      effects: [{ OTIO_SCHEMA: 'FreezeFrame.1' }],
      metadata: { shotlist: { move: 'push_in' } },
    });
  });

  test('what lies over the film and beside it has tracks of its own', () => {
    expect(tracks.map(({ name, kind }) => `${name} (${kind})`)).toEqual([
      ...['Pictures (Video)', 'Beside 2 (Video)', 'Over 1 (Video)', 'Over 2 (Video)'],
      ...['Clips (Audio)', 'Clips 2 (Audio)', 'Voice (Audio)', 'Music (Audio)'],
    ]);
    expect(schemasOf(trackNamed('Beside 2'))).toEqual(['Gap.1', 'Clip.2']);
    expect(rangeOf(trackNamed('Beside 2').children[0]!)).toEqual([0, 293]);
  });

  test('sounds lie where they are heard; music that is looped is so many clips', () => {
    expect(lengthOf(trackNamed('Music'))).toBe(FILM.frames);
    expect(trackNamed('Music').children.map(rangeOf)).toEqual([
      [0, 96],
      [0, 96],
      [0, 96],
      [0, 96],
      [0, 62],
    ]);
    expect(schemasOf(trackNamed('Voice'))).toEqual(['Gap.1', 'Clip.2']);
    expect(trackNamed('Voice').children[1]?.metadata).toEqual({ shotlist: { level: -2, fade_in: 0, fade_out: 0 } });
  });

  test('captions are markers, and media are found from where the file lies', () => {
    expect(timeline.tracks).toMatchObject({
      markers: [{ name: 'a fox', marked_range: { start_time: { value: 48 }, duration: { value: 36 } } }],
    });
    const urls = [...objectsIn(timeline)].flatMap(one => ('target_url' in one ? [String(one.target_url)] : []));
    expect(urls.every(url => url.startsWith('../store/'))).toBe(true);
  });

  test('is written as it was', async () => {
    expect(inspect(brief(timeline), { depth: null, breakLength: 140, compact: 12 })).toMatchSnapshot();
  });

  test('of a rate that is a fraction counts in it', () => {
    const slow = timelineOf({ ...FILM, rate: { frames: 24_000, seconds: 1001 } }, { name: 'film', urlOf: () => '' });
    expect(faults(slow)).toEqual([]);
    expect(slow.global_start_time).toEqual({ OTIO_SCHEMA: 'RationalTime.1', rate: 24_000 / 1001, value: 0 });
  });
});
