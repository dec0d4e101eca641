/** `shotlist store check|push [FILE…]`: what a team's store has of the results that lock files name, and what it is sent. */
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { LocalStore } from '../../artifacts/local-store.ts';
import { findProject } from '../../host/project.ts';
import { openShared } from '../../session/shared-results.ts';
import { lockOf, locksIn, sendAll, survey, toSend } from '../../session/shared-survey.ts';
import { UsageError } from '../arguments.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import { withExitCode } from '../errors/exit-code.ts';
import { print, say } from '../outlets.ts';
import { storeMessages as messages, surveyText } from '../report/store-messages.ts';
import { chooseService } from '../service/choose-service.ts';
import { indentedJson } from '../terminal/indented-json.ts';
import { INTERRUPTED, onInterrupt } from '../terminal/signals.ts';

export const main = withExitCode(async args => {
  const { values, positionals } = readArguments('store', args);
  const [deed, ...files] = positionals;
  if (deed !== 'check' && deed !== 'push') throw new UsageError(messages.whichDeed(deed));
  const [first = join(resolve(), 'film.yaml')] = files;
  const project = await findProject(first, resolve());
  const { store: choice } = await chooseService(first, {});
  if (!choice) throw new UsageError(messages.unset());
  if (deed === 'push' && !choice.settings.write) throw new UsageError(messages.readOnly(choice.settings.where));
  const locks = files.length > 0 ? files.map(file => resolve(lockOf(file))) : await locksIn(project.root);
  if (locks.length === 0) throw new UsageError(messages.noLocks());
  for (const lock of locks) if (!existsSync(lock)) throw new UsageError(messages.noLock(relative(resolve(), lock)));
  const stop = new AbortController();
  await using after = new AsyncDisposableStack();
  after.defer(onInterrupt(() => stop.abort()));
  const store = await LocalStore.open(join(project.stateFolder, 'store'));
  const shared = await openShared(choice, store);
  after.defer(async () => void (await shared.end({ wait: 'for nothing' })));
  const seen = await survey(locks, { root: project.root, store, shared }, stop.signal);
  if (stop.signal.aborted) return INTERRUPTED;
  if (seen.problem !== undefined) throw new CommandError(1, messages.cannotTell(shared.to, seen.problem));
  if (!values.json) for (const line of surveyText(shared.to, seen)) print(`${line}\n`);
  const missing = seen.contents.filter(({ there }) => there !== 'there').length;
  if (deed === 'check') {
    if (values.json) print(`${indentedJson({ version: 1, store: shared.to, results: jsonOf(seen.contents) })}\n`);
    return missing === 0 ? 0 : 1;
  }
  sendAll(seen, { store, shared });
  const ended = await shared.end({ wait: 'for all', say, signal: stop.signal });
  for (const line of ended.said) say(line);
  const { sent, bytes } = ended;
  const results = jsonOf(seen.contents);
  if (values.json) print(`${indentedJson({ version: 1, store: shared.to, results, sent, bytes })}\n`);
  if (stop.signal.aborted) return INTERRUPTED;
  return sent === toSend(seen).length ? 0 : 1;
});

const jsonOf = (contents: Awaited<ReturnType<typeof survey>>['contents']) =>
  contents.map(({ sha256, bytes, of, here, there }) => ({ sha256, bytes, of: [...of], here, there }));
