/**
 * What a service's history says about a submission whose answer was lost. Real ones leave fields out, rewrite them, list late, show
 * another namespace, cut the list short; the interface document promises no history at all. So a row counts as ours only when it holds
 * what we sent and can belong to no other request, and absence is believed only of a list that has proven to be complete:
 *
 * - it shows every generation of ours that it must hold, and goes back to before the lost one was sent;
 * - it shows one that was made long after the lost one was sent: time alone proves nothing, since a list may lag for minutes and a gateway
 *   may carry out late what it has cut off;
 * - every recent row that belongs to no known request *contradicts* ours, in a field that this service is known to give back as it was sent.
 *   A row without a field contradicts nothing, except in a list that is trusted and shows that very value elsewhere: takes of one
 *   request differ in nothing but a seed, which the first of them is sent without.
 *
 * What may have been sent in a time that the journal has forgotten is judged by the same rules, and one more: who its rivals are is not
 * known either. Its row shows all of the request, and nothing of another that has more fields.
 *
 * In all other cases it cannot be decided. An idea that was dropped: believing that a row with another prompt is another's,
 * without having seen that the service gives prompts back (some write them anew).
 */
import type { HistoryRow } from '../../api/queue.ts';
import { canonical, type Json } from '../../model/text/json.ts';
import type { Submission } from '../../records/views/ledger.ts';
import type { Witness } from '../../records/views/sent-requests.ts';

/** Waiting times, in milliseconds, before absence from the history is believed. */
export interface Proof {
  /** From the end of the POST to the first read that counts. */
  readonly settled: number;
  /** The same after a gateway's answer, behind which the request may still be on its way. */
  readonly settledBehindGateway: number;
  /** Between the two reads that have to agree. */
  readonly apart: number;
  /** From the POST to a generation of the account that the list has to show; and no read before then proves absence. */
  readonly witnessAfter: number;
  /** The list is known to be whole and to show what was sent as it was sent: our own studio's. */
  readonly trusted: boolean;
}

export const HOSTED_PROOF: Proof = {
  settled: 90_000,
  settledBehindGateway: 300_000,
  apart: 30_000,
  witnessAfter: 300_000,
  trusted: false,
};
export const STUDIO_PROOF: Proof = {
  settled: 2_000,
  settledBehindGateway: 5_000,
  apart: 500,
  witnessAfter: 0,
  trusted: true,
};

export interface Evidence {
  readonly rows: readonly HistoryRow[];
  readonly lost: Submission;
  /** Other submissions of this account with lost or awaited answers: a row may be theirs. */
  readonly rivals: readonly Submission[];
  /** Generations that are known to be ours. */
  readonly witnesses: readonly Witness[];
  readonly isClaimed: (id: string) => boolean;
  /** The service's own id of a model. */
  readonly modelId: (label: string) => string;
  readonly trusted: boolean;
  readonly witnessAfter: number;
}

export type Verdict =
  | { readonly is: 'found'; readonly row: HistoryRow }
  /** This read proves that it is not there. `isDated`: by the service's own dates, whatever our clock shows. */
  | { readonly is: 'absent'; readonly isDated: boolean }
  /** A row may be this submission's or another's, and the answer to the other one is still awaited. */
  | { readonly is: 'later' }
  /** It is not listed, and neither is anything that was made long after it: it may be still to come. */
  | { readonly is: 'not yet'; readonly why: string }
  | { readonly is: 'cannot tell'; readonly why: string };

/** Seconds that the service's clock may run ahead of or behind ours. */
export const CLOCK_SKEW = 300;
/** Milliseconds after which a history must show what it was given, to be believed. */
const LAG = 60_000;

export function judge(evidence: Evidence): Verdict {
  const { lost, rivals, isClaimed, trusted } = evidence;
  const known = whatIsKnown(evidence);
  const unclaimed = evidence.rows.filter(row => !isClaimed(row.generation_id) && !isOld(row, evidence));
  const fits = (row: HistoryRow, submission: Submission): 'same' | 'other' | 'perhaps' => {
    const fit = submission.isFromLostTime
      ? compareUnseen(row, submission, evidence, known)
      : compare(row, submission, known);
    if (fit !== 'rewritten') return fit;
    // A list that shows what was sent has no reason to rewrite one request into exactly another one of ours.
    const isAnothers = [lost, ...rivals].some(other => other !== submission && isWholeAsSent(row, other, known));
    return trusted && isAnothers ? 'other' : 'perhaps';
  };

  const ours = unclaimed.filter(row => fits(row, lost) === 'same');
  for (const row of ours) {
    if (row.idempotency_key === lost.nonce) return { is: 'found', row };
    const others = rivals.filter(rival => fits(row, rival) !== 'other');
    // Equal requests with lost answers may each take any of the rows. A request that is still under way may be answered soon.
    if (others.some(rival => rival.state === 'intended')) return { is: 'later' };
    if (others.every(rival => isEqual(rival, lost))) return { is: 'found', row };
  }
  if (ours.length > 0)
    return { is: 'cannot tell', why: 'what the service lists may be one of several requests of ours' };
  const strange = unclaimed.filter(row => fits(row, lost) !== 'other').length;
  if (strange > 0) {
    const what = strange === 1 ? 'a generation that may be it' : `${strange} generations that may be it`;
    return { is: 'cannot tell', why: `the service lists ${what}, without saying enough to be sure` };
  }
  const doubt = evidence.trusted ? undefined : whyNotBelieved(evidence);
  if (doubt !== undefined) return { is: 'cannot tell', why: doubt };
  const later = laterWitness(evidence);
  if (evidence.trusted || later) return { is: 'absent', isDated: later === 'dated' };
  return { is: 'not yet', why: NOTHING_LATER };
}

const NOTHING_LATER = 'nothing that was made long after it is listed: it may still be carried out, or listed late';

/**
 * Whether the list shows a generation of the account that was made long after the lost one was sent. By the service's own dates, counted from the
 * last one of ours before; where it shows none, by what we know of our own.
 */
function laterWitness({ rows, witnesses, lost, witnessAfter }: Evidence): 'dated' | 'known' | undefined {
  const sentAt = latestSent(lost);
  const listed = new Map(rows.map(row => [row.generation_id, row]));
  const before = witnesses.findLast(witness => isBefore(witness, lost) && listed.has(witness.id));
  const dated = before && listed.get(before.id)?.enqueued_at;
  if (before === undefined || dated === undefined)
    return witnesses.some(({ id, at }) => listed.has(id) && at >= sentAt + witnessAfter) ? 'known' : undefined;
  const since = dated * 1000 + Math.max(0, sentAt - before.at) + witnessAfter;
  return rows.some(({ enqueued_at: at }) => at !== undefined && at * 1000 >= since) ? 'dated' : undefined;
}

/** Unix milliseconds, by our clock: when it was sent, or the end of the lost time, up to which it may have been sent. */
export const latestSent = ({ at, lostAt = at, isFromLostTime }: Submission): number => (isFromLostTime ? lostAt : at);

/**
 * Whether a believed list shows nothing, of a time that the journal has lost, that may have been paid for and belongs to no known request. @param
 * evidence for any request that may have been sent then.
 */
export function isAccountedFor(evidence: Evidence): boolean {
  const { lost, rows, isClaimed, trusted } = evidence;
  const until = (lost.lostAt ?? lost.at) / 1000 + CLOCK_SKEW;
  const isNobodys = (row: HistoryRow) =>
    !isClaimed(row.generation_id) &&
    !isOld(row, evidence) &&
    (row.enqueued_at === undefined || row.enqueued_at < until) &&
    row.status !== 'failed' &&
    row.status !== 'cancelled';
  return !rows.some(isNobodys) && (trusted || whyNotBelieved(evidence) === undefined);
}

/** Why the absence of one is not believed: the list also leaves out generations that the service is known to have accepted. */
function whyNotBelieved({ rows, witnesses, lost }: Evidence): string | undefined {
  const listed = new Set(rows.map(row => row.generation_id));
  const due = witnesses.filter(({ at }) => at < (lost.lostAt ?? lost.at) - LAG || at < lost.at);
  const missing = due.filter(({ id }) => !listed.has(id));
  if (missing.length > 0) return 'the service does not list all that it is known to have taken';
  if (!due.some(witness => isBefore(witness, lost))) {
    return rows.length === 0
      ? 'the service lists nothing at all, not even what it has taken'
      : 'nothing that the service is known to have taken before shows that its list is whole';
  }
  return undefined;
}

/**
 * The service had it when the other was sent. Sent before is not enough: of two on the wire the second may arrive first, and a list
 * that is cut off between them shows the first alone.
 */
export const isBefore = ({ isEarlier, at, acceptedAt = at }: Witness, lost: Submission): boolean =>
  isEarlier && Math.max(at, acceptedAt) <= lost.at;

/** What the rows of our own generations show about how the service returns fields. */
interface Known {
  /** Fields that it gives back as they were sent, in every row of ours that has them. */
  readonly faithful: (field: string) => boolean;
  /** Fields that it never shows in rows of ours. */
  readonly hidden: (field: string) => boolean;
  /**
   * Whether it would show the field of a request that was sent with this value: a list that is trusted shows that very value of the
   * same model elsewhere, and leaves the field out of no row of ours. Some leave out zero, or what is the default anyway, and show everything else.
   */
  readonly shows: (field: string, value: Json, model: string) => boolean;
  /** Whether it shows a field of a request that was sent without it: one with another value that it has chosen itself, or a default. */
  readonly fillsIn: (field: string) => 'does' | 'never' | 'not known';
  /** What it calls the models that we call by these names. */
  readonly isModel: (named: string, label: string) => 'same' | 'other' | 'perhaps';
}

function whatIsKnown({ rows, witnesses, modelId, trusted }: Evidence): Known {
  const byId = new Map(rows.map(row => [row.generation_id, row]));
  const seen = witnesses.flatMap(witness => {
    const row = byId.get(witness.id);
    return row ? [{ witness, row }] : [];
  });
  const called = new Map<string, Set<string>>();
  for (const { witness, row } of seen) {
    const name = modelOf(row);
    if (name !== undefined) called.set(name, (called.get(name) ?? new Set()).add(modelId(witness.model)));
  }
  const sentAndShown = (field: string) =>
    seen.filter(({ witness, row }) => witness.request[field] !== undefined && isShown(row, field));
  const isModel: Known['isModel'] = (named, label) => {
    const id = modelId(label);
    if (named === label || named === id || modelId(named) === id) return 'same';
    const means = called.get(named);
    if (means?.has(id)) return means.size === 1 ? 'same' : 'perhaps';
    // A family's name, or one that none of ours has, may be another name of the same; another's own id is not.
    return trusted || means?.has(named) ? 'other' : 'perhaps';
  };
  return {
    faithful: field => {
      // What is kept of a request that held a secret is not what was sent.
      const shown = sentAndShown(field).filter(({ witness }) => !witness.masked);
      if (trusted && shown.length === 0) return true;
      return (
        shown.length > 0 &&
        shown.every(({ witness, row }) => isAsSent(row[field] as Json, witness.request[field] as Json))
      );
    },
    hidden: field =>
      seen.some(({ witness }) => witness.request[field] !== undefined) && sentAndShown(field).length === 0,
    shows: (field, value, label) =>
      trusted &&
      rows.some(
        row =>
          isModel(modelOf(row) ?? '', label) === 'same' && isShown(row, field) && isAsSent(row[field] as Json, value),
      ) &&
      seen.every(({ witness, row }) => witness.request[field] === undefined || isShown(row, field)),
    fillsIn: field => {
      const without = seen.filter(({ witness }) => witness.request[field] === undefined);
      if (without.some(({ row }) => isShown(row, field))) return 'does';
      return without.length > 0 ? 'never' : 'not known';
    },
    isModel,
  };
}

/**
 * `same`: the row holds what was sent, and nothing else. `other`: the row contradicts it. `rewritten`: it would be this if a text of it
 * had been cut, or added to.
 */
function compare(row: HistoryRow, sent: Submission, known: Known): 'same' | 'other' | 'perhaps' | 'rewritten' {
  const nonce = row.idempotency_key;
  // The name that a request had in a forgotten time is forgotten too.
  if (typeof nonce === 'string' && nonce !== '' && !sent.isFromLostTime) return nonce === sent.nonce ? 'same' : 'other';
  const named = modelOf(row);
  const model = named === undefined ? 'perhaps' : known.isModel(named, sent.model);
  if (model === 'other') return 'other';
  let [hasDistinctive, whole, rewritten] = [false, true, false];
  let sure = model === 'same';
  for (const [field, value] of Object.entries(sent.request)) {
    if (!isShown(row, field)) {
      if (row[field] == null && known.shows(field, value, sent.model) && !sent.masked && showsTheRest(row, sent, field))
        return 'other';
      whole = false;
      sure &&= known.hidden(field);
      continue;
    }
    const shown = row[field] as Json;
    if (isSame(shown, value)) hasDistinctive ||= isDistinctive(value);
    else if (known.faithful(field) && !sent.masked && !isPart(shown, value)) return 'other';
    else {
      rewritten ||= known.faithful(field) && !sent.masked;
      sure = false;
    }
  }
  if (rewritten && whole) return 'rewritten';
  return sure && (whole || hasDistinctive) ? 'same' : 'perhaps';
}

/**
 * The same of a request that may never have been sent, in a time without records: its row shows each field as it was sent, and none that tells
 * another request from it.
 */
function compareUnseen(
  row: HistoryRow,
  sent: Submission,
  evidence: Evidence,
  known: Known,
): ReturnType<typeof compare> {
  const { witnesses, rivals, lost, trusted } = evidence;
  const fit = compare(row, sent, known);
  if (fit === 'other') return fit;
  const fields = new Set(['seed', ...[...witnesses, ...rivals, lost].flatMap(({ request }) => Object.keys(request))]);
  const more = [...fields].filter(field => sent.request[field] === undefined && isShown(row, field));
  const filled = more.map(known.fillsIn);
  if (filled.includes('never') || (trusted && filled.includes('not known'))) return 'other';
  if (fit !== 'same') return fit;
  const isWhole = Object.entries(sent.request).every(
    ([field, value]) => isShown(row, field) && isAsGiven(row[field] as Json, value),
  );
  return isWhole && !filled.includes('not known') ? 'same' : 'perhaps';
}

/** As it was sent; of an address, what it is signed with may be another. */
const isAsGiven = (shown: Json, sent: Json): boolean =>
  isAsSent(shown, sent) || (/"(https?|file):/i.test(JSON.stringify(sent)) && isSame(shown, sent));

/** It shows every field of the request, letter by letter. */
const isWholeAsSent = (row: HistoryRow, sent: Submission, known: Known): boolean =>
  compare(row, sent, known) === 'same' &&
  Object.entries(sent.request).every(([field, value]) => isShown(row, field) && isAsSent(row[field] as Json, value));

/** A row that leaves out more is no whole one: it may be listed before what was sent is written down. */
const showsTheRest = (row: HistoryRow, { request }: Submission, field: string): boolean =>
  Object.keys(request).every(name => name === field || isShown(row, name));

const modelOf = (row: HistoryRow): string | undefined => {
  const named = row.model_name ?? row.model;
  return typeof named === 'string' ? named : undefined;
};

/** A field that held the API key was redacted when it was received, so it cannot be compared. */
const isShown = (row: HistoryRow, field: string): boolean => {
  const value = row[field];
  return value !== undefined && value !== null && !JSON.stringify(value).includes(CLEANED);
};
const CLEANED = '(key)';

/**
 * Whether a row was listed long before ours can have been, by the service's own dates and compared with the last one that we sent before.
 * Our own clock may have been wrong by hours when ours was sent: an hour too late, it would take our own row for an old one.
 */
function isOld(row: HistoryRow, { rows, witnesses, lost }: Evidence): boolean {
  const before = witnesses.findLast(witness => isBefore(witness, lost));
  const dated = before && rows.find(({ generation_id }) => generation_id === before.id)?.enqueued_at;
  return dated !== undefined && row.enqueued_at !== undefined && row.enqueued_at < dated - CLOCK_SKEW;
}

/** Whether a value identifies a request: a prompt, an address or a seed is not shared by chance. */
const isDistinctive = (value: Json): boolean =>
  (typeof value === 'string' && value.length >= 8) ||
  (typeof value === 'number' && value > 999) ||
  typeof value === 'object';

const isEqual = (a: Submission, b: Submission): boolean =>
  a.model === b.model && canonical(a.request) === canonical(b.request);

/** As it was sent, except for blanks at its ends, which many services trim. A service that adds blanks may rewrite anything else too. */
const isAsSent = (shown: Json, sent: Json): boolean =>
  canonical(shown) === canonical(sent) || (typeof sent === 'string' && shown === sent.trim());

/** One text contains the other: some services cut a prompt or add to it, and not to every one. */
function isPart(shown: Json, sent: Json): boolean {
  if (typeof shown !== 'string' || typeof sent !== 'string') return false;
  const [one, other] = [looseText(shown), looseText(sent)];
  return one.includes(other) || other.includes(one);
}

/** The same, as far as services rewrite what they were sent: `5` and `"5s"`, blanks, letter case of a word, an address signed anew. */
const isSame = (a: Json, b: Json): boolean => canonical(loose(a)) === canonical(loose(b));

function loose(value: Json): Json {
  if (Array.isArray(value)) return value.map(item => loose(item as Json));
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return looseText(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, loose(item as Json)]));
}

function looseText(text: string): string {
  const line = text.normalize('NFC').replace(/\s+/g, ' ').trim();
  if (/^-?\d+(\.\d+)?\s?s?$/i.test(line)) return String(Number.parseFloat(line));
  if (/^(https?|file):\/\//i.test(line) && URL.canParse(line)) {
    const { origin, pathname } = new URL(line);
    return origin === 'null' ? pathname : origin + pathname;
  }
  return line.toLowerCase();
}
