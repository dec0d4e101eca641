/**
 * What a choice knows an instance by: what it asks for, or what it gives where that is all there is to know it by. A file that is used is
 * known by what makes its outputs, and a pick by what it has chosen: so a choice is known to hold before any of it is made.
 */

import { hash } from 'node:crypto';
import type { FineTunePlace } from '../../api/fine-tunes.ts';
import type { UsedOutput } from '../../model/pipeline.ts';
import { type Instance, isKnown } from '../../model/plan.ts';
import { groupInside, type InstanceKey, localName } from '../../model/run/key.ts';
import type { Result } from '../../model/run/result.ts';
import { canonical, isObject, type Json, type JsonObject, memoized } from '../../model/text/json.ts';
import { type PlanGraph, type Slot, stepsInside } from '../graph/plan-graph.ts';
import type { MediaIndex } from '../media/media-index.ts';
import type { ResultLookup } from '../obstacles.ts';
import type { Resolved } from '../values/resolved.ts';
import { contentIn } from '../values/result-kinds.ts';
import { outputsOf } from '../values/value-reads.ts';

interface Known {
  readonly graph: Pick<PlanGraph, 'pipeline' | 'instances'>;
  readonly lookup: ResultLookup;
  readonly resolve: (slot: Slot) => Resolved;
}

const fingerprintsOf = memoized((_lookup: ResultLookup) => new Map<InstanceKey, string>());

/** Undefined while not all that it is made of is known. What is known once stays as it is. */
export function fingerprintAt(key: InstanceKey, from: Known): string | undefined {
  const known = fingerprintsOf(from.lookup);
  const before = known.get(key);
  if (before !== undefined) return before;
  const slot = from.graph.instances.get(key);
  const fingerprint = slot && fingerprintOf(slot, from.resolve(slot), from);
  if (fingerprint !== undefined) known.set(key, fingerprint);
  return fingerprint;
}

function fingerprintOf(slot: Slot, resolved: Resolved, from: Known): string | undefined {
  if (resolved.is === 'skip') return resolved.standIn === undefined ? undefined : fingerprintAt(resolved.standIn, from);
  // What is made anew each time is another thing each time.
  if ('fingerprint' in resolved && resolved.fingerprint !== '' && slot.step.cache) return resolved.fingerprint;
  const planned = slot.step.cache ? plannedFingerprint(slot, resolved) : undefined;
  if (planned !== undefined) return planned;
  const outputs = outputsOf(slot.step);
  if (outputs) return fingerprintOfUsed(slot, outputs, from);
  const chosen = chosenBy(resolved);
  if (chosen) return digestOf(chosen.map(key => fingerprintAt(key, from)));
  const result = from.lookup(slot.key);
  return result === undefined || result === 'skipped' ? undefined : contentDigest(result);
}

/**
 * Of what is left out nothing is read in a run, so only the plan knows what it would ask for: the lock says what it is made from. What is
 * owned is there at once, maybe before what it reads: the plan knew it by what it asks for, and so does a choice now.
 */
function plannedFingerprint(slot: Slot & Partial<Instance>, { is }: Resolved): string | undefined {
  const isAhead = is === 'pending' && slot.decision !== undefined && isKnown(slot.decision);
  return isAhead || slot.decision?.is === 'left_out' ? slot.fingerprint || undefined : undefined;
}

/** Undefined for what is no pick, and while it has chosen nothing. */
function chosenBy(resolved: Resolved): readonly InstanceKey[] | undefined {
  if (resolved.is === 'pending') return resolved.decided || resolved.excludes ? resolved.gives : undefined;
  if (resolved.is !== 'decision' || resolved.state.is !== 'known') return undefined;
  const { result } = resolved.state;
  return result.is === 'picked' ? result.chosen.map(({ key }) => key) : undefined;
}

/** Of one instance of a `uses` step. What is skipped inside gives nothing, and is not counted. */
function fingerprintOfUsed({ key, step }: Slot, outputs: readonly UsedOutput[], from: Known): string | undefined {
  const { pipeline, instances } = from.graph;
  const made =
    outputs.length > 0
      ? outputs
      : stepsInside(pipeline, step.name).map(({ name }): Pick<UsedOutput, 'from'> & Partial<UsedOutput> => ({
          from: name,
        }));
  const counted: Json[] = [];
  for (const { from: maker, isList: _, ...output } of made) {
    const place = groupInside(key, localName(maker));
    if (instances.isOpen(place)) return undefined;
    for (const slot of instances.of(place)) {
      const resolved = from.resolve(slot);
      if (resolved.is === 'skip' && resolved.standIn === undefined) continue;
      const by = fingerprintAt(slot.key, from);
      if (by === undefined) return undefined;
      counted.push({ ...(output as JsonObject), by });
    }
  }
  return digestOf(counted);
}

/** Undefined where one of them is. */
const digestOf = (all: readonly (Json | undefined)[]): string | undefined =>
  all.includes(undefined) ? undefined : digest(all as Json);

/** Of what a result holds, wherever it lies. */
export const contentDigest = (result: Result): string => digest(contentIn(result));

// The key of a result: made of content, never of addresses. It is the canonical request with every known piece of media replaced by its
// digest. Names of steps, order of fields, comments and white space are not in it; the service is, so that a studio draft never replaces a production result
// . The document's defaults are not filled in: a corrected default in a later version of this tool must not pay for
// a film again. A secret counts by its name (`redaction.ts`); a piece of media that a secret leads to counts by its content, like any
// other.

/** Counted up when the meaning of a fingerprint changes: everything is made again then. */
const VERSION = 1;

export function fingerprintOfRequest(
  asked: {
    readonly service: string;
    readonly model: string;
    readonly request: JsonObject;
    /** The same with the names of secrets in their place. */
    readonly counted?: JsonObject;
    readonly take?: number;
  },
  known: MediaIndex,
): string {
  const { service, model, request, counted = request, take } = asked;
  const content = digested(request, counted, known);
  return digest({ model, request: content, service, ...(take !== undefined && { take }), v: VERSION });
}

/**
 * A local command is the same for drafts and production: digests of its inputs distinguish them. `counted`: the same with the names of secrets in
 * their place.
 */
export function fingerprintOfCommand(
  command: CommandContent & { readonly take?: number },
  known: MediaIndex,
  counted: Omit<CommandContent, 'creates'> = command,
): string {
  const of = (part: keyof typeof counted): Json => digested(command[part], counted[part], known);
  const { creates, take } = command;
  const content = { creates, env: of('env'), files: of('files'), run: of('run') };
  return digest({ ...content, ...(take !== undefined && { take }), v: VERSION });
}

interface CommandContent {
  readonly run: Json;
  readonly env: JsonObject;
  readonly files: JsonObject;
  readonly creates: JsonObject;
}

/** A fine-tune is tokenized once, at the service that keeps it. */
export const fingerprintOfTuning = (service: string, { namespace, repo, id }: FineTunePlace): string =>
  digest({ v: VERSION, service, tokenize: { namespace, repo, id } });

/** Its fields are in order already, so that ten thousand need no sorting. */
export const digest = (value: Json): string => hash('sha256', canonical(value));

/** Also inside longer texts: `-i=/store/ab/cd.mp4`, a prompt that quotes an address. */
function digested(value: Json, counted: Json, known: MediaIndex): Json {
  if (value === counted && known.isEmpty) return counted;
  if (typeof value === 'string' && typeof counted === 'string') return digestedText(value, counted, known);
  if (Array.isArray(value) && Array.isArray(counted))
    return (counted as readonly Json[]).map((item, index) =>
      digested((value as readonly Json[])[index] ?? null, item, known),
    );
  if (isObject(value) && isObject(counted))
    return Object.fromEntries(
      Object.entries(counted).map(([name, item]) => [name, digested(value[name] ?? null, item, known)]),
    );
  return counted;
}

/** Where the secret itself is the path or the address, only the text that holds it leads to the media. */
function digestedText(text: string, counted: string, known: MediaIndex): string {
  const content = known.digested(counted);
  if (text === counted || content !== counted) return content;
  const media = known.digested(text);
  return media === text ? counted : media;
}
