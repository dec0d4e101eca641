/** `cut`: clips on a timeline. Known as soon as all that it shows and sounds is; before, as far as lengths are expected. */

import type { Cut } from '../../model/media/cut.ts';
import { rateText } from '../../model/media/cut.ts';
import type { MediaFacts } from '../../model/media/media.ts';
import type { CutStep, Value } from '../../model/pipeline.ts';
import type { Json, JsonObject } from '../../model/text/json.ts';
import type { Assembly } from '../cut/assembly.ts';
import { type Layout, layOut } from '../cut/lay-out.ts';
import { readAssembly } from '../cut/read-assembly.ts';
import { cutOf } from '../cut/to-cut.ts';
import { takeInFingerprint } from '../graph/join.ts';
import type { ExpectedFacts } from '../media/media-fields.ts';
import { inputOf } from '../media/media-fields.ts';
import { digest } from '../owned/instance-fingerprint.ts';
import type { ResolveContext } from '../plan-context.ts';
import { messages } from '../plan-messages.ts';
import { invalid, pendingOn, type ResolvedCut, stoppedBy, type Unready } from '../values/resolved.ts';
import { FREE_WORK, type KindOfStep, type Unresolved } from './kind.ts';

export const cut: KindOfStep<'cut'> = {
  ...FREE_WORK,
  staysHere: true,
  label: () => 'cut',
  calledInText: (_, instance) => summary(instance),
  isAllInText: true,
  takesEncoder: true,
  values: valuesOf,
  fields: ({ film, clips, at }) => [
    ...film.entries,
    { name: 'clips', value: { is: 'list', items: clips.map(({ fields }) => fields), at } },
  ],
  choosesReads: ({ clips }) => clips.some(({ each }) => each.length > 0),
  resolve: resolveCut,
  expectedFacts(_, resolved, kept) {
    if (resolved.is !== 'cut' && resolved.is !== 'pending') return undefined;
    const { assembly, media } = resolved;
    const facts = (field: string) => kept(field, media)?.media;
    return assembly && expectedOf(assembly, layOut(assembly, facts));
  },
  problemsExpected(_, { assembly, media }, expected) {
    if (!assembly) return [];
    const facts = (field: string) => {
      const input = inputOf(field, media);
      return input && expected(input);
    };
    return layOut(assembly, facts).problems;
  },
  // About as long as it is, on an ordinary machine.
  usualSeconds: (_, facts) => Math.max(5, facts?.duration ?? 30),
  changedSince: () => messages.changed([messages.itsCut()]),
};

function valuesOf({ clips, film }: CutStep): readonly Value[] {
  return [...clips.flatMap(({ follows, fields }) => [...follows, fields]), film];
}

function resolveCut(unresolved: Unresolved<'cut'>, context: ResolveContext): Unready | ResolvedCut {
  const { slot, inputs, values } = unresolved;
  const { assembly, sources, asked, problems } = readAssembly(unresolved, context);
  const stopped = stoppedBy(values);
  if (stopped) return stopped;
  if (problems.length > 0) return invalid('request_invalid', problems);
  const known = inputs.known.with(sources.table);
  const take = takeInFingerprint(slot);
  const asks = { fields: { ...asked, ...take }, known };
  const shown = shownCut(assembly);
  const waits = pendingOn(inputs, values);
  const media = sources.inputs;
  if (waits) return { ...waits, request: {}, shown, asks, media, assembly };
  const made = cutOf(assembly, sources);
  if (made.is === 'wrong') return invalid('request_invalid', made.problems);
  const { authorFiles, authorPaths, addresses } = sources;
  const work = { is: 'cut', assembly, media, shown, asks, authorFiles, authorPaths, sources } as const;
  if (made.is === 'open')
    return { ...work, addresses, fingerprint: fingerprintOfAssembly({ assembly, ...take }, sources) };
  return { ...work, cut: made.cut, addresses, fingerprint: fingerprintOfCut({ cut: made.cut, ...take }) };
}

/** In the plan's text and its JSON, in the place of a request. */
const shownCut = ({ clips, isOpen }: Assembly): JsonObject => ({
  clips: clips.map(({ name }) => name),
  ...(isOpen && { more: true }),
});

/** `12 clips, 0:45.3, 1920x1080, 24 fps`, as far as it is known. */
function summary({
  request,
  facts,
}: {
  readonly request?: JsonObject | undefined;
  readonly facts?: MediaFacts | undefined;
}): string {
  const { clips = [], more } = request ?? {};
  const count = Array.isArray(clips) ? (clips as readonly Json[]).length : 0;
  const clipCount = `${count} clip${count === 1 ? '' : 's'}`;
  const many = more !== true ? clipCount : count === 0 ? 'clips ×?' : `${clipCount} and more`;
  const { duration, width, height, fps } = facts ?? {};
  return [
    many,
    ...(duration === undefined ? [] : [clockText(duration)]),
    ...(width === undefined ? [] : [`${width}x${height}`]),
    ...(fps === undefined ? [] : [`${fps} fps`]),
  ].join(', ');
}

/** `0:45.3`, `1:02:03.4` */
function clockText(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  const [hours, minutes] = [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60];
  const rest = ((tenths % 600) / 10).toFixed(1).padStart(4, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

const CODECS = { h264: 'h264', h265: 'hevc', prores: 'prores' } as const;

function expectedOf({ codec }: Assembly, { size, rate, seconds }: Layout): ExpectedFacts {
  const media: MediaFacts = {
    kind: 'video',
    format: codec === 'prores' ? 'mov' : 'mp4',
    video_codec: CODECS[codec],
    ...size,
    ...(rate && { fps: Number(rateText(rate)) }),
    ...(seconds !== undefined && { duration: Math.round(seconds * 1000) / 1000 }),
    // A film without sounds has a silent track.
    audio_codec: codec === 'prores' ? 'pcm-s24' : 'aac',
  };
  return { media };
}

/** Counted up when the same cut is rendered into another film. */
const VERSION = 1;

/**
 * The key of a cut: what is seen and heard when, of which content. The names of clips and the places of their media are no part of it, nor how the
 * file writes it: `out: 4s` of a clip that is four seconds long changes nothing.
 */
const fingerprintOfCut = ({ cut, take }: { readonly cut: Cut; readonly take?: number }): string =>
  digest({ v: VERSION, cut: counted(cut), ...(take !== undefined && { take }) });

/** While a clip is an address that is fetched first: by what was asked for. */
const fingerprintOfAssembly = (
  { assembly, take }: { readonly assembly: Assembly; readonly take?: number },
  sources: { readonly content: (field: string) => string },
): string => {
  const content = counted(assembly, field => sources.content(field));
  return digest({ v: VERSION, assembly: content, ...(take !== undefined && { take }) });
};

/** What only people read. */
const NAMES: ReadonlySet<string> = new Set(['name', 'called', 'places']);

/** A source as its digest. @param contentAt the digest of a field of an assembly that names a medium. */
function counted(value: unknown, contentAt?: (field: string) => string): Json {
  if (Array.isArray(value)) return value.map(one => counted(one, contentAt));
  if (typeof value !== 'object' || value === null) return value as Json;
  if ('sha256' in value) return (value as { readonly sha256: string }).sha256;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      if (NAMES.has(name) || inner === undefined) return [];
      if (contentAt && name === 'media') return [[name, ([inner].flat() as readonly string[]).map(contentAt)] as const];
      return [[name, counted(inner, contentAt)] as const];
    }),
  );
}
