/**
 * What planning alone finds wrong with a film, before any service is asked: values that come out of expressions, files of this
 * machine, places of outputs. Nothing is owned here, and nothing is written.
 */

import { partOf } from '../language/checks/sound-part.ts';
import type { Compiled } from '../language/compile.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { ModelLibrary } from '../model/model.ts';
import type { Pipeline } from '../model/pipeline.ts';
import type { Owned, Plan } from '../model/plan.ts';
import type { JsonObject } from '../model/text/json.ts';
import { sourceOf } from './graph/plan-graph.ts';
import { kindOf } from './kinds/index.ts';
import { isSameDiagnostic } from './obstacles.ts';
import { type PlanContext, type Planned, plan } from './plan.ts';
import { unpricedIn } from './plan-context.ts';
import { messages } from './plan-messages.ts';

interface CheckContext {
  readonly library: ModelLibrary;
  readonly env: JsonObject;
  /** What its params are given; the others are as by default. */
  readonly params?: JsonObject | undefined;
  readonly localMedia: PlanContext['localMedia'];
  /** Absent: nothing is priced. */
  readonly pricing?: PlanContext['pricing'];
}

interface Found {
  readonly diagnostics: readonly Diagnostic[];
  /** Of the steps in which nothing was found. */
  readonly plan?: Plan;
}

/** What of a film can be planned beside its mistakes: as `compile` gives it. */
type FilmParts = Pick<Compiled, 'soundPart' | 'readablePart'>;

/**
 * A step that is found wrong is left out, and the rest is planned once more, so that one mistake hides no other; then what else is wrong with
 * the steps in which something was found.
 */
export function findByPlanning(film: FilmParts, found: readonly Diagnostic[], context: CheckContext): Found {
  const all: Diagnostic[] = [];
  let made: Plan | undefined;
  untilNothingIsNew(found, all, known => {
    const part = film.soundPart(known);
    const { plan, diagnostics } = part ? planned(knownPart(part, context), context) : NOTHING_FOUND;
    made = plan;
    return diagnostics;
  });
  untilNothingIsNew([], all, known => {
    const part = film.readablePart([...found, ...known]);
    if (!part) return [];
    const { diagnostics } = planned(knownPart(part.pipeline, context), context);
    return diagnostics.filter(one => part.isCertain(one) && !found.some(other => isSameDiagnostic(one, other)));
  });
  return { diagnostics: all, ...(made && { plan: made }) };
}

/** Adds what is found, and looks again. */
function untilNothingIsNew(
  found: readonly Diagnostic[],
  all: Diagnostic[],
  look: (known: readonly Diagnostic[]) => readonly Diagnostic[],
): void {
  for (;;) {
    const more = look([...found, ...all]).filter(one => !all.some(other => isSameDiagnostic(one, other)));
    if (more.length === 0) return;
    all.push(...more);
  }
}

/** A param without a default, or a variable that is not set here, is no fact about the file. */
function knownPart(pipeline: Pipeline, { env, params: given = {} }: CheckContext): Pipeline {
  const params = pipeline.params.filter(
    ({ name, schema }) => schema.default !== undefined || Object.hasOwn(given, name),
  );
  if (params.length === pipeline.params.length && pipeline.env.length === 0) return pipeline;
  return partOf(
    { ...pipeline, params },
    { isWanted: () => true, isKnown: ({ root, path }) => root !== 'env' || env[path[0] ?? ''] !== undefined },
  );
}

function planned(
  pipeline: Pipeline,
  { library, env, params = {}, localMedia, pricing = new Map() }: CheckContext,
): Planned {
  const isDeclared = new Set(pipeline.params.map(({ name }) => name));
  return plan(pipeline, {
    // What no param is called is a mistake of the command line.
    params: Object.fromEntries(Object.entries(params).filter(([name]) => isDeclared.has(name))),
    library,
    pricing,
    unpriced: unpricedIn(pipeline),
    service: 'studio',
    env,
    run: { id: '', name: pipeline.name },
    owned: NOTHING_OWNED,
    localMedia,
  });
}

const NOTHING_FOUND: Planned = { diagnostics: [] };
const NOTHING_OWNED: Owned = { find: () => undefined, atService: () => undefined, last: () => undefined };

// Content Credentials that a cut loses: it is encoded anew, and their signature is of the bytes that came.

/** One warning a step, by what is owned: what a result carries is known once it is there. */
export function lostCredentials({ pipeline, instances }: Plan): readonly Diagnostic[] {
  const lost = new Map<string, Diagnostic>();
  for (const { step, needs } of instances) {
    if (!kindOf(step).takesEncoder || lost.has(step.name)) continue;
    const from = needs.find(key => instances.get(key)?.facts?.c2pa);
    if (from === undefined) continue;
    lost.set(step.name, {
      severity: 'warning',
      code: 'credentials-lost',
      message: messages.credentialsLost(step.name, from),
      source: sourceOf(pipeline, step),
      span: step.at,
    });
  }
  return [...lost.values()];
}
