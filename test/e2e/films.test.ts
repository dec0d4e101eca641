/**
 * What a new user does: an empty HOME, no account, no key, no terminal. Every film of `pipelines/`, small and quick, is what its file asks for,
 * and a team of two workers that makes it meanwhile makes the same, byte for byte.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { probe } from '../../src/media/probe.ts';
import { type Draft, FILMS, type Film, missingFor, sessionOf } from '../films/films.ts';
import { committedLock, copyLock, pipelineFiles } from '../support/pipelines.ts';
import { type FilmsInTeam, filmsInTeam } from './films-in-team.ts';
import { Stage } from './stage.ts';

const QUICK = { SHOTLIST_STUDIO_SPEED: 'draft' };
let team: FilmsInTeam;
beforeAll(() => {
  team = filmsInTeam(
    FILMS.filter(film => missingFor(film) === undefined),
    QUICK,
  );
});
afterAll(() => team.close());

test('every pipeline is one of the films', () => {
  const pipelines = pipelineFiles().map(({ name }) => name);
  expect(FILMS.map(({ name }) => `${name}.yaml`)).toEqual(pipelines);
});

for (const film of FILMS) {
  const missing = missingFor(film);
  describe.skipIf(missing)(`pipelines/${film.name}.yaml${missing ? ` (skipped: ${missing})` : ''}`, () => told(film));
}

function told(film: Film): void {
  const file = `pipelines/${film.name}.yaml`;
  let stage: Stage;
  beforeAll(() => {
    stage = new Stage();
    stage.env = QUICK;
  });
  afterAll(() => stage.dispose());

  test('becomes files of the documented size, length, codec and sound', { timeout: 600_000 }, async () => {
    for (const { command, exit } of sessionOf(film)) {
      const [name, ...more] = command;
      const ended = await stage.run(name, file, ...more);
      expect(ended.exit, ended.stderr).toBe(exit);
    }
    const made = await Promise.all(
      filesIn(join(stage.project, 'out')).map(
        async path => [path, await look(join(stage.project, 'out', path), film.draft[path])] as const,
      ),
    );
    expect(Object.fromEntries(made)).toMatchObject(rounded(film.draft));
    expect(made.map(([path]) => path)).toEqual(Object.keys(film.draft).sort());
  });

  test('a second run spends nothing and says so', async () => {
    const { exit, stderr, stdout } = await stage.run('run', file);
    expect(exit, stderr).toBe(0);
    expect(stderr).toContain('nothing spent');
    expect(stderr).not.toMatch(/\d made/);
    expect(stdout.trim().split('\n').sort()).toEqual(
      Object.keys(film.draft)
        .map(path => `out/${path}`)
        .sort(),
    );
  });

  test('the lock says what every instance gave, and nothing of this machine', () => {
    const lock = stage.read(`pipelines/${film.name}.lock.yaml`);
    expect(lock.match(/^ {4}\S.*:$/gm)).toMatchSnapshot();
    expect(lock).not.toMatch(/http|\/home|\/tmp/);
  });

  test('a team makes the same of it: every file, and the lock', { timeout: 600_000 }, async () => {
    const theirs = await team.fetched(film);
    const digests = (of: Stage) => Object.fromEntries(Object.keys(film.draft).map(path => [path, digestOf(of, path)]));
    expect(digests(theirs)).toEqual(digests(stage));
    expect(lockOf(theirs, film)).toBe(lockOf(stage, film));
  });

  const isLocked = existsSync(committedLock(film.name));
  const lock = isLocked
    ? 'the lock beside it'
    : 'the lock (skipped: none is committed, `npm run films -- --write` makes it)';
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

/** Below the folder, sorted. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

const digestOf = ({ project }: Stage, path: string) =>
  createHash('sha256')
    .update(readFileSync(join(project, 'out', path)))
    .digest('hex');

/** But for what differs between any two runs: the ids that the service gives, and the moments of choices. */
const lockOf = (of: Stage, { name }: Film) =>
  of.read(`pipelines/${name}.lock.yaml`).replace(/^( +(?:generation|at): ).*$/gm, '$1…');

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
