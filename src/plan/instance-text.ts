/** The instances of a step in the text of a plan: each with its request, or all of them summed up. */
import { clipEnd, clipMiddle, padEnd } from '../domain/cells.ts';
import { cleanText } from '../domain/clean.ts';
import { formatUsd } from '../domain/format.ts';
import { isObject, type Json, type JsonObject } from '../domain/json.ts';
import type { StepName } from '../domain/key.ts';
import { addUsd } from '../domain/money.ts';
import type { Step } from '../domain/pipeline.ts';
import { type Instance, isPending, type OpenStep, type Plan, shownAs } from '../domain/plan.ts';
import { isPaid, kindOf } from './kinds/index.ts';
import { messages } from './plan-messages.ts';
import { heading, INDENT, inWords, number, type Page, wrapped } from './plan-page.ts';

/** Steps with more instances than this are summed up. */
const MANY = 40;

/** One instance: a line that can be read alone, then the request it would send. */
export function block(instance: Instance, page: Page): string {
  const { decision } = instance;
  const lines = heading(
    page,
    { is: shownAs(decision) },
    cleanText(instance.key),
    cleanText(decision.why),
    moneyOf(instance, page),
  );
  // An instance that is owned already sends nothing.
  if (decision.is === 'run' || decision.is === 'maybe') lines.push(...request(instance, page));
  return lines.join('\n');
}

/** How many instances it will have is not known. */
export const openName = (step: StepName): string => `${step} ×?`;

/** An open step: its reason to wait, and the model or command that will carry its instances out. */
export function openBlock(open: OpenStep, step: Step, page: Page): string {
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
export const emptyBlock = (step: StepName, page: Page): string =>
  heading(page, { is: 'skip' }, cleanText(`${step} ×0`), messages.listSkipped(), '').join('\n');

/** 10,000 instances in three lines: how many of each kind, why, and the first that will be made as an example. */
export function summary(instances: readonly Instance[], page: Page): string {
  const first = instances[0]!;
  const kinds = (['hit', 'fetch', 'sent', 'run', 'maybe', 'skip', 'left_out'] as const).map(is => ({
    is,
    all: instances.filter(one => shownAs(one.decision) === is),
  }));
  const present = kinds.filter(kind => kind.all.length > 0);
  const leading = present.find(kind => kind.is === 'run' || kind.is === 'maybe') ?? present[0]!;
  const counts = present.map(({ is, all }) => `${number(all.length)} ${inWords(is)}`).join(', ');
  const paid = instances.filter(({ decision }) => decision.is === 'run' || decision.is === 'maybe');
  const isLeftOut = instances.every(({ decision }) => shownAs(decision) === 'left_out');
  const owned = isLeftOut ? '' : 'owned';
  const money = inColumns(paid.length === 0 ? owned : sumOf(paid, first.step), '', page.basis);
  const lines = heading(page, leading, `${first.step.name} × ${number(instances.length)}`, counts, money);
  lines.push(`${INDENT}${page.paint.dim(clipEnd(reasons(leading.all), page.width - INDENT.length))}`);
  const example = leading.all[0]!;
  if (leading.is === 'run' || leading.is === 'maybe') {
    lines.push(
      `${INDENT}${page.paint.dim(`for example ${clipMiddle(example.key, page.width - INDENT.length - 12)}:`)}`,
      ...request(example, page),
    );
  }
  return lines.join('\n');
}

function sumOf(paid: readonly Instance[], step: Instance['step']): string {
  if (!isPaid(step)) return 'free';
  if (paid.every(({ price }) => price === null)) return 'no price known';
  return formatUsd(paid.reduce((sum, { price }) => addUsd(sum, price ?? 0), 0));
}

/** `never run (9,990), seed changed (10)`; what differs only by the instance it names is one reason. */
function reasons(instances: readonly Instance[]): string {
  const counts = new Map<string, number>();
  for (const { decision } of instances) {
    const why = cleanText(decision.why).replaceAll(/\[[^\]]*\]/g, '');
    counts.set(why, (counts.get(why) ?? 0) + 1);
  }
  if (counts.size === 1) return [...counts.keys()].join('');
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([why, count]) => `${why} (${number(count)})`)
    .join(', ');
}

function moneyOf({ decision, step, price, priceBasis }: Instance, { basis }: Page): string {
  if (decision.is === 'skip' || decision.is === 'left_out') return '';
  if (decision.is === 'hit' || decision.is === 'fetch') return inColumns('owned', '', basis);
  if (decision.is === 'sent') return inColumns(decision.sent.is === 'lost' ? 'perhaps paid' : 'paid', '', basis);
  if (!isPaid(step)) return inColumns('free', '', basis);
  if (price === null) return priceBasis;
  return inColumns(formatUsd(price), priceBasis, basis);
}

const inColumns = (usd: string, basis: string, width: number): string =>
  width === 0 ? usd : `${usd}  ${padEnd(basis, width)}`;

export function basisWidth(plan: Plan, all: boolean): number {
  let width = 0;
  for (const step of plan.instances.steps) {
    const instances = plan.instances.of(step);
    if (isSummedUp(instances, all)) continue;
    for (const { price, priceBasis } of instances) if (price !== null) width = Math.max(width, priceBasis.length);
  }
  for (const { step, usd, priceBasis } of plan.open)
    if (usd !== null && plan.instances.isOpen(step)) width = Math.max(width, priceBasis.length);
  return width;
}

export const isSummedUp = (instances: readonly Instance[], all: boolean): boolean => instances.length > MANY && !all;

/** `V-RF · input_video ‹steps.shot.result_url› · aspect_ratio 9:16`, as many lines as it takes, long texts clipped to one. */
function request(instance: Pick<Instance, 'step' | 'request' | 'facts'>, { width, paint }: Page): readonly string[] {
  const { step, request: asked = {} } = instance;
  const room = width - INDENT.length;
  const kind = kindOf(step);
  const chunks = [kind.calledInText(step, instance)];
  for (const [name, value] of kind.tellsAllInText ? [] : Object.entries(asked))
    for (const chunk of chunksOf(name, value)) chunks.push(clipEnd(chunk, room));
  return wrapped(chunks, ' · ', room).map(line => `${INDENT}${paint.dim(line)}`);
}

/** A conversation is shown as its author wrote it, who says what; of a schema, what the answer will hold. */
function chunksOf(name: string, value: Json): readonly string[] {
  if (name === 'messages' && Array.isArray(value) && value.every(isObject))
    return (value as readonly JsonObject[]).map(({ role, content }) => `${shown(role ?? '')}: ${shown(content ?? '')}`);
  const { json_schema: format } = (name === 'response_format' && isObject(value) && value) || {};
  const { schema } = (isObject(format) && format) || {};
  const { properties } = (isObject(schema) && schema) || {};
  if (isObject(properties)) return [`answer {${Object.keys(properties).map(cleanText).join(', ')}}`];
  return [`${name} ${shown(value)}`];
}

/** A command in a line: `./upload.sh ‹steps.film.file›`; of a script, its first line. */
export function commandText(run: Json): string {
  if (Array.isArray(run)) return (run as readonly Json[]).map(shown).join(' ');
  const [first = '', ...rest] = typeof run === 'string' ? run.trim().split('\n') : [];
  return `${cleanText(first)}${rest.length > 0 ? ' …' : ''}`;
}

/** Not known yet: `‹steps.shot.result_url›`. */
function shown(value: Json): string {
  if (typeof value === 'string') return cleanText(value);
  if (isPending(value))
    return value.$pending.includes('‹') ? cleanText(value.$pending) : `‹${cleanText(value.$pending)}›`;
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(shown).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return Object.entries(value as JsonObject)
    .map(([name, item]) => `${name}=${shown(item)}`)
    .join(', ');
}
