/** The `run` steps of a composite action of GitHub, run in bash with the environment that a runner gives them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';

type Fields = { readonly [name: string]: unknown };
type Context = { readonly [name: string]: unknown };

interface Step {
  readonly id?: string;
  readonly name: string;
  readonly if?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Fields;
  readonly env?: { readonly [name: string]: string };
}

export interface ActionRun {
  readonly action: string;
  readonly inputs: { readonly [name: string]: string };
  readonly github: Context;
  /** Where the repository is checked out. */
  readonly cwd: string;
  /** Holds the runner's own files. */
  readonly folder: string;
  readonly env: { readonly [name: string]: string };
}

export interface ActionEnd {
  readonly failed: string | undefined;
  readonly log: string;
  readonly summary: string;
  readonly outputs: { readonly [name: string]: string };
  /** Steps that use other actions, which a runner would run: with what they are given. */
  readonly used: readonly { readonly uses: string; readonly with: { readonly [name: string]: string } }[];
}

export async function runAction(asked: ActionRun): Promise<ActionEnd> {
  const file = resolve(asked.action);
  const action = parse(readFileSync(file, 'utf8'));
  const declared = Object.entries(action.inputs as { [name: string]: { default?: string; required?: boolean } });
  const context: { [name: string]: unknown } = {
    github: { ...asked.github, action_path: dirname(file) },
    runner: { os: 'Linux', temp: join(asked.folder, 'temp') },
    steps: {},
  };
  context.inputs = Object.fromEntries(
    declared.map(([name, { default: usual, required }]) => {
      const given = asked.inputs[name] ?? usual;
      if (given === undefined && required) throw new Error(`the action needs ${name}`);
      return [name, filled(String(given ?? ''), context)];
    }),
  );
  const place = (name: string) => join(asked.folder, name);
  mkdirSync(place('temp'), { recursive: true });
  for (const name of ['summary', 'output']) writeFileSync(place(name), '');
  const end = {
    failed: undefined as string | undefined,
    log: '',
    used: [] as { uses: string; with: Record<string, string> }[],
  };
  for (const step of action.runs.steps as readonly Step[]) {
    const condition = step.if ?? 'success()';
    const isWanted = Boolean(value(condition, context)) && (end.failed === undefined || condition.includes('always()'));
    if (!isWanted) continue;
    if (step.uses !== undefined) {
      const given = Object.entries(step.with ?? {}).map(([name, text]) => [name, filled(String(text), context)]);
      end.used.push({ uses: step.uses, with: Object.fromEntries(given) });
      continue;
    }
    writeFileSync(place('output'), '');
    const script = place('step.sh');
    writeFileSync(script, step.run ?? '');
    const env = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, text]) => [name, filled(text, context)]));
    // As a runner calls `shell: bash`.
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
      cwd: asked.cwd,
      env: {
        ...asked.env,
        ...{ CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: asked.cwd, RUNNER_TEMP: place('temp') },
        ...{ GITHUB_OUTPUT: place('output'), GITHUB_STEP_SUMMARY: place('summary') },
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let log = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (log += text));
    const [code] = await once(child, 'close');
    end.log += log;
    appendFileSync(place('log'), log);
    if (code !== 0) end.failed ??= `${step.name}: ${code}`;
    const outputs = readFileSync(place('output'), 'utf8')
      .split('\n')
      .filter(line => line.includes('='));
    if (step.id)
      (context.steps as Record<string, unknown>)[step.id] = {
        outputs: Object.fromEntries(
          outputs.map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
        ),
      };
  }
  const outputs = Object.entries(action.outputs as { [name: string]: { value: string } }).map(([name, one]) => [
    name,
    filled(one.value, context),
  ]);
  return { ...end, summary: readFileSync(place('summary'), 'utf8'), outputs: Object.fromEntries(outputs) };
}

const filled = (text: string, context: Context): string =>
  text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) => String(value(expression, context) ?? ''));

/** Names, texts, `==`, `!=`, `&&`, `||` and `format` mean in an expression of a workflow what they mean here. */
function value(expression: string, context: Context): unknown {
  const source = expression
    .split(/('[^']*')/)
    .map((part, at) =>
      at % 2 === 1 ? part : part.replaceAll(/[a-z_]+(?:\.[\w-]+)+/g, path => `get(${JSON.stringify(path)})`),
    )
    .join('');
  const get = (path: string) =>
    path.split('.').reduce<unknown>((at, name) => (at as Fields | undefined)?.[name], context) ?? '';
  const format = (text: string, ...words: readonly string[]) =>
    text.replaceAll(/\{(\d)\}/g, (_, n) => words[Number(n)] ?? '');
  return new Function('get', 'format', 'always', 'success', `return (${source});`)(
    get,
    format,
    () => true,
    () => true,
  );
}
