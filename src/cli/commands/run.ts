/** `shotlist run FILE`: makes the film. The same command goes on after any interruption. */
import { randomUUID } from 'node:crypto';
import { join, relative } from 'node:path';
import { asTyped } from '../../domain/as-typed.ts';
import { leftBilling } from '../../domain/story.ts';
import { systemClock } from '../../host/clock.ts';
import { writeAtomically } from '../../host/files.ts';
import { CommandRunner } from '../../host/processes.ts';
import type { World } from '../../run/context.ts';
import { digestOf } from '../../run/lock.ts';
import { type Outcome, type Run, start } from '../../run/run.ts';
import { oneFile, oneOf, parse } from '../arguments.ts';
import { fetchResults } from '../fetch-results.ts';
import { guarded } from '../guarded.ts';
import { neverWrite, print } from '../outlets.ts';
import { givenParams, PARAM_OPTIONS } from '../params.ts';
import { chooseReporters, UIS } from '../reporters.ts';
import { secretTexts } from '../secret-texts.ts';
import { chooseService } from '../service.ts';
import { openSession, type Session } from '../session.ts';
import { INTERRUPTED, interruptibleByReaders } from '../signals.ts';

const EXIT = { done: 0, failed: 1, unreachable: 6, interrupted: INTERRUPTED } as const;

export const main = guarded(async args => {
  const { values, positionals } = parse(args, {
    ...PARAM_OPTIONS,
    service: { type: 'string' },
    ui: { type: 'string' },
    'on-unknown': { type: 'string' },
    'on-interrupt': { type: 'string' },
    draft: { type: 'boolean', default: false },
  });
  const file = oneFile(positionals, 'run');
  const again = ['shotlist', 'run', ...args].map(asTyped).join(' ');
  const ui = values.ui === undefined ? undefined : oneOf(values.ui, UIS, 'ui');
  const onUnknown =
    values['on-unknown'] === undefined ? undefined : oneOf(values['on-unknown'], ['fail', 'resubmit'], 'on-unknown');
  const onInterrupt =
    values['on-interrupt'] === undefined
      ? undefined
      : oneOf(values['on-interrupt'], ['detach', 'cancel'], 'on-interrupt');
  const choice = await chooseService(file, { service: values.service, draft: values.draft });
  await using after = new AsyncDisposableStack();
  const service = await choice.connect();
  after.defer(() => service.close());
  const session = await openSession({
    file,
    params: givenParams(values),
    service: choice.name,
    hosted: choice.hosted ? service : undefined,
    elsewhere: choice.elsewhere,
    chatBy: choice.chatBy,
  });
  after.defer(() => session.close());
  const secrets = secretTexts(choice.key, session.pipeline, process.env);
  neverWrite(secrets);
  const commands = new CommandRunner({ environment: process.env, atOnce: choice.limits.commands, secrets });
  after.defer(() => commands.close());
  const told = ui ?? choice.ui;
  const reporters = await chooseReporters(told, again);
  after.defer(async () => {
    for (const reporter of reporters) await reporter.close();
  });
  const world: World = {
    service,
    journal: session.journal,
    store: session.store,
    clock: systemClock,
    newId: randomUUID,
    commands,
    probe: probeLater,
    fetchResult: fetchResults(session.store, choice.baseUrl),
    reporters,
    planContext: session.context,
    settings: {
      limits: choice.limits,
      onUnknown: onUnknown ?? choice.onUnknown,
      onInterrupt: onInterrupt ?? choice.onInterrupt,
      pace: choice.pace,
      patience: 120_000,
      settleUnknown: 2_000,
      root: session.root,
      work: session.runs,
      resume: again,
      localStudio: !choice.hosted,
      elsewhere: choice.elsewhere,
    },
  };
  const outcome = await untilDone(start(session.plan, world), choice.hosted);
  await writeLock(session, outcome);
  if (told !== 'json' && !process.stdout.isTTY) printFilms(session, outcome);
  return EXIT[outcome.is];
});

/** The first signal detaches; the second ends this process where it stands: the journal knows the rest. */
async function untilDone(run: Run, hosted: boolean): Promise<Outcome> {
  const letGo = interruptibleByReaders(
    () => run.detach(),
    // The studio in this process costs nothing, and ends with it.
    () => (hosted ? run.billing().map(leftBilling) : []),
  );
  try {
    return await run.done;
  } finally {
    letGo();
  }
}

/** The story goes to stderr; whoever pipes stdout gets the films, one path a line, as they are reached from here. */
function printFilms({ plan, root }: Session, { results }: Outcome): void {
  const films = plan.outputs.filter(output => results.has(output.instance));
  for (const { path } of films) print(`${relative(process.cwd(), join(root, path))}\n`);
}

async function writeLock(session: Session, { results }: Outcome): Promise<void> {
  const { plan, lock, lockPath, journal } = session;
  const changed = plan.instances.some(({ key, decision }) => decision.is !== 'hit' && results.has(key));
  // Where there is nothing to keep, no empty file is left in git.
  if (!changed && (lock.isOurs || (lock.text === undefined && results.size === 0))) return;
  const text = lock.with(
    plan.instances.map(({ key, step }) => ({
      key,
      model: step.kind === 'generate' ? step.model : step.kind,
      done: results.get(key),
    })),
  );
  if (text !== lock.text) await writeAtomically(lockPath, text);
  journal.setNote('lock', digestOf(text));
}

async function probeLater(path: string) {
  const { probe } = await import('../../media/probe.ts');
  return probe(path).catch(() => null);
}
