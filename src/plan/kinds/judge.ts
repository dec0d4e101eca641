/**
 * The judge of a pick: one request to a chat model, which is shown frames of each video, each image, the words of each text, and writes a
 * score for each. It is paid for like any chat, and asked only where there is something to choose.
 */
import { derivedAddress } from '../../model/media/derived-media.ts';
import type { GenerateStep, JudgeStep, MapValue, Value } from '../../model/pipeline.ts';
import { pending } from '../../model/plan.ts';
import { localName } from '../../model/run/key.ts';
import { pieceOf } from '../../model/run/result.ts';
import { canonical, type JsonObject } from '../../model/text/json.ts';
import { type Candidate, candidatesOf, missingIn, noteRead, scoresSchema } from '../graph/gathered-candidates.ts';
import { MediaTable } from '../media/media-index.ts';
import type { ResolveContext } from '../plan-context.ts';
import { messages } from '../plan-messages.ts';
import { failed, pendingOn, type ResolvedRequest, stoppedBy, type Unready } from '../values/resolved.ts';
import { contentIn, mediaIn } from '../values/result-kinds.ts';
import { generate, PAID_WORK } from './generate.ts';
import type { KindOfStep, Unresolved } from './kind.ts';
import { needlessToJudge } from './pick.ts';

export const judge: KindOfStep<'judge'> = {
  ...PAID_WORK,
  choosesReads: () => true,
  calledInText: ({ model }) => `${model} judges`,
  values: ({ from, words }) => [...(from ? [from] : []), words],
  fields: ({ words }) => words.entries,
  sent: ({ words }) => words,
  resolve: resolveJudge,
  usualSeconds: () => 20,
  changedSince: () => messages.changedSince(),
};

function resolveJudge(unresolved: Unresolved<'judge'>, context: ResolveContext): Unready | ResolvedRequest {
  const { graph, slot, step, inputs, values } = unresolved;
  const chooser = graph.pipeline.steps.find(({ name }) => name === step.pick);
  if (!chooser || !('pick' in step) || !('count' in chooser) || 'pick' in chooser)
    throw new Error(`${step.name} judges for no pick`);
  // The pick itself knows whether there is anything to ask.
  const key = slot.key.slice(0, -localName(step.name).length - 1) as typeof slot.key;
  const needless = needlessToJudge({ ...unresolved, slot: { ...slot, key, step: chooser }, step: chooser }, context);
  if (needless) return needless;
  const found = candidatesOf(step.from, unresolved);
  if (found.is === 'wrong') return failed('expression_failed', found.message);
  noteRead(found, values.used);
  const live = found.is === 'known' ? found.all.filter(({ result }) => result !== 'skipped') : [];
  const words = values.evaluateMap(step.words);
  const stopped = stoppedBy(values);
  if (stopped) return stopped;
  const waits = pendingOn(inputs, values, missingIn(found));
  if (waits) {
    const request = requestWhilePending(words, live);
    const shown = found.is === 'known' ? { ...words, from: live.map(one => one.key) } : words;
    return { ...waits, request, shown, asks: { fields: shown, known: inputs.known }, media: [] };
  }
  const table = new MediaTable();
  for (const { key: from, result } of live)
    if (result !== undefined && result !== 'skipped') table.addAll(mediaIn(result, from));
  const asked = generateStepOf(step, live, imagesOf(step, values));
  return generate.resolve(
    {
      ...unresolved,
      slot: { ...slot, step: asked },
      step: asked,
      inputs: { ...inputs, known: inputs.known.with(table) },
    },
    context,
  ) as Unready | ResolvedRequest;
}

/** As much as it takes to tell what it will come to: what candidates say, and how many images they are, is not known yet. */
function requestWhilePending(words: JsonObject, live: readonly Candidate[]): JsonObject {
  return {
    messages: [{ role: 'user', content: pending(`${String(words.prompt ?? '')} (of the candidates)`) }],
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: scoresSchema(live.length) } },
  };
}

/** The same as an author would write it: what is in the file keeps its place there. */
function generateStepOf(step: JudgeStep, live: readonly Candidate[], own: readonly Value[]): GenerateStep {
  const { name, at, needs, upstream, fanOut, cache, inside, model, modelAt, words, frames } = step;
  const entryNamed = (what: string) => words.entries.find(entry => entry.name === what);
  const literal = (value: string): Value => ({ is: 'literal', value, at: step.modelAt });
  const map = (entries: readonly (readonly [string, Value])[]): MapValue => ({
    is: 'map',
    entries: entries.map(([entry, value]) => ({ name: entry, nameAt: modelAt, value })),
    at: modelAt,
  });
  const shown = live.map(candidate => shownOf(candidate, frames));
  const parts = (value: Value | undefined) => (value?.is === 'text' ? value.parts : [valueAsPart(value)]);
  const task: Value = {
    is: 'text',
    parts: [TASK, ...spaced(parts(entryNamed('system')?.value))],
    at: entryNamed('system')?.value.at ?? modelAt,
  };
  const question: Value = {
    is: 'text',
    parts: [...parts(entryNamed('prompt')?.value), `\n\n${listed(live, shown, own.length > 0)}`],
    at: entryNamed('prompt')?.value.at ?? modelAt,
  };
  const message = (role: string, content: Value) =>
    map([
      ['role', literal(role)],
      ['content', content],
    ]);
  const images = [...own, ...shown.flatMap(one => one.images.map(literal))];
  const withFields: MapValue = map([
    ['messages', { is: 'list', items: [message('system', task), message('user', question)], at: modelAt }],
    ...(images.length > 0 ? [['images', { is: 'list', items: images, at: modelAt }] as const] : []),
  ]);
  const schema = { value: constant(scoresSchema(live.length), modelAt), at: modelAt };
  return {
    kind: 'generate',
    ...{ name, at, needs, upstream, fanOut, cache, model, modelAt, schema, with: withFields },
    ...(inside && { inside }),
  };
}

const TASK =
  'You judge candidates for one place in a film. Give each candidate, by its number, one score from 0 (useless) to 10 (perfect), and say in one sentence why.';

const spaced = (parts: readonly TextPart[]): readonly TextPart[] =>
  parts.length > 0 && parts[0] !== '' ? [' ', ...parts] : [];
type TextPart = Extract<Value, { is: 'text' }>['parts'][number];
const valueAsPart = (value: Value | undefined): TextPart =>
  value?.is === 'expression' ? value : value?.is === 'literal' ? String(value.value) : '';

/** The values under `images`, one an image: a list that an expression gives is taken apart, and null gives none. */
function imagesOf({ words }: JudgeStep, values: Unresolved<'judge'>['values']): readonly Value[] {
  const value = words.entries.find(({ name }) => name === 'images')?.value;
  if (value === undefined || value.is === 'list') return value?.items ?? [];
  const given = values.evaluate(value);
  if (given === null) return [];
  if (value.is !== 'expression' || !Array.isArray(given)) return [value];
  return given.map((_, place) => ({ ...value, code: `(${value.code})[${place}]` }));
}

interface Shown {
  readonly words: string;
  readonly images: readonly string[];
}

function shownOf({ result }: Candidate, frames: number): Shown {
  if (result === undefined || result === 'skipped') return { words: '', images: [] };
  const piece = pieceOf(result);
  if (piece.is === 'text') return { words: piece.text, images: [] };
  if (piece.is !== 'media') return { words: canonical(contentIn(piece)), images: [] };
  if (piece.media.kind === 'image') return { words: '', images: [piece.result_url] };
  if (piece.media.kind !== 'video') return { words: `a sound of ${piece.media.duration} s`, images: [] };
  const { sha256, media } = piece;
  return { words: '', images: timesOf(media.duration, frames).map(at => derivedAddress({ of: sha256, what: at })) };
}

/** Evenly over the length, each in the middle of its part; of a video of unknown length, its first and its last frame. */
function timesOf(duration: number | undefined, frames: number) {
  if (duration === undefined || !(duration > 0))
    return frames === 1
      ? [{ is: 'first_frame' } as const]
      : [{ is: 'first_frame' } as const, { is: 'last_frame' } as const];
  return Array.from(
    { length: frames },
    (_, at) => ({ is: 'frame_at', at: Math.round(((at + 0.5) / frames) * duration * 1000) / 1000 }) as const,
  );
}

/** `Candidate 1: images 1 to 4.` */
function listed(live: readonly Candidate[], shown: readonly Shown[], hasOwn: boolean): string {
  const lines: string[] = [];
  if (hasOwn)
    lines.push('The first images are what the candidates are held against; those of the candidates follow them.');
  let before = 0;
  for (const [at] of live.entries()) {
    const { words, images } = shown[at] ?? { words: '', images: [] };
    const from = before + 1;
    before += images.length;
    const which = hasOwn ? ' of the candidates' : '';
    const seen =
      images.length === 0 ? '' : images.length === 1 ? `image ${from}${which}` : `images ${from} to ${before}${which}`;
    lines.push(`Candidate ${at + 1}: ${[seen, words].filter(part => part !== '').join('; ')}`);
  }
  return lines.join('\n');
}

function constant(json: JsonObject, at: JudgeStep['modelAt']): MapValue {
  const constantOf = (value: unknown): Value => {
    if (Array.isArray(value)) return { is: 'list', items: value.map(constantOf), at };
    if (typeof value === 'object' && value !== null) return constant(value as JsonObject, at);
    return { is: 'literal', value: value as string, at };
  };
  return {
    is: 'map',
    entries: Object.entries(json).map(([name, value]) => ({ name, nameAt: at, value: constantOf(value) })),
    at,
  };
}
