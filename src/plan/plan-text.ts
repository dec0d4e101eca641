/**
 * What `shotlist plan FILE` prints: every instance with what becomes of it and why, the request it would send, its price;
 * then the longest path, the total, and where the films go. Laid out for the width it is given, so that nothing wraps.
 */
import type { BudgetStatus } from '../domain/budget.ts';
import { cellWidth, clipEnd, clipMiddle, padEnd } from '../domain/cells.ts';
import { cleanText } from '../domain/clean.ts';
import { partName } from '../domain/derived-media.ts';
import { formatSeconds, formatUsd } from '../domain/format.ts';
import { isObject, type Json, type JsonObject } from '../domain/json.ts';
import { calledAs, type StepName } from '../domain/key.ts';
import { addUsd } from '../domain/money.ts';
import type { Step } from '../domain/pipeline.ts';
import {
  type Instance,
  isPart,
  isPending,
  type OpenStep,
  type Plan,
  type PlannedOutput,
  shownAs,
} from '../domain/plan.ts';
import { FINAL } from '../domain/profile.ts';
import type { RateInUse } from '../domain/request-rates.ts';
import { isFree } from '../domain/run-money.ts';
import { markedText } from '../domain/source-type.ts';
import {
  budgetTable,
  heldByDay,
  heldByDayText,
  rateBounds,
  rateBoundText,
  retryCost,
  retryCostText,
} from './budget-plan.ts';
import { estimateOf, estimateText } from './estimate.ts';
import { isPaid, kindOf } from './kinds/index.ts';
import { stepNamed } from './plan-graph.ts';
import { actsOf, type FinalPlan, type TeamBeside } from './plan-json.ts';
import { messages } from './plan-messages.ts';
import {
  aligned,
  counted,
  countsText,
  heading,
  INDENT,
  inWords,
  number,
  type Page,
  paintFor,
  wrapped,
} from './plan-page.ts';
import { onePlaceEach } from './planned-outputs.ts';
import { type PublishedFiles, publishedText } from './published-files.ts';

export { planJson } from './plan-json.ts';

export interface PlanTextOptions {
  /** Terminal cells of a line. */
  readonly width: number;
  readonly color?: boolean;
  /** Every instance, also of steps that have many. */
  readonly all?: boolean;
  /** How things stand with each number of each budget that bounds it. */
  readonly budget?: readonly BudgetStatus[];
  /** Of a plan in a profile: the real film's, for its price. Absent: there is none to compare with. */
  readonly final?: FinalPlan | undefined;
  /** What of this machine would be brought where the service can read it. */
  readonly published?: PublishedFiles | undefined;
  /** What the service allows, and what was sent of late. */
  readonly rates?: readonly RateInUse[] | undefined;
  /** Of a plan for a team. */
  readonly team?: TeamBeside | undefined;
}

/** Outputs that are named when there are many. */
const FEW = 10;

export function formatPlan(
  plan: Plan,
  { width: given, color = false, all = false, budget = [], final, published, rates = [], team }: PlanTextOptions,
): string {
  // Nobody's eye finds the price of a line across 200 cells.
  const width = Math.min(Math.max(given, 40), 120);
  const page: Page = { width, paint: paintFor(color), basis: basisWidth(plan, all), isFree: isFree(plan) };
  const blocks: string[] = [];
  for (const step of inReadingOrder(plan)) {
    const instances = plan.instances.of(step);
    const open = plan.instances.isOpen(step) && plan.open.find(one => one.step === step);
    if (open) blocks.push(openBlock(open, stepNamed(plan.pipeline, step), page));
    else if (instances.length === 0) blocks.push(emptyBlock(step, page));
    if (isSummedUp(instances, all)) blocks.push(summary(instances, page));
    else for (const instance of instances) blocks.push(block(instance, page));
  }
  return [title(plan, page), spaced(blocks), closing(plan, page, { all, budget, final, published, rates, team })].join(
    '\n\n',
  );
}

/** A step that uses another file before what is inside, and all of that together. */
function inReadingOrder({ instances, pipeline }: Plan): readonly StepName[] {
  const names = [...instances.steps];
  if (!pipeline.steps.some(({ inside, until }) => inside || until)) return names;
  const inside = new Map<string, StepName[]>();
  for (const name of names) {
    const user = calledAs(name) === name ? name.slice(0, Math.max(0, name.lastIndexOf('/'))) : calledAs(name);
    inside.set(user, [...(inside.get(user) ?? []), name]);
  }
  const withInside = (name: StepName): readonly StepName[] => [name, ...(inside.get(name) ?? []).flatMap(withInside)];
  return (inside.get('') ?? []).flatMap(withInside);
}

/** One-line blocks (owned or skipped instances) stand close together. */
function spaced(blocks: readonly string[]): string {
  const isShort = (block: string | undefined) => block !== undefined && !block.includes('\n');
  return blocks
    .map((block, i) => (i === 0 ? '' : isShort(block) && isShort(blocks[i - 1]) ? '\n' : '\n\n') + block)
    .join('');
}

function title({ pipeline, service, totals }: Plan, { width, paint }: Page): string {
  const all = `${counted(totals.instances, 'instance')} on ${service}${inProfile(pipeline)}`;
  // What nothing of this bills is said before the first price.
  const free = isFree({ service }) ? [', free: prices are list prices', ', free', ''] : [''];
  const facts = free.map(words => all + words).find(words => words.length + 12 <= width) ?? all;
  const name = clipEnd(cleanText(pipeline.name), width - facts.length - 3);
  return `${paint.bold(name)}  ${paint.dim(facts)}`;
}

/** Of a film that has no profiles nothing is said. */
const inProfile = ({ profile = FINAL, profiles }: Plan['pipeline']): string =>
  profiles.length === 0 ? '' : `, profile ${profile}`;

type Closing = Required<Pick<PlanTextOptions, 'all' | 'budget' | 'final' | 'published' | 'rates' | 'team'>>;

function closing(plan: Plan, { width, paint }: Page, beside: Closing): string {
  const { all, budget, final, published, rates, team } = beside;
  const { totals, criticalPath, outputs } = plan;
  const room = width - LABEL;
  const lines: string[] = [];
  /** The label stands beside the first of them. */
  const add = (label: string, texts: readonly string[]) => {
    for (const [index, text] of texts.entries())
      lines.push(`${paint.dim(padEnd(index === 0 ? label : '', LABEL))}${text}`);
  };
  const addWords = (label: string, words: string | undefined) => {
    if (words) add(label, wrapped(words.split(' '), ' ', room));
  };
  const addFew = <One>(label: string, many: readonly One[], text: (one: One) => string) => {
    const few = all ? many : many.slice(0, FEW);
    add(label, few.map(text));
    if (many.length > few.length) add('', [`and ${number(many.length - few.length)} more`]);
  };
  if (criticalPath.keys.length > 0) {
    const keys = shortened(criticalPath.keys).map(key => clipMiddle(cleanText(key), room - ARROW.length));
    const path = keys.map((key, i) => (i < keys.length - 1 ? key + ARROW : key));
    add('longest path', wrapped([`about ${formatSeconds(criticalPath.seconds)}:`, ...path], ' ', room));
  }
  add(
    'total',
    wrapped([`${countsText(totals)}:`, ...money(plan).split(' ').map(paint.bold), ...paidBefore(plan)], ' ', room),
  );
  addWords(`in ${FINAL}`, final && finalText(final));
  const { rows, notes } = budgetTable(plan, budget);
  add('budget', aligned(rows, room));
  for (const note of notes) add('', wrapped(note.split(' '), ' ', room));
  const retries = retryCost(plan);
  addWords('retries', retries && retryCostText(retries));
  addWords('rates', cleanText(rateBoundText(rateBounds(plan, rates ?? [])) ?? ''));
  const today = heldByDay(plan, team?.day);
  addWords('in a day', today && heldByDayText(today));
  const deployments = plan.deployments.map(({ model, usdPerSecond }) => {
    const price = usdPerSecond === null ? 'its price is not known' : `${formatUsd(usdPerSecond)} a second`;
    return clipMiddle(`${cleanText(model)}, while it is needed: ${price}`, room);
  });
  add('activated', deployments);
  addWords('published', published && publishedText(published));
  addFew('acts outside', actsOf(plan), ({ key, isOpen, run }) => {
    const name = cleanText(isOpen ? openName(key as StepName) : key);
    const command = commandText(run);
    return clipEnd(command === '' ? name : `${name}: ${command}`, room);
  });
  addFew('films', [...onePlaceEach(outputs.filter(isMadeIn(plan))), ...openOutputs(plan)], output => {
    const { path, asked, unmarked } = output;
    const from = [
      cleanText(`${originText(output)}${asked === undefined ? '' : `, in place of ${asked}`}`),
      ...(unmarked ? [markedText('none')] : []),
    ].join(', ');
    const to = clipMiddle(cleanText(path), room);
    const left = room - cellWidth(to) - 3;
    // The place of a film matters more than its name on the way.
    return left < 8 ? to : `${to} ← ${clipMiddle(from, left)}`;
  });
  return lines.join('\n');
}

type Origin = { readonly [field in 'file' | 'part' | 'as']?: PlannedOutput[field] | undefined } & {
  readonly instance: string;
};

/** `film`, `say (line)`, `film.last_frame`, `film (otio)` */
function originText({ instance, file, part, as }: Origin): string {
  const named = file ?? as;
  return `${instance}${named === undefined ? '' : ` (${named})`}${part ? `.${partName(part)}` : ''}`;
}

const isMadeIn =
  ({ instances }: Plan) =>
  ({ instance }: Plan['outputs'][number]): boolean =>
    instances.get(instance)?.decision.is !== 'left_out';

/** As the file writes them: the coordinates in braces are not known yet. */
const openOutputs = ({ pipeline, instances, open }: Plan) =>
  pipeline.outputs
    .filter(({ from }) => instances.isOpen(from) && open.some(one => one.step === from && isPart(one)))
    .map(({ to: path, from, file, part, as, unmarked }) => ({
      ...{ path, instance: openName(from), file, part, as, unmarked, asked: undefined },
    }));

const LABEL = 14;
const ARROW = ' →';

/** A path of a thousand steps says no more than both its ends. */
const shortened = (keys: readonly string[]): readonly string[] =>
  keys.length <= 12 ? keys : [...keys.slice(0, 6), `… ${number(keys.length - 10)} more …`, ...keys.slice(-4)];

const finalText = (final: FinalPlan): string =>
  'mistakes' in final ? final.mistakes : [money(final), ...paidBefore(final)].join(' ');

/** `up to $14.20`: what a plan is still to pay. */
export const money = (plan: Pick<Plan, 'totals' | 'demand' | 'service'>): string =>
  estimateText(estimateOf(plan), plan);

/** What is paid already, or perhaps is: no part of what is still to pay. */
function paidBefore({ totals: { paid, perhaps }, service }: Pick<Plan, 'totals' | 'service'>): readonly string[] {
  if (isFree({ service })) return [];
  return [
    ...(paid > 0 ? [`(${formatUsd(paid)} is paid already)`] : []),
    ...(perhaps > 0 ? [`(${formatUsd(perhaps)} is perhaps paid: the answers were lost)`] : []),
  ];
}

/** Steps with more instances than this are summed up. */
const MANY = 40;

/** One instance: a line that can be read alone, then the request it would send. */
function block(instance: Instance, page: Page): string {
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
const openName = (step: StepName): string => `${step} ×?`;

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

function basisWidth(plan: Plan, all: boolean): number {
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

const isSummedUp = (instances: readonly Instance[], all: boolean): boolean => instances.length > MANY && !all;

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
function commandText(run: Json): string {
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
