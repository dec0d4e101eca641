/** A `run` step: its arguments or script, the variables and files it is given, and what it leaves. */
import type { CommandStep, Value } from '../../domain/pipeline.ts';
import { checkSource, checkText } from '../field-check.ts';
import type { FileContext } from '../file-context.ts';
import { messages } from '../messages/index.ts';
import { pastedScript, scriptOutside } from '../pasted-script.ts';
import { rootInScript } from '../placeholders.ts';
import { refuseSecrets } from '../secret-uses.ts';
import { child, type MapNode, type Node } from '../syntax-tree.ts';
import { commandResult } from '../types.ts';
import { readMap, readValue } from '../values.ts';
import { checkCreatedPaths, createdPaths } from './created-paths.ts';
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

/** What acts outside is done once for its inputs: nobody can want it done again every time. */
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

const isOff = (node: Node): boolean => node.is === 'scalar' && (node.value === 'off' || node.value === false);

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

/** Arguments and variables are single words: a list would have to be split somehow, and nobody would agree how. */
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
