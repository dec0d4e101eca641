/** A `run` step: its arguments or script, the variables and files it is given, and what it leaves. */
import type { CommandStep, Value } from '../../model/pipeline.ts';
import { checkSource, checkText } from '../checks/field-check.ts';
import { refuseSecrets } from '../checks/secret-uses.ts';
import { messages } from '../messages/index.ts';
import { leavesFolder } from '../output-path.ts';
import { type CreatedPath, commandResult } from '../types/types.ts';
import { readMap, readValue } from '../types/values.ts';
import type { FileContext } from '../yaml/file-context.ts';
import { rootInScript } from '../yaml/placeholders.ts';
import { child, isOff, type MapNode, type Node } from '../yaml/syntax-tree.ts';
import type { Body, BodyContext, Kind } from './kind.ts';

export const command: Kind<'run'> = {
  key: 'run',
  keys: ['shell', 'env', 'files', 'creates', 'effect', 'until'],
  does: 'one command',
  called: 'a command',
  insteadOf: { with: 'use `env`, `files` or arguments' },
  readSignature: (step, file) => {
    const creates = createdPaths(step);
    return { result: { type: commandResult(creates), creates }, readBody: context => readBody(step, file, context) };
  },
};

/** Undefined when the shape of `run` itself is wrong. */
function readBody(step: MapNode, file: FileContext, context: BodyContext): Body<'run'> | undefined {
  const section = (name: string, reading: BodyContext = context) => {
    const node = child(step, name);
    return readMap(node?.is === 'map' ? node : undefined, reading, step.at);
  };
  const env = section('env', { ...context, use: 'argument' });
  const files = section('files', { ...context, bare: 'told' });
  const creates = section('creates');
  for (const { value } of env.entries) checkArgument(value, context);
  for (const { name, value } of files.entries) checkFile(name, value, context);
  for (const { value } of creates.entries) checkArgument(value, context);
  refuseSecrets([creates], 'the name of a file', context.findings);
  checkCreatedPaths(
    creates.entries.map(({ value }) => value),
    context,
  );
  const lists = [...createdPaths(step)].filter(([, { isList }]) => isList).map(([name]) => name);
  checkMax(step, lists, context);
  const effect = readEffect(step, file);
  const run = readRun(step, file.wrong, context);
  if (!run) return undefined;
  return {
    step: { kind: 'run', command: run, env, files, creates, lists, effect },
    values: [env, files, creates, ...('argv' in run ? run.argv : [])],
  };
}

/** `max` bounds the files that a star matches; on a fan-out, the entries of its list. */
function checkMax(step: MapNode, lists: readonly string[], { findings }: BodyContext): void {
  const entry = step.entries.find(({ name }) => name === 'max');
  if (entry?.value.is === 'scalar' && lists.length === 0 && !child(step, 'matrix'))
    findings.add(messages.maxWithoutStar(), entry.nameAt);
}

/** A command that acts outside runs once for its inputs: `cache: off` contradicts that. */
function readEffect(step: MapNode, { findings, defaults }: FileContext): boolean {
  const effect = step.entries.find(({ name }) => name === 'effect');
  if (effect?.value.is !== 'scalar' || effect.value.value !== true) return false;
  const own = step.entries.find(({ name }) => name === 'cache');
  const byDefault = own ? undefined : defaults?.entries.find(({ name }) => name === 'cache');
  if (own && isOff(own.value)) findings.add(messages.effectWithoutCache(), own.nameAt);
  if (byDefault && isOff(byDefault.value))
    findings.add(messages.effectWithoutCacheByDefault(), effect.nameAt, [
      { message: messages.turnedOffHere, span: byDefault.nameAt },
    ]);
  return true;
}

function readRun(step: MapNode, wrong: ReadonlySet<Node>, context: BodyContext): CommandStep['command'] | undefined {
  const run = child(step, 'run');
  const shell = child(step, 'shell');
  if (!run || wrong.has(run)) return undefined;
  if (run.is === 'list') {
    const entry = step.entries.find(({ name }) => name === 'shell');
    if (entry) context.findings.add(messages.shellWithArgv(), entry.nameAt);
    const argv = run.items.map(item => readValue(item, { ...context, use: 'argument' }));
    for (const argument of argv) checkArgument(argument, context);
    warnOfShellSigns(argv, context);
    const script = pastedScript(argv);
    if (script) context.findings.add(messages.expressionInScript(), script.at);
    const outside = scriptOutside(argv);
    if (outside) context.findings.add(messages.emptyFolder(outside.path), outside.at);
    return { argv };
  }
  if (run.is !== 'scalar' || typeof run.value !== 'string') return undefined;
  const pasted = context.findings.source.text.indexOf('${{', run.at.start);
  if (run.value.includes('${{')) {
    const inside = pasted >= 0 && pasted < run.at.end;
    const close = inside ? context.findings.source.text.indexOf('}}', pasted) : -1;
    context.findings.add(
      messages.expressionInScript(),
      inside ? { start: pasted, end: close < 0 ? pasted + 3 : close + 2 } : run.at,
    );
  }
  const shellName = shell?.is === 'scalar' && typeof shell.value === 'string' ? shell.value : 'sh';
  const root = /^(.*[/\\])?(ba|da|k|z)?sh$/.test(shellName) ? rootInScript(run.value) : undefined;
  if (root) {
    const written = run.value.slice(root.start, root.end);
    const start = context.findings.source.text.indexOf(written, run.at.start);
    context.findings.add(
      messages.expressionInScript(),
      start < 0 || start > run.at.end ? run.at : { start, end: start + written.length },
    );
  }
  return { script: run.value, shell: shellName };
}

/** A program gets the words of a list unchanged: `[ls, "|", wc]` lists a file called `|`. */
function warnOfShellSigns(argv: readonly Value[], { findings }: BodyContext): void {
  const words = argv.map(one => (one.is === 'literal' ? String(one.value) : undefined));
  for (const [index, word] of words.entries()) {
    const isSign = /^(\|\|?|&&?|;|[12]?>>?|<|\$[A-Z_]{2,}|\$\{[A-Z_]+\})$/.test(word ?? '');
    const argument = argv[index];
    if (isSign && argument && index > 0) findings.add(messages.noShell(String(word), words), argument.at);
  }
}

/** Arguments and variables are single words: there is no one right way to split a list into them. */
function checkArgument(value: Value, context: BodyContext): void {
  if (value.is === 'text') checkText(value, context);
  if (value.is !== 'expression') return;
  const type = context.typeOf(value);
  if (type.is === 'list' || type.is === 'map' || type.is === 'record')
    context.findings.add(messages.argumentNotScalar(type, value.code), value.at);
}

function checkFile(name: string, value: Value, context: BodyContext): void {
  const { findings } = context;
  if (value.is === 'text') checkText(value, context);
  if (value.is === 'literal' && typeof value.value === 'string')
    checkSource(value.value, value.at, undefined, { findings, called: `the file \`${name}\`` });
  if (value.is !== 'expression') return;
  const type = context.typeOf(value);
  const fits =
    type.is === 'text' ? type.leadsTo !== 'none' : type.is === 'record' && (type.leadsTo ?? 'none') !== 'none';
  if (!fits && type.is !== 'any' && type.is !== 'wrong')
    findings.add(messages.fileNotMedia(type, value.code.trim()), value.at);
}

/** What an interpreter reads of a command's arguments: a script, or a file that holds one. */

/** `[sh, -c, "echo ${{ … }}"]`: the argument that a shell, or another interpreter, reads as a script with a value pasted into it. */
function pastedScript(argv: readonly Value[]): Value | undefined {
  const { script } = readByInterpreter(argv);
  return script?.is === 'literal' ? undefined : script;
}

/** `[node, music.mjs]`: a script beside the film, which the empty folder of a command does not hold. */
function scriptOutside(argv: readonly Value[]): { readonly path: string; readonly at: Value['at'] } | undefined {
  const { file } = readByInterpreter(argv);
  if (file?.is !== 'literal' || typeof file.value !== 'string') return undefined;
  const isOutside = !/^([/\\~]|[a-z]:)/i.test(file.value) && SCRIPT.test(file.value);
  return isOutside ? { path: file.value, at: file.at } : undefined;
}

const SCRIPT = /\.(py|sh|bash|zsh|fish|[cm]?[jt]s|rb|pl|php|lua|r|ps1)$/i;

function readByInterpreter(argv: readonly Value[]): { readonly script?: Value; readonly file?: Value } {
  const written = argv.map(value => (value.is === 'literal' && typeof value.value === 'string' ? value.value : ''));
  // An interpreter counts behind `env`, `nice` and the like, too, and by any path; `busybox sh` names two.
  let last = written.findIndex(word => scriptOption(word));
  if (scriptOption(written[last + 1] ?? '')) last++;
  const takesScript = scriptOption(written[last] ?? '');
  if (!takesScript) return {};
  // What follows the first word that is no option belongs to the script or to its program, and is data.
  for (let at = last + 1; at < argv.length; at++) {
    const word = written[at] ?? '';
    const [value, next] = argv.slice(at);
    if (takesScript.test(word)) return next ? { script: next } : {};
    if (TAKES_VALUE.test(word)) at++;
    else if (!/^(?:[-+]|\/[a-z](?::|$))/i.test(word)) return value ? { file: value } : {};
  }
  return {};
}

/** Which option of a program is followed by a script; undefined for what is no interpreter. */
function scriptOption(word: string): RegExp | undefined {
  const name = /^(?:.*[/\\])?([a-z]+)[\d.]*(?:\.exe)?$/i.exec(word)?.[1]?.toLowerCase() ?? '';
  return INTERPRETERS.find(([names]) => names.includes(name))?.[1];
}

const INTERPRETERS: readonly (readonly [names: readonly string[], script: RegExp])[] = [
  [['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'fish', 'busybox', 'python'], /^-[a-zA-Z]*c[a-zA-Z]*$/],
  [['perl', 'ruby'], /^-[a-zA-Z]*[eE]$/],
  [['node', 'deno', 'bun'], /^(-[ep]|-pe|eval|--eval|--print)$/],
  [['php'], /^-r$/],
  [['cmd'], /^\/[ck]$/i],
  [['powershell', 'pwsh'], /^-(c|command|encodedcommand)$/i],
];
/** `-o pipefail`, `-W ignore`, `-r module`. */
const TAKES_VALUE = /^([-+][a-zA-Z]*[oO]|-[WXIMr]|--(require|import|loader))$/;

/** `creates` of a command: which files it must leave, one by one or, with a star, as a list. */

/** The path of each name, as far as it is known before any expression is read. */
function createdPaths(step: MapNode): ReadonlyMap<string, CreatedPath> {
  const creates = child(step, 'creates');
  const entries = creates?.is === 'map' ? creates.entries : [];
  return new Map(entries.map(({ name, value }) => [name, createdPath(value)]));
}

function createdPath(node: Node): CreatedPath {
  const path = node.is === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
  // An expression holds arithmetic, and no star.
  return { path, isList: path?.replaceAll(/\$\{\{.*?\}\}/gs, '').includes('*') ?? false };
}

/** Paths that are written out: each inside the command's folder, each a file of its own, its star in the file's name. */
function checkCreatedPaths(files: readonly Value[], { findings }: BodyContext): void {
  const paths = new Set<string>();
  for (const file of files) {
    if (starInFolder(file)) findings.add(messages.starInFolder(), file.at);
    if (file.is !== 'literal' || typeof file.value !== 'string') continue;
    const { value, at } = file;
    if (leavesFolder(value)) findings.add(messages.pathLeaves(value), at);
    if (paths.has(value)) findings.add(messages.sameFileTwice(value), at);
    paths.add(value);
  }
}

/** `shots/*` + `/clip.mp4`, and `**`. */
function starInFolder(path: Value): boolean {
  if (path.is === 'literal') return /\*\*|\*.*[/\\]/.test(String(path.value));
  if (path.is !== 'text') return false;
  const own = path.parts.map(part => (typeof part === 'string' ? part : 'x')).join('');
  return /\*\*|\*.*[/\\]/.test(own);
}
