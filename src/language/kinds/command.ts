/** A `run` step: its arguments or script, the variables and files it is given, and what it leaves. */
import type { CommandStep, ExpressionValue, Value } from '../../domain/pipeline.ts';
import { checkSource, checkText } from '../field-check.ts';
import type { Findings } from '../findings.ts';
import { messages } from '../messages/index.ts';
import { child, type MapNode, type Node } from '../syntax-tree.ts';
import type { Type } from '../types.ts';
import { type ReadContext, readMap, readValue } from '../values.ts';

type Command = Pick<CommandStep, 'command' | 'env' | 'files' | 'creates'>;

interface Place {
  readonly findings: Findings;
  readonly typeOf: (expression: ExpressionValue) => Type;
}

/** Undefined when the shape of `run` itself is wrong (which has been told). */
export function readCommand(
  step: MapNode,
  wrong: ReadonlySet<Node>,
  reading: ReadContext,
  place: Place,
): Command | undefined {
  const section = (name: string) => {
    const node = child(step, name);
    return readMap(node?.is === 'map' ? node : undefined, reading, step.at);
  };
  const [env, files, creates] = [section('env'), section('files'), section('creates')];
  for (const { value } of env.entries) checkArgument(value, place);
  for (const { name, value } of files.entries) checkFile(name, value, place);
  const paths = new Set<string>();
  for (const { value } of creates.entries) {
    if (value.is !== 'literal' || typeof value.value !== 'string') {
      checkArgument(value, place);
      continue;
    }
    if (leaves(value.value)) place.findings.add(messages.pathLeaves(value.value), value.at);
    if (paths.has(value.value)) place.findings.add(messages.sameFileTwice(value.value), value.at);
    paths.add(value.value);
  }
  const command = readRun(step, wrong, reading, place);
  return command && { command, env, files, creates };
}

function readRun(
  step: MapNode,
  wrong: ReadonlySet<Node>,
  reading: ReadContext,
  place: Place,
): CommandStep['command'] | undefined {
  const run = child(step, 'run');
  const shell = child(step, 'shell');
  if (!run || wrong.has(run)) return undefined;
  if (run.is === 'list') {
    const entry = step.entries.find(({ name }) => name === 'shell');
    if (entry) place.findings.add(messages.shellWithArgv(), entry.nameAt);
    const argv = run.items.map(item => readValue(item, reading));
    for (const argument of argv) checkArgument(argument, place);
    const script = pastedScript(argv);
    if (script) place.findings.add(messages.expressionInScript(), script.at);
    return { argv };
  }
  if (run.is !== 'scalar' || typeof run.value !== 'string') return undefined;
  const pasted = place.findings.source.text.indexOf('${{', run.at.start);
  if (run.value.includes('${{')) {
    const inside = pasted >= 0 && pasted < run.at.end;
    const close = inside ? place.findings.source.text.indexOf('}}', pasted) : -1;
    place.findings.add(
      messages.expressionInScript(),
      inside ? { start: pasted, end: close < 0 ? pasted + 3 : close + 2 } : run.at,
    );
  }
  return { script: run.value, shell: shell?.is === 'scalar' && typeof shell.value === 'string' ? shell.value : 'sh' };
}

/** `[sh, -c, "echo ${{ … }}"]`: the argument that a shell, or another interpreter, reads as a script with a value pasted into it. */
function pastedScript(argv: readonly Value[]): Value | undefined {
  const written = argv.map(value => (value.is === 'literal' && typeof value.value === 'string' ? value.value : ''));
  // Behind `env`, `nice` and the like, too, and by any path; `busybox sh` names two.
  let last = written.findIndex(word => scriptOption(word));
  if (scriptOption(written[last + 1] ?? '')) last++;
  const takesScript = scriptOption(written[last] ?? '');
  if (!takesScript) return undefined;
  // What follows the first word that is no option belongs to the script or to its program, and is data.
  for (let at = last + 1; at < argv.length; at++) {
    const word = written[at] ?? '';
    const script = argv[at + 1];
    if (takesScript.test(word)) return script?.is === 'literal' ? undefined : script;
    if (TAKES_VALUE.test(word)) at++;
    else if (!/^[-+/]/.test(word)) return undefined;
  }
  return undefined;
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

/** Arguments and variables are single words: a list would have to be split somehow, and nobody would agree how. */
function checkArgument(value: Value, place: Place): void {
  if (value.is === 'text') checkText(value, place);
  if (value.is !== 'expression') return;
  const type = place.typeOf(value);
  if (type.is === 'list' || type.is === 'map' || type.is === 'record')
    place.findings.add(messages.argumentNotScalar(type, value.code), value.at);
}

function checkFile(name: string, value: Value, place: Place): void {
  const { findings } = place;
  if (value.is === 'text') checkText(value, place);
  if (value.is === 'literal' && typeof value.value === 'string')
    checkSource(value.value, value.at, undefined, { findings, called: `the file \`${name}\`` });
  if (value.is !== 'expression') return;
  const type = place.typeOf(value);
  const fits =
    type.is === 'text' ? type.leadsTo !== 'none' : type.is === 'record' && (type.leadsTo ?? 'none') !== 'none';
  if (!fits && type.is !== 'any' && type.is !== 'wrong') findings.add(messages.fileNotMedia(type), value.at);
}

export const leaves = (path: string): boolean =>
  /^([/\\~]|[A-Za-z]:)/.test(path) ||
  /[/\\]$/.test(path) ||
  path.split(/[/\\]/).some(part => part === '..' || part === '.') ||
  path.trim() === '';
