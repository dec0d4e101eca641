/** What a reader of the guide does: each block of a page in its order, in one folder, with an empty HOME, and with the exit code that the page says. */
import { globSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { WORKFLOWS } from '../cli/import/workflows.ts';
import { FILMS, type Said } from '../films/films.ts';
import {
  type GuideAct,
  type GuideFile,
  type GuideLine,
  type GuidePage,
  guidePages,
  isFilm,
  shotlistWords,
} from '../support/guide-pages.ts';
import { POLL_PATIENCE } from '../support/patience.ts';
import { READY_BUNDLE } from '../support/ready-bundle.ts';
import { type ReadyStudio, type ReadyStudioOptions, readyStudio, untilCancelled } from '../support/ready-studio.ts';
import { ends } from './ended.ts';
import { Stage } from './stage.ts';

const pages = guidePages();
const fileOf = (path: string, name: string): string =>
  pages.find(page => page.path === path)?.files.find(file => file.name === name)?.text ?? '';

/** Its commands are for several machines: `guide-of-teams.test.ts`. */
const OUT_OF_ORDER = ['guide/many-machines.md'];

/** Puts a film into the state that a section is for. */
const STATES: Readonly<Record<string, () => Promise<void>>> = {
  'lost-answer': async () => {
    const folder = join(stage.folder, 'deaf');
    await interrupted({ folder, vices: ['drops-answers=1', 'history-empty'] }, /no answer, looking for it/);
    await reopen({ folder });
    generation = await firstGeneration();
  },
  'lost-generation': async () => {
    await interrupted({ before: untilCancelled }, /submitted/);
    await reopen({});
  },
  'unknown-effect': () => film("  post: { run: 'kill -9 $$', effect: true }", 1),
  'waiting-for-you': () =>
    film(
      `  shot: { matrix: { beat: [3] }, takes: 2, model: I-GEN-A, with: { prompt: a fox } }
  best: { each: "\${{ steps.shot }}", pick: takes }
  client: { approve: "\${{ steps.shot }}" }`,
      5,
    ),
  frozen: () => film('  shot: { model: I-GEN-A, with: { prompt: a hare } }', 3, '--frozen'),
  'attach-differs': async () => {
    await film(SHOT, 0);
    const answer = await fetch(`${hosted?.url}/api/ai/queue`, {
      method: 'POST',
      headers: { authorization: `Bearer ${hosted?.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'V-T2V-A', prompt: 'a wolf' }),
    });
    const { generations } = (await answer.json()) as { readonly generations: [{ readonly generation_id: string }] };
    generation = generations[0].generation_id;
  },
  'adopted-file-missing': async () => {
    await film(SHOT, 0);
    await ends(stage.run('adopt', 'film.yaml', 'shot[beat=3]', 'my.mp4'), 0);
    for (const path of ['my.mp4', '.shotlist/store']) rmSync(stage.at(path), { recursive: true });
  },
};
/** Of its lines a reader does one. */
const ALTERNATIVES = 'lost-answer';
const SHOT = '  shot: { matrix: { beat: [3] }, model: V-T2V-A, with: { prompt: a fox } }';

/** Ctrl-C at this line of a run of another `film.yaml`, at another hosted service. */
async function interrupted(service: ReadyStudioOptions, line: RegExp): Promise<void> {
  await hosted?.close();
  hosted = await readyStudio(service);
  stage.trust(hosted);
  stage.write('film.yaml', filmOf(SHOT.replace('a fox', `a fox at ${hosted.url}`)));
  const started = stage.start('run', 'film.yaml');
  await started.line(line);
  started.interrupt();
  await started.ended;
}

/** Another service at the same address. */
async function reopen(service: ReadyStudioOptions): Promise<void> {
  const { port } = new URL(hosted?.url ?? '');
  await hosted?.close();
  hosted = await readyStudio({ ...service, port: Number(port) });
}

async function firstGeneration(): Promise<string> {
  const answer = await fetch(`${hosted?.url}/api/ai/generations`, {
    headers: { authorization: `Bearer ${hosted?.key}` },
  });
  const { generations } = (await answer.json()) as { readonly generations: [{ readonly generation_id: string }] };
  return generations[0].generation_id;
}

const filmOf = (steps: string): string => `shotlist: 1\nname: film\nsteps:\n${steps}\n`;

/** Makes another `film.yaml`, which ends with `exit`. */
async function film(steps: string, exit: number, ...more: readonly string[]): Promise<void> {
  stage.write('film.yaml', filmOf(steps));
  const ended = await stage.run('run', 'film.yaml', ...more);
  expect(ended.exit, ended.stderr).toBe(exit);
}

let stage: Stage;
let hosted: ReadyStudio | undefined;
let saved = '';
let section = '';
/** What the guide calls `gen_123`. */
let generation = '';
afterEach(async () => {
  section = '';
  await hosted?.close();
  hosted = undefined;
  stage.dispose();
});

const followed = pages.filter(
  ({ path, acts }) => acts.some(({ is }) => is !== 'section') && !OUT_OF_ORDER.includes(path),
);

test.each(followed)('$path', async page => {
  stage = new Stage();
  // Small and quick; nothing here looks at a picture.
  stage.env = { SHOTLIST_STUDIO_SPEED: 'draft' };
  await openReaderFolder(page);
  const [seen, promised]: [string[], string[]] = [[], []];
  for (const act of page.acts)
    for (const { what, promises = 0, exit, said } of await perform(act, page)) {
      promised.push(`${what}: ${promises}`);
      seen.push(`${what}: ${exit}${exit === promises ? '' : `\n${said}`}`);
    }
  expect(seen).toEqual(promised);
});

interface Performed {
  readonly what: string;
  readonly promises?: number;
  readonly exit: number | null;
  readonly said: string;
}

/** What the guide takes for granted: the package, a project in git, files of the reader's own, and a hosted service where the page names one. */
async function openReaderFolder({ path, acts }: GuidePage): Promise<void> {
  mkdirSync(stage.at('node_modules'));
  symlinkSync(dirname(READY_BUNDLE), stage.at('node_modules/shotlist'));
  stage.write('film.yaml', fileOf(path, 'film.yaml') || fileOf('guide/five-minutes.md', 'fox.yaml'));
  stage.write('my.mp4', readFileSync('pipelines/media/balloons.mp4'));
  stage.write('workflow.json', JSON.stringify(WORKFLOWS.API_IMAGE));
  await shell('git init -q && git add film.yaml && git -c user.name=a -c user.email=a@b commit -qm film');
  await shell('git update-ref refs/remotes/origin/main HEAD');
  const asksService = (typed: string) => /--service prod|SHOTLIST_BASE_URL|gen_123/.test(typed);
  if (!acts.some(act => act.is === 'line' && asksService(act.line.typed))) return;
  hosted = await readyStudio();
  if (path === 'guide/recovering.md') {
    stage.trust(hosted);
    return film(SHOT, 0);
  }
  stage.env = { ...stage.env, PROD_KEY: hosted.key };
  stage.write('shotlist.config.yaml', onThisMachine(fileOf('guide/hosted-service.md', 'shotlist.config.yaml')));
}

/** The service of the guide is a studio of the test. */
const onThisMachine = (text: string): string =>
  text.replace('https://api.example.com', hosted?.url ?? '').replace('sk-…', hosted?.key ?? '');

async function perform(act: GuideAct, page: GuidePage): Promise<readonly Performed[]> {
  switch (act.is) {
    case 'section':
      section = act.anchor;
      if (section !== ALTERNATIVES) await STATES[section]?.();
      return [];
    case 'file':
      saved = act.file.name;
      stage.write(saved, onThisMachine(act.file.text));
      return isFilm(act.file) && !isRun(act.file, page) ? [await makeFilm(act.file)] : [];
    case 'edit':
      expect(stage.read(saved)).toContain(act.from);
      stage.write(saved, stage.read(saved).replace(act.from, act.to));
      return [];
    case 'program':
      stage.write('program.mjs', act.text);
      return [await shell('node program.mjs')];
    case 'line':
      if (section === ALTERNATIVES) await STATES[section]?.();
      return [{ ...(await doLine(act.line)), what: act.line.typed, promises: act.line.exit }];
  }
}

const isRun = ({ name }: GuideFile, { commands }: GuidePage): boolean =>
  commands.some(([command, ...words]) => command === 'run' && words.includes(name));

/** A film that no command of its page runs. One whose question only a person answers ends with it. */
async function makeFilm({ name, text }: GuideFile): Promise<Performed> {
  const { steps } = parse(text) as { readonly steps: Readonly<Record<string, object>> };
  const isAsking = Object.values(steps).some(
    step => 'approve' in step || ('pick' in step && !('rule' in step) && !('judge' in step)),
  );
  // Settings of the page may name a service; this is the studio.
  const { exit, stdout, stderr } = await stage.run('run', name, '--draft', '--service', 'studio');
  const made = stdout.trim().split('\n').filter(Boolean);
  if (!isAsking) expect(made.length, stderr).toBeGreaterThan(0);
  for (const path of made) expect(stage.has(path), path).toBe(true);
  return { what: `${name} becomes a film`, promises: isAsking ? 5 : 0, exit, said: stderr };
}

async function doLine(line: GuideLine): Promise<Omit<Performed, 'what'>> {
  const words = shotlistWords(line)?.flatMap(asTheShellHasIt);
  if (words === undefined) return doOther(line);
  const known = exitInStoryOfFilms(words);
  if (known !== undefined) return { exit: known, said: '' };
  if (line.goesOn) {
    const started = stage.startWith(line.env, ...words);
    await started.line(/./);
    started.interrupt();
    const { exit, signal, stdout, stderr } = await started.ended;
    return { exit: signal === 'SIGINT' || exit === 130 ? 0 : exit, said: stderr + stdout };
  }
  const before = stage.env;
  stage.env = { ...before, ...line.env };
  const { exit, stdout, stderr } = await stage.run(...words);
  stage.env = before;
  return { exit, said: stderr + stdout };
}

/** Files that a pattern names; any port, as that of the guide may be taken; and a generation that there is. */
const asTheShellHasIt = (word: string): readonly string[] =>
  word.includes('*')
    ? globSync(word, { cwd: stage.project })
    : [word.replace(/^8787$/, '0').replace('gen_123', generation)];

/** Films of `pipelines/` that ask a person are run by `films.test.ts`, with the same words: the exit code there. */
const exitInStoryOfFilms = ([command, ...more]: readonly string[]): number | undefined => {
  const film = FILMS.find(({ name }) => more.includes(`pipelines/${name}.yaml`));
  const words = more.filter(word => !word.startsWith('pipelines/'));
  const isSame = (said: Said) => said.command[0] === command && words.every(word => said.command.includes(word));
  return film?.session?.find(isSame)?.exit;
};

/** A line that begins with another program. */
async function doOther({ typed, words: [program, ...more] }: GuideLine): Promise<Omit<Performed, 'what'>> {
  // The package is linked into the folder.
  if (program === 'npm') return { exit: 0, said: '' };
  if (program !== 'export') return shell(typed);
  stage.env = { ...stage.env, ...Object.fromEntries(more.map(word => onThisMachine(word).split(/=(.*)/s, 2))) };
  return { exit: 0, said: '' };
}

async function shell(typed: string): Promise<Performed> {
  const ended = await execa('sh', ['-c', typed], {
    ...{
      cwd: stage.project,
      env: stage.environment,
      extendEnv: false,
      reject: false,
      all: true,
      timeout: POLL_PATIENCE,
    },
  });
  return { what: typed, exit: ended.exitCode ?? null, said: ended.all };
}
