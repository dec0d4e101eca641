/**
 * Ends deployments that runs of a team activated, once no worker has led their film for ten minutes: the worker left or died and no other one
 * went on, or the run failed before it could end them. A deployment bills by the second, so any worker that knows the service ends it. The
 * worker takes the film's epoch first, so that a former lead that was only frozen writes nothing more, and asks the service while no
 * other lead of the film can begin.
 */
import { randomUUID } from 'node:crypto';
import type { RunId } from '../../model/run/key.ts';
import { isAt } from '../../records/views/ledger.ts';
import { appendEnd, cancelAt } from '../../run/requests/cancel.ts';
import { BEAT, type Deactivated, deactivateModel } from '../../run/requests/deployments.ts';
import { projectOf } from '../client/team-project.ts';
import { TeamJournal } from '../journal/team-journal.ts';
import { runRow } from '../runs/run-rows.ts';
import { claimFilm, findOrphanedDeployments, type OrphanedDeployment, whileLeading } from '../runs/upkeep.ts';
import type { Leading } from './lead-run.ts';

type Needs = Pick<Leading, 'team' | 'queue' | 'folders' | 'clock' | 'serviceFor' | 'changed'>;

export interface EndedDeployment {
  readonly run: string;
  readonly model: string;
  readonly ended: Exclude<Deactivated, { readonly is: 'left' }>;
}

/** Milliseconds without a lead after which a deployment is ended. */
const MAX_WITHOUT_LEAD = 10 * 60_000;

/**
 * Returns the deployments that it ended or tried to end. One that could not be ended stays open in the journal, and the next call tries again.
 * @throws errors of the database.
 */
export async function endOrphanedDeployments(needs: Needs, signal: AbortSignal): Promise<readonly EndedDeployment[]> {
  const ended: EndedDeployment[] = [];
  for (const orphan of await findOrphanedDeployments(needs.team, needs.queue, MAX_WITHOUT_LEAD)) {
    if (signal.aborted) break;
    const one = await end(orphan, needs, signal);
    if (one && one.is !== 'left') ended.push({ run: orphan.run, model: orphan.model, ended: one });
  }
  return ended;
}

async function end(
  { film, run: id, lead, model, epoch: seen }: OrphanedDeployment,
  { team, folders, clock, serviceFor, changed }: Needs,
  signal: AbortSignal,
): Promise<Deactivated | undefined> {
  await using after = new AsyncDisposableStack();
  const run = await runRow(team, id);
  // If the settings here do not name the service, another worker ends it.
  const choice = run && (await serviceFor(run, projectOf(folders, run)).catch(() => undefined));
  if (!choice) return undefined;
  const service = await choice.connect();
  after.defer(() => service.close());
  const epoch = await claimFilm(team, film, seen);
  if (epoch === undefined) return undefined;
  const { account } = service;
  const journal = await TeamJournal.open({
    ...{ team, film, submitted: id, epoch, account, clock, newId: randomUUID, changed },
  });
  after.defer(() => journal.close());
  // A name of its own: events are numbered by the process that writes them.
  const as = `ended ${randomUUID()}` as RunId;
  return await whileLeading(team, { film, epoch }, async () => {
    const open = journal.views.ledger.open.filter(
      one => one.model === model && one.id !== undefined && isAt(one, service),
    );
    for (const submission of open) {
      const cancelled = await cancelAt(service, submission, clock, signal);
      if (cancelled.is === 'ended') appendEnd(journal, submission, cancelled.failure, as);
    }
    const down = await deactivateModel(model, service, clock, {
      ...{ beat: BEAT, tries: 1, settled: 0, patience: 0, onDeploying: () => {}, signal },
      isOurs: async () => true,
    });
    if (down.is === 'down') {
      // Under the lead that activated it: the film may have activated the same model at another service.
      const seq = Math.max(...Array.from(journal.read(lead).events, event => event.seq)) + 1;
      journal.append(lead, [{ type: 'activation_closed', model, how: down.how, seq, at: journal.now() }]);
    }
    await journal.durable();
    return down;
  });
}
