/**
 * What a listener knows of a run so far: the fold of its events that the terminal and plain text both tell from.
 * Every text that came from outside is cleaned as it enters, so that nobody downstream can forget to.
 *
 * A tale is told on in place: a run of ten thousand instances tells it sixty thousand events, and copying would make that quadratic.
 * It is lenient: an event about an unknown key, or out of its usual order (a resumed run), is simply believed.
 */
import { cellWidth } from '../domain/cells.ts';
import { asSaid, cleanText, safeLines } from '../domain/clean.ts';
import type { Counts, InstanceEvent, PlannedInstance, RunEvent, Stamped } from '../domain/event.ts';
import type { Failure } from '../domain/failure.ts';
import type { InstanceKey } from '../domain/key.ts';
import type { Result } from '../domain/result.ts';
import { unreachable } from '../domain/unreachable.ts';
import { wordsIn } from './words-in.ts';

export interface Tale {
  film: string;
  /** The file as the author named it. */
  pipeline: string;
  service: string;
  resumed: boolean;
  /** Unix milliseconds of the run's first event, and of the last one heard. */
  startedAt: number;
  heardAt: number;
  /** US dollars the plan expects to spend; null where nothing has a price. */
  expected: number | null;
  /** How many instances the plan had at the start. */
  planned: number;
  /** In the order of the plan. */
  readonly instances: Map<InstanceKey, InstanceTale>;
  /** What is over, in the order it happened; only ever grows. */
  readonly settled: Settled[];
  /** Null until the service tells. */
  stream: { readonly up: boolean; readonly reason: string } | null;
  reach: { readonly reachable: boolean; readonly reason: string };
  readonly films: { readonly output: string; readonly key: InstanceKey; readonly path: string }[];
  /** Outputs that could not be put where the author asked for them. */
  readonly unplaced: { readonly path: string; readonly reason: string }[];
  /** Ids that the journal could not take, and why. */
  unwritten: { readonly reason: string; readonly ids: readonly string[] } | null;
  detached: { readonly running: readonly InstanceKey[]; readonly resume: string } | null;
  /** What Ctrl-C does to generations at the service. */
  onInterrupt: 'detach' | 'cancel';
  /** Custom models that this run waits for or has brought up, by id. */
  readonly deployments: Map<string, DeploymentTale>;
  /** What could not be cancelled, by generation or instance. */
  readonly uncancelled: Map<string, Uncancelled>;
  finished: {
    readonly outcome: Outcome;
    readonly counts: Counts;
    readonly usd: number;
    /** How much of it is an estimate. */
    readonly estimated: number;
    /** Generations whose cost nobody knows. */
    readonly unpriced: number;
    /** Requests that may have been taken, and what they would have cost (US dollars; null where that is not known). */
    readonly perhaps: { readonly requests: number; readonly usd: number | null };
    readonly reason: string;
  } | null;
  /** Widest label and model in cells: columns do not move while a run goes on. */
  widest: { label: number; model: number };
  /** The last settled instances that read the same but for their key; told as one when there are many. */
  alike: EndedInstance[];
}

export interface DeploymentTale {
  /** Safe to show. */
  readonly model: string;
  /** The service's word. */
  readonly status: string;
  /** Whose it is, and what bills when the run is over: `theirs`, which is left alone, and `left`, ours that could not be ended. */
  readonly is: 'coming' | 'ours' | 'theirs' | 'ended' | 'left';
  readonly reason: string;
}

export interface Uncancelled {
  /** In the plan; those of an earlier version of the film come last. */
  readonly place: number;
  readonly label: string;
  readonly id: string | null;
  readonly why: Extract<InstanceEvent, { readonly type: 'cancel_failed' }>['why'];
  readonly message: string;
}

export interface InstanceTale {
  readonly key: InstanceKey;
  /** The key, safe to show. */
  readonly label: string;
  readonly model: string;
  readonly needs: readonly InstanceKey[];
  /** Place in the plan, from 0. */
  readonly place: number;
  price: number | null;
  standing: Standing;
  /** Unix milliseconds: when work on it began and ended. */
  since: number | null;
  until: number | null;
  /** US dollars this run paid for it, as far as is known. */
  paid: number;
}

/** Where an instance stands. The first group has not begun, the second is under way, the third is over. */
export type Standing =
  | { readonly is: 'waiting' }
  | { readonly is: 'refused'; readonly reason: string; readonly retryAt: number | null }
  | { readonly is: 'absent' }
  //
  | { readonly is: 'sending' }
  /** Its answer was lost: it is looked for, page by page, and again at `until` (Unix milliseconds). */
  | {
      readonly is: 'unknown';
      readonly reason: string;
      readonly page?: number;
      readonly of?: number;
      readonly until?: number;
    }
  | { readonly is: 'queued'; readonly position: number | null }
  | { readonly is: 'working'; readonly status: string; readonly fraction: number | null }
  | { readonly is: 'generated' }
  | { readonly is: 'downloading'; readonly bytes: number | null }
  | { readonly is: 'running' }
  /** A chat model's answer: how many words there are, and the last of them. */
  | { readonly is: 'writing'; readonly words: number; readonly tail: string }
  /** Its answer does not fit and is asked to be mended. */
  | { readonly is: 'unfit'; readonly reason: string }
  | { readonly is: 'cancelling' }
  | Ended;

/** How an instance can be over. */
export type Ended =
  | { readonly is: 'succeeded'; readonly result: Result }
  | { readonly is: 'reused'; readonly result: Result }
  | { readonly is: 'skipped'; readonly why: string }
  | { readonly is: 'blocked'; readonly by: string }
  | { readonly is: 'failed'; readonly failure: Failure };

export type EndedInstance = InstanceTale & { readonly standing: Ended };

/** A line of what is over: one instance, several of one step that ended alike, or the run's own first and last word. */
export type Settled =
  | { readonly is: 'started' }
  | { readonly is: 'instance'; readonly instance: EndedInstance }
  | { readonly is: 'group'; readonly instances: readonly EndedInstance[] }
  | { readonly is: 'finished' };

export type Outcome = Extract<RunEvent, { readonly type: 'run_finished' }>['outcome'];
export type Phase = 'ahead' | 'under-way' | 'over';

/** This many instances of one step that end alike, one after the other, are told in one line. */
const MANY = 4;

export const untold = (): Tale => ({
  film: '',
  pipeline: '',
  service: '',
  resumed: false,
  startedAt: 0,
  heardAt: 0,
  expected: null,
  planned: 0,
  instances: new Map(),
  settled: [],
  stream: null,
  reach: { reachable: true, reason: '' },
  films: [],
  unplaced: [],
  unwritten: null,
  detached: null,
  onInterrupt: 'detach',
  deployments: new Map(),
  uncancelled: new Map(),
  finished: null,
  widest: { label: 0, model: 0 },
  alike: [],
});

/** The tale with one more event in it: the same object, told on. */
export function told(tale: Tale, event: Stamped): Tale {
  tale.heardAt = Math.max(tale.heardAt, event.at);
  if (event.type !== 'reused' && event.type !== 'skipped' && event.type !== 'blocked') gather(tale);
  switch (event.type) {
    case 'run_started':
      begin(tale, event);
      break;
    case 'expanded':
      for (const planned of event.instances) meet(tale, planned);
      break;
    case 'stream_changed':
      tale.stream = { up: event.up, reason: asSaid(event.reason) };
      break;
    case 'service_changed':
      tale.reach = { reachable: event.reachable, reason: asSaid(event.reason) };
      break;
    case 'output_written':
      tale.films.push({ output: cleanText(event.output), key: event.key, path: cleanText(event.path) });
      break;
    case 'output_failed':
      tale.unplaced.push({ path: cleanText(event.path), reason: asSaid(event.reason) });
      break;
    case 'journal_failed':
      tale.unwritten = { reason: asSaid(event.reason), ids: event.unwritten.map(unwrittenId) };
      break;
    case 'run_detached':
      // A command is typed as it stands: two blanks in a value are two.
      tale.detached = { running: event.running, resume: safeLines(event.resume).replace(/[\n\t]/g, ' ') };
      break;
    case 'activation_intended':
      deployed(tale, event.model, { is: 'coming', status: '' });
      break;
    case 'deployment_changed':
      deployed(tale, event.model, { is: standingOfDeployment(event), status: cleanText(event.status) });
      break;
    case 'activation_closed':
      deployed(tale, event.model, { is: event.how === 'already_active' ? 'theirs' : 'ended' });
      break;
    case 'still_billing':
      deployed(tale, event.model, { is: 'left', reason: asSaid(event.reason) });
      break;
    case 'cancel_failed':
      notCancelled(tale, event);
      break;
    case 'run_finished':
      tale.finished = {
        ...{ outcome: event.outcome, counts: event.counts, usd: event.usd },
        ...{ estimated: event.estimated ?? 0, unpriced: event.unpriced ?? 0 },
        perhaps: event.perhaps ?? { requests: 0, usd: 0 },
        reason: asSaid(event.reason ?? ''),
      };
      tale.settled.push({ is: 'finished' });
      break;
    default:
      tellInstance(tale, event);
  }
  return tale;
}

/** Whether an instance has not begun, is under way, or is over. */
export function phase(standing: Standing): Phase {
  switch (standing.is) {
    case 'waiting':
    case 'refused':
    case 'absent':
      return 'ahead';
    case 'sending':
    case 'unknown':
    case 'queued':
    case 'working':
    case 'generated':
    case 'downloading':
    case 'running':
    case 'writing':
    case 'unfit':
    case 'cancelling':
      return 'under-way';
    case 'succeeded':
    case 'reused':
    case 'skipped':
    case 'blocked':
    case 'failed':
      return 'over';
    default:
      return unreachable(standing);
  }
}

/** What an instance still waits for; empty when it could start now. */
export const unmet = (tale: Tale, instance: InstanceTale): readonly InstanceTale[] =>
  instance.needs.flatMap(key => {
    const need = tale.instances.get(key);
    return need === undefined || phase(need.standing) === 'over' ? [] : [need];
  });

/** US dollars this run has spent so far, as far as is known. */
export function spent(tale: Tale): number {
  if (tale.finished !== null) return tale.finished.usd;
  let usd = 0;
  for (const instance of tale.instances.values()) usd += instance.paid;
  return usd;
}

type InstanceStamped = Extract<Stamped, { readonly fingerprint: string } | { readonly key: InstanceKey }>;
/** What moves an instance on. */
type TellingStamped = Exclude<InstanceStamped, { readonly type: 'output_written' | 'output_failed' | 'cancel_failed' }>;

function begin(tale: Tale, event: Extract<Stamped, { readonly type: 'run_started' }>): void {
  tale.film = cleanText(event.name);
  tale.pipeline = cleanText(event.pipeline);
  tale.service = cleanText(event.service);
  tale.resumed = event.resumed;
  tale.startedAt = event.at;
  tale.expected = event.usd;
  tale.planned = event.instances.length;
  tale.detached = null;
  tale.finished = null;
  tale.onInterrupt = event.on_interrupt ?? 'detach';
  tale.deployments.clear();
  tale.uncancelled.clear();
  tale.films.length = 0;
  tale.unplaced.length = 0;
  tale.unwritten = null;
  tale.instances.clear();
  for (const planned of event.instances) meet(tale, planned);
  tale.settled.push({ is: 'started' });
}

function meet(tale: Tale, planned: PlannedInstance): InstanceTale {
  const instance: InstanceTale = {
    ...{ key: planned.key, label: cleanText(planned.key), model: cleanText(planned.model), needs: planned.needs },
    ...{
      place: tale.instances.size,
      price: planned.price,
      standing: { is: 'waiting' },
      since: null,
      until: null,
      paid: 0,
    },
  };
  tale.instances.set(planned.key, instance);
  tale.widest.label = Math.max(tale.widest.label, cellWidth(instance.label));
  tale.widest.model = Math.max(tale.widest.model, cellWidth(instance.model));
  return instance;
}

function tellInstance(tale: Tale, event: TellingStamped): void {
  const known = tale.instances.get(event.key);
  const instance = known ?? meet(tale, { key: event.key, model: '', needs: [], price: null });
  const before = instance.standing;
  instance.standing = standingAfter(before, event);
  instance.paid = paidAfter(instance, event);
  const { standing } = instance;
  if (phase(standing) === 'under-way') {
    instance.since ??= event.at;
    instance.until = null;
  }
  if (isEnd(standing) && before.is !== standing.is) {
    instance.until = event.at;
    settle(tale, { ...instance, standing });
  }
}

function standingAfter(before: Standing, event: TellingStamped): Standing {
  switch (event.type) {
    case 'reused':
      return { is: 'reused', result: event.result };
    case 'skipped':
      return { is: 'skipped', why: asSaid(event.why) };
    case 'blocked':
      return { is: 'blocked', by: cleanText(event.by) };
    case 'command_started':
      return { is: 'running' };
    case 'submit_intended':
      return { is: 'sending' };
    case 'submit_accepted':
    case 'taken_up':
      return { is: 'queued', position: null };
    case 'submit_refused':
      return { is: 'refused', reason: asSaid(event.reason), retryAt: event.retry_at };
    case 'submit_unknown':
      return { is: 'unknown', reason: asSaid(event.reason) };
    case 'looking': {
      const { page, of, until } = event;
      const where = { ...(page !== undefined && { page }), ...(of !== undefined && { of }) };
      return before.is === 'unknown'
        ? { is: 'unknown', reason: before.reason, ...where, ...(until !== undefined && { until }) }
        : before;
    }
    case 'submission_forgotten':
      return before;
    case 'submit_absent':
      return { is: 'absent' };
    case 'text_written': {
      const sofar = before.is === 'writing' ? before : { words: 0, tail: '' };
      // White space at the ends of a piece parts the words of two.
      const tail = sofar.tail + cleanText(`.${event.text}.`).slice(1, -1);
      // A word that goes on in the next piece is counted where it begins.
      const words = wordsIn(tail) - wordsIn(sofar.tail) + sofar.words;
      return { is: 'writing', words, tail: [...tail].slice(-TAIL).join('') };
    }
    case 'answer_unfit':
      return { is: 'unfit', reason: asSaid(event.reason) };
    case 'progress':
      // Late news about a result that is already coming in changes nothing.
      if (before.is === 'generated' || before.is === 'downloading' || phase(before) === 'over') return before;
      if (event.status === 'queued') return { is: 'queued', position: event.position };
      return { is: 'working', status: cleanText(event.status) || 'working', fraction: event.fraction };
    case 'generated':
      return { is: 'generated' };
    case 'download_started':
      return { is: 'downloading', bytes: event.bytes };
    case 'succeeded':
      return { is: 'succeeded', result: event.result };
    case 'failed':
      return { is: 'failed', failure: { ...event.failure, message: asSaid(event.failure.message) } };
    case 'cancel_asked':
      return { is: 'cancelling' };
    case 'billed':
      return before;
    default:
      return unreachable(event);
  }
}

/** `shot is generation gen_1` */
const unwrittenId = ({ key, generation_id }: { readonly key: InstanceKey; readonly generation_id: string }): string =>
  `${cleanText(key)} is generation ${cleanText(generation_id)}`;

/** What is paid is known when the service has finished it; until then its price is only expected. */
function paidAfter(instance: InstanceTale, event: TellingStamped): number {
  if (event.type === 'generated') return event.cost ?? instance.price ?? 0;
  if (event.type === 'billed') return event.cost;
  if (event.type === 'answer_unfit') return instance.paid + (event.cost ?? 0);
  // A text's cost is that of all its calls.
  if (event.type === 'succeeded' && 'cost' in event.result) return event.result.cost ?? instance.paid;
  return instance.paid;
}

/** Characters of a growing text that are worth a look. */
const TAIL = 400;

function deployed(tale: Tale, model: string, news: Partial<DeploymentTale> & Pick<DeploymentTale, 'is'>): void {
  const before = tale.deployments.get(model) ?? { status: '', reason: '' };
  tale.deployments.set(model, { ...before, ...news, model: cleanText(model) });
}

function standingOfDeployment({ status, ours }: Extract<Stamped, { readonly type: 'deployment_changed' }>) {
  if (ours) return status === 'active' ? 'ours' : 'coming';
  return status === 'active' || status === 'deploying' ? 'theirs' : 'coming';
}

/** It may be a generation of an earlier version of the film, which no row stands for. */
function notCancelled(tale: Tale, event: Extract<Stamped, { readonly type: 'cancel_failed' }>): void {
  const { key, generation_id, why } = event;
  const id = generation_id === null ? null : cleanText(generation_id);
  const instance = tale.instances.get(key);
  const place = instance?.place ?? tale.instances.size;
  tale.uncancelled.set(id ?? key, { place, label: cleanText(key), id, why, message: asSaid(event.message) });
  if (instance?.standing.is === 'cancelling')
    instance.standing = { is: 'working', status: 'goes on at the service', fraction: null };
}

const isEnd = (standing: Standing): standing is Ended => phase(standing) === 'over';

function settle(tale: Tale, instance: EndedInstance): void {
  const first = tale.alike[0];
  if (first !== undefined && sameEnd(first) !== sameEnd(instance)) gather(tale);
  if (sameEnd(instance) === null) tale.settled.push({ is: 'instance', instance });
  else tale.alike.push(instance);
}

/** Nothing was done for it, and its neighbours in the plan ended for the same reason. */
function sameEnd({ key, standing }: EndedInstance): string | null {
  const step = key.split('[')[0];
  if (standing.is === 'reused') return `${step} reused`;
  if (standing.is === 'skipped') return `${step} skipped ${standing.why}`;
  if (standing.is === 'blocked') return `${step} blocked ${standing.by}`;
  return null;
}

/** Tells what ended alike without waiting for the next event: one by one when there are few, in one line when there are many. */
export function gather(tale: Tale): void {
  const alike = tale.alike;
  if (alike.length === 0) return;
  tale.alike = [];
  if (alike.length > MANY) tale.settled.push({ is: 'group', instances: alike });
  else for (const instance of alike) tale.settled.push({ is: 'instance', instance });
}
