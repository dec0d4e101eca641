/** `shotlist adopt FILE KEY MEDIA`: a person's own file replaces what an instance would make, until `--undo`. */
import { relative, resolve } from 'node:path';
import { adopt, giveUp } from '../../app/choices/adopt.ts';
import { whoDecides } from '../../app/choices/who-decides.ts';
import { inspectorLater } from '../../app/results/fetch-results.ts';
import { filmOf } from '../../app/state-folders.ts';
import { findProject } from '../../machine/files/project.ts';
import { systemClock } from '../../machine/time/clock.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { parseSelector, selects } from '../../model/selector.ts';
import { asTyped } from '../../model/text/clean.ts';
import { selectorMistake } from '../../plan/selector-messages.ts';
import { openJournal } from '../../records/journal/journal-file.ts';
import { LockFile, lockPath, lockSection, readLockText } from '../../records/lock/lock-file.ts';
import { lockOnDisk } from '../../records/lock/lock-keeper.ts';
import { nothingBehind, UsageError } from '../arguments.ts';
import { command } from '../command-line/read-arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import { jsonText, print, say } from '../outlets.ts';
import { chooseService, type ServiceChoice } from '../service/choose-service.ts';
import { givenName } from '../session/film-options.ts';
import { oneInstance } from '../session/named-answers.ts';
import { readText } from '../session/pipeline-text.ts';
import { filmAtService } from '../session/session.ts';

const EXAMPLE = "shotlist adopt FILE 'shot[beat=3]' my.mp4";

export const main = command('adopt', async ({ values, positionals }) => {
  const [file, text, path, ...more] = positionals;
  if (file === undefined || text === undefined) throw new UsageError(`which file, and which instance? ${EXAMPLE}`);
  nothingBehind(more, 'adopt', 'one file for one instance');
  givenName(values.as);
  if (values.undo && path !== undefined) throw new UsageError('--undo takes no file; leave it out');
  if (values.undo) return undo(file, text, await chooseService(file, values), values);
  if (path === undefined) throw new UsageError(`which file replaces it? ${EXAMPLE}`);
  await using film = await filmAtService(file, values, { to: 'run' });
  const { session } = film;
  const key = oneInstance(text, session.plan);
  const inspector = inspectorLater();
  const outcome = await adopt(session, {
    ...{ key, path, inspector, disk: lockOnDisk(session.lockPath) },
    by: await whoDecides({ given: values.as, environment: process.env, folder: session.root }),
    at: systemClock.now(),
  });
  if (outcome.is === 'refused') throw new CommandError(2, outcome.message);
  if (values.json) {
    const { sha256, notes } = outcome;
    print(jsonText({ version: 1, adopted: [{ key, file: path, sha256, notes }], lock: shown(session.lockPath) }));
    return 0;
  }
  say(
    `${key} is ${asTyped(path)} from here on (sha256 ${outcome.sha256.slice(0, 12)}…); commit ${shown(session.lockPath)}`,
  );
  for (const note of outcome.notes) say(note);
  say(`to give it up: shotlist adopt ${asTyped(file)} ${asTyped(key)} --undo`);
  return 0;
});

/** Nothing is planned for it: what was adopted may be what keeps the film from being planned. */
async function undo(
  file: string,
  text: string,
  { name: service, profile }: ServiceChoice,
  { json }: { readonly json: boolean },
): Promise<0> {
  readText(file);
  const project = await findProject(file, resolve());
  const path = lockPath(project.pipelineFile);
  await using after = new AsyncDisposableStack();
  // No other process runs the film meanwhile.
  const journal = openJournal({
    folder: project.stateFolder,
    film: filmOf(project, profile),
    clock: systemClock,
    to: 'run',
  });
  after.defer(() => journal.close());
  const lock = LockFile.open(readLockText(path, shown(path)), lockSection(service, profile), shown(path), false);
  const adopted = [...lock.adoptions().keys()];
  const selector = parseSelector(text);
  const keys = adopted.filter(key => selector && selects(selector, key));
  if (adopted.length === 0) throw new UsageError(`nothing of ${asTyped(file)} is adopted on ${service}`);
  if (keys.length === 0) throw new UsageError(`${notAdopted(text, adopted)}`);
  for (const key of keys) {
    await giveUp(key, { lock, path: shown(path), disk: lockOnDisk(path) });
    if (!json) say(`${key} is made by its step again`);
  }
  if (json) print(jsonText({ version: 1, given_up: keys, lock: shown(path) }));
  return 0;
}

const notAdopted = (text: string, adopted: readonly InstanceKey[]): string =>
  parseSelector(text)
    ? `${asTyped(text)} is not adopted; adopted are ${adopted.join(', ')}`
    : selectorMistake(text, [], []);

const shown = (path: string): string => relative(resolve(), path);
