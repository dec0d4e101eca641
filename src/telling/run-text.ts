/**
 * The product's words for a run: the terminal and plain text say the same thing in the same words because they take them from here.
 * Lower-case, concrete, ending with what to do. Everything returned is clean and in one line.
 */
import { asTyped } from '../domain/as-typed.ts';
import { asSaid, cleanText, inALine } from '../domain/clean.ts';
import type { Stamped } from '../domain/event.ts';
import type { Failure } from '../domain/failure.ts';
import { formatBytes, formatSeconds, formatUsd } from '../domain/format.ts';
import type { InstanceKey } from '../domain/key.ts';
import type { MediaFacts } from '../domain/media.ts';
import type { Result, TextResult, TuningResult } from '../domain/result.ts';
import { unreachable } from '../domain/unreachable.ts';
import {
  type DeploymentTale,
  type Ended,
  type InstanceTale,
  type Settled,
  type Standing,
  spent,
  type Tale,
  type Uncancelled,
  unmet,
} from './run-view.ts';
import { wordsIn } from './words-in.ts';

/** The one line that a run opens with: `teaser: 4 instances on studio, about $2.40`. */
export function opening(tale: Tale): string {
  const what = `${tale.resumed ? 'taken up again, ' : ''}${count(tale.planned, 'instance')} on ${tale.service}`;
  if (tale.expected === null) return `${tale.film}: ${what}`;
  if (tale.expected === 0) return `${tale.film}: ${what}, nothing to pay`;
  const usd = `about ${formatUsd(tale.expected)}`;
  return `${tale.film}: ${what}, ${isFree(tale) ? `free here, ${usd} ${AT_PRICES}` : usd}`;
}

/** What an instance is doing right now: `waits for framed`, `queued, place 3`, `processing`. `now` in Unix milliseconds. */
export function doing(tale: Tale, instance: InstanceTale, now: number): string {
  const standing = instance.standing;
  switch (standing.is) {
    case 'waiting':
      return waitsForModel(tale, instance) ?? waits(unmet(tale, instance));
    case 'refused':
      if (standing.retryAt === null) return `not taken: ${standing.reason}`;
      return `not taken, again in ${Math.max(0, Math.ceil((standing.retryAt - now) / 1000))}s: ${standing.reason}`;
    case 'absent':
      return 'did not arrive, will be sent again';
    case 'sending':
      return 'sending';
    case 'unknown':
      return `no answer, looking for it${lookingAt(standing, now)}: ${standing.reason}`;
    case 'queued':
      return standing.position === null ? 'queued' : `queued, place ${standing.position}`;
    case 'working':
      return standing.status;
    case 'generated':
      return 'made, not fetched yet';
    case 'downloading':
      return standing.bytes === null ? 'fetching' : `fetching ${formatBytes(standing.bytes)}`;
    case 'running':
      return 'running';
    case 'writing':
      return `writing, ${count(standing.words, 'word')}`;
    case 'unfit':
      return `asked to mend its answer: ${standing.reason}`;
    case 'cancelling':
      return 'cancelling';
    default:
      return ended(standing);
  }
}

/** How an instance ended, without its time and price: `1280×720, 6.0s, 4.1 MB`. */
export function ended(standing: Ended): string {
  switch (standing.is) {
    case 'succeeded':
      return resultWords(standing.result);
    case 'reused':
      return 'already here';
    case 'skipped':
      return `skipped: ${standing.why}`;
    case 'blocked':
      return `blocked by ${standing.by}`;
    case 'failed':
      return failedWords(standing.failure);
    default:
      return unreachable(standing);
  }
}

/** Several instances of one step that ended alike: `clip ×40`, and how. */
export function groupWords(group: Extract<Settled, { readonly is: 'group' }>): {
  readonly label: string;
  readonly how: string;
} {
  const first = group.instances[0];
  if (first === undefined) throw new Error('a group holds at least one instance');
  return { label: `${first.label.split('[')[0]} ×${group.instances.length}`, how: ended(first.standing) };
}

/** `1280×720, 6.0s, 4.1 MB`; for a command what it left behind. */
export function resultWords(result: Result): string {
  if (result.is === 'media') return [...mediaWords(result.media), formatBytes(result.bytes)].join(', ');
  if (result.is === 'text') return textWords(result);
  if (result.is === 'fine_tune') return tuningWords(result);
  const files = Object.keys(result.files).length;
  return files === 0 ? 'done' : `left ${count(files, 'file')}`;
}

const textWords = ({ text, finish_reason }: TextResult): string =>
  `${count(wordsIn(text), 'word')}${finish_reason === 'length' ? ', cut off at the limit of its tokens' : ''}`;

/** What a service calls the state is its own word. */
const tuningWords = ({ fine_tune: { status } }: TuningResult): string =>
  typeof status === 'string' ? `the fine-tune is ${cleanText(status)}` : 'tokenization has begun';

/**
 * The event in a few words, without its key: `submitted  ~$0.60`. Null for what is not worth a line of its own:
 * beats of progress that change no state, and the ends that the tale gathers (`reused`, `skipped`, `blocked`).
 */
export function sentence(event: Stamped, before: Standing | null, tale: Tale): string | null {
  switch (event.type) {
    case 'expanded':
      return `${cleanText(event.step)} is fanned out: ${count(event.instances.length, 'instance')}`;
    case 'stream_changed':
      if (event.up) return before === null ? null : 'events arrive again';
      return `events stopped, asking instead: ${asSaid(event.reason)}`;
    case 'service_changed':
      if (event.reachable) return 'the service answers again';
      return `the service cannot be reached, trying again: ${asSaid(event.reason)}`;
    case 'output_written': {
      const note = event.note === undefined ? '' : `: ${asSaid(event.note)}`;
      return `wrote ${cleanText(event.path)}${note}`;
    }
    case 'output_failed':
      return `${cleanText(event.path)} could not be written: ${asSaid(event.reason)}`;
    case 'journal_failed':
      return asSaid(event.reason);
    case 'run_detached':
      return 'stopping: nothing new is started';
    case 'command_started':
      return 'started';
    case 'submit_accepted':
      return event.found ? 'found at the service, not sent twice' : 'submitted';
    case 'taken_up':
      return 'taken up again, not sent twice';
    case 'submit_refused': {
      const again = event.retry_at === null ? '' : ` again in ${formatSeconds((event.retry_at - event.at) / 1000)}`;
      return `not taken, tried${again || ' no more'}: ${asSaid(event.reason)}`;
    }
    case 'submit_unknown':
      return `no answer, looking for it: ${asSaid(event.reason)}`;
    case 'submit_absent':
      return event.asked ? `sent again, as asked for: ${asSaid(event.reason)}` : 'did not arrive, will be sent again';
    case 'text_written':
      return before?.is === 'writing' ? null : 'writing';
    case 'answer_unfit':
      return `its answer does not fit: ${asSaid(event.reason)}`;
    case 'progress': {
      const status = cleanText(event.status);
      if (status === 'queued')
        return before?.is === 'queued' || event.position === null ? null : `queued, place ${event.position}`;
      return before?.is === 'working' && before.status === status ? null : status;
    }
    case 'generated':
      return 'made';
    case 'succeeded':
      return `done  ${resultWords(event.result)}`;
    case 'failed':
      return failedWords({ ...event.failure, message: asSaid(event.failure.message) });
    case 'activation_intended':
      return `activating ${cleanText(event.model)}${isFree(tale) ? '' : ', which bills from here on'}`;
    case 'deployment_changed':
      return deploymentWords(event, tale);
    case 'activation_closed':
      return closedWords(event, tale);
    case 'still_billing':
      return `${cleanText(event.model)} could not be deactivated, and bills on: ${asSaid(event.reason)}`;
    case 'cancel_asked':
      return 'cancelling';
    case 'cancel_failed':
      return `not cancelled: ${asSaid(event.message)}`;
    case 'billed': {
      if (isFree(tale)) return null;
      const instead = event.estimate === null ? '' : `, not ~${formatUsd(event.estimate)}`;
      return `billed ${formatUsd(event.cost)}${instead}`;
    }
    case 'run_started':
    case 'run_finished':
    case 'looking':
    case 'submission_forgotten':
    case 'submit_intended':
    case 'download_started':
    case 'reused':
    case 'skipped':
    case 'blocked':
      return null;
    default:
      return unreachable(event);
  }
}

/** `, page 3 of 9 of what the service lists` or `, again in 30s`. */
function lookingAt({ page, of, until }: Extract<Standing, { readonly is: 'unknown' }>, now: number): string {
  if (page !== undefined) return `, page ${page}${of === undefined ? '' : ` of ${of}`} of what the service lists`;
  return until === undefined ? '' : `, again in ${Math.max(0, Math.ceil((until - now) / 1000))}s`;
}

/** What a failed step's author needs: what happened, what it cost, how to go on. */
export interface FailureStory {
  readonly what: string;
  readonly cost: string;
  /** What to do before the command helps; null where running again is enough. */
  readonly first: string | null;
  /** Runs the film again; what is done is kept and not paid for twice. */
  readonly command: string;
}

export interface FailureContext {
  /** The file, and the command that runs it again. */
  readonly pipeline: string;
  readonly command: string;
  readonly service: string;
  /** US dollars: what the plan expected, and what is known to be paid. */
  readonly price: number | null;
  readonly paid: number;
}

export function describeFailure(failure: Failure, key: InstanceKey, context: FailureContext): FailureStory {
  const { command, pipeline, service, price, paid } = context;
  const message = asSaid(failure.message);
  const nothing = 'it cost nothing';
  const perhaps =
    price === 0
      ? nothing
      : price === null
        ? 'whether it cost anything is not known'
        : `it may have cost ${formatUsd(price)}`;
  const charge = paid > 0 ? `it cost ${formatUsd(paid)}` : perhaps;
  const mend = `mend step ${cleanText(key).split('[')[0]} in ${pipeline}`;
  switch (failure.code) {
    case 'generation_failed':
      return {
        what: `${service} could not make it: ${message} (generation ${cleanText(failure.generation_id)})`,
        cost: charge,
        first: mend,
        command,
      };
    case 'generation_cancelled':
      return {
        what: `cancelled at ${service}: ${message} (generation ${cleanText(failure.generation_id)})`,
        cost: charge,
        first: null,
        command,
      };
    case 'request_refused':
      return {
        what: `${service} refused the request (${failure.status}): ${message}`,
        cost: nothing,
        first: refusedFirst(failure.status, mend),
        command,
      };
    case 'generation_lost':
      return { what: `out of sight at ${service}: ${message}`, cost: perhaps, first: null, command };
    case 'answer_refused':
      return { what: message, cost: charge, first: mend, command };
    case 'frozen':
      return { what: message, cost: nothing, first: null, command };
    case 'submit_unknown':
      return {
        what: message,
        cost: perhaps,
        first: null,
        command,
      };
    case 'request_invalid':
      return { what: `the request breaks a rule of the model: ${message}`, cost: nothing, first: mend, command };
    case 'download_failed':
      return {
        what: `made, but not fetched: ${message}`,
        cost: `${paid > 0 ? `it cost ${formatUsd(paid)}, and` : 'it'} stays yours: running again only fetches it`,
        first: null,
        command,
      };
    case 'answer_invalid':
      return { what: `its answer does not fit the schema: ${message}`, cost: charge, first: mend, command };
    case 'tokenize_failed':
      return { what: `it cannot be tokenized: ${message}`, cost: nothing, first: mend, command };
    case 'command_failed':
      return { what: message, cost: nothing, first: mend, command };
    case 'expression_failed':
      return { what: `an expression has no value here: ${message}`, cost: nothing, first: mend, command };
    case 'timed_out':
      return { what: `took too long: ${message}`, cost: charge, first: null, command };
    case 'deployment_failed':
      return {
        what: `${cleanText(failure.model)} could not be brought up: ${message}`,
        cost: 'nothing was sent to it',
        first: null,
        command,
      };
    default:
      return unreachable(failure);
  }
}

function refusedFirst(status: number, mend: string): string | null {
  if (status === 401 || status === 403) return 'check the key';
  if (status === 402) return 'top up the account';
  return status === 429 ? 'wait a little' : mend;
}

/** A run's last words, a paragraph each. `role` lets a screen give it a tone and an indent; the words stay the same. */
export interface LastWord {
  readonly role: 'verdict' | 'failed' | 'detail' | 'next' | 'command' | 'film';
  readonly text: string;
}

/**
 * `command` runs this film again, as its author started it. `failures`: a page of text that was told where it happened is told again
 * `in a line`; a screen has shown no more than a row of it, and tells it here `at length`.
 */
export function lastWords(
  tale: Tale,
  command: string = runCommand(tale.pipeline),
  failures: 'at length' | 'in a line' = 'at length',
): readonly LastWord[] {
  const words: LastWord[] = [{ role: 'verdict', text: verdict(tale) }];
  // They were placed as they came; told in the order of the plan.
  const placeOf = ({ key }: Tale['films'][number]) => tale.instances.get(key)?.place ?? tale.instances.size;
  for (const film of tale.films.toSorted((a, b) => placeOf(a) - placeOf(b)))
    words.push({ role: 'film', text: filmWords(tale, film) });
  for (const instance of tale.instances.values()) {
    if (instance.standing.is !== 'failed') continue;
    const context = { ...tale, command, ...costOf(tale, instance) };
    const { failure } = instance.standing;
    const told = failures === 'in a line' ? { ...failure, message: inALine(failure.message) } : failure;
    const story = describeFailure(told, instance.key, context);
    words.push({ role: 'failed', text: instance.label }, { role: 'detail', text: `${story.what}; ${story.cost}` });
    if (story.first !== null) words.push({ role: 'detail', text: `first: ${story.first}` });
  }
  if (tale.detached !== null) {
    const apart = new Set([...tale.uncancelled.values()].map(({ label }) => label));
    const others = tale.detached.running.filter(key => !apart.has(cleanText(key)));
    if (others.length > 0 || apart.size === 0) words.push({ role: 'next', text: goesOn(tale, others) });
  }
  for (const one of [...tale.uncancelled.values()].sort((a, b) => a.place - b.place))
    words.push({ role: 'next', text: uncancelledWords(tale, one) });
  for (const one of tale.deployments.values()) {
    const text = billsOnWords(tale, one);
    if (text !== null) words.push({ role: 'next', text });
  }
  for (const { path, reason } of tale.unplaced)
    words.push({ role: 'failed', text: path }, { role: 'detail', text: `could not be written: ${reason}` });
  const why =
    tale.finished?.outcome === 'unreachable' ? tale.finished.reason || tale.reach.reason : tale.finished?.reason;
  if (why) words.push({ role: 'next', text: why });
  for (const text of unwrittenWords(tale)) words.push({ role: 'next', text });
  if (tale.finished?.outcome !== 'done')
    words.push({ role: 'next', text: TO_GO_ON }, { role: 'command', text: tale.detached?.resume ?? command });
  return words;
}

/** Ids that exist nowhere but on this screen. */
function unwrittenWords({ unwritten }: Tale): readonly string[] {
  if (unwritten === null || unwritten.ids.length === 0) return [];
  return ['paid for, and written down nowhere but here:', ...unwritten.ids];
}

const TO_GO_ON = 'to go on (what is done is kept, and not paid for again):';

/** How the run ended, and what it cost. Also the last line of a quiet run. */
export function verdict(tale: Tale): string {
  const { finished } = tale;
  if (finished === null) return `${tale.film} is still going on`;
  const { counts, outcome } = finished;
  const time = formatSeconds((tale.heardAt - tale.startedAt) / 1000);
  const cancelled = finished.outcome === 'interrupted' ? cancelledIn(tale) : 0;
  const parts = [
    ...part(counts.failed - cancelled, 'failed'),
    ...part(cancelled, 'cancelled'),
    ...part(counts.blocked, 'blocked'),
    ...part(counts.unfinished, 'not finished'),
    ...part(counts.succeeded, 'made'),
    ...part(counts.reused, 'already here'),
    ...part(counts.skipped, 'skipped'),
  ];
  const usd = formatUsd(finished.usd);
  // What goes on at a service is paid for when it is made.
  const yet = !isFree(tale) && (tale.detached?.running.length ?? 0) > 0 ? ' so far' : '';
  const about = finished.estimated > 0 ? 'about ' : '';
  const untold = finished.unpriced > 0 ? `, the cost of ${finished.unpriced} not told` : '';
  const perhaps = isFree(tale) ? '' : perhapsWords(finished.perhaps);
  const money =
    finished.usd === 0
      ? `${finished.unpriced > 0 ? 'cost not told' : perhaps === '' ? 'nothing spent' : 'nothing known to be spent'}${yet}${perhaps}`
      : isFree(tale)
        ? `nothing spent (${usd} ${AT_PRICES})`
        : `${about}${usd} spent${yet}${untold}${perhaps}`;
  return `${tale.film} ${verdictWord(outcome)} ${time}: ${[...parts, money].join(', ')}`;
}

/** Requests whose answers were lost: what they may have cost is no secret. */
function perhapsWords({ requests, usd }: { readonly requests: number; readonly usd: number | null }): string {
  if (requests === 0) return '';
  const which = requests === 1 ? 'a request whose answer was lost' : `${requests} requests whose answers were lost`;
  return usd === null ? `, perhaps more for ${which}` : `, perhaps ${formatUsd(usd)} more for ${which}`;
}

function verdictWord(outcome: NonNullable<Tale['finished']>['outcome']): string {
  switch (outcome) {
    case 'done':
      return 'is finished in';
    case 'failed':
      return 'is not finished after';
    case 'interrupted':
      return 'was interrupted after';
    case 'unreachable':
      return 'stopped, the service cannot be used, after';
    case 'unwritable':
      return 'stopped, the journal cannot be written, after';
    case 'frozen':
      return 'stopped, frozen, after';
    default:
      return unreachable(outcome);
  }
}

/** `$1.56 of ~$2.40`; without a plan's price only what is spent. */
export function moneyWords(tale: Tale): string {
  const sum = formatUsd(spent(tale));
  return tale.expected === null || tale.expected === 0 ? sum : `${sum} of ~${formatUsd(tale.expected)}`;
}

/** The built-in studio renders on this machine for nothing; its prices show what the same film would cost on a service. */
const isFree = (tale: Tale): boolean => tale.service === 'studio' || tale.service === 'studio-draft';
const AT_PRICES = 'at catalog prices';

const costOf = (tale: Tale, { price, paid }: InstanceTale): Pick<FailureContext, 'price' | 'paid'> =>
  isFree(tale) ? { price: 0, paid: 0 } : { price, paid };

/** `shotlist run 'my films/fox.yaml'` */
export const runCommand = (pipeline: string): string => `shotlist run ${asTyped(pipeline)}`;

function filmWords(tale: Tale, film: Tale['films'][number]): string {
  const standing = tale.instances.get(film.key)?.standing;
  const result = standing?.is === 'succeeded' || standing?.is === 'reused' ? standing.result : null;
  return result?.is === 'media' || result?.is === 'text' ? `${film.path}  ${resultWords(result)}` : film.path;
}

/** Its own inputs are there, and the model it is made with is on its way up. */
function waitsForModel(tale: Tale, instance: InstanceTale): string | null {
  const deployment = tale.deployments.get(instance.model);
  const isWaited = deployment?.is === 'coming' || (deployment?.is === 'theirs' && deployment.status !== 'active');
  if (deployment === undefined || !isWaited || unmet(tale, instance).length > 0) return null;
  return `waits for ${deployment.model}${deployment.status === '' ? '' : `: ${deployment.status}`}`;
}

function deploymentWords(event: Extract<Stamped, { readonly type: 'deployment_changed' }>, tale: Tale): string {
  const [model, status] = [cleanText(event.model), cleanText(event.status)];
  if (status === 'active')
    return event.ours ? `${model} is active` : `${model} is active already, and is left as it is`;
  if (status === 'error') return `${model} has ended in an error`;
  if (status !== 'deploying' || !event.ours || tale.detached === null) return `${model} is ${status}`;
  return `${model} is on its way up, and can be ended when it is there; Ctrl-C again leaves it up`;
}

function closedWords({ model, how }: Extract<Stamped, { readonly type: 'activation_closed' }>, tale: Tale): string {
  switch (how) {
    case 'deactivated':
      return `${cleanText(model)} is deactivated${isFree(tale) ? '' : ', and bills no more'}`;
    case 'already_active':
      return `${cleanText(model)} was brought up by somebody else`;
    case 'not_up':
      return `${cleanText(model)} is not up${isFree(tale) ? '' : ', and does not bill'}`;
    default:
      return unreachable(how);
  }
}

/** What bills when this run is over; null where nothing does. */
function billsOnWords(tale: Tale, { model, is, status, reason }: DeploymentTale): string | null {
  const end = `\`shotlist deactivate ${asTyped(model)}\``;
  if (is === 'left') {
    if (isFree(tale)) return `${model} is still active in the studio, where it costs nothing; the next run ends it`;
    return `${model} is still active and bills on (${reason}): ${end} ends it, and so does the next run of this film`;
  }
  if (is !== 'theirs' || isFree(tale)) return null;
  if (status === 'active') return `${model} was active before this run, and still is: it bills until ${end}`;
  return `${model} is on its way up, though not by this run: it bills until ${end}`;
}

/** For whoever does not wait for the end: nothing else is said any more. */
export const leftBilling = (model: string): string =>
  `${cleanText(model)} may still be active, and bill: \`shotlist deactivate ${asTyped(cleanText(model))}\` ends it, and so does the next run of this film`;

function uncancelledWords(tale: Tale, { label, id, why, message }: Uncancelled): string {
  const which = id === null ? label : `${label} (generation ${id})`;
  const bills = isFree(tale) ? '' : ', and is billed';
  switch (why) {
    case 'not_offered':
      return `${which} goes on at ${tale.service}, which offers no cancelling${bills}; the next run takes it up`;
    case 'finished':
      return `${which} had finished already: it is yours, and the next run fetches it`;
    case 'no_answer':
      return `${which} may go on${bills === '' ? '' : ' and be billed'}: ${message}; \`shotlist cancel ${asTyped(tale.pipeline)}\` asks again`;
    case 'no_id':
      return `${which} may go on${bills === '' ? '' : ' and be billed'}: ${message}; the next run looks for it`;
    default:
      return unreachable(why);
  }
}

const cancelledIn = (tale: Tale): number =>
  [...tale.instances.values()].filter(({ standing }) => standing.is === 'failed' && isCancelled(standing.failure))
    .length;

const isCancelled = ({ code }: Failure): boolean => code === 'generation_cancelled';
const failedWords = (failure: Failure): string =>
  isCancelled(failure) ? `cancelled: ${failure.message}` : `failed: ${failure.message}`;

function waits(needs: readonly InstanceTale[]): string {
  const [first, second] = needs;
  if (first === undefined) return 'next up';
  if (second === undefined) return `waits for ${first.label}`;
  return needs.length === 2
    ? `waits for ${first.label} and ${second.label}`
    : `waits for ${first.label} and ${needs.length - 1} more`;
}

function goesOn(tale: Tale, running: readonly InstanceKey[]): string {
  if (running.length === 0) return 'nothing is left running at the service';
  const shown = running.slice(0, 5).map(cleanText).join(', ');
  const more = running.length > 5 ? ` and ${running.length - 5} more` : '';
  const one = running.length === 1;
  // The built-in studio ends with the run, and draws again what it had not finished.
  if (isFree(tale)) return `${shown}${more} ${one ? 'is' : 'are'} taken up again by the next run`;
  return `${shown}${more} ${one ? 'goes' : 'go'} on at the service, to be taken up again`;
}

function mediaWords(media: MediaFacts): string[] {
  const size = media.width !== undefined && media.height !== undefined ? [`${media.width}×${media.height}`] : [];
  return [...size, ...(media.duration !== undefined ? [formatSeconds(media.duration)] : [])];
}

const part = (n: number, word: string): string[] => (n > 0 ? [`${n} ${word}`] : []);
const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;
