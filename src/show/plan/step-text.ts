/**
 * A step as a plan's text shows it. A step of one instance: what becomes of it and why, its price, the request it would send. A step of several
 * is folded: how many there are, what becomes of how many and why, what they ask for once, and how they differ.
 */

import type { Step } from '../../model/pipeline.ts';
import { type Instance, isPending, isToBeMade, type OpenStep, type Plan, shownAs } from '../../model/plan.ts';
import { calledAs, type StepName } from '../../model/run/key.ts';
import { cellWidth, clipEnd, clipMiddle, padEnd, wrapWords } from '../../model/text/cells.ts';
import { cleanText } from '../../model/text/clean.ts';
import { formatUsd, listedFew, number } from '../../model/text/format.ts';
import { isObject, type Json, type JsonObject } from '../../model/text/json.ts';
import { foldWords } from '../../model/text/word-difference.ts';
import { stepNamed } from '../../plan/graph/plan-graph.ts';
import { isPaid, kindOf } from '../../plan/kinds/index.ts';
import { messages } from '../../plan/plan-messages.ts';
import { foldStep, placeShared, type Reason, sumOf, toBeMade, whichOf } from './folded-step.ts';
import { heading, INDENT, type Page, wrapped } from './plan-page.ts';

/** @param all each instance by itself. */
export function stepBlocks(plan: Plan, name: StepName, all: boolean, page: Page): readonly string[] {
  const instances = plan.instances.of(name);
  const open = plan.instances.isOpen(name) && plan.open.find(one => one.step === name);
  if (open) return [openBlock(open, stepNamed(plan.pipeline, name), page)];
  if (instances.length === 0) return [emptyBlock(name, page)];
  if (instances.length > 1 && !all) return [folded(instances, page)];
  return instances.map(instance => block(instance, page));
}

/** Cells of the column with the bases of prices. */
export function basisWidth({ instances, open }: Plan, all: boolean): number {
  const bases = [...instances.steps].flatMap(name => {
    const of = instances.of(name);
    if (of.length > 1 && !all) return [sumOf(toBeMade(of)).basis];
    return of.flatMap(({ price, priceBasis }) => (price === null ? [] : [priceBasis]));
  });
  for (const { step, usd, priceBasis } of open) if (usd !== null && instances.isOpen(step)) bases.push(priceBasis);
  return bases.reduce((width, basis) => Math.max(width, cellWidth(basis)), 0);
}

/** One instance: a line that can be read alone, then the request it would send. */
function block(instance: Instance, page: Page): string {
  const { key, decision } = instance;
  const lines = heading(
    page,
    { is: shownAs(decision) },
    cleanText(key),
    cleanText(decision.why),
    moneyOf(instance, page),
  );
  // An instance that is owned already sends nothing.
  if (isToBeMade(decision)) lines.push(...request(instance, page));
  return lines.join('\n');
}

/** How many instances it will have is not known. */
export const openName = (step: StepName): string => `${step} ×?`;

/** An open step: its reason to wait, and the model or command that will carry its instances out. */
function openBlock(open: OpenStep, step: Step, page: Page): string {
  const { step: name, most, usd, priceBasis, request: asked } = open;
  if (open.leftOut !== undefined)
    return heading(page, { is: 'left_out' }, cleanText(openName(name)), cleanText(open.leftOut), '').join('\n');
  if (open.isOff) return heading(page, { is: 'skip' }, cleanText(openName(name)), cleanText(open.why), '').join('\n');
  const why = most === undefined ? open.why : `${open.why}; at most ${number(most)}`;
  const money = isPaid(step) ? openMoney(usd, priceBasis, page) : inColumns('free', '', page.basis);
  const lines = heading(page, { is: 'maybe' }, cleanText(openName(name)), cleanText(why), money);
  return [...lines, ...request({ step, ...(asked && { request: asked }) }, page)].join('\n');
}

const openMoney = (usd: number | null, priceBasis: string, { basis }: Page): string =>
  usd === null
    ? priceBasis === ''
      ? 'price not known'
      : `${priceBasis} each`
    : inColumns(`up to ${formatUsd(usd)}`, priceBasis, basis);

/** A step without instances: nothing wrote its list. */
const emptyBlock = (step: StepName, page: Page): string =>
  heading(page, { is: 'skip' }, cleanText(`${step} ×0`), messages.listSkipped(), '').join('\n');

/** All instances of a step in one row: `run    shot × 36 (12 × 3)  24 hit, 12 run      $6.00  12 × 5 s × $0.10`. */
function folded(instances: readonly Instance[], page: Page): string {
  const { is, name, lead, made, counts, why, reasons, moreReasons } = foldStep(instances, page);
  const { usd, basis } = sumOf(made);
  const money = made.length > 0 ? inColumns(usd, basis, page.basis) : moneyOf(lead, page);
  const texts = reasonLines(reasons, page);
  return [
    ...heading(page, { is }, name, why ?? counts, money),
    ...fewLines(texts, texts.length + moreReasons, page),
    ...sharedRequest(made, lead.step, page),
  ].join('\n');
}

/** `2 run  its prompt changed (beat=3)`, the counts in a column. */
function reasonLines(reasons: readonly Reason[], { width }: Page): readonly string[] {
  const column = reasons.reduce((widest, { count }) => Math.max(widest, cellWidth(count)), 0);
  return reasons.flatMap(({ count, why }) =>
    wrapWords(why, width - INDENT.length - column - 2).map(
      (line, row) => `${padEnd(row === 0 ? count : '', column)}  ${line}`,
    ),
  );
}

function moneyOf({ decision, step, price, priceBasis }: Instance, { basis, isFree: free }: Page): string {
  if (decision.is === 'skip' || decision.is === 'left_out') return '';
  if (decision.is === 'hit' || decision.is === 'fetch') return inColumns('owned', '', basis);
  if (decision.is === 'sent' && !free)
    return inColumns(decision.sent.is === 'lost' ? 'perhaps paid' : 'paid', '', basis);
  if (!isPaid(step) || decision.is === 'sent') return inColumns('free', '', basis);
  if (price === null) return priceBasis;
  return inColumns(formatUsd(price), priceBasis, basis);
}

const inColumns = (usd: string, basis: string, width: number): string =>
  width === 0 ? usd : `${usd}  ${padEnd(basis, width)}`;

/** `V-RF · input_video ‹steps.shot.result_url› · aspect_ratio 9:16`, as many lines as it takes, long texts clipped to one. */
function request(instance: Pick<Instance, 'step' | 'request' | 'facts'>, { width, paint }: Page): readonly string[] {
  const { step } = instance;
  const room = width - INDENT.length;
  const chunks = [kindOf(step).calledInText(step, instance)];
  for (const [name, value] of Object.entries(fieldsOf(instance)))
    for (const chunk of chunksOf(name, value)) chunks.push(clipEnd(chunk, room));
  return wrapped(chunks, ' · ', room).map(line => `${INDENT}${paint.dim(line)}`);
}

const fieldsOf = ({ step, request: asked = {} }: Pick<Instance, 'step' | 'request'>): JsonObject =>
  kindOf(step).isAllInText ? {} : asked;

/** A field's value, and the instances that have it. */
interface Variant {
  readonly value: Json | undefined;
  readonly of: Instance[];
}

/** Values of a field that are shown, and fields that are shown value by value. */
const MOST_VALUES = 12;
const MOST_FIELDS = 2;
/** Cells of values that stand in one line. */
const SHORT = 16;

/** What the instances ask for: once what all have in common; short values in a line; longer ones in a line each, by the coordinates they belong to. */
function sharedRequest(made: readonly Instance[], step: Step, page: Page): readonly string[] {
  // What a choice is made from is a step before it.
  if (made.length === 0 || kindOf(step).isDecided) return [];
  const room = page.width - INDENT.length;
  const chunks: string[] = [];
  const long: (readonly [string, readonly Variant[]])[] = [];
  const called = variantsOf(made, one => kindOf(one.step).calledInText(one.step, one));
  if (called.length === 1) chunks.push(String(called[0]?.value));
  else long.push(['', called]);
  const fields = made.map(fieldsOf);
  for (const name of new Set(fields.flatMap(Object.keys))) {
    const variants = variantsOf(made, (_, at) => fields[at]?.[name]);
    const [first] = variants;
    const texts = variants.slice(0, MOST_VALUES).map(({ value }) => valueText(name, value));
    if (first?.value !== undefined && variants.length === 1)
      chunks.push(...chunksOf(name, first.value).map(chunk => clipEnd(chunk, room)));
    else if (variants.every(({ value }) => isAddress(value))) chunks.push(`${name} differs`);
    else if (texts.some(text => cellWidth(text) > SHORT)) long.push([name, variants]);
    else chunks.push(clipEnd(`${name} ${listedFew(texts, MOST_VALUES, variants.length)}`, room));
  }
  for (const [name] of long.slice(MOST_FIELDS)) chunks.push(`${name} differs`);
  return [
    ...fewLines(wrapped(chunks, ' · ', room), 0, page),
    ...long.slice(0, MOST_FIELDS).flatMap(([name, variants]) => variantLines(name, variants, made, { page, step })),
  ];
}

/** The address of a result or a file: no reader distinguishes instances by it. */
const isAddress = (value: Json | undefined): boolean =>
  (typeof value === 'string' && /^[a-z]+:\S+$/.test(value)) || isPending(value);

function variantsOf(
  made: readonly Instance[],
  read: (instance: Instance, at: number) => Json | undefined,
): readonly Variant[] {
  const variants = new Map<string | undefined, Variant>();
  for (const [at, one] of made.entries()) {
    const value = read(one, at);
    const sign = typeof value === 'string' ? `"${value}` : JSON.stringify(value);
    const same = variants.get(sign);
    if (same) same.of.push(one);
    else variants.set(sign, { value, of: [one] });
  }
  return [...variants.values()];
}

/** `prompt by beat: a fox … , at night`, and below it what differs: `river  crosses the river`. A list that another step has shown is named. */
function variantLines(
  name: string,
  variants: readonly Variant[],
  made: readonly Instance[],
  { page, step }: { readonly page: Page; readonly step: Step },
): readonly string[] {
  const room = page.width - INDENT.length;
  const few = variants.slice(0, MOST_VALUES);
  const texts = few.map(({ value }) => (name === '' ? String(value) : valueText(name, value)));
  const places = few.map(({ of }) => placeShared(of, made));
  const axes = new Set(places.map(place => [...(place?.keys() ?? [])].join(', ')));
  const [by = ''] = axes.size === 1 ? axes : [];
  const labels = few.map(({ of }, at) =>
    by === '' ? whichOf(of, made) || number(of.length) : cleanText([...(places[at]?.values() ?? [])].join(',')),
  );
  const head = [name, ...(by === '' ? [] : [`by ${by}`])].filter(part => part !== '').join(' ');
  const sign = JSON.stringify([head, labels, texts, variants.length]);
  const shownBy = page.variants.get(sign);
  if (shownBy !== undefined) return fewLines([`${head}: as in ${calledAs(shownBy)}`], 1, page);
  page.variants.set(sign, step.name);
  const { common, own } = name === '' ? { common: '', own: texts } : foldWords(texts);
  const title = `${head}:${common === '' ? '' : ` ${common}`}`;
  const width = Math.min(
    labels.reduce((widest, label) => Math.max(widest, cellWidth(label)), 0),
    Math.floor(room * 0.4),
  );
  const lines = own.map((text, at) => `${padEnd(clipMiddle(labels[at] ?? '', width), width)}  ${text}`);
  return [
    ...(head === '' ? [] : fewLines([clipMiddle(title, room)], 1, page)),
    ...fewLines(lines, variants.length, page, `${INDENT}  `),
  ];
}

/** @param count of all that there are. */
function fewLines(texts: readonly string[], count: number, { width, paint }: Page, indent = INDENT): readonly string[] {
  const more = count > texts.length ? [`and ${number(count - texts.length)} more`] : [];
  return [...texts, ...more].map(text => `${indent}${paint.dim(clipEnd(text, width - indent.length))}`);
}

const valueText = (name: string, value: Json | undefined): string =>
  value === undefined
    ? 'none'
    : chunksOf(name, value)
        .map(chunk => (chunk.startsWith(`${name} `) ? chunk.slice(name.length + 1) : chunk))
        .join(' · ');

/** A conversation is shown as its author wrote it, with its speakers; of a schema, what the answer will hold. */
function chunksOf(name: string, value: Json): readonly string[] {
  if (name === 'messages' && Array.isArray(value) && value.every(isObject))
    return (value as readonly JsonObject[]).map(({ role, content }) => `${shown(role ?? '')}: ${shown(content ?? '')}`);
  const { json_schema: format } = (name === 'response_format' && isObject(value) && value) || {};
  const { schema } = (isObject(format) && format) || {};
  const { properties } = (isObject(schema) && schema) || {};
  if (isObject(properties)) return [`answer {${Object.keys(properties).map(cleanText).join(', ')}}`];
  return [`${name} ${shown(value)}`];
}

/** Not known yet: `‹steps.shot.result_url›`. */
export function shown(value: Json): string {
  if (typeof value === 'string') return cleanText(value);
  if (isPending(value))
    return value.$pending.includes('‹') ? cleanText(value.$pending) : `‹${cleanText(value.$pending)}›`;
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(shown).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return Object.entries(value as JsonObject)
    .map(([name, item]) => `${name}=${shown(item)}`)
    .join(', ');
}
