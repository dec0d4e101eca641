/** `shotlist store check|push [FILE…]`: what a team's store has of the results that lock files name, and what it is sent. */
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import {
  lockOf,
  locksIn,
  type Survey,
  type SurveyedContent,
  sendAll,
  survey,
  toSend,
} from '../../app/results/shared-survey.ts';
import { openShared } from '../../app/results/team-store.ts';
import { findProject } from '../../machine/files/project.ts';
import { asTyped, cleanText } from '../../model/text/clean.ts';
import { counted, formatBytes } from '../../model/text/format.ts';
import { nearest } from '../../model/text/nearest.ts';
import { LocalStore } from '../../records/store/local-store.ts';
import { UsageError } from '../arguments.ts';
import { command } from '../command-line/read-arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import { jsonText, print, say } from '../outlets.ts';
import { chooseService } from '../service/choose-service.ts';
import { INTERRUPTED, untilInterrupted } from '../terminal/signals.ts';

export const main = command('store', async ({ values, positionals }) => {
  const [action, ...files] = positionals;
  if (action !== 'check' && action !== 'push') throw new UsageError(storeMessages.whichAction(action));
  const [first = join(resolve(), 'film.yaml')] = files;
  const project = await findProject(first, resolve());
  const { store: choice } = await chooseService(first, {});
  if (!choice) throw new UsageError(storeMessages.unset());
  if (action === 'push' && !choice.settings.write) throw new UsageError(storeMessages.readOnly(choice.settings.where));
  const locks = files.length > 0 ? files.map(file => resolve(lockOf(file))) : await locksIn(project.root);
  if (locks.length === 0) throw new UsageError(storeMessages.noLocks());
  for (const lock of locks)
    if (!existsSync(lock)) throw new UsageError(storeMessages.noLock(relative(resolve(), lock)));
  using stop = untilInterrupted();
  await using after = new AsyncDisposableStack();
  const store = await LocalStore.open(join(project.stateFolder, 'store'));
  const shared = await openShared(choice, store);
  after.defer(async () => void (await shared.end({ wait: 'for nothing' })));
  const seen = await survey(locks, { root: project.root, store, shared }, stop.signal);
  if (stop.signal.aborted) return INTERRUPTED;
  if (seen.problem !== undefined) throw new CommandError(1, storeMessages.unknownAt(shared.to, seen.problem));
  if (!values.json) for (const line of surveyText(shared.to, seen)) print(`${line}\n`);
  const missing = seen.contents.filter(({ there }) => there !== 'there').length;
  if (action === 'check') {
    if (values.json) print(jsonText({ version: 1, store: shared.to, results: jsonOf(seen.contents) }));
    return missing === 0 ? 0 : 1;
  }
  sendAll(seen, { store, shared });
  const ended = await shared.end({ wait: 'for all', say, signal: stop.signal });
  for (const line of ended.reported) say(line);
  const { sent, bytes } = ended;
  const results = jsonOf(seen.contents);
  if (values.json) print(jsonText({ version: 1, store: shared.to, results, sent, bytes }));
  if (stop.signal.aborted) return INTERRUPTED;
  return sent === toSend(seen).length ? 0 : 1;
});

const jsonOf = (contents: Awaited<ReturnType<typeof survey>>['contents']) =>
  contents.map(({ sha256, bytes, of, here, there }) => ({ sha256, bytes, of: [...of], here, there }));

const ACTIONS = ['check', 'push'] as const;
/** Instances that are named. */
const NAMED = 10;

const storeMessages = {
  whichAction: (given: string | undefined): string => {
    const near = given === undefined ? undefined : nearest(given, ACTIONS);
    const instead = near ? `; did you mean ${asTyped(near)}?` : '';
    return `shotlist store check, or shotlist store push${instead}`;
  },
  unset: (): string =>
    'no store is set; write `store: s3://BUCKET/FOLDER`, or a folder that all of the team can reach, into shotlist.config.yaml',
  noLock: (path: string): string => `there is no ${cleanText(path)}: nothing of that film was made yet`,
  noLocks: (): string => 'this project has no lock file: nothing was made yet',
  readOnly: (where: string): string => `${where} says \`write: false\`: nothing is sent from here`,
  unknownAt: (to: string, why: string): string => `${to}: ${why}`,
} as const;

const files = (count: number): string => counted(count, 'file');
const sum = (contents: readonly SurveyedContent[]): number => contents.reduce((all, { bytes }) => all + bytes, 0);

function surveyText(to: string, survey: Survey): readonly string[] {
  const { contents } = survey;
  const there = contents.filter(one => one.there === 'there');
  const up = toSend(survey);
  const gone = contents.filter(one => !one.here && (one.there === 'missing' || one.there === 'other'));
  const linesOf = (what: readonly SurveyedContent[], words: string) =>
    what.length === 0 ? [] : [`${files(what.length)} (${formatBytes(sum(what))}) ${words}`];
  return [
    ...linesOf(there, `${there.length === 1 ? 'is' : 'are'} in ${to}`),
    ...linesOf(up, `${up.length === 1 ? 'is' : 'are'} here alone, and would go up`),
    ...named(up),
    ...linesOf(
      gone,
      `${gone.length === 1 ? 'is' : 'are'} neither there nor here: whoever has made ${gone.length === 1 ? 'it' : 'them'} can push ${gone.length === 1 ? 'it' : 'them'}`,
    ),
    ...named(gone),
    ...(contents.length === 0 ? ['the lock names no file'] : []),
  ];
}

function named(contents: readonly SurveyedContent[]): readonly string[] {
  const lines = contents
    .slice(0, NAMED)
    .map(
      ({ of, bytes, there }) =>
        `  ${cleanText(of[0] ?? '')} (${formatBytes(bytes)}${there === 'other' ? '; something else is under its name' : ''})`,
    );
  return contents.length > NAMED
    ? [...lines, `  and ${(contents.length - NAMED).toLocaleString('en-US')} more`]
    : lines;
}
