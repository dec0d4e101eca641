/**
 * `shotlist cancel FILE [KEY…]`: ends what earlier runs left going on at the service: generations, and deployments they brought up.
 * The outcome of each is journalled.
 */

import { filmOf } from '../../app/state-folders.ts';
import { findProject } from '../../machine/files/project.ts';
import { systemClock } from '../../machine/time/clock.ts';
import { stepOf } from '../../model/run/key.ts';
import { parseSelector, selectorsIn, selects } from '../../model/selector.ts';
import { asTyped } from '../../model/text/clean.ts';
import { nearest } from '../../model/text/nearest.ts';
import { FilmBusy } from '../../records/journal/film-lease.ts';
import { isThere, openJournal } from '../../records/journal/journal-file.ts';
import type { LocalJournal } from '../../records/journal/local-journal.ts';
import { addressIn, isAt, type Submission } from '../../records/views/ledger.ts';
import { UsageError } from '../arguments.ts';
import { command } from '../command-line/read-arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import type { ExitCode } from '../errors/exit-codes.ts';
import { jsonText, print, say } from '../outlets.ts';
import { chooseService } from '../service/choose-service.ts';
import { cancelSubmission, type EndResult, endDeployment, forgetGenerations } from '../service/end-at-service.ts';
import { readText } from '../session/pipeline-text.ts';
import { untilInterrupted } from '../terminal/signals.ts';

export const main = command('cancel', async ({ values, positionals }) => {
  const [file, ...given] = positionals;
  const keys = given.flatMap(selectorsIn);
  if (file === undefined) throw new UsageError('which file? shotlist cancel FILE [KEY…]');
  // A mistyped name shall not read as a film with nothing open.
  readText(file);
  if (values.forget && keys.length === 0) throw new UsageError('which? shotlist cancel FILE KEY… --forget');
  const choice = await chooseService(file, values);
  const { name } = choice;
  await using after = new AsyncDisposableStack();
  const journal = await journalOf(file, choice.profile);
  if (journal === undefined) return report([], values, `nothing of ${file} is open at ${name}`);
  after.defer(() => journal.close());
  const service = await choice.connect();
  after.defer(() => service.close());
  const { open } = journal.views.ledger;
  const candidates = values.forget ? [...open, ...journal.views.sent.lost()] : open.filter(one => isAt(one, service));
  const chosen = keys.length === 0 ? candidates : chosenBy(keys, candidates);
  using stop = untilInterrupted();
  const context = { service, journal, file, signal: stop.signal, clock: systemClock };
  if (values.forget) return report(await forgetGenerations(chosen, context), values);
  // A deployment serves the whole film: it stays where only some keys are cancelled.
  const deployments = keys.length === 0 ? [...journal.views.activations(name).values()] : [];
  const results: EndResult[] = await Promise.all(chosen.map(one => cancelSubmission(one, context)));
  for (const activation of deployments) results.push(await endDeployment(activation, context));
  const elsewhere = new Set(open.filter(one => !isAt(one, service)).map(({ account = '' }) => addressIn(account)));
  const more = [...elsewhere].map(at => `some of it is open at ${at}: give the command again for that service`);
  const nothing = results.length === 0 ? [`nothing of ${file} is open at ${name}`] : [];
  return report(results, values, ...nothing, ...more);
});

/** The exit code: 1 where anything may go on that was asked to end. */
function report(
  results: readonly EndResult[],
  { json }: { readonly json: boolean },
  ...more: readonly string[]
): ExitCode {
  if (json) print(jsonText(results.map(({ line: _line, ...one }) => one)));
  else for (const { line } of results) say(line);
  if (!json) for (const line of more) say(line);
  return results.every(({ open }) => !open) ? 0 : 1;
}

/** Undefined where nothing was ever run. */
async function journalOf(file: string, profile: string | undefined): Promise<LocalJournal | undefined> {
  const project = await findProject(file, process.cwd());
  const { stateFolder: folder } = project;
  const film = filmOf(project, profile);
  if (!isThere(folder, film)) return undefined;
  try {
    return openJournal({ folder, film, clock: systemClock, to: 'run' });
  } catch (error) {
    if (!(error instanceof FilmBusy)) throw error;
    const again = `\`shotlist run --on-interrupt cancel ${asTyped(file)}\``;
    throw new CommandError(
      2,
      `a run of ${file} is going on: press Ctrl-C there (it lets go), then cancel; a run started as ${again} cancels by itself when it is stopped`,
    );
  }
}

/** `shot` selects all its instances, `shot[beat=3]` all its takes. */
function chosenBy(keys: readonly string[], open: readonly Submission[]): readonly Submission[] {
  const chosen = new Set<Submission>();
  for (const key of keys) {
    const selector = parseSelector(key);
    const found = open.filter(one => one.key === key || (selector && selects(selector, one.key)));
    for (const one of found) chosen.add(one);
    if (found.length > 0) continue;
    const near = nearest(key, new Set(open.flatMap(one => [one.key as string, stepOf(one.key) as string])));
    const known = open.length === 0 ? 'nothing is open' : `open: ${open.map(one => one.key).join(', ')}`;
    throw new UsageError(`${key} is not open at the service; ${near === undefined ? known : `did you mean ${near}?`}`);
  }
  return open.filter(one => chosen.has(one));
}
