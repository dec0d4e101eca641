/**
 * What a film needs of its project on another machine, by content, in the team's store: the pipeline with all that it uses and reads, local
 * media, what its commands name below `$SHOTLIST_PROJECT`, its lock, and the results that the lock names. Nothing else of the project goes.
 */
import { createReadStream, existsSync, realpathSync, statSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import type { Film } from '../../app/film/open-film.ts';
import { sendAll, survey } from '../../app/results/shared-survey.ts';
import { openShared, type StoreChoice } from '../../app/results/team-store.ts';
import { MAX_TEXT_BYTES, readOutsideFile } from '../../machine/files/outside-file.ts';
import { isInside, type Project } from '../../machine/files/project.ts';
import { Refusal } from '../../model/run/decision-page.ts';
import { digestOf } from '../../records/store/digest.ts';
import type { SharedResults } from '../../records/store/shared/shared-results.ts';
import type { Store } from '../../records/store/store.ts';
import { teamMessages as messages } from '../client/team-messages.ts';
import type { Manifest } from '../runs/run-rows.ts';
import { programsOf, shownIn } from './undeclared-files.ts';

interface ProjectToPack {
  readonly project: Project;
  readonly film: Pick<Film, 'lock' | 'lockPath' | 'pipeline'>;
  /** Every file that was looked for while the film was read, absolute, also those that are not there. */
  readonly looked: Iterable<string>;
}

/** @throws Refusal for a file that lies outside of the project. */
export async function manifestOf({ project, film, looked }: ProjectToPack): Promise<Manifest> {
  const { root, pipelineFile } = project;
  const files = new Set([pipelineFile, film.lockPath, ...looked, ...programsOf(film.pipeline, root)]);
  for (const path of [...files]) for (const named of namedByCommands(path, root)) files.add(named);
  for (const { adopted } of film.lock.adoptions().values()) files.add(resolve(root, adopted.file));
  const there = [...files].filter(isFile).sort();
  const realRoot = realpathSync(root);
  const leaving = there.filter(path => !isInside(realpathSync(path), realRoot));
  const isLink = (path: string) => isInside(path, root);
  const outside = leaving.filter(path => !isLink(path));
  if (outside.length > 0) throw new Refusal(messages.outside(outside, root));
  // The target of a link in another person's project is not the project's to submit.
  if (leaving.length > 0)
    throw new Refusal(messages.linksOutside(leaving.map(path => [shownIn(root, path), realpathSync(path)])));
  const entries = there.map(async path => {
    const named = isInside(path, root) ? shownIn(root, path) : shownIn(realRoot, realpathSync(path));
    return [named, { ...(await digestOf(path)), ...(mayRun(path) && { executable: true as const }) }] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

const mayRun = (path: string): boolean => (statSync(path).mode & 0o100) !== 0;

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

/** A script, or another file that a command reads: `$SHOTLIST_PROJECT/scripts/beats.py`. */
function namedByCommands(path: string, root: string): readonly string[] {
  if (!/\.ya?ml$/i.test(path) || !isFile(path)) return [];
  // Larger ones are data.
  if (statSync(path).size > MAX_TEXT_BYTES) return [];
  const named = readOutsideFile(path)
    .toString('utf8')
    .matchAll(/\$\{?SHOTLIST_PROJECT\}?["']?\/([\w.@+/-]+)/g);
  return [...named].map(([, file = '']) => join(root, file)).filter(file => isInside(file, root));
}

interface Packing {
  readonly store: Store;
  readonly choice: StoreChoice;
  readonly project: Project;
  readonly film: Pick<Film, 'lockPath'>;
  readonly say: (line: string) => void;
}

/** Brings everything that is not there yet. @throws Refusal where not all of it came to be there. */
export async function send(
  manifest: Manifest,
  { store, choice, project, film, say }: Packing,
  signal: AbortSignal,
): Promise<void> {
  const wanted = new Map(Object.entries(manifest).map(([path, { sha256 }]) => [sha256, path]));
  const shared = await openShared(choice, store);
  let missing: readonly string[] = [];
  try {
    missing = await missingOf(wanted.keys(), shared, signal);
    for (const sha256 of missing) {
      const path = join(project.root, wanted.get(sha256) ?? '');
      const kept = await store.put(createReadStream(path), extname(path).toLowerCase());
      if (kept.sha256 !== sha256) throw new Refusal(messages.changedMeanwhile(path));
      shared.share({ sha256, extension: extname(kept.file) });
    }
    if (existsSync(film.lockPath))
      sendAll(await survey([film.lockPath], { root: project.root, store, shared }, signal), { store, shared });
  } finally {
    const { reported: problems } = await shared.end({ wait: 'for all', say, signal });
    for (const line of problems) say(line);
  }
  if (missing.length === 0) return;
  // Another process may have uploaded the same meanwhile: what is there counts.
  const again = await openShared(choice, store);
  try {
    const left = await missingOf(missing, again, signal);
    if (left.length > 0)
      throw new Refusal(
        messages.notSent(
          left.map(sha256 => wanted.get(sha256) ?? sha256),
          again.to,
        ),
      );
  } finally {
    await again.end({ wait: 'for nothing' });
  }
}

/** @throws Refusal where the store cannot tell. */
async function missingOf(
  digests: Iterable<string>,
  shared: SharedResults,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const looked = await shared.ask(digests, signal);
  for (const answer of looked.values())
    if (answer.is === 'fault') throw new Refusal(messages.storeSilent(shared.to, answer.message));
  return [...looked].filter(([, { is }]) => is === 'missing').map(([sha256]) => sha256);
}
