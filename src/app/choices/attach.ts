/**
 * A generation that is at the service already, taken for an instance's own: the request that the service recorded is compared with the request of
 * the instance, field by field, and then it is journalled like a found answer. A run downloads it.
 */
import { randomUUID } from 'node:crypto';
import type { GenerationRecord, HistoryRow } from '../../api/queue.ts';
import type { Service } from '../../api/service.ts';
import { usdOf } from '../../model/money.ts';
import { moreAt } from '../../model/run/decision-page.ts';
import type { GenerationId, InstanceKey, RunId } from '../../model/run/key.ts';
import { cleanText } from '../../model/text/clean.ts';
import { canonical, type Json, type JsonObject } from '../../model/text/json.ts';
import { isPaid } from '../../plan/kinds/index.ts';
import { resultsIn } from '../../plan/owned/owned-result.ts';
import { resolve } from '../../plan/values/resolve.ts';
import type { ResolvedRequest } from '../../plan/values/resolved.ts';
import { outputsOf } from '../../plan/values/value-reads.ts';
import type { Film } from '../film/open-film.ts';

type Attaching =
  /** Journalled; `notes`: what could not be compared, and what is different and was let pass. */
  | { readonly is: 'attached'; readonly notes: readonly string[] }
  | { readonly is: 'refused'; readonly message: string }
  | { readonly is: 'unreachable'; readonly message: string };

interface AttachAsked {
  readonly key: InstanceKey;
  readonly id: GenerationId;
  /** `different`: also where it was asked for something else, or its request is unknown. */
  readonly accept: 'same' | 'different';
}

/** @param film opened to be run. */
export async function attach(
  film: Film,
  asked: AttachAsked,
  service: Service,
  signal: AbortSignal,
): Promise<Attaching> {
  const { key, id } = asked;
  const request = requestOf(film, key);
  if (typeof request === 'string') return refused(request);
  if ((await film.journal.views.sent.claimedAmong([id], service.account)).has(id)) return refused(messages.claimed(id));
  const open = film.journal.views.ledger.withFingerprint(request.fingerprint);
  if (open?.id !== undefined) return refused(messages.sentAlready(key, open.id));
  const found = await service.generation(id, signal);
  if (found.is === 'absent') return refused(messages.notThere(id, service.name));
  if (found.is !== 'ok') return { is: 'unreachable', message: found.message };
  const record = found.value;
  const { status } = record;
  if (status === 'failed' || status === 'cancelled')
    return refused(messages.ended(id, status, cleanText(record.error_message ?? '')));
  const row = await rowOf(id, service, signal);
  const { different, unknown } = compared(request, record, row, service);
  const reasons = [...different, ...(unknown.length > 0 && !row ? [messages.notListed(id)] : [])];
  if (reasons.length > 0 && asked.accept === 'same') return refused(messages.notTheSame(id, key, reasons));
  const notes = [...reasons, ...(row && unknown.length > 0 ? [messages.unreportedFields(unknown)] : [])];
  await journalled(film, asked, request, usdOf(row?.cost), open?.nonce, service);
  return { is: 'attached', notes: status === 'succeeded' ? notes : [...notes, messages.underWay(id, status)] };
}

const refused = (message: string): Attaching => ({ is: 'refused', message });

/** What the instance asks for; a sentence where that is no request, or is not known yet. */
export function requestOf({ plan, context }: Film, key: InstanceKey): ResolvedRequest | string {
  const instance = plan.instances.get(key);
  if (!instance) throw new Error(`no instance ${key} in this plan`);
  if (!isPaid(instance.step) || outputsOf(instance.step)) return messages.noRequest(key);
  const resolved = resolve(plan, instance, resultsIn(plan), context);
  if (resolved.is === 'pending') return messages.notKnown(key, resolved.why);
  if ('via' in resolved) return resolved.via.is === 'queue' ? resolved : messages.noQueue(key);
  return messages.noRequest(key);
}

/** Undefined where the service lists no requests, or not this one. */
async function rowOf(id: string, service: Service, signal: AbortSignal): Promise<HistoryRow | undefined> {
  const rows = await service.history(signal, { until: new Set([id]) });
  return rows.is === 'ok' ? rows.value.find(row => row.generation_id === id) : undefined;
}

interface Compared {
  readonly different: readonly string[];
  /** Fields that the service does not show. */
  readonly unknown: readonly string[];
}

function compared(
  { model, request }: ResolvedRequest,
  record: GenerationRecord,
  row: HistoryRow | undefined,
  service: Service,
): Compared {
  const different: string[] = [];
  const unknown: string[] = [];
  const named = row?.model_name ?? record.model_name ?? row?.model;
  const same = [model, service.modelId(model)];
  if (typeof named !== 'string') unknown.push('model');
  else if (!same.includes(named) && !same.includes(service.modelId(named)))
    different.push(messages.otherField('model', named, model));
  for (const [field, value] of Object.entries(request)) {
    if (field === 'model') continue;
    const shown = row?.[field];
    // The address of a result changes with every run, and means the same content.
    if (shown === undefined || shown === null || holdsAddress(value)) unknown.push(field);
    else if (!isSame(shown as Json, value)) different.push(messages.otherField(field, shown as Json, value));
  }
  return { different, unknown };
}

/** The row was asked for what this asks for, as far as it shows; something of it must be shown. */
export function isAskedIn(row: HistoryRow, asked: ResolvedRequest, service: Service): boolean {
  const { different, unknown } = compared(asked, row, row, service);
  return different.length === 0 && !unknown.includes('model') && unknown.length < Object.keys(asked.request).length;
}

const holdsAddress = (value: Json): boolean => /"(?:https?|file|generation|sha256):/.test(JSON.stringify(value));

const isSame = (shown: Json, asked: Json): boolean =>
  canonical(shown) === canonical(asked) ||
  (typeof shown === 'string' && typeof asked === 'string' && shown.trim() === asked.trim());

/** As if its answer had been lost and found: durable before anything is made of it. */
async function journalled(
  { journal }: Film,
  { key, id }: AttachAsked,
  { fingerprint, model, request }: ResolvedRequest,
  price: number | null,
  lost: string | undefined,
  { account }: Service,
): Promise<void> {
  const nonce = lost ?? randomUUID();
  const run = `attached ${nonce}` as RunId;
  const asked: JsonObject = request;
  const intended = { type: 'submit_intended', key, nonce, fingerprint, model, request: asked, price, account } as const;
  // Its own request, with a lost answer: this is the answer.
  if (lost === undefined) journal.append(run, [intended]);
  journal.append(run, [{ type: 'submit_accepted', key, nonce, generation_id: id, found: true }]);
  await journal.durable();
}

/** Messages about taking a generation for an instance's own. */
const messages = {
  noRequest: (key: string) =>
    `${key} asks a service for nothing that a generation could be; attach one to a step with a \`model\``,
  noQueue: (key: string) =>
    `${key} is answered at once, and leaves no generation to attach; leave out \`via: sync\`, or use \`shotlist adopt\` with its file`,
  notKnown: (key: string, why: string) =>
    `what ${key} asks for is not known yet: it ${why}; make that first, so that the two can be compared`,
  claimed: (id: string) => `${cleanText(id)} is the generation of another request of this project already`,
  sentAlready: (key: string, id: string) =>
    `${key} was sent already, as ${cleanText(id)}: the next run brings that home; to give it up first, \`shotlist cancel FILE KEY --forget\``,
  notThere: (id: string, service: string) => `${service} knows no generation ${cleanText(id)} of this key's`,
  ended: (id: string, status: string, why: string) =>
    `${cleanText(id)} has ${status === 'failed' ? 'failed' : 'been cancelled'}${why === '' ? '' : `: ${why}`}; there is no result to take`,
  otherField: (field: string, theirs: Json, ours: Json) =>
    `${cleanText(field)} is ${shownValue(theirs)} there, and ${shownValue(ours)} here`,
  notListed: (id: string) => `the service does not tell what ${cleanText(id)} was asked`,
  unreportedFields: (fields: readonly string[]) =>
    `not compared, for the service does not show it: ${fields.map(cleanText).join(', ')}`,
  notTheSame: (id: string, key: string, reasons: readonly string[]) =>
    [
      `${cleanText(id)} is not known to be what ${key} asks for:`,
      ...reasons.map(reason => `  ${reason}`),
      'with --force it is taken all the same',
      moreAt('attach-differs'),
    ].join('\n'),
  underWay: (id: string, status: string) => `${cleanText(id)} is ${cleanText(status)}: it is waited for`,
} as const;

const shownValue = (value: Json): string => {
  const text = cleanText(typeof value === 'string' ? `"${value}"` : JSON.stringify(value));
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
};
