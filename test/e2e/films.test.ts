/**
 * What a new user does: an empty HOME, no account, no key, no terminal. Every film of `pipelines/`, as a draft, is what its file asks for.
 * A team of two workers then makes some of them, which together have every kind of step, and gets the same bytes: those are of ready clips,
 * as a team draws no better than one machine. The others are drawn. `npm run films` draws all of them in full.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';
import { probe } from '../../src/media/probe.ts';
import { type Draft, FILMS, type Film, needsOf, sessionOf, unheardSeconds } from '../films/films.ts';
import { isMissing } from '../support/needs.ts';
import { committedLock, copyLock, filesBeside, pipelineFiles } from '../support/pipelines.ts';
import { ends } from './ended.ts';
import { type FilmsInTeam, filmsInTeam } from './films-in-team.ts';
import { Stage } from './stage.ts';

const QUICK = { SHOTLIST_STUDIO_SPEED: 'draft' };
const stages = new Map<Film, Stage>();
let team: FilmsInTeam;
beforeAll(() => {
  team = filmsInTeam(QUICK);
});
afterAll(async () => {
  await team.close();
  for (const stage of stages.values()) stage.dispose();
});

const teamFilms = FILMS.filter(({ inTeam }) => inTeam !== undefined);

test('every pipeline is one of the films', () => {
  const pipelines = pipelineFiles().map(({ name }) => name);
  expect(FILMS.map(({ name }) => `${name}.yaml`)).toEqual(pipelines);
});

test('the films that a team makes have every kind of step that there is in any film', () => {
  const kinds = (films: readonly Film[]) => [...new Set(films.flatMap(kindsOf))].sort();
  expect(kinds(teamFilms)).toEqual(kinds(FILMS));
});

for (const film of FILMS) describeFilm(film, () => testHere(film));
describe('a team makes the same of a film: every file, and the lock', () => {
  for (const film of teamFilms) describeFilm(film, () => testInTeam(film));
});

function describeFilm(film: Film, tests: () => void): void {
  describe.skipIf(isMissing(...needsOf(film)))(`pipelines/${film.name}.yaml`, tests);
}

function testHere(film: Film): void {
  const file = fileOf(film);
  let stage: Stage;
  beforeAll(() => {
    stage = new Stage();
    stage.env = QUICK;
    stage.films = film.inTeam === undefined ? 'drawn once' : 'ready clips';
    stages.set(film, stage);
  });

  test('becomes files of the documented size, length, codec and sound', async () => {
    for (const { command, exit } of sessionOf(film)) {
      const [name, ...more] = command;
      const ended = await stage.runAsProcess(name, file, ...more);
      expect(ended.exit, ended.stderr).toBe(exit);
    }
    if (film.inTeam) team.make(film);
    // A timeline has its media in a folder beside it.
    const placed = filesIn(stage.at('out/draft')).filter(path => !/\.media[\\/]/.test(path));
    const made = await Promise.all(
      placed.map(async path => [path, await look(stage.at('out/draft', path), film.draft[path])] as const),
    );
    expect(Object.fromEntries(made)).toMatchObject(rounded(film.draft));
    expect(made.map(([path]) => path)).toEqual(Object.keys(film.draft).sort());
    // Ready clips are silent.
    if (stage.films === 'ready clips') return;
    for (const path of Object.keys(film.draft).filter(path => path.endsWith('.mp4')))
      expect(await unheardSeconds(stage.at('out/draft', path)), path).toBeLessThanOrEqual(film.unheard ?? 0);
  });

  test('a second run spends nothing and says so', async () => {
    const { stderr, stdout } = await ends(stage.run('run', file), 0);
    expect(stderr).toContain('nothing spent');
    expect(stderr).not.toMatch(/\d made/);
    expect(stdout.trim().split('\n').sort()).toEqual(
      Object.keys(film.draft)
        .map(path => `out/draft/${path}`)
        .sort(),
    );
  });

  const isLocked = existsSync(committedLock(film.name));
  const lock = isLocked
    ? 'the lock beside it'
    : 'the lock (skipped: none is committed, `npm run films -- --write` makes it)';
  test.skipIf(!isLocked)('the lock has the same instances as the committed one, and nothing of this machine', () => {
    const keysIn = (text: string) => text.match(/^ {4}\S.*:$/gm);
    const lock = stage.read(lockPath(film));
    expect(keysIn(lock)).toEqual(keysIn(readFileSync(committedLock(film.name), 'utf8')));
    expect(lock).not.toMatch(/http|\/home|\/tmp/);
  });
  test.skipIf(!isLocked)(`${lock} is of this file: in a fresh clone there is nothing to pay for`, async () => {
    const clone = new Stage();
    try {
      copyLock(clone.project, film.name);
      const { exit, stdout, stderr } = await clone.run('plan', file, '--frozen');
      expect(exit, stderr + stdout).toBe(0);
    } finally {
      clone.dispose();
    }
  });
}

function testInTeam(film: Film): void {
  test(film.inTeam ?? '', async () => {
    const ours = stages.get(film)!;
    const theirs = await team.fetched(film);
    const digests = (stage: Stage) =>
      Object.fromEntries(Object.keys(film.draft).map(path => [path, stage.digest(`out/draft/${path}`)]));
    expect(digests(theirs)).toEqual(digests(ours));
    expect(lockContent(theirs, film)).toBe(lockContent(ours, film));
  });
}

/** `generate`, `cut`, `until`, … of its steps, with those of the files that it uses. */
function kindsOf({ name }: Film): readonly string[] {
  const path = `${name}.yaml`;
  const text = pipelineFiles().find(it => it.name === path)?.text ?? '';
  const { pipeline } = compile({ path, text }, modelLibrary, { files: filesBeside(path) });
  if (!pipeline) throw new Error(`${path} has a mistake`);
  return pipeline.steps.map(({ kind }) => kind);
}

const fileOf = ({ name }: Film) => `pipelines/${name}.yaml`;
const lockPath = ({ name }: Film) => `pipelines/${name}.lock.yaml`;

/** Below the folder, sorted. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

/** Without the moments of choices, and without a person's login at a team. Nothing else differs between two runs. */
const lockContent = (stage: Stage, film: Film) =>
  stage
    .read(lockPath(film))
    .replace(/^( +at: ).*$/gm, '$1…')
    .replace(/^ +login: .*\n/gm, '');

const look = async (path: string, as: Draft | undefined) => (as === 'text' ? 'text' : probe(path));

const rounded = (draft: Film['draft']) =>
  Object.fromEntries(
    Object.entries(draft).map(([path, facts]) => [
      path,
      facts === 'text' || facts.duration === undefined
        ? facts
        : { ...facts, duration: expect.closeTo(facts.duration, 1) },
    ]),
  );
