/** The values of a cut, evaluated at the place of each clip → an assembly, and the media that it names. */

import { CLIP, DISSOLVE, FILM, MUSIC, OVERLAY, SUBTITLES, VOICE } from '../../language/cut/clip-options.ts';
import { hardCut } from '../../language/cut/cut-options.ts';
import type { CutCue } from '../../model/media/cut.ts';
import type { CutClip, MapValue, Value } from '../../model/pipeline.ts';
import { isPending, pending } from '../../model/plan.ts';
import { groupOf, type InstanceKey } from '../../model/run/key.ts';
import { isObject, type Json, type JsonObject } from '../../model/text/json.ts';
import { originsOf } from '../media/media-origins.ts';
import type { Input, Problem } from '../obstacles.ts';
import type { ResolveContext } from '../plan-context.ts';
import { messages } from '../plan-messages.ts';
import { PartialEvaluator } from '../values/partial-evaluation.ts';
import type { Assembly, AssemblyCaptions, AssemblyClip, AssemblyMusic, AssemblyOverlay } from './assembly.ts';
import { cutMessages } from './assembly.ts';
import { type ClipPlace, type CutPlace, clipPlaces, OptionReader, valueNamed } from './clip-slots.ts';
import { readCues } from './cues.ts';
import { CutSources } from './sources.ts';

interface ReadCut {
  readonly assembly: Assembly;
  readonly sources: CutSources;
  /** What was asked for, clip by clip: `clip 3` → its options, media as they were named. `clips` is pending while their number is not known. */
  readonly asked: JsonObject;
  readonly problems: readonly Problem[];
}

/** Reads every clip; obstacles are noted in the values of the cut. */
export function readAssembly(cut: CutPlace, context: ResolveContext): ReadCut {
  const reading: Reading = { cut, context, sources: new CutSources(), problems: [] };
  const { given, skipped } = fieldsOf(cut.step.film, cut.values);
  for (const name of skipped) cut.values.meet({ is: 'skipped', name });
  const film = new OptionReader(cut.step.film, given, name => `\`${name}\``, reading.problems);
  const shared: Shared = { dissolve: dissolveOf(film, reading) ?? 0, fit: film.read('fit', FILM.fit) ?? 'crop' };
  const clips: AssemblyClip[] = [];
  const asked: Record<string, Json> = {};
  let isOpen = false;
  for (const clip of cut.step.clips) {
    const places = clipPlaces(clip, cut);
    if (places.is !== 'known') isOpen = true;
    for (const place of places.is === 'known' ? places.places : []) {
      const made = clipsAt(clip, place, shared, clips.length, reading);
      isOpen ||= made.isOpen;
      // Behind a list that is not known, no clip has its number yet.
      if (!isOpen) for (const index of made.clips.keys()) asked[`clip ${clips.length + index + 1}`] = made.asked;
      clips.push(...made.clips);
    }
  }
  const here: Here = { prefix: '', sources: originContext(cut, cut, reading) };
  const music = musicOf(film, here, reading);
  const overlays = overlaysOf(film, here, reading);
  const captions = captionsOf(film);
  const loudness = film.given('loudness') === undefined ? LOUDNESS : (film.read('loudness', FILM.loudness) ?? null);
  const [size, rate] = [film.read('size', FILM.size), film.read('fps', FILM.fps)];
  const assembly: Assembly = {
    clips,
    overlays,
    loudness,
    fit: shared.fit,
    codec: film.read('codec', FILM.codec) ?? 'h264',
    ...(music && { music }),
    ...(captions && { captions }),
    ...(size && { size }),
    ...(rate && { rate }),
    ...(context.isDraft && { isDraft: true }),
    isOpen: isOpen || film.isOpen,
  };
  return {
    assembly,
    sources: reading.sources,
    asked: { ...given, ...asked, ...(isOpen && { clips: pending('clips') }) },
    problems: [...reading.problems, ...reading.sources.problems],
  };
}

/** LUFS, as the sites that films are shown on play them. */
const LOUDNESS = -16;

interface Reading {
  readonly cut: CutPlace;
  readonly context: ResolveContext;
  readonly sources: CutSources;
  readonly problems: Problem[];
}

interface Shared {
  readonly dissolve: number;
  readonly fit: AssemblyClip['fit'];
}

/** What distinguishes the media of one place, and where they may come from. */
interface Here {
  readonly prefix: string;
  readonly sources: Parameters<CutSources['add']>[3];
}

const originContext = (
  { graph }: Pick<CutPlace, 'graph'>,
  { slot, inputs, values }: ClipPlace & { readonly values: PartialEvaluator },
  { context }: Reading,
): Here['sources'] => ({ graph, slot, inputs, values, localMedia: context.localMedia });

/** Options that a film does without where what they read was skipped. */
const OPTIONAL: ReadonlySet<string> = new Set(['voice', 'music', 'over', 'subtitles']);

/** `skipped`: what the others read that was skipped. */
function fieldsOf(
  { entries }: MapValue,
  values: PartialEvaluator,
): { readonly given: JsonObject; readonly skipped: ReadonlySet<string> } {
  const needed = new Set<string>();
  const given = entries.map(({ name, value }) => {
    const unlessSkipped = (one: Value): Json => {
      const { answer, skipped } = values.apart(() => values.evaluate(one));
      if (!OPTIONAL.has(name)) for (const key of skipped) needed.add(key);
      return skipped.length > 0 ? null : answer;
    };
    // Of several texts and pictures over the film each is there by itself.
    return [name, value.is === 'list' ? value.items.map(unlessSkipped) : unlessSkipped(value)] as const;
  });
  return { given: Object.fromEntries(given), skipped: needed };
}

/** A part of a join makes the clips incomplete, as a fan-out is of which one instance is off; without anything else there is no film. */
function whenSkipped(name: string, { inputs: { each } }: ClipPlace): Input {
  const parts = each?.is === 'ready' || each?.is === 'waiting' ? [...(each.without?.values() ?? [])] : [];
  const part = parts.find(key => key === name);
  return part ? { is: 'incomplete', message: messages.incomplete(groupOf(part), [part]) } : { is: 'skipped', name };
}

interface MadeClips {
  readonly clips: readonly AssemblyClip[];
  readonly asked: JsonObject;
  readonly isOpen: boolean;
}

/** One clip, or one for each medium of a list. */
function clipsAt(written: CutClip, place: ClipPlace, shared: Shared, before: number, reading: Reading): MadeClips {
  const { cut, context } = reading;
  const isOwn = written.each.length === 0;
  const values = isOwn ? cut.values : new PartialEvaluator(cut.graph, place.slot, place.inputs, context, cut.values);
  const { given, skipped } = fieldsOf(written.fields, values);
  for (const name of skipped) values.meet(whenSkipped(name, place), written.fields);
  const asked = withPaths(given);
  const sources = originContext(cut, { ...place, values }, reading);
  const from = valueNamed(written.fields, 'from');
  const all = from && written.isList ? listOf(given.from ?? null, from, sources) : [given.from ?? null];
  if (!all) return { clips: [], asked, isOpen: true };
  const clips = all.map((medium, index) => {
    const number = before + index + 1;
    const name = nameOf(written, place, all.length > 1 ? index + 1 : undefined);
    const called = isOwn ? `clip ${number}` : `clip ${number} (${name})`;
    const here = { prefix: `clips[${number - 1}].`, sources };
    const reader = new OptionReader(
      written.fields,
      { ...given, from: medium },
      option => `\`${option}\` of ${called}`,
      reading.problems,
    );
    return clipOf(reader, { name, called, shared, isFirst: number === 1 }, here, reading);
  });
  return { clips, asked, isOpen: false };
}

/** Undefined where their number is not known yet. */
function listOf(given: Json, from: Value, sources: Here['sources']): readonly Json[] | undefined {
  if (Array.isArray(given)) return given as readonly Json[];
  if (!isPending(given)) return [given];
  const origins = originsOf(from, sources);
  return origins?.is === 'list' ? Array.from({ length: origins.length }, () => given) : undefined;
}

interface ClipFacts {
  readonly name: string;
  readonly called: string;
  readonly shared: Shared;
  readonly isFirst: boolean;
}

function clipOf(
  reader: OptionReader,
  { name, called, shared, isFirst }: ClipFacts,
  here: Here,
  reading: Reading,
): AssemblyClip {
  const shows = showsOf(reader, called, here, reading);
  const voice = voiceOf(reader, called, here, reading);
  const cues = cuesOf(reader, 'subtitles');
  const [out, length] = [reader.read('out', CLIP.out), reader.read('for', CLIP.for)];
  const dissolve = isFirst ? 0 : (dissolveOf(reader, reading) ?? shared.dissolve);
  if (length !== undefined && length !== 'voice' && out !== undefined)
    reader.report(cutMessages.forAndOut(called), 'for');
  return {
    ...{ name, called, shows, dissolve, cues, places: reader.places },
    in: reader.read('in', CLIP.in) ?? 0,
    ...(out !== undefined && { out }),
    ...(length !== undefined && (length !== 'voice' || voice) && { for: length }),
    speed: reader.read('speed', CLIP.speed) ?? 1,
    fadeIn: reader.read('fade_in', CLIP.fade_in) ?? 0,
    fadeOut: reader.read('fade_out', CLIP.fade_out) ?? 0,
    ...(voice && { voice }),
    overlays: overlaysOf(reader, here, reading),
    move: reader.read('move', CLIP.move) ?? 'none',
    fit: reader.read('fit', CLIP.fit) ?? shared.fit,
    sound: reader.read('sound', CLIP.sound) ?? true,
    level: reader.read('level', CLIP.level) ?? 0,
    isOpen: reader.isOpen,
  };
}

function showsOf(reader: OptionReader, called: string, here: Here, reading: Reading): AssemblyClip['shows'] {
  const beside = reader.value('beside');
  if (reader.value('title')) return { is: 'title', text: reader.read('title', CLIP.title) ?? '' };
  if (!beside) {
    addMedia(
      reader,
      'from',
      { field: `${here.prefix}from`, called: `\`from\` of ${called}`, wanted: 'picture' },
      here,
      reading,
    );
    return { is: 'media', media: `${here.prefix}from` };
  }
  const given = reader.given('beside') ?? null;
  const items = Array.isArray(given) ? (given as readonly Json[]) : [given];
  const isKnown = !isPending(given);
  if (isKnown && (items.length < 2 || items.length > 4))
    reader.report(cutMessages.value(`\`beside\` of ${called}`, 'two to four pictures', items.length), 'beside');
  const media = items.map((item, index) => {
    const field = `${here.prefix}beside[${index}]`;
    const value = beside.is === 'list' ? (beside.items[index] ?? beside) : beside;
    const named = { field, at: value.at, called: `\`beside\` of ${called}`, wanted: 'picture' } as const;
    reading.sources.add(item, value, named, here.sources);
    return field;
  });
  return { is: 'beside', media };
}

/** True where the mapping names one. */
function addMedia(
  reader: OptionReader,
  name: string,
  named: { readonly field: string; readonly called: string; readonly wanted: 'picture' | 'sound' },
  here: Here,
  { sources }: Reading,
): boolean {
  const given = reader.given(name);
  const value = reader.value(name) ?? reader.written;
  if (given === undefined) {
    if (named.wanted === 'picture') reader.report(cutMessages.noMedia(named.called, null), name);
    return false;
  }
  sources.add(given, value, { ...named, at: reader.places(name) }, here.sources);
  return true;
}

function voiceOf(reader: OptionReader, called: string, here: Here, reading: Reading): AssemblyClip['voice'] {
  const voice = reader.inside('voice', option => `\`${option}\` of the voice of ${called}`);
  if (!voice) return undefined;
  const media = `${here.prefix}voice`;
  const named = { field: media, called: `the voice of ${called}`, wanted: 'sound' } as const;
  if (!addMedia(voice, 'from', named, here, reading)) return undefined;
  return { media, level: voice.read('level', VOICE.level) ?? 0 };
}

/** Undefined where it is left out. */
function dissolveOf(reader: OptionReader, { problems }: Reading): number | undefined {
  const join = reader.value('join');
  const given = reader.given('join');
  if (!join || given === undefined) return undefined;
  if (isObject(given) && !isPending(given))
    return new OptionReader(join, given, () => '`dissolve`', problems).read('dissolve', DISSOLVE.dissolve) ?? 0;
  reader.read('join', { ...hardCut, takes: '`cut`, or `{ dissolve: 0.4s }`' });
  return 0;
}

function musicOf(film: OptionReader, here: Here, reading: Reading): AssemblyMusic | undefined {
  const music = film.inside('music', option => `\`${option}\` of the music`);
  if (!music) return undefined;
  const named = { field: 'music.from', called: '`music`', wanted: 'sound' } as const;
  if (!addMedia(music, 'from', named, here, reading)) return undefined;
  return {
    media: 'music.from',
    places: music.places,
    level: music.read('level', MUSIC.level) ?? 0,
    duck: music.read('duck', MUSIC.duck) ?? false,
    loop: music.read('loop', MUSIC.loop) ?? false,
    in: music.read('in', MUSIC.in) ?? 0,
    fadeIn: music.read('fade_in', MUSIC.fade_in) ?? 0,
    fadeOut: music.read('fade_out', MUSIC.fade_out) ?? 0,
  };
}

function overlaysOf(reader: OptionReader, here: Here, reading: Reading): readonly AssemblyOverlay[] {
  const over = reader.value('over');
  const given = reader.given('over');
  if (!over || given === undefined) return [];
  const written = over.is === 'list' ? over.items : [over];
  const all = Array.isArray(given) ? (given as readonly Json[]) : [given];
  return written.flatMap((value, index) => {
    const one = all[index];
    if (value.is !== 'map' || !isObject(one)) return [];
    const called = (option: string) => `\`${option}\` of what lies over the picture`;
    const overlay = new OptionReader(value, one, called, reading.problems);
    return overlayOf(overlay, `${here.prefix}over[${index}]`, here, reading) ?? [];
  });
}

/** Where its words, or its picture, are left out by an expression, nothing is laid over the picture. */
function overlayOf(overlay: OptionReader, media: string, here: Here, reading: Reading): AssemblyOverlay | undefined {
  const isText = overlay.value('text') !== undefined;
  const length = overlay.read('for', OVERLAY.for);
  const shared = {
    places: overlay.places,
    place: overlay.read('at', OVERLAY.at) ?? (isText ? 'bottom' : 'top right'),
    in: overlay.read('in', OVERLAY.in) ?? 0,
    ...(length !== undefined && { for: length }),
  };
  if (isText) {
    const given = overlay.given('text');
    if (given === undefined || given === '') return undefined;
    return { ...shared, is: 'text', text: overlay.read('text', OVERLAY.text) ?? '' };
  }
  if (overlay.given('from') === undefined) return undefined;
  addMedia(overlay, 'from', { field: media, called: 'what lies over the picture', wanted: 'picture' }, here, reading);
  return { ...shared, is: 'picture', media, size: overlay.read('size', OVERLAY.size) ?? 0.2 };
}

function captionsOf(film: OptionReader): AssemblyCaptions | undefined {
  const subtitles = film.inside('subtitles', option => `\`${option}\` of the subtitles`);
  if (!subtitles) return undefined;
  const cues = cuesOf(subtitles, 'from');
  const style = subtitles.read('style', SUBTITLES.style) === 'word' ? 'word' : 'line';
  const isKnown = !isPending(subtitles.given('from'));
  if (style === 'word' && isKnown && cues.length > 0 && cues.every(({ words }) => !words))
    subtitles.report(cutMessages.noWords('`subtitles`'), 'style');
  return {
    ...{ style, cues },
    place: subtitles.read('at', SUBTITLES.at) ?? 'bottom',
    track: subtitles.read('track', SUBTITLES.track) ?? false,
  };
}

function cuesOf(reader: OptionReader, name: string): readonly CutCue[] {
  const given = reader.given(name);
  if (given !== undefined && isPending(given)) return [];
  // A command that printed no JSON: a film without the words that its author asked for would be wrong without a word.
  if (given === undefined && reader.value(name) === undefined) return [];
  const read = readCues(given ?? null);
  if (read.is === 'cues') return read.cues;
  reader.report(cutMessages.cues(reader.called(name), read.why), name);
  return [];
}

/** What a person would call it: the instance that it shows, the step, the file; a title. */
function nameOf({ fields, each }: CutClip, { slot }: ClipPlace, nth: number | undefined): string {
  const from = valueNamed(fields, 'from');
  const own = ownName(from, each, slot.each ?? []) ?? (valueNamed(fields, 'title') ? 'title' : 'clip');
  return nth === undefined ? own : `${own} ${nth}`;
}

function ownName(from: Value | undefined, each: CutClip['each'], keys: readonly InstanceKey[]): string | undefined {
  if (from?.is === 'expression') {
    const [, root, name] = /^\s*(steps|each)(?:\.(\w+))?/.exec(from.code) ?? [];
    if (root === 'steps') return name;
    const at = each.findIndex(source => source.name !== undefined && source.name === name);
    return keys[Math.max(0, at)];
  }
  if (keys.length > 0) return keys[0];
  return from?.is === 'literal' ? String(from.value).split('/').at(-1) : undefined;
}

/** A result is named by its file: its cost and time are no part of a cut. */
function withPaths(given: JsonObject): JsonObject {
  const short = (value: Json): Json => {
    if (Array.isArray(value)) return (value as readonly Json[]).map(short);
    if (!isObject(value) || isPending(value)) return value;
    if (typeof value.file === 'string' && ('sha256' in value || 'result_url' in value)) return value.file;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, short(inner)]));
  };
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, short(value)]));
}
