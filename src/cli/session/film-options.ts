/** The options of a command that say which film is meant, and for which service: another command about the same film is given them, too. */

import { existsSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { nameIn, whoDecides } from '../../app/choices/who-decides.ts';
import { readYamlValue } from '../../language/yaml/yaml-tree.ts';
import { systemClock } from '../../machine/time/clock.ts';
import type { Pipeline } from '../../model/pipeline.ts';
import { closingBracket } from '../../model/run/key.ts';
import { NO_SELECTION, parseSelector, type Selection, selectorsIn } from '../../model/selector.ts';
import { asTyped } from '../../model/text/clean.ts';
import { isObject, type JsonObject } from '../../model/text/json.ts';
import { messages } from '../../plan/selector-messages.ts';
import type { PresetAnswer, PresetAnswers } from '../../run/choices/preset-choices.ts';
import { nothingBehind, parseParams, UsageError } from '../arguments.ts';
import { readText } from './pipeline-text.ts';

export interface FilmValues {
  readonly param: readonly string[];
  readonly data: readonly string[];
  readonly service?: string | undefined;
  readonly profile?: string | undefined;
  readonly draft: boolean;
}

/** As a person types them, but for the profile; empty where there are none. */
export function filmOptions(values: FilmValues, pipeline: Pick<Pipeline, 'params'>): string {
  const options = [
    ...values.param.flatMap(one => ['--param', one]),
    ...values.data.flatMap(one => ['--data', one]),
    ...(values.service === undefined ? [] : ['--service', values.service]),
    ...(values.draft ? ['--draft'] : []),
  ];
  return withoutSecretParams(options, pipeline).map(asTyped).join(' ');
}

/** A command about the film with the same options, as a person types it; without the values of its secret params. */
export function filmCommand(
  verb: 'run' | 'review',
  {
    file,
    profile,
    values,
  }: { readonly file: string; readonly profile: string | undefined; readonly values: FilmValues },
  pipeline: Pick<Pipeline, 'params'>,
): string {
  const named = profile === undefined ? [] : ['--profile', profile];
  return ['shotlist', verb, asTyped(file), ...named, filmOptions(values, pipeline)].join(' ').trimEnd();
}

/** Options as they are typed behind another command in this process. */
export const asArguments = (values: { readonly [name: string]: unknown }): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) => {
    if (value === true) return [`--${name}`];
    const texts = Array.isArray(value) ? (value as readonly unknown[]) : [value];
    return texts.flatMap(text => (typeof text === 'string' ? [`--${name}=${text}`] : []));
  });

/** Whether an option was typed. */
export const isGiven = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;

/** The files' values first; single ones on the command line win. */
export function givenParams({ param }: { readonly param: readonly string[] }): JsonObject {
  const named = param.filter(one => !isFile(one));
  return { ...Object.assign({}, ...paramFiles(param).map(fromFile)), ...parseParams(named) };
}

/** The files of values among what `--param` was given. */
export const paramFiles = (param: readonly string[]): readonly string[] => param.filter(isFile);

const isFile = (text: string): boolean => !text.includes('=');

/** The files that replace those under `data:`, by name. */
export function givenData(values: { readonly data: readonly string[] }): { readonly [name: string]: string } {
  return Object.fromEntries(
    values.data.map(text => {
      const [, name, path] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
      if (name === undefined || path === undefined)
        throw new UsageError(`--data ${text}: write a name and a file, like \`--data scenes=other.csv\``);
      return [name.trim(), path];
    }),
  );
}

/** The same paths from the pipeline's folder, as the file itself would name them. */
export function relativeToPipeline(data: { readonly [name: string]: string }, pipeline: string) {
  const folder = dirname(resolve(pipeline));
  const relativePath = (path: string) => relative(folder, resolve(path)).split(sep).join('/');
  return Object.fromEntries(Object.entries(data).map(([name, path]) => [name, relativePath(path)]));
}

/** The same command with `token=…` in the place of what its author keeps secret: for a screen, and for the journal. */
export function withoutSecretParams(args: readonly string[], { params }: Pick<Pipeline, 'params'>): readonly string[] {
  const secret = params.filter(param => param.secret).map(({ name }) => name);
  return args.map((argument, place) => {
    const [, option, name] = /^(--param=)?([^=]+)=/s.exec(argument) ?? [];
    const isParam = option !== undefined || args[place - 1] === '--param';
    return isParam && name !== undefined && secret.includes(name) ? `${option ?? ''}${name}=…` : argument;
  });
}

function fromFile(path: string): JsonObject {
  if (!/\.(ya?ml|json)$/i.test(path) && !existsSync(path))
    throw new UsageError(
      `--param takes NAME=VALUE, or a file of values, and \`${path}\` is neither; write \`--param ${path.replace(/^(\w+)(?::.*)?$/, (word, name) => (word === name ? `${name}=VALUE` : word.replace(':', '='))).replace(/^[^=]*$/, 'NAME=VALUE')}\``,
    );
  const content = readYamlValue(readText(path).replace(/^\ufeff/, ''));
  if ('problem' in content) throw new UsageError(`--param ${path}: ${content.problem}`);
  if (isObject(content.value)) return content.value;
  throw new UsageError(`--param ${path}: it must hold names and values, like \`idea: a fox\``);
}

interface Given {
  readonly pick?: readonly string[] | undefined;
  readonly approve?: readonly string[] | undefined;
}

/** Several of one pick are several candidates, best first. @throws UsageError */
function givenAnswers({ pick = [], approve = [] }: Given): readonly PresetAnswer[] {
  const picks = new Map<string, PresetAnswer>();
  for (const text of pick) {
    const { of, candidate } = splitPick(text);
    const before = picks.get(of)?.chosen ?? [];
    picks.set(of, { is: 'pick', of: selectorIn(of), text: of, chosen: [...before, candidate] });
  }
  const approvals = approve.flatMap(selectorsIn).map((text): PresetAnswer => {
    return { is: 'approve', of: selectorIn(text), text, chosen: [] };
  });
  return [...picks.values(), ...approvals];
}

/** Undefined where nothing is decided beforehand. @throws UsageError */
export async function presetAnswers(
  file: string,
  given: Given & { readonly as?: string | undefined },
): Promise<PresetAnswers | undefined> {
  const all = givenAnswers(given);
  givenName(given.as);
  if (all.length === 0) return undefined;
  const who = await whoDecides({ given: given.as, environment: process.env, folder: dirname(resolve(file)) });
  return { all, who, at: systemClock.now() };
}

/** @throws UsageError for an empty name. */
export function givenName(name: string | undefined): void {
  if (name !== undefined && nameIn(name) === undefined)
    throw new UsageError('--as takes a name, and this one is empty');
}

/** At the first `=` after the brackets. */
function splitPick(text: string): { readonly of: string; readonly candidate: string } {
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '[') at = closingBracket(text, at);
    else if (text[at] === '=' && at > 0 && at < text.length - 1)
      return { of: text.slice(0, at), candidate: text.slice(at + 1) };
  }
  throw new UsageError(
    `--pick takes a pick and a candidate, like \`--pick 'best[beat=3]=take=2'\`, and this is \`${text}\``,
  );
}

function selectorIn(text: string) {
  const selector = parseSelector(text);
  if (!selector) throw new UsageError(messages.badSelector(text));
  return selector;
}

/** Everybody on this machine can read a command line, and a param may be a secret: from now on this process is called by its file alone. */
export function leaveParamsOutOfTitle(command: string, file: string, params: readonly string[]): void {
  if (params.length > 0) process.title = `shotlist ${command} ${file}`;
}

type GivenSelection = {
  readonly [Name in 'only' | 'from' | 'until' | 'exclude' | 'redo']?: readonly string[] | undefined;
};

/** Undefined where all of the film is meant. @throws UsageError */
export function givenSelection(steps: readonly string[], given: GivenSelection): Selection | undefined {
  const all = (texts: readonly string[] = []) => texts.flatMap(selectorsIn);
  const selection = {
    ...NO_SELECTION,
    ...{ steps: all(steps), only: all(given.only), from: all(given.from) },
    ...{ until: all(given.until), exclude: all(given.exclude), redo: all(given.redo) },
  };
  const others = [...selection.steps, ...selection.from, ...selection.until];
  if (selection.only.length > 0 && others.length > 0)
    throw new UsageError(
      '--only means these and nothing else; leave out the steps behind the file, --from and --until',
    );
  const isEmpty = [...others, ...selection.only, ...selection.exclude, ...selection.redo].length === 0;
  return isEmpty ? undefined : selection;
}

/** The file, and the steps behind it. @throws UsageError */
export function fileAndSteps(
  positionals: readonly string[],
  command: string,
): { readonly file: string; readonly steps: readonly string[] } {
  const [file, ...steps] = positionals;
  if (file === undefined) throw new UsageError(`which file? shotlist ${command} FILE`);
  const files = steps.filter(text => /\.ya?ml$/i.test(text));
  nothingBehind(files, command, 'one file');
  return { file, steps };
}
