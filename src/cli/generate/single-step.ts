/** A request without a file, as a film of one step: planned, sent and journalled as any other. Its texts are never expressions. */
import { randomUUID } from 'node:crypto';
import type { Pricing } from '../../api/catalog.ts';
import type { Json, JsonObject } from '../../domain/json.ts';
import type { InstanceKey, StepName } from '../../domain/key.ts';
import type { Model } from '../../domain/model.ts';
import type { MapValue, Pipeline, Value } from '../../domain/pipeline.ts';
import type { Owned } from '../../domain/plan.ts';
import { type PlanContext, type Planned, plan } from '../../plan/plan.ts';
import type { AuthorFiles } from '../../run/ports/author-files.ts';
import type { ServiceChoice } from '../service/choose-service.ts';

interface SingleRequest {
  /** `generate`, `chat`: what the step and its film are called. */
  readonly what: string;
  /** As it was typed: a label, or an id of the service's catalog. */
  readonly name: string;
  readonly model: Model;
  /** Undefined where no price is known. */
  readonly pricing: Pricing | undefined;
  readonly fields: JsonObject;
  readonly sync?: boolean;
  readonly choice: ServiceChoice;
  readonly localMedia?: PlanContext['localMedia'];
}

export interface SingleStep extends Planned {
  readonly key: InstanceKey;
  readonly context: PlanContext;
  /** The name of its part of the journal: equal requests share one. */
  readonly film: string;
  /** The files that it names, while it waits for its turn. */
  readonly authorFiles?: AuthorFiles | undefined;
}

export function singleStep(asked: SingleRequest): SingleStep {
  const { what, name, model, pricing, choice, localMedia = () => undefined } = asked;
  const context: PlanContext = {
    params: {},
    library: { get: label => (label === name ? model : undefined), labels: [name] },
    pricing: new Map(pricing ? [[name, pricing]] : []),
    service: choice.name,
    chatBy: choice.chatBy,
    env: {},
    run: { id: randomUUID(), name: what },
    owned: NOTHING,
    localMedia,
  };
  const planned = plan(pipelineOf(asked), context);
  const fingerprint = [...(planned.plan?.instances ?? [])][0]?.fingerprint ?? '';
  return { ...planned, key: what as string as InstanceKey, context, film: `${what}-${fingerprint.slice(0, 16)}` };
}

/** The same command, given again, asks for a new result: nothing that was made before is reused. */
const NOTHING: Owned = { find: () => undefined, atService: () => undefined, last: () => undefined };

/** The command line has no places in a file. */
const NOWHERE = { start: 0, end: 0 };

function pipelineOf({ what, name, fields, sync = false }: SingleRequest): Pipeline {
  return {
    source: { path: what, text: '' },
    name: what,
    params: [],
    profiles: [],
    data: [],
    steps: [
      {
        kind: 'generate',
        name: what as string as StepName,
        at: NOWHERE,
        needs: [],
        upstream: [],
        fanOut: { each: [], matrix: [], include: [], exclude: [] },
        cache: false,
        model: name,
        modelAt: NOWHERE,
        with: mapOf(fields),
        ...(sync && { sync }),
      },
    ],
    outputs: [],
    deployments: [],
    env: [],
  };
}

const mapOf = (fields: JsonObject): MapValue => ({
  is: 'map',
  entries: Object.entries(fields).map(([name, json]) => ({ name, nameAt: NOWHERE, value: literal(json) })),
  at: NOWHERE,
});

/** `${{ … }}` stays a text: a prompt may be about expressions. */
function literal(json: Json): Value {
  if (Array.isArray(json)) return { is: 'list', items: (json as readonly Json[]).map(literal), at: NOWHERE };
  if (typeof json === 'object' && json !== null) return mapOf(json as JsonObject);
  return { is: 'literal', value: json as null | boolean | number | string, at: NOWHERE };
}
