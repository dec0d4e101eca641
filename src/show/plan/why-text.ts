/** What `shotlist why` prints, as text and as JSON. In the text: a head for each instance, below it what was there before, what changed, and why, indented. */
import { createHash } from 'node:crypto';
import { partName } from '../../model/media/derived-media.ts';
import { isDrawnAgain, isToBeMade, type Plan, shownAs } from '../../model/plan.ts';
import { shownRejection } from '../../model/run/choice.ts';
import { isFree } from '../../model/run/run-money.ts';
import { cellWidth, clipEnd, wrapWords } from '../../model/text/cells.ts';
import { cleanText } from '../../model/text/clean.ts';
import { listedFew } from '../../model/text/format.ts';
import type { JsonObject } from '../../model/text/json.ts';
import { memoized } from '../../model/text/json.ts';
import { actsOutside, isPaid, kindOf } from '../../plan/kinds/index.ts';
import { beforeCut, contentNamed } from '../../plan/owned/asked-fields.ts';
import { messages as planMessages } from '../../plan/plan-messages.ts';
import type { Cause, Change, Ownership, Why } from '../../plan/why/explain.ts';
import { messages } from '../../plan/why/why-messages.ts';
import { sentTogether, sumOf } from './folded-step.ts';
import { type Page, paintFor, withoutCoordinates } from './plan-page.ts';

interface WhyTextOptions {
  /** Terminal cells of a line. */
  readonly width: number;
  readonly color?: boolean;
}

/** A line, and how deep it is. */
interface Line {
  readonly depth: number;
  readonly text: string;
  readonly tone?: 'bold' | 'dim';
  /** It is cut where the line ends, and not wrapped. */
  readonly isExcerpt?: true;
}

export function formatWhy(all: readonly Why[], plan: Plan, { width: given, color = false }: WhyTextOptions): string {
  const width = Math.min(Math.max(given, 40), 160);
  const paint = paintFor(color);
  return alike(all)
    .map(group => [...new WhyLines(plan, width).ofGroup(group)])
    .map(lines => lines.flatMap(line => laidOut(line, width, paint)).join('\n'))
    .join('\n\n');
}

function laidOut({ depth, text, tone, isExcerpt }: Line, width: number, paint: Page['paint']): readonly string[] {
  const margin = ' '.repeat(2 * depth);
  const room = Math.max(20, width - margin.length);
  const clean = cleanText(text);
  const rows = isExcerpt ? [clipEnd(clean, room)] : wrapWords(clean, room);
  const painted = tone === undefined ? (row: string) => row : paint[tone];
  // Continuations are set a little further in.
  return rows.map((row, index) => `${margin}${index > 0 && depth > 0 ? '  ' : ''}${painted(row)}`);
}

/** A chain is followed no further than an eye follows it. */
const DEEPEST = 8;

/** How many keys are named of a group. */
const NAMED = 8;

/** The lines of one answer: what several instances wait for is explained where it is met first. */
class WhyLines {
  readonly #plan: Plan;
  readonly #width: number;
  readonly #explained = new Set<Why>();

  constructor(plan: Plan, width: number) {
    this.#plan = plan;
    this.#width = width;
  }

  *ofGroup(group: readonly Why[]): Iterable<Line> {
    const [first] = group;
    if (!first) return;
    if (group.length === 1) return yield* this.#ofOne(first, 0);
    const instances = group.map(({ instance }) => instance);
    const keys = instances.map(({ key }) => key);
    const { name } = first.instance.step;
    const text = sentTogether(instances, isFree(this.#plan)) ?? this.#headOfAll(group);
    yield { depth: 0, text: `${name} × ${group.length}: ${text}`, tone: 'bold' };
    yield { depth: 1, text: listedFew(keys, NAMED) };
    const example = [...this.#body(first, 2)];
    if (example.length > 0) yield { depth: 1, text: `for example ${first.instance.key}:`, tone: 'dim' };
    yield* example;
  }

  /** What holds for each of them: names without coordinates where they differ, and the price of all. */
  #headOfAll(group: readonly Why[]): string {
    const price = priceOf(group, this.#plan);
    const heads = new Set(group.map(why => head(why, price)));
    const [text = ''] = heads;
    return heads.size > 1 ? withoutNames(text) : text;
  }

  #head(why: Why): string {
    return head(why, priceOf([why], this.#plan));
  }

  *#ofOne(why: Why, depth: number, named = `${why.instance.key}: ${this.#head(why)}`): Iterable<Line> {
    this.#explained.add(why);
    yield { depth, text: named, tone: 'bold' };
    if (depth < DEEPEST) yield* this.#body(why, depth + 1);
    else if (why.waits.length > 0) yield { depth: depth + 1, text: messages.deeper() };
  }

  *#body(why: Why, depth: number): Iterable<Line> {
    const { instance, owned, before, changes, untold, open, failed, otherService, reason, waitsFor } = why;
    if (why.rejected) yield { depth, text: messages.rejected(shownRejection(why.rejected)) };
    if (owned) {
      // What is made of other results was made in no run of its own.
      yield { depth, text: messages.ownership(owned, isFree(this.#plan)) ?? instance.decision.why };
      if (owned.as !== undefined)
        yield { depth, text: messages.ownedAs(owned.as, !this.#plan.instances.has(owned.as)) };
      for (const { key, at } of owned.confirmed) yield { depth, text: messages.confirmed(key, at) };
      return;
    }
    if (kindOf(instance.step).isDecided || !isToBeMade(instance.decision)) return;
    if (actsOutside(instance.step)) yield { depth, text: instance.decision.why };
    if (reason !== undefined && !(actsOutside(instance.step) && reason === instance.decision.why))
      yield { depth, text: reason };
    yield* this.#changes(changes, depth);
    if (untold) yield { depth, text: messages.untold(untold, this.#plan.service) };
    const isFirst = before === undefined && waitsFor.length === 0;
    if (isFirst && otherService !== undefined)
      yield { depth, text: messages.otherService(otherService, this.#plan.service) };
    else if (isFirst) yield { depth, text: messages.neverMade() };
    if (failed) yield { depth, text: messages.failed(failed.at, failed.message) };
    for (const step of open) yield { depth, text: messages.openStep(step) };
    if (before && changes.length === 0 && waitsFor.length > 0)
      yield { depth, text: messages.staysIfSame(waitsFor.length) };
    yield* this.#waits(why, depth);
    // Shown once, of what was asked about.
    if (before && depth <= 2) yield { depth, text: messages.heldAgainst(before, isFree(this.#plan)), tone: 'dim' };
  }

  /** Each step that is waited for is one line, with an example of each reason below it. */
  *#waits({ waitsFor, waits }: Why, depth: number): Iterable<Line> {
    const { instances } = this.#plan;
    for (const [step, keys] of Map.groupBy(waitsFor, key => instances.get(key)?.step.name ?? '')) {
      yield { depth, text: messages.waitsFor(step, keys) };
      for (const [first] of alike(waits.filter(({ instance }) => instance.step.name === step))) {
        if (!first || this.#explained.has(first)) continue;
        const text = keys.length > 1 ? messages.forExample(first.instance.key, this.#head(first)) : undefined;
        yield* this.#ofOne(first, depth + 1, text);
      }
    }
  }

  *#changes(changes: readonly Change[], depth: number): Iterable<Line> {
    for (const group of Map.groupBy(changes, change => JSON.stringify(signOfChange(change))).values()) {
      const [first] = group;
      const isFolded = group.length > UNFOLDED;
      if (isFolded) yield { depth, text: messages.alike(group.map(({ field }) => fieldName(field))) };
      for (const change of isFolded && first ? [first] : group)
        yield* this.#change(change, isFolded ? depth + 1 : depth);
    }
  }

  *#change(change: Change, depth: number): Iterable<Line> {
    const reads = change.reads.length > 0 ? ` (${messages.reads(change.reads)})` : '';
    yield { depth, text: `${changeText(change)}${reads}` };
    yield* valueLines(change, this.#width, depth + 1);
    for (const { key, at, changes } of change.because) {
      yield { depth: depth + 1, text: messages.because(key, at) };
      yield* this.#changes(changes, depth + 2);
    }
  }
}

/** Changes of one kind with a line each; more are folded. */
const UNFOLDED = 3;

/** By its decision alone, which is what a plan shows. */
function head({ instance, before }: Why, price: string): string {
  const { decision, step } = instance;
  const is = shownAs(decision);
  if (isDrawnAgain(decision)) return decision.why;
  const isDecision = is === 'hit' || is === 'run' || is === 'maybe';
  if (isDecision && kindOf(step).isDecided) return decision.why;
  switch (is) {
    case 'hit':
      return messages.owned();
    case 'fetch':
    case 'sent':
      return decision.why;
    case 'skip':
      return messages.skipped(decision.why);
    case 'left_out':
      return messages.leftOut(decision.why);
    case 'run':
    case 'maybe':
      return messages.toBeMade(is === 'run', before !== undefined, price);
  }
}

/** As a plan has it: `$1.50 (3 × 5 s × $0.10)`; at list price where nothing is billed. */
function priceOf(group: readonly Why[], plan: Plan): string {
  const instances = group.map(({ instance }) => instance);
  const [first] = instances;
  if (!first || !isPaid(first.step)) return 'free';
  const { price, priceBasis, decision } = first;
  if (instances.every(one => one.price === null)) return priceBasis;
  if (instances.every(one => one.price === 0) && decision.is === 'run' && priceBasis === '') return decision.why;
  const { usd, basis } = sumOf(instances);
  const at = isFree(plan) && price !== 0 ? ' at list price' : '';
  return `${usd}${at}${basis === '' ? '' : ` (${basis})`}`;
}

function changeText({ field, was, now, media }: Change): string {
  if (media && isDigest(was) && isDigest(now)) {
    const name = fieldName(field);
    if (media.from === undefined && media.path !== undefined) return messages.otherFile(name, media.path);
    if (!media.part || media.from === undefined) return messages.otherMedia(name, KINDS[media.facts?.kind ?? 'file']);
    const part = partName(media.part);
    const isSameVideo = contentNamed(String(was)) === contentNamed(String(now));
    return isSameVideo ? messages.otherPart(name, part, media.from) : messages.partOfOther(name, part, media.from);
  }
  if (field === 'model') return messages.model();
  const name = fieldName(field);
  if (was === undefined) return messages.added(name);
  return now === undefined ? messages.removed(name) : messages.changed(name);
}

const KINDS = { video: 'video', image: 'picture', audio: 'sound', file: 'file' } as const;

/** A chat's words and its schema are called as their author calls them. */
function fieldName(field: string): string {
  if (/^messages\[\d+\]$/.test(field)) return planMessages.itsWords();
  return field.startsWith('response_format') ? planMessages.itsSchema() : `\`${field}\``;
}

function* valueLines({ was, now, media }: Change, width: number, depth: number): Iterable<Line> {
  if (media && isDigest(was) && isDigest(now)) return;
  const cut = beforeCut(was ?? null);
  if (typeof was === 'string' && typeof now === 'string') {
    if (cut !== undefined && now.startsWith(cut)) return yield { depth, text: messages.cutOff() };
    const room = Math.max(20, width - 2 * depth - LABEL.length - 2);
    const shown = excerpts(cleanText(cut === undefined ? was : `${cut}…`), cleanText(now), room);
    yield { depth, text: `was «${shown.was}»`, isExcerpt: true };
    yield { depth, text: `now «${shown.now}»`, isExcerpt: true };
    return;
  }
  if (was !== undefined) yield { depth, text: `was ${valueText(was)}`, isExcerpt: true };
  if (now !== undefined) yield { depth, text: `now ${valueText(now)}`, isExcerpt: true };
}

const LABEL = 'was ';
const valueText = (value: NonNullable<Change['was']> | null): string =>
  typeof value === 'string' ? `«${cellWidth(value) > 300 ? clipEnd(value, 300) : value}»` : JSON.stringify(value);
const isDigest = (value: Change['was']): boolean => typeof value === 'string' && contentNamed(value) !== undefined;

/** Characters of what is the same that stand before a difference. */
const BEFORE = 24;

interface Excerpts {
  readonly was: string;
  readonly now: string;
}

/**
 * Two texts, cut down to the place where they differ: `…crosses the «frozen» river` says more than both of them in full.
 * @param room terminal cells for each of the two.
 */
export function excerpts(was: string, now: string, room: number): Excerpts {
  if (cellWidth(was) <= room && cellWidth(now) <= room) return { was, now };
  const same = sameStart(was, now);
  const from = same <= BEFORE ? 0 : wordAt(was, same - BEFORE);
  const cut = (text: string) => clipEnd(`${from > 0 ? '…' : ''}${text.slice(from)}`, room);
  return { was: cut(was), now: cut(now) };
}

function sameStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  // Half of a character is none.
  return /[\udc00-\udfff]/.test(a[at] ?? b[at] ?? '') ? at - 1 : at;
}

/** The first beginning of a word from there on; long words are cut where they are. */
function wordAt(text: string, from: number): number {
  const blank = text.indexOf(' ', Math.max(0, from));
  return blank >= 0 && blank < from + BEFORE / 2 ? blank + 1 : Math.max(0, from);
}

/** Instances of a step with explanations that differ only in the values they name, in groups, in the order of the plan; none is empty. */
const alike = (all: readonly Why[]): readonly (readonly Why[])[] => [...Map.groupBy(all, signOf).values()];

/** The digest of all that its words depend on but the values they name. */
const signOf = memoized((why: Why): string => {
  const { instance, owned, before, changes, untold, waitsFor, waits, open, failed, otherService, reason } = why;
  const { decision, step } = instance;
  const sign = [
    ...[step.name, decision.is, owned ? [] : withoutNames(decision.why), open, untold, otherService, reason],
    owned && [owned.made?.run, owned.made?.how, owned.made?.film, owned.locked !== undefined, stepIn(owned.as)],
    owned?.confirmed.map(({ key }) => stepIn(key)),
    [before?.from, changes.map(signOfChange), waitsFor.map(stepIn), waits.map(signOf), failed?.message],
    why.rejected?.note,
  ];
  return createHash('sha256').update(JSON.stringify(sign)).digest('base64');
});

/** Which clip it is, or which entry of a list, makes no other kind. */
const signOfChange = ({ field, was, now, media, reads, because }: Change): unknown => [
  ...[field.replaceAll(/\d+/g, '#'), was === undefined, now === undefined, media !== undefined, reads],
  because.map(signOfCause),
];
const signOfCause = ({ key, changes }: Cause): unknown => [stepIn(key), changes.map(signOfChange)];

const stepIn = (key: string | undefined): string | undefined => key?.replace(/\[.*\]$/s, '');
const withoutNames = (text: string): string => withoutCoordinates(text).replaceAll(/ as \S+(?=:)/g, '');

export const whyJson = (all: readonly Why[], { pipeline, service }: Plan): JsonObject => ({
  version: 1,
  pipeline: pipeline.source.path,
  service,
  instances: all.map(why => instanceJson(why, new Set())),
});

/** @param seen instances that are shown in full already; what they would repeat is left out. */
function instanceJson(why: Why, seen: Set<Why>): JsonObject {
  const { instance, owned, before, changes, untold, waitsFor, waits, open, failed, otherService } = why;
  const { key, step, decision, price, priceBasis } = instance;
  const head = {
    ...{ key, step: step.name, decision: shownAs(decision), why: decision.why },
    ...{ price_usd: price, price_basis: priceBasis },
  };
  if (seen.has(why)) return head;
  seen.add(why);
  return {
    ...head,
    ...(decision.is === 'sent' && { sent: { film: null, ...decision.sent } }),
    ...(why.rejected && { rejected: shownRejection(why.rejected) }),
    ...(owned && { owned: ownershipJson(owned) }),
    ...(before && {
      before: {
        ...{ from: before.from, at: before.at ?? null, run: before.run ?? null, cost_usd: before.cost },
        asked: before.asked ?? null,
      },
    }),
    ...(isToBeMade(decision) && {
      ...{ changes: changes.map(changeJson), cannot_tell: untold ?? null },
      ...{ waits_for: waits.map(one => instanceJson(one, seen)), waits_for_instances: waitsFor, waits_for_steps: open },
      ...{ failed: failed ?? null, made_on: otherService ?? null },
    }),
  };
}

const ownershipJson = ({ made, locked, as, confirmed }: Ownership): JsonObject => ({
  journal: made
    ? { ...{ run: made.run, at: made.at, key: made.key, how: made.how }, film: made.film ?? null, cost_usd: made.cost }
    : null,
  lock: locked ? { generation: locked.generation, cost_usd: locked.cost } : null,
  as: as ?? null,
  made_again_with_the_same_bytes: confirmed.map(({ key, at, run }) => ({ key, at, run })),
});

const changeJson = ({ field, was = null, now = null, media, reads, because }: Change): JsonObject => ({
  ...{ field, was: beforeCut(was) ?? was, now, was_cut: beforeCut(was) !== undefined },
  ...{ reads, because: because.map(causeJson) },
  ...(media && { media: { from: media.from ?? null, kind: media.facts?.kind ?? null } }),
});

const causeJson = ({ key, at, changes }: Cause): JsonObject => ({
  key,
  at: at ?? null,
  changes: changes.map(changeJson),
});
