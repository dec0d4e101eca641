/** `run`: one local command; its arguments as text, its files on this machine, and its fingerprint. */
import { fileURLToPath } from 'node:url';
import { INSTANCE_LIMITS } from '../../language/steps/instance-counts.ts';
import { kindOfPath } from '../../language/types/types.ts';
import type { CommandStep, Value } from '../../model/pipeline.ts';
import { isPending } from '../../model/plan.ts';
import { isObject, type Json, type JsonObject, memoized } from '../../model/text/json.ts';
import { takeInFingerprint } from '../graph/join.ts';
import { unusable } from '../media/media-fields.ts';
import { isUrl, MediaTable } from '../media/media-index.ts';
import type { Inputs } from '../obstacles.ts';
import { fingerprintOfCommand } from '../owned/instance-fingerprint.ts';
import type { PlanContext, ResolveContext } from '../plan-context.ts';
import { messages } from '../plan-messages.ts';
import type { PartialEvaluator, Problem } from '../values/partial-evaluation.ts';
import { HIDDEN } from '../values/redaction.ts';
import { invalid, pendingOn, type ResolvedCommand, stoppedBy, type Unready } from '../values/resolved.ts';
import { readsOf, readsOfAll } from '../values/value-reads.ts';
import { FREE_WORK, type KindOfStep, type Unresolved } from './kind.ts';

export const run: KindOfStep<'run'> = {
  ...FREE_WORK,
  staysHere: true,
  actsOutside: ({ effect }) => effect,
  program: ({ command }) => {
    const first = 'argv' in command ? command.argv[0] : undefined;
    return first?.is === 'literal' ? { name: String(first.value), at: first.at } : undefined;
  },
  label: () => 'run',
  calledInText: ({ effect }) => (effect ? 'command, acts outside' : 'command'),
  json: ({ effect }) => (effect ? { effect } : {}),
  values: valuesOf,
  fields: fieldsOf,
  resolve: resolveCommand,
  adopts({ creates: { entries }, lists, effect }) {
    const [only, ...more] = entries;
    if (!only || more.length > 0 || lists.length > 0 || effect) return undefined;
    const kind = only.value.is === 'literal' ? kindOfPath(String(only.value.value)) : undefined;
    return {
      kind,
      isMedia: kind !== undefined,
      result: content => ({ is: 'command', stdout: '', json: null, files: { [only.name]: content } }),
    };
  },
  usualSeconds: () => 5,
  changedSince: () => messages.changed([messages.itsCommand()]),
};

function valuesOf({ command, env, files, creates }: CommandStep): readonly Value[] {
  return [...('argv' in command ? command.argv : []), env, files, creates];
}

function fieldsOf({ command, env, files, creates, at }: CommandStep): readonly { name: string; value: Value }[] {
  const argv = 'argv' in command ? [{ name: 'run', value: { is: 'list', items: command.argv, at } as const }] : [];
  return [...argv, { name: 'env', value: env }, { name: 'files', value: files }, { name: 'creates', value: creates }];
}

/** Of a star under `creates`, where the step does not say `max`. */
const MOST_FILES = 1_000;

function resolveCommand(
  { slot, step, inputs, values }: Unresolved<'run'>,
  { localMedia }: ResolveContext,
): Unready | ResolvedCommand {
  const { command } = step;
  const asked: Json = 'argv' in command ? command.argv.map(value => values.evaluate(value)) : command.script;
  const env = values.evaluateMap(step.env);
  const creates = values.evaluateMap(step.creates);
  const given = values.evaluateMap(step.files);
  const { max } = step.fanOut;
  const mostFiles = max ? Number(values.evaluate(max)) : MOST_FILES;
  const stopped = stoppedBy(values);
  if (stopped) return stopped;
  if (max && !(mostFiles >= 1))
    return invalid('expression_failed', [
      { message: messages.countRange('`max`', mostFiles, INSTANCE_LIMITS.step), at: max.at },
    ]);
  const { files, known, missing, authorFiles } = filesOf(step, given, inputs, localMedia);
  if (missing.length > 0) return invalid('request_invalid', missing);
  const starred = step.creates.entries.filter(({ name, value }) => hasStarOfValue(step, name, value, creates[name]));
  if (starred.length > 0)
    return invalid(
      'expression_failed',
      starred.map(({ name, value }) => ({ message: messages.starInValue(name), at: value.at })),
    );
  const waits = pendingOn(inputs, values);
  const shown = shownCommand(step, values, asked, given);
  const take = takeInFingerprint(slot);
  const shell = 'shell' in command ? { shell: command.shell } : {};
  const asks = {
    known,
    /** Put together when something is made, or for `why`: not for each of 10,000 that are owned. */
    get fields() {
      const paths = { ...pendingIn(given), ...files, ...secretFiles(step, values) };
      return { ...shown, ...shell, files: paths, creates: values.evaluate(step.creates, 'shown'), ...take };
    },
  };
  if (waits) return { ...waits, request: shown, shown, asks, media: [] };
  const work = {
    command: 'argv' in command ? { argv: (asked as readonly Json[]).map(text) } : command,
    env: texts(env),
    files,
    creates: texts(creates),
    ...{ lists: step.lists, mostFiles, effect: step.effect },
  };
  const content = 'argv' in work.command ? [...work.command.argv] : { ...work.command };
  // How many files a star may stand for is no part of what they are; whether something is a list is.
  const promised = Object.fromEntries(
    Object.entries(work.creates).map(([name, path]) => [name, step.lists.includes(name) ? { list: path } : path]),
  );
  const counting = { ...work, creates: promised, run: content, ...take };
  const counted = readsSecret(step) ? countedWork(step, values, work) : counting;
  const fingerprint = fingerprintOfCommand(counting, known, counted);
  return { is: 'command', ...work, shown, asks, fingerprint, authorFiles };
}

/** Asked once for each instance, answered once for each step. */
const readsSecret = memoized((step: CommandStep): boolean => readsOfAll(valuesOf(step)).secret);

/** The stars of a list are its author's own: one from a value would match files that were never meant. */
function hasStarOfValue({ lists }: CommandStep, name: string, value: Value, given: Json | undefined): boolean {
  if (!lists.includes(name) || value.is !== 'text' || typeof given !== 'string') return false;
  const own = value.parts.map(part => (typeof part === 'string' ? part : '')).join('');
  return stars(given) !== stars(own);
}

const stars = (text: string): number => text.split('*').length;

/** Files with a secret in their address, as they are shown. */
const secretFiles = ({ files }: CommandStep, values: PartialEvaluator): JsonObject =>
  Object.fromEntries(
    files.entries.flatMap(({ name, value }) =>
      readsOf(value).secret ? [[name, values.evaluate(value, 'shown')] as const] : [],
    ),
  );

/** The command as its fingerprint counts it: secrets by their names. */
function countedWork(
  { command, env, files }: CommandStep,
  values: PartialEvaluator,
  work: Pick<ResolvedCommand, 'command' | 'files'>,
): { readonly run: Json; readonly env: JsonObject; readonly files: JsonObject } {
  const counted = (value: Value) => text(values.evaluate(value, 'counted'));
  return {
    run: 'argv' in command ? command.argv.map(counted) : { ...command },
    env: Object.fromEntries(env.entries.map(({ name, value }) => [name, counted(value)])),
    files: Object.fromEntries(
      files.entries.map(({ name, value }) => [
        name,
        readsOf(value).secret ? counted(value) : (work.files[name] ?? null),
      ]),
    ),
  };
}

/** A command as the reader of a plan sees it, in the place of a request. The values of its variables are not shown. */
function shownCommand(step: CommandStep, values: PartialEvaluator, given: Json, files: JsonObject): JsonObject {
  const { command, env } = step;
  const hides = readsSecret(step);
  const shown = hides && 'argv' in command ? command.argv.map(value => values.evaluate(value, 'shown')) : given;
  const variables = env.entries.map(({ name, value }) => [name, shownVariable(value, values)] as const);
  return {
    run: shown,
    ...(variables.length > 0 && { env: Object.fromEntries(variables) }),
    ...(step.files.entries.length > 0 && { files: hides ? values.evaluate(step.files, 'shown') : files }),
  };
}

/** `$TOKEN` where it is handed on, the pending expression where it is not known yet, and nothing else. */
function shownVariable(value: Value, values: PartialEvaluator): Json {
  if (value.is === 'expression' && /^(env|params)\.\w+$/.test(value.code) && readsOf(value).secret)
    return values.evaluate(value, 'shown');
  const shown = values.evaluate(value, 'shown');
  return isPending(shown) ? shown : HIDDEN;
}

const pendingIn = (values: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => isPending(value)));

function filesOf(step: CommandStep, given: JsonObject, inputs: Inputs, localMedia: PlanContext['localMedia']) {
  const files: Record<string, string> = {};
  const own = new MediaTable();
  const authorFiles: string[] = [];
  const missing: Problem[] = [];
  for (const { name, value } of step.files.entries) {
    const json = given[name] ?? null;
    if (isPending(json)) continue;
    const source = sourceOf(json);
    const media = inputs.known.get(source);
    // A result that is already on this machine is not fetched a second time from its address.
    if (media || isUrl(source)) {
      const here = media && !media.part ? (media.path ?? inputs.known.pathOf(media.sha256)) : undefined;
      files[name] = here ?? source;
      continue;
    }
    const local = localMedia(source);
    if (local && 'url' in local) {
      const path = local.url.startsWith('file:') ? fileURLToPath(local.url) : source;
      files[name] = path;
      own.set(path, { sha256: local.sha256, path });
      authorFiles.push(source);
      continue;
    }
    const path = `files.${name}`;
    missing.push({ path, at: value.at, ...unusable(path, source, local) });
  }
  return { files, known: inputs.known.with(own), missing, authorFiles };
}

/** `files: { clip: "${{ steps.shot }}" }` and `"${{ steps.shot.file }}"` mean the same. */
function sourceOf(given: Json): string {
  const file = isObject(given) ? given.file : given;
  return typeof file === 'string' ? file : JSON.stringify(given);
}

function text(value: Json): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const texts = (values: JsonObject): { readonly [name: string]: string } =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, text(value)]));
