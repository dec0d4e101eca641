/**
 * Results that a team has and this machine has not: brought before anything is made. What the team's store cannot give at this moment is not
 * taken for missing: it is asked for at the service, and where that has it no more it is not paid for again.
 */

import type { Instance } from '../../model/plan.ts';
import type { Failure } from '../../model/run/failure.ts';
import { contentsOf, isStored, type Result } from '../../model/run/result.ts';
import { isRedone } from '../../plan/owned/owned-result.ts';
import { reportWhileWaiting } from '../engine/report-waits.ts';
import type { RunCore } from '../engine/run-core.ts';

export class TeamResults {
  readonly #run: RunCore;
  /** By fingerprint: why the team's store could not give it. */
  readonly #withheld = new Map<string, string>();

  constructor(run: RunCore) {
    this.#run = run;
  }

  /** The result, once all of it is on this machine; undefined where it is to be had in another way. */
  async downloadFromTeam({ key, step }: Instance, fingerprint: string): Promise<Result | 'stopped' | undefined> {
    const { planContext, sharing, stopping, store } = this.#run;
    if (!sharing || !step.cache || isRedone(key, fingerprint, planContext)) return undefined;
    const shared = planContext.owned.shared?.(fingerprint);
    if (!shared) return undefined;
    const away = contentsOf(shared.result).filter(({ sha256 }) => !store.has(sha256));
    const reason = () => `${sharing.to} has not given it yet`;
    const bringing = () => Promise.all(away.map(({ sha256 }) => sharing.download(sha256, stopping.signal)));
    const came = await reportWhileWaiting({ key, what: 'result', reason }, this.#run, bringing);
    if (stopping.signal.aborted) return 'stopped';
    const failed = came.find(one => one.is === 'failed');
    if (failed) this.#withheld.set(fingerprint, failed.message);
    return came.every(({ is }) => is === 'ok') ? planContext.owned.find(fingerprint) : undefined;
  }

  /** The failure to report instead of paying for it again. */
  withheld(fingerprint: string): Failure | undefined {
    const why = this.#withheld.get(fingerprint);
    // The studio of this machine draws it again for nothing.
    if (why === undefined || this.#run.settings.localStudio) return undefined;
    const known = this.#run.planContext.owned.atService(fingerprint);
    const message = notPaidAgain(this.#run.sharing?.to ?? '', why);
    return { code: 'download_failed', generation_id: known?.generation_id ?? null, message };
  }

  /** What came from elsewhere, and the team may not have. */
  share(result: Result): void {
    if (isStored(result)) for (const content of contentsOf(result)) this.#run.sharing?.share(content);
  }
}

const notPaidAgain = (store: string, why: string): string =>
  `${store} may have it and cannot give it now: ${why}. The service has it no more, and it was not paid for again; run again when the store answers, or take \`store\` out of the settings`;
