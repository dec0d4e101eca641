/**
 * What the journal knows a command without a file by. Equal requests are one film, so that whatever one command left open the same
 * command finds; while it is being run, another of the kind takes a place beside it.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LocalStore } from '../../artifacts/local-store.ts';
import type { Event, Stamped } from '../../domain/event.ts';
import type { InstanceKey, RunId } from '../../domain/key.ts';
import type { Result } from '../../domain/result.ts';
import { systemClock } from '../../host/clock.ts';
import { CommandRunner } from '../../host/command-runner.ts';
import { findProject } from '../../host/project.ts';
import { FilmBusy, isRunning, openJournal } from '../../run/local/journal-file.ts';
import type { LocalJournal } from '../../run/local/local-journal.ts';
import type { Submission } from '../../run/requests/ledger.ts';
import { Stop } from '../errors/command-error.ts';
import { HERE, type OneOff } from '../service/with-service.ts';
import { failpointFrom } from '../session/failpoint-setting.ts';
import { secretTexts } from '../session/secret-texts.ts';
import { placesOf } from '../session/state-folders.ts';
import type { Staged } from '../session/world.ts';

type OnStage = Pick<
  Staged,
  'choice' | 'service' | 'journal' | 'store' | 'commands' | 'secrets' | 'failpoint' | 'isRunning'
>;

/** All that a one-step run is staged with, beside its plan and who is told of it. */
export interface OneFilm extends OnStage, AsyncDisposable {
  readonly root: string;
  /** Absolute. */
  readonly work: string;
}

/** @throws {Refusal} when the journal cannot be used: nothing was sent. */
export async function openOneFilm({ service, choice }: OneOff, name: string, key: InstanceKey): Promise<OneFilm> {
  const failpoint = failpointFrom(process.env);
  const project = await findProject(HERE, process.cwd());
  const { store: shelves } = await placesOf(project);
  const folder = project.stateFolder;
  const journal = await openPlace(folder, name, key, () => failpoint('journal-committing'));
  const secrets = secretTexts(choice.key, { env: [] }, process.env);
  journal.hiding(value => secrets.redactIn(value));
  const commands = new CommandRunner({ environment: process.env, atOnce: choice.limits.commands, secrets });
  return {
    ...{ choice, service, journal, commands, secrets, failpoint },
    store: await LocalStore.open(shelves),
    isRunning: film => isRunning(folder, film),
    root: project.root,
    work: join(folder, 'runs', journal.film),
    [Symbol.asyncDispose]: async () => {
      await commands.close();
      await journal.close();
    },
  };
}

/** More at once than anybody waits for. */
const MOST = 1_000;

/** The first that nobody is at; rather one that was left with something to take up. */
async function openPlace(
  folder: string,
  name: string,
  key: InstanceKey,
  committing: () => void,
): Promise<LocalJournal> {
  let free: LocalJournal | undefined;
  for (let nth = 1; nth <= MOST; nth++) {
    const film = nth === 1 ? name : `${name}-${nth}`;
    const isNew = !existsSync(join(folder, 'runs', film));
    if (isNew && free) return free;
    if (!isNew && isRunning(folder, film)) continue;
    const journal = unlessBusy(() => openJournal({ folder, film, clock: systemClock, to: 'run', committing }));
    if (journal === undefined) continue;
    if (isNew || journal.ledger.open.length > 0 || notGiven(journal, key) !== undefined) {
      await free?.close();
      return journal;
    }
    if (free) await journal.close();
    else free = journal;
  }
  if (free) return free;
  throw new Stop(2, `${MOST} of these are being made at this moment: wait for one of them to end`);
}

function unlessBusy(open: () => LocalJournal): LocalJournal | undefined {
  try {
    return open();
  } catch (error) {
    if (error instanceof FilmBusy) return undefined;
    throw error;
  }
}

/** Paid for and here, and the command ended before it was handed over. */
export function notGiven(journal: LocalJournal, key: InstanceKey): Result | undefined {
  const made = journal.lastSuccess(key);
  return made === undefined || made.run === journal.note('given') ? undefined : made.event.result;
}

/** It was handed over: whoever gives the command again wants another one. */
export async function given(journal: LocalJournal, key: InstanceKey): Promise<void> {
  const made = journal.lastSuccess(key);
  if (made) await journal.setNote('given', made.run);
}

/** A person gives these up: they are waited for no more. */
export async function giveUp(chosen: readonly Submission[], journal: LocalJournal): Promise<void> {
  for (const { key, nonce, fingerprint } of chosen) {
    const event: Event = { type: 'submission_forgotten', key, nonce, fingerprint };
    const stamped: Stamped = journal.stamp(event);
    journal.append(`forgotten ${nonce}` as RunId, stamped);
  }
  await journal.commit();
}
