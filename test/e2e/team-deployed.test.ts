/** What the guide deploys a team with says commands that work: each is started as it stands there, without containers. */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import project from '../../package.json' with { type: 'json' };
import { FOLDER } from '../support/pipelines.ts';
import { serverForTests } from '../team/team-world.ts';
import { type Ended, Stage, Started } from './stage.ts';

const read = (name: string) => readFileSync(join(FOLDER, 'guide', 'team', name), 'utf8');

const { version } = project;

interface ComposeService {
  readonly command?: string;
  readonly entrypoint?: readonly string[];
  readonly working_dir: string;
  readonly restart: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly deploy?: { readonly replicas: number };
}

const FILM = `shotlist: 1
name: film
steps:
  still: { model: I-GEN-A, with: { prompt: a red fox, seed: 4 } }
  film: { cut: { clips: [{ from: "\${{ steps.still }}", for: 0.2s }], size: 64x64 } }
outputs:
  film: { from: "\${{ steps.film }}", to: out/film.mp4 }
`;

let stage: Stage;
// With nothing of a team in it yet.
const postgres = serverForTests('quick');
const running: Started[] = [];
beforeEach(() => {
  stage = new Stage();
  mkdirSync(join(stage.folder, 'results'));
});
afterEach(() => {
  for (const one of running.splice(0)) one.kill();
  stage.dispose();
});

/** Paths of a container, and its database, as this machine has them. */
const here = (text: string, scratch: string) =>
  text
    .replace('postgres://shotlist@database/shotlist', postgres().url)
    .replaceAll('/var/lib/shotlist', scratch)
    .replaceAll('/scratch', scratch)
    .replaceAll('/results', join(stage.folder, 'results'));

/** What npx would be given, behind the name of the program. */
function argumentsOf(words: readonly string[]): readonly string[] {
  const [program, ...rest] = words;
  expect(program).toMatch(/^(\/usr\/bin\/)?npx$/);
  const [name, ...args] = rest.filter(word => word !== '--yes');
  // Not whatever is newest when a machine starts.
  expect(name).toBe(`shotlist@${version}`);
  return args;
}

interface Deployed {
  readonly words: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Of its own. */
  readonly scratch: string;
}

function start({ words, env = {}, scratch }: Deployed): Started {
  const own = join(stage.folder, scratch);
  const [program, ...args] = stage.command(argumentsOf(words).map(word => here(word, own)));
  const given = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, here(value, own)]));
  const base = { PATH: process.env.PATH ?? '', HOME: join(stage.folder, 'home'), SHOTLIST_STUDIO_SPEED: 'draft' };
  const child = spawn(program, args, {
    cwd: stage.project,
    env: { ...base, ...given },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const started = new Started(child);
  running.push(started);
  return started;
}

/** The settings that the compose file says. */
function writeSettings(): void {
  const [, settings = ''] = /^#\s+(teams: .*)$/m.exec(read('compose.yaml')) ?? [];
  stage.write('shotlist.config.yaml', `${here(settings, '')}\n`);
}

const isDone = ({ exit, stdout, stderr }: Ended) => expect(exit, stderr + stdout).toBe(0);

test('the compose file makes a film', async () => {
  const text = read('compose.yaml');
  const { services } = parse(text, { merge: true }) as { readonly services: Record<string, ComposeService> };
  expect(Object.entries(services).map(([name, { restart }]) => [name, restart])).toEqual([
    ...[
      ['database', 'unless-stopped'],
      ['tables', 'on-failure'],
      ['worker', 'unless-stopped'],
      ['submit', 'no'],
    ],
  ]);
  writeSettings();
  const run = (name: string, scratch: string, more: readonly string[] = []) => {
    const service = services[name];
    if (!service) throw new Error(`there is no service ${name}`);
    expect(service.working_dir).toBe('/films');
    const words = service.entrypoint ?? service.command?.split(' ') ?? [];
    // As compose fills in what is not set.
    const env = Object.entries(service.environment).map(([key, value]) => [
      key,
      value.replace(/\$\{\w+:-(.*)\}/, '$1'),
    ]);
    return start({ words: [...words, ...more], env: Object.fromEntries(env), scratch });
  };
  isDone(await run('tables', 'tables').ended);
  const workers = Array.from({ length: services.worker?.deploy?.replicas ?? 1 }, (_, n) =>
    run('worker', `worker-${n}`),
  );
  expect(workers).toHaveLength(2);
  await Promise.all(workers.map(worker => worker.line(/^ready: /m)));
  const [, name = '', said = ''] = /^#\s+docker compose run --rm (\S+) (.*)$/m.exec(text) ?? [];
  stage.write('film.yaml', FILM);
  isDone(await run(name, 'submit', said.split(' ')).ended);
  for (const worker of workers) worker.child.kill('SIGTERM');
  for (const worker of workers) isDone(await worker.ended);
});

test('the unit and the Deployment start a worker, which waits for its database, leaves its settings alone and ends when it is told to', async () => {
  writeSettings();
  isDone(
    await start({ words: ['npx', `shotlist@${version}`, 'team', 'init', '--on', 'house'], scratch: 'init' }).ended,
  );
  const before = readdirSync(stage.project).sort();

  const unit = read('shotlist-worker.service');
  const of = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
  const [, variable = '', value = ''] = /^(\w+)=(.*)$/.exec(of('Environment')) ?? [];
  expect(`/var/lib/${of('StateDirectory')}`).toBe(value);
  expect([of('Restart'), of('StartLimitIntervalSec')]).toEqual(['always', '0']);
  await postgres().end();
  const ofUnit = start({ words: of('ExecStart').split(' '), env: { [variable]: value }, scratch: 'unit' });

  const deployment = parse(read('kubernetes.yaml'));
  const { containers, volumes, restartPolicy } = deployment.spec.template.spec;
  expect(restartPolicy).toBe('Always');
  const [{ command, workingDir, volumeMounts }] = containers;
  expect(volumeMounts.map(({ name }: { name: string }) => name)).toEqual(
    volumes.map(({ name }: { name: string }) => name),
  );
  expect(volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)).toEqual([workingDir, command.at(-1)]);
  const ofPod = start({ words: command, scratch: 'pod' });

  const ofOther = start({ words: command, scratch: 'other' });
  for (const worker of [ofUnit, ofPod, ofOther])
    await worker.line(/^trouble: the database of team house cannot be reached \(.*\); .*; this worker waits for it$/m);
  ofOther.child.kill('SIGTERM');
  isDone(await ofOther.ended);
  await postgres().start();
  for (const worker of [ofUnit, ofPod]) {
    await worker.line(/^ready: /m);
    worker.child.kill(of('KillSignal') as NodeJS.Signals);
    isDone(await worker.ended);
  }
  expect(readdirSync(stage.project).sort()).toEqual(before);
});
