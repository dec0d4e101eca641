/**
 * Looks for a submission whose outcome is unknown in the service's history. It counts as absent after two reads of the history that
 * prove it, each long enough after the POST, and some time apart; see `proof-of-absence.ts`. While the run has other work it is looked for again and
 * again; then a person is asked.
 */

import type { HistoryRow } from '../../api/queue.ts';
import type { Answer } from '../../api/service.ts';
import { backoff } from '../../machine/time/backoff.ts';
import type { Failure } from '../../model/run/failure.ts';
import type { GenerationId } from '../../model/run/key.ts';
import { asTyped } from '../../model/text/clean.ts';
import type { Submission } from '../../records/views/ledger.ts';
import { readAccepted, readRefusedAsBusy, readUnaccounted, type Witness } from '../../records/views/sent-requests.ts';
import type { RunCore } from '../engine/run-core.ts';
import { answerUnknown } from '../engine/run-settings.ts';
import type { Asked } from '../ports/admission.ts';
import {
  CLOCK_SKEW,
  type Evidence,
  isAccountedFor,
  isBefore,
  judge,
  latestSent,
  type Verdict,
} from './proof-of-absence.ts';
import type { ServiceHealth } from './service-health.ts';

export type ReconcileNeeds = Pick<
  RunCore,
  'service' | 'admission' | 'journal' | 'clock' | 'settings' | 'decider' | 'recorder' | 'stopping' | 'state'
>;

type Reconciled =
  | { readonly is: 'accepted'; readonly id: GenerationId }
  /** Provably not there, or the author wants it sent again all the same. */
  | { readonly is: 'absent' }
  | { readonly is: 'failed'; readonly failure: Failure }
  | { readonly is: 'stopped' };

/** Milliseconds between looks while the answer to an equal request is on its way. */
const SOON = 2_000;
/** Milliseconds: how old a generation of ours may be that shows that the history is complete. */
const DAY = 24 * 3_600_000;

export async function reconcile(lost: Submission, run: ReconcileNeeds, health: ServiceHealth): Promise<Reconciled> {
  const { clock, settings } = run;
  // A history lists no chats, so the absence of one proves nothing.
  if (lost.via === 'chat') return unresolvable(lost, 'a call that answers at once leaves nothing to look for', run);
  if (lost.isFromLostTime) return lookInLostTime(lost, run, health);
  const { proof } = settings;
  const settled = lost.gateway ? proof.settledBehindGateway : proof.settled;
  const isLongAgo = clock.now() - (lost.lostAt ?? lost.at) > LONG_AGO;
  // Milliseconds slept so far, by earlier runs as well. The wall clock does not count: setting it right would turn a moment into an hour.
  let slept = lost.waited ?? 0;
  const rest = async (ms: number) => {
    const until = clock.now() + ms;
    // In slices: a job that is shorter than one wait journals what it has waited, and comes to an end when it is repeated.
    for (let left = ms; left > 0 && !run.stopping.signal.aborted; left -= LOOK_AGAIN) {
      const slice = Math.min(left, LOOK_AGAIN);
      await wait(lost, slice, run, { waited: slept, until });
      slept += slice;
    }
  };
  let provenAt: number | undefined;
  for (let attempt = 0; ; attempt++) {
    if (run.stopping.signal.aborted) return { is: 'stopped' };
    const answer = await read(lost, run);
    if (run.stopping.signal.aborted) return { is: 'stopped' };
    switch (answer.is) {
      case 'ok': {
        health.well();
        const evidence = await evidenceOn(lost, answer.value, slept < settled, run);
        if (run.stopping.signal.aborted) return { is: 'stopped' };
        // No wait from here to the claim: two equal requests would both find the same one.
        const verdict = judge(evidence);
        if (verdict.is === 'found') return claim(lost, verdict.row.generation_id as GenerationId, run);
        if (verdict.is === 'later') {
          provenAt = undefined;
          await rest(SOON);
          break;
        }
        // Some services list the generations of synchronous calls, and none promises to.
        if (lost.via === 'sync') return unresolvable(lost, 'a call that answers at once need not be listed', run);
        // Days ago by a clock that may have jumped: only a later witness that the service itself dates spares the waits before a proof.
        const isSpared = isLongAgo && (verdict.is !== 'absent' || verdict.isDated);
        if (slept < settled && !isSpared) {
          // The POST may still be on its way through the service, and the list may lag behind.
          await rest(Math.min(settled - slept, LOOK_AGAIN));
          break;
        }
        if (verdict.is === 'cannot tell') return unresolvable(lost, verdict.why, run);
        if (verdict.is === 'not yet' || (slept < proof.witnessAfter && !isSpared)) {
          provenAt = undefined;
          // What else the run makes meanwhile may be what shows that this one is not there.
          const isOver = isLongAgo || slept >= proof.witnessAfter + 2 * proof.apart;
          if (verdict.is === 'not yet' && isOver && !run.state.isAtWork) return unresolvable(lost, verdict.why, run);
          await rest(slept < proof.witnessAfter ? LOOK_AGAIN : LOOK_LATER);
          break;
        }
        if (provenAt !== undefined && slept - provenAt >= proof.apart) {
          const reason = 'the service lists all it was given, looked at twice, and this is not among it';
          run.recorder.record({ type: 'submit_absent', key: lost.key, nonce: lost.nonce, reason });
          return { is: 'absent' };
        }
        provenAt ??= slept;
        await rest(proof.apart);
        break;
      }
      case 'absent':
        return unresolvable(lost, 'this service does not list what it was given', run);
      case 'unauthenticated':
        health.refused(answer.message);
        return { is: 'stopped' };
      case 'unavailable':
        if (answer.incomplete) {
          // The service answers, but its history cannot be read to its end. For a while that may get better.
          if (slept >= settled) return unresolvable(lost, answer.message, run);
          await rest(LOOK_AGAIN);
          break;
        }
        health.trouble(answer.message);
        await clock.sleep(backoff(attempt, answer), run.stopping.signal);
        break;
    }
  }
}

/** All requests that may have been sent in the lost time are looked for in the same reads. */
async function lookInLostTime(lost: Submission, run: ReconcileNeeds, health: ServiceHealth): Promise<Reconciled> {
  const { proof } = run.settings;
  for (let look = 0; ; look++) {
    const looked = await health.history.inLostTime(lost, look, () => read(lost, run));
    if (looked.is !== 'ok') return looked.is === 'stopped' ? looked : unresolvable(lost, looked.why, run);
    const judged = await judgedInLostTime(lost, looked.reads, run);
    if (judged === 'stopped') return { is: 'stopped' };
    const { evidence, verdicts } = judged;
    const last = verdicts.at(-1);
    // Found in both reads, or listed late: another look would find it once more.
    if (last?.is === 'found') return claim(lost, last.row.generation_id as GenerationId, run);
    // A POST of the lost time may still be on its way, and the list may lag behind.
    if (looked.waited < Math.max(proof.settledBehindGateway, proof.witnessAfter)) continue;
    const doubt = verdicts.findLast(verdict => verdict.is !== 'absent');
    // All of a team's requests wait for the same thing: a list that lags for some minutes shows it a little later.
    if (doubt?.is === 'not yet' && (run.state.isAtWork || looked.waited < 2 * proof.witnessAfter)) continue;
    if (doubt) {
      const why = 'why' in doubt ? doubt.why : 'what the service lists is not the same at each look';
      return unresolvable(lost, why, run);
    }
    if (lost.via === 'sync') return unresolvable(lost, 'a call that answers at once need not be listed', run);
    const reason = 'the service lists all it was given since then, and this is not among it';
    run.recorder.record({ type: 'submit_absent', key: lost.key, nonce: lost.nonce, reason });
    if (evidence.every(isAccountedFor))
      await run.admission.lostTimeIsOver({ since: lost.at, until: lost.lostAt ?? lost.at });
    return { is: 'absent' };
  }
}

async function judgedInLostTime(
  lost: Submission,
  reads: readonly (readonly HistoryRow[])[],
  run: ReconcileNeeds,
): Promise<{ readonly evidence: readonly Evidence[]; readonly verdicts: readonly Verdict[] } | 'stopped'> {
  for (let n = 0; ; n++) {
    const evidence = await Promise.all(reads.map(rows => evidenceOn(lost, rows, false, run)));
    if (run.stopping.signal.aborted) return 'stopped';
    // No wait from here to the claim: two equal requests would both find the same one.
    const verdicts = evidence.map(judge);
    // Which row is another's that is looked for at this moment is known soon.
    const isDisputed = n < PATIENT && evidence[0]?.rivals.some(({ isFromLostTime, idle }) => isFromLostTime && !idle);
    if (!verdicts.some(({ is }) => is === 'later' || (is === 'cannot tell' && isDisputed)))
      return { evidence, verdicts };
    await wait(lost, SOON, run);
  }
}

/**
 * The listed generation of a request that was refused before as one of too many, looked for before it is sent again; undefined where none can
 * only be it. A gateway may have refused what the service behind it took. No such row proves nothing: what is refused is not taken, by the
 * standard (RFC 6585, section 4).
 */
export async function lookAfterRefusal(
  asked: Pick<Asked, 'key' | 'fingerprint' | 'via'> & { readonly again: boolean },
  run: ReconcileNeeds,
  health: ServiceHealth,
): Promise<GenerationId | undefined> {
  const { journal, clock, service, stopping } = run;
  // What a call was answered is in no list.
  if (asked.via !== undefined) return undefined;
  const { fingerprint, key } = asked;
  // The refusal is among the rows.
  if (asked.again && !(await run.recorder.durable())) return undefined;
  const refused = await readRefusedAsBusy(journal.views, { fingerprint, account: service.account }, clock.now() - DAY);
  const [first, last] = [refused[0], refused.at(-1)];
  if (!first || !last) return undefined;
  const rows = await health.history.afterRefusal({ since: first.at, refusedAt: last.at });
  for (let n = 0; rows.length > 0 && n < PATIENT && !stopping.signal.aborted; n++) {
    let isLater = false;
    for (const one of refused) {
      const verdict = judge(await evidenceOn({ ...one, key }, rows, true, run));
      if (verdict.is === 'found') return verdict.row.generation_id as GenerationId;
      isLater ||= verdict.is === 'later';
    }
    if (!isLater) break;
    await clock.sleep(SOON, stopping.signal);
  }
  return undefined;
}

const PATIENT = 3;

/** Milliseconds: a request that was sent longer ago has arrived or never will, even if a clock was wrong by a day. */
const LONG_AGO = 2 * DAY;
/** Milliseconds between two reads, so that a generation that is listed late is found soon after it is. */
const LOOK_AGAIN = 15_000;
/** The same while the run goes on, perhaps for hours. */
const LOOK_LATER = 60_000;

async function read(lost: Submission, run: ReconcileNeeds): Promise<Answer<readonly HistoryRow[]>> {
  const { service } = run;
  const [oldest] = await witnessesOf(lost, run);
  return service.history(run.stopping.signal, {
    since: Math.floor(Math.min(lost.at, oldest?.at ?? lost.at) / 1000) - CLOCK_SKEW,
    page: (page, of) => run.recorder.emit({ type: 'looking', key: lost.key, page, ...(of !== undefined && { of }) }),
  });
}

async function evidenceOn(
  lost: Submission,
  rows: readonly HistoryRow[],
  isEarly: boolean,
  run: ReconcileNeeds,
): Promise<Evidence> {
  const { journal, service, settings } = run;
  const since = lost.at - DAY;
  const [rivals, witnesses, claimed] = await Promise.all([
    readUnaccounted(journal.views, service.account, since),
    witnessesOf(lost, run),
    journal.views.sent.claimedAmong(
      rows.map(row => row.generation_id),
      service.account,
    ),
  ]);
  return {
    rows,
    lost,
    rivals: rivals
      .filter(({ nonce }) => nonce !== lost.nonce)
      .map(rival => (isEarly || journal.views.ledger.get(rival.nonce) ? rival : givenUp(rival))),
    witnesses,
    // Another request of this run may have found the same one a moment ago.
    isClaimed: id => claimed.has(id) || journal.views.sent.isClaimed(id, service.account),
    modelId: label => service.modelId(label),
    trusted: settings.proof.trusted,
    witnessAfter: settings.proof.witnessAfter,
  };
}

/** A run of another film may still wait for its answer, unknown here; after a while it counts as lost. */
const givenUp = (rival: Submission): Submission =>
  rival.state === 'intended' ? { ...rival, state: 'unknown' } : rival;

/**
 * The newest generation of ours that the service had before this one was sent, and all later ones. Of what was sent in a lost time: all that
 * were sent before that time, and those long after it.
 */
async function witnessesOf(lost: Submission, run: ReconcileNeeds): Promise<readonly Witness[]> {
  const { journal, service, settings } = run;
  const { views } = journal;
  const { at, nonce, isFromLostTime } = lost;
  const asked = { account: service.account, than: nonce };
  if (isFromLostTime) {
    const before = await readAccepted(views, { ...asked, since: at - DAY, before: at });
    const after = latestSent(lost) + settings.proof.witnessAfter;
    return [...before, ...(await readAccepted(views, { ...asked, since: after }))];
  }
  const all = await readAccepted(views, { ...asked, since: at - DAY });
  const before = all.findLastIndex(witness => isBefore(witness, lost));
  return all.slice(Math.max(0, before));
}

/** Records the id that was found, and makes it durable before it is used. A second claim of an id is refused. */
export async function claim(
  lost: Submission,
  id: GenerationId,
  run: ReconcileNeeds,
): Promise<Extract<Reconciled, { readonly is: 'accepted' | 'stopped' }>> {
  const { key, nonce, price } = lost;
  run.recorder.record({ type: 'submit_accepted', key, nonce, generation_id: id, found: true, price });
  return (await run.recorder.durable()) ? { is: 'accepted', id } : { is: 'stopped' };
}

async function wait(
  { key, nonce }: Submission,
  ms: number,
  run: ReconcileNeeds,
  { waited = 0, until = run.clock.now() + ms } = {},
): Promise<void> {
  const { clock } = run;
  if (waited > 0) run.recorder.record({ type: 'looking', key, until, nonce, waited });
  else run.recorder.emit({ type: 'looking', key, until });
  await clock.sleep(ms, run.stopping.signal);
}

/** Lets the author decide, beforehand or now, what no history can prove. */
async function unresolvable(lost: Submission, why: string, run: ReconcileNeeds): Promise<Reconciled> {
  const { decider, recorder, settings, stopping } = run;
  const { key, nonce } = lost;
  const options = [
    { id: 'fail', label: 'leave it as it is, and go on without it' },
    { id: 'resubmit', label: 'send it again, and perhaps pay twice' },
  ] as const;
  const what = lost.isFromLostTime
    ? `The request for ${key} may have been sent in a time that the database has lost`
    : `The answer to the request for ${key} was lost`;
  const ask = `${what}, and ${why}. Send it again?`;
  const choice = await decider.choose({ id: `unknown ${nonce}`, key, ask, options }, stopping.signal);
  if (stopping.signal.aborted) return { is: 'stopped' };
  if (choice?.option === 'resubmit') {
    recorder.record({ type: 'submit_absent', key, nonce, reason: `${why}; ${choice.by} was asked for`, asked: true });
    return { is: 'absent' };
  }
  return { is: 'failed', failure: { code: 'submit_unknown', message: unknownText(lost, why, settings) } };
}

function unknownText(lost: Submission, why: string, settings: ReconcileNeeds['settings']): string {
  const { cancel, attach } = settings;
  const { key, isFromLostTime } = lost;
  const what = isFromLostTime ? 'it may have been sent in a time that the database has lost' : 'its answer was lost';
  const again = answerUnknown(settings, 'resubmit');
  const taken = attach === undefined ? '' : `; if it is there, \`${attach} ${asTyped(`${key}=GENERATION`)}\``;
  const forget = cancel === undefined ? '' : `; to give it up, \`${cancel} ${asTyped(key)} --forget\``;
  return `${what}, and ${why}: it may have been taken and paid for. Look at the service${taken}; to send it again, ${again}${forget}`;
}
