/** A request without a file, as a film of one step: planned, sent and journalled as any other. Its texts are never expressions. */
import { randomUUID } from 'node:crypto';
import type { Pricing } from '../../api/catalog.ts';
import { modelLibrary } from '../../api/model-library.ts';
import { type FieldSchema, fieldOf, type Model, nearestModel } from '../../model/model.ts';
import type { MapValue, Pipeline, Value } from '../../model/pipeline.ts';
import type { Owned } from '../../model/plan.ts';
import type { InstanceKey, StepName } from '../../model/run/key.ts';
import { type Json, type JsonObject, parseJson } from '../../model/text/json.ts';
import { type PlanContext, type Planned, plan } from '../../plan/plan.ts';
import type { AuthorFiles } from '../../run/ports/author-files.ts';
import { UsageError } from '../arguments.ts';
import type { ServiceChoice } from '../service/choose-service.ts';

export interface SingleRequest {
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

/** With the one that is meant, where a label is near. */
export function unknownModel(service: string, name: string, kind: 'model' | 'chat model'): UsageError {
  const isChat = (label: string) => modelLibrary.get(label)?.produces === 'text';
  const labels = modelLibrary.labels.filter(label => isChat(label) === (kind === 'chat model'));
  const near = nearestModel(name, { get: modelLibrary.get, labels });
  const instead = near ? `did you mean \`${near}\`?` : '`shotlist models` lists what it has';
  return new UsageError(`${service} has no ${kind} \`${name}\`; ${instead}`);
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

/** @throws UsageError for what is not `field=value`, and for a field given twice that takes one value. */
export function parseFieldValues(model: Model, words: readonly string[]): JsonObject {
  const request: Record<string, Json> = Object.create(null);
  for (const word of words) {
    const at = word.indexOf('=');
    if (at < 1) throw new UsageError(`\`${word}\` is no field=value; write it like prompt="a red fox"`);
    const name = word.slice(0, at);
    const text = word.slice(at + 1);
    const field = fieldOf(model, name);
    if (field?.type === 'array') {
      const more = itemsOf(text, field);
      request[name] = [...((request[name] as readonly Json[] | undefined) ?? []), ...more];
      continue;
    }
    if (name in request) throw new UsageError(`${name} is given twice, and ${model.label} takes it once`);
    request[name] = field ? typed(text, field) : readJson(text, text);
  }
  return { ...request };
}

/** A JSON list gives all of its items. */
function itemsOf(text: string, { items }: FieldSchema): readonly Json[] {
  const list = text.startsWith('[') ? readJson(text, text) : text;
  return Array.isArray(list) ? list : [items ? typed(text, items) : text];
}

/** A text that does not read as its type stays a text: the check of the whole request reports it. */
function typed(text: string, { type }: FieldSchema): Json {
  switch (type) {
    case 'integer':
    case 'number':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'object':
      return readJson(text, text);
    case 'array':
    case 'string':
      return text;
    default:
      // A catalog's own schema may leave the type open, or name several.
      return readJson(text, text);
  }
}

function readJson(text: string, otherwise: Json): Json {
  try {
    return parseJson(text);
  } catch {
    return otherwise;
  }
}
