/**
 * An instance and what it reads → what exactly would be done. The plan asks with the results that are owned, the run with
 * those that are finished: one piece of code, so that what was planned is what is sent.
 */
import { validateRequest } from '../api/validate.ts';
import type { Failure } from '../domain/failure.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import type { InstanceKey } from '../domain/key.ts';
import type { CommandStep, GenerateStep } from '../domain/pipeline.ts';
import { isPending } from '../domain/plan.ts';
import type { Slot } from './fan-out.ts';
import { Filling, isWaiting, type Problem } from './fill.ts';
import { fingerprintOfCommand, fingerprintOfRequest } from './fingerprint.ts';
import { type Input, type Inputs, type KnownMedia, type Lookup, readInputs, type Wiring } from './inputs.ts';
import { brokenLimits } from './limits.ts';
import { isUrl, type MediaInput, mediaOf, placeOf } from './media-fields.ts';
import type { PlanContext } from './plan.ts';
import { words } from './words.ts';

export type Resolved =
  /** `on` names at least one missing instance of each thing it waits for; `request` is as far as it is known. */
  | {
      readonly is: 'pending';
      readonly on: readonly InstanceKey[];
      readonly why: string;
      readonly request: JsonObject;
      readonly media: readonly MediaInput[];
    }
  | { readonly is: 'skip'; readonly why: string }
  | ResolvedRequest
  | ResolvedCommand
  /** `problems` are the same reasons with their places in the file. */
  | { readonly is: 'invalid'; readonly failure: Failure; readonly problems: readonly Problem[] };

export interface ResolvedRequest {
  readonly is: 'request';
  /** Label or id, as the catalog calls it. */
  readonly model: string;
  /** Without `model`. */
  readonly request: JsonObject;
  readonly fingerprint: string;
  readonly media: readonly MediaInput[];
  /** Addresses in the request whose content is known. */
  readonly known: ReadonlyMap<string, KnownMedia>;
}

export interface ResolvedCommand {
  readonly is: 'command';
  readonly command: { readonly argv: readonly string[] } | { readonly script: string; readonly shell: string };
  readonly env: { readonly [name: string]: string };
  /** Absolute path of a result, path relative to the pipeline file, or URL. */
  readonly files: { readonly [name: string]: string };
  /** Name → path relative to the command's own folder. */
  readonly creates: { readonly [name: string]: string };
  readonly fingerprint: string;
}

export type ResolveContext = Pick<PlanContext, 'library' | 'env' | 'run' | 'localMedia'>;

export function resolve(plan: Wiring, slot: Slot, lookup: Lookup, context: ResolveContext): Resolved {
  const inputs = readInputs(plan, slot, lookup);
  const filling = new Filling(plan, slot, inputs, context);
  const condition = conditionOf(slot, inputs, filling);
  if (condition) return condition;
  const blocked = blockedBy(inputs);
  if (blocked) return blocked;
  if (slot.step.kind === 'run') return resolveCommand(slot.step, inputs, filling, context);
  return resolveRequest(plan, slot, slot.step, inputs, filling, context);
}

/** Asked before anything else: a condition on `params` alone is decided even while an upstream instance is still missing. */
function conditionOf({ step }: Slot, inputs: Inputs, filling: Filling): Resolved | undefined {
  if (!step.if || isWaiting(step.if, inputs)) return undefined;
  const holds = filling.fill(step.if);
  if (filling.problems.length > 0) return broken('expression_failed', filling.problems);
  if (holds === true) return undefined;
  if (holds === false) return { is: 'skip', why: words.conditionFalse() };
  return broken('expression_failed', [{ message: words.conditionNotBoolean(holds), at: step.if.at }]);
}

function blockedBy({ each, steps }: Inputs): Resolved | undefined {
  const inputs: Input[] = each ? [each, ...steps.values()] : [...steps.values()];
  for (const input of inputs) {
    if (input.is === 'skipped') return { is: 'skip', why: words.upstreamSkipped(input.name) };
    if (input.is === 'incomplete')
      return { is: 'invalid', failure: { code: 'expression_failed', message: input.message }, problems: [] };
  }
  return undefined;
}

function resolveRequest(
  plan: Wiring,
  slot: Slot,
  step: GenerateStep,
  inputs: Inputs,
  filling: Filling,
  { library, localMedia }: ResolveContext,
): Resolved {
  const filled = filling.fillMap(step.with);
  if (filling.problems.length > 0) return broken('expression_failed', filling.problems);
  const model = library.get(step.model);
  const media = model
    ? mediaOf(filled, model, step.with, { plan, slot, inputs, localMedia })
    : { request: filled, inputs: [], known: inputs.known, problems: [] };
  const { request, known } = media;
  if (model) {
    const reasons = validateRequest(model, request).map(({ path, message }) => ({
      path,
      message,
      at: placeOf(path, step),
    }));
    // A missing file is said once, not again as "must be a URL".
    const missing = new Set(media.problems.map(problem => problem.path));
    const problems = [
      ...media.problems,
      ...reasons.filter(reason => !missing.has(reason.path)),
      ...brokenLimits(step, model, request, media.inputs),
    ];
    if (problems.length > 0) return broken('request_invalid', problems);
  }
  const waits = waitsFor(inputs);
  if (waits) return { ...waits, request, media: media.inputs };
  const fingerprint = fingerprintOfRequest({ service: plan.service, model: step.model, request }, known);
  return { is: 'request', model: step.model, request, fingerprint, media: media.inputs, known };
}

function resolveCommand(step: CommandStep, inputs: Inputs, filling: Filling, { localMedia }: ResolveContext): Resolved {
  const { command } = step;
  const run: Json = 'argv' in command ? command.argv.map(value => filling.fill(value)) : command.script;
  const env = filling.fillMap(step.env);
  const creates = filling.fillMap(step.creates);
  const given = filling.fillMap(step.files);
  if (filling.problems.length > 0) return broken('expression_failed', filling.problems);
  const { files, known, missing } = filesOf(step, given, inputs, localMedia);
  if (missing.length > 0) return broken('request_invalid', missing);
  const waits = waitsFor(inputs);
  if (waits) return { ...waits, request: shownCommand(run, env, given), media: [] };
  const work = {
    command: 'argv' in command ? { argv: (run as readonly Json[]).map(text) } : command,
    env: texts(env),
    files,
    creates: texts(creates),
  };
  const asked = 'argv' in work.command ? [...work.command.argv] : { ...work.command };
  return { is: 'command', ...work, fingerprint: fingerprintOfCommand({ ...work, run: asked }, known) };
}

/** What a command is asked, in the place of a request: for the reader of a plan. */
export const shownCommand = (run: Json, env: JsonObject, files: JsonObject): JsonObject => ({
  run,
  ...(Object.keys(env).length > 0 && { env }),
  ...(Object.keys(files).length > 0 && { files }),
});

function filesOf(step: CommandStep, given: JsonObject, inputs: Inputs, localMedia: PlanContext['localMedia']) {
  const files: Record<string, string> = {};
  const known = new Map(inputs.known);
  const missing: Problem[] = [];
  for (const { name, value } of step.files.entries) {
    const json = given[name] ?? null;
    if (isPending(json)) continue;
    const source = sourceOf(json);
    const media = known.get(source);
    files[name] = media === undefined ? source : (pathOf(media, known) ?? source);
    if (media || isUrl(source)) continue;
    const local = localMedia(source);
    if (local) known.set(source, { sha256: local.sha256, path: source });
    else missing.push({ path: `files.${name}`, message: words.noSuchFile(`files.${name}`, source), at: value.at });
  }
  return { files, known, missing };
}

/** `files: { clip: "${{ steps.shot }}" }` and `"${{ steps.shot.file }}"` mean the same. */
function sourceOf(given: Json): string {
  const file = isObject(given) ? given.file : given;
  return typeof file === 'string' ? file : JSON.stringify(given);
}

/** A result that is already on this machine is not fetched a second time from its address. */
function pathOf(media: KnownMedia, known: ReadonlyMap<string, KnownMedia>): string | undefined {
  if (media.path !== undefined) return media.path;
  for (const { path, sha256 } of known.values()) if (path !== undefined && sha256 === media.sha256) return path;
  return undefined;
}

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function text(value: Json): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const texts = (values: JsonObject): { readonly [name: string]: string } =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, text(value)]));

function waitsFor({
  each,
  steps,
}: Inputs): { readonly is: 'pending'; readonly on: InstanceKey[]; readonly why: string } | undefined {
  const waiting = new Map<InstanceKey, string>();
  for (const input of each ? [each, ...steps.values()] : steps.values()) {
    if (input.is === 'waiting') waiting.set(input.on, input.name);
  }
  if (waiting.size === 0) return undefined;
  return { is: 'pending', on: [...waiting.keys()], why: words.waitsFor([...waiting.values()]) };
}

function broken(code: 'expression_failed' | 'request_invalid', problems: readonly Problem[]): Resolved {
  return { is: 'invalid', failure: { code, message: problems.map(problem => problem.message).join('; ') }, problems };
}
