/**
 * `npm run films [NAME…] [-- --write]`: every film of `pipelines/` at full size, each in an empty HOME and a project of its own, as a fresh clone makes it.
 * Says for each how long it took, how large it is, and whether its lock is as committed; `--write` puts the new lock in its place. The films stand under
 * `out/films/` then, with a contact sheet of each, to be looked at; a film in which nothing is heard is an error. Digests hold for one class of processor: elsewhere other bytes are no fault.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { probe } from '../../src/media/probe.ts';
import { Stage } from '../e2e/stage.ts';
import { picturesOf, sheet } from '../gallery/sheet.ts';
import { needsText } from '../support/needs.ts';
import { committedLock, copyLock } from '../support/pipelines.ts';
import { FILMS, type Film, needsOf, sessionOf, unheardSeconds } from './films.ts';

const OUT = join('out', 'films');
const { values, positionals } = parseArgs({ allowPositionals: true, options: { write: { type: 'boolean' } } });
const unknown = positionals.filter(name => !FILMS.some(film => film.name === name));
if (unknown.length > 0) throw new Error(`no film ${unknown.join(', ')}: ${FILMS.map(({ name }) => name).join(', ')}`);

execFileSync(process.execPath, ['build.config.ts'], { stdio: 'inherit' });
for (const film of FILMS) if (positionals.length === 0 || positionals.includes(film.name)) await make(film);

async function make(film: Film): Promise<void> {
  const missing = needsText(...needsOf(film));
  if (missing) return failed(film, missing);
  const stage = new Stage();
  stage.films = 'drawn anew';
  try {
    if (!values.write) copyLock(stage.project, film.name);
    const began = performance.now();
    const wrong = await play(film, stage);
    if (wrong !== undefined) return failed(film, wrong);
    const seconds = (performance.now() - began) / 1000;
    const folder = join(OUT, film.name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(OUT, { recursive: true });
    cpSync(join(stage.project, 'out'), folder, { recursive: true });
    const files = globSync('**', { cwd: folder })
      .map(path => join(folder, path))
      .filter(path => statSync(path).isFile());
    const bytes = files.reduce((sum, path) => sum + statSync(path).size, 0);
    console.log(
      `${film.name.padEnd(24)} ${seconds.toFixed(0).padStart(4)} s  ${(bytes / 1e6).toFixed(1).padStart(6)} MB  lock ${lockOf(film, stage)}`,
    );
    await look(film, files);
    for (const path of files.filter(path => path.endsWith('.mp4'))) {
      const unheard = await unheardSeconds(path);
      if (unheard > (film.unheard ?? 0)) failed(film, `nothing is heard in ${unheard} s of ${path}`);
    }
  } finally {
    stage.dispose();
  }
}

/** What went wrong, if anything did. */
async function play(film: Film, stage: Stage): Promise<string | undefined> {
  // Decisions stand in the committed lock already: what is said to one that waits finds nothing to decide then.
  const decided = !values.write && existsSync(committedLock(film.name));
  for (const { command, exit } of decided ? [{ command: ['run'] as const, exit: 0 }] : sessionOf(film)) {
    const [name, ...more] = command;
    const ended = await stage.runAsProcess(name, `pipelines/${film.name}.yaml`, ...more);
    if (ended.exit !== exit) return `${command.join(' ')} ended with ${ended.exit}, not ${exit}:\n${ended.stderr}`;
  }
  return undefined;
}

/** The service gives every generation a new id, and a choice its moment: neither is part of the film. */
function content(lock: string): string {
  return lock.replaceAll(/^ +(generation|at): .*\n/gm, '');
}

function lockOf({ name }: Film, stage: Stage): string {
  const made = join(stage.project, `pipelines/${name}.lock.yaml`);
  const committed = committedLock(name);
  const isSame =
    existsSync(committed) && content(readFileSync(made, 'utf8')) === content(readFileSync(committed, 'utf8'));
  if (isSame) return 'as committed';
  if (!values.write) {
    process.exitCode = 1;
    return existsSync(committed) ? 'CHANGED: other bytes, or another film' : 'MISSING: --write commits it';
  }
  copyFileSync(made, committed);
  return 'written';
}

/** Frames of every picture and film, on one sheet. */
async function look({ name }: Film, files: readonly string[]): Promise<void> {
  const strips = [];
  for (const path of files.filter(path => /\.(mp4|mov|png|jpe?g|webp)$/.test(path))) {
    const facts = await probe(path);
    const shown = [
      `${facts.width}×${facts.height}`,
      facts.duration === undefined ? '' : `${facts.duration.toFixed(1)} s`,
    ];
    strips.push({
      title: `${relative(join(OUT, name), path)}  ${shown.join('  ')}`,
      pictures: await picturesOf({ path, facts }),
    });
  }
  if (strips.length > 0) writeFileSync(join(OUT, `${name}.png`), await sheet(name, strips));
}

function failed({ name }: Film, why: string): void {
  console.log(`${name.padEnd(24)} FAILED: ${why}`);
  process.exitCode = 1;
}
