/**
 * What `shotlist plan FILE` prints: every instance with what becomes of it and why, the request it would send, its price;
 * then the longest path, the total, and where the films go. Laid out for the width it is given, so that nothing wraps.
 */
import type { BudgetStatus } from '../domain/budget.ts';
import { cellWidth, clipEnd, clipMiddle, padEnd } from '../domain/cells.ts';
import { cleanText } from '../domain/clean.ts';
import { partName } from '../domain/derived-media.ts';
import { formatSeconds, formatUsd } from '../domain/format.ts';
import { calledAs, type StepName } from '../domain/key.ts';
import { addUsd } from '../domain/money.ts';
import type { Step } from '../domain/pipeline.ts';
import { isPart, type Plan, type PlannedOutput } from '../domain/plan.ts';
import { FINAL } from '../domain/profile.ts';
import type { RateInUse } from '../domain/request-rates.ts';
import { actsOf } from './acts-outside.ts';
import { heldByDay, heldByDayText, heldTexts } from './budget-plan.ts';
import type { FinalPlan } from './final-plan.ts';
import {
  basisWidth,
  block,
  commandText,
  emptyBlock,
  isSummedUp,
  openBlock,
  openName,
  summary,
} from './instance-text.ts';
import type { TeamBeside } from './plan-json.ts';
import { counted, inWords, number, type Page, paintFor, wrapped } from './plan-page.ts';
import { onePlaceEach } from './planned-outputs.ts';
import { type PublishedFiles, publishedText } from './published-files.ts';
import { rateBounds, rateBoundText } from './rate-plan.ts';
import { retryCost, retryCostText } from './retry-cost.ts';

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
  const page: Page = { width, paint: paintFor(color), basis: basisWidth(plan, all) };
  const blocks: string[] = [];
  for (const step of inReadingOrder(plan)) {
    const instances = plan.instances.of(step);
    const open = plan.instances.isOpen(step) && plan.open.find(one => one.step === step);
    if (open) blocks.push(openBlock(open, stepOf(plan, step), page));
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
  const facts = `${counted(totals.instances, 'instance')} on ${service}${inProfile(pipeline)}`;
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
  const label = (name: string) => paint.dim(padEnd(name, LABEL));
  const room = width - LABEL;
  const lines: string[] = [];
  if (criticalPath.keys.length > 0) {
    const keys = shortened(criticalPath.keys).map(key => clipMiddle(cleanText(key), room - ARROW.length));
    const path = [
      `about ${formatSeconds(criticalPath.seconds)}:`,
      ...keys.map((key, i) => (i < keys.length - 1 ? key + ARROW : key)),
    ];
    for (const [index, line] of wrapped(path, ' ', room).entries())
      lines.push(`${label(index === 0 ? 'longest path' : '')}${line}`);
  }
  const counts = (['hit', 'fetch', 'sent', 'run', 'maybe', 'skip', 'left_out', 'open'] as const)
    .filter(is => totals[is] > 0)
    .map(is => `${number(totals[is])} ${inWords(is)}`);
  const sum = wrapped([`${counts.join(', ')}:`, paint.bold(money(plan)), ...paidBefore(totals)], ' ', room);
  for (const [index, line] of sum.entries()) lines.push(`${label(index === 0 ? 'total' : '')}${line}`);
  const real = final ? wrapped(finalText(final).split(' '), ' ', room) : [];
  for (const [index, line] of real.entries()) lines.push(`${label(index === 0 ? `in ${FINAL}` : '')}${line}`);
  const held = heldTexts(plan, budget).join('; ');
  const words = held === '' ? [] : wrapped(held.split(' '), ' ', room);
  for (const [index, line] of words.entries()) lines.push(`${label(index === 0 ? 'budget' : '')}${line}`);
  const retries = retryCost(plan);
  const again = retries ? wrapped(retryCostText(retries).split(' '), ' ', room) : [];
  for (const [index, line] of again.entries()) lines.push(`${label(index === 0 ? 'retries' : '')}${line}`);
  const bound = rateBoundText(rateBounds(plan, rates ?? []));
  const pace = bound === undefined ? [] : wrapped(cleanText(bound).split(' '), ' ', room);
  for (const [index, line] of pace.entries()) lines.push(`${label(index === 0 ? 'rates' : '')}${line}`);
  const today = heldByDay(plan, team?.day);
  const day = today ? wrapped(heldByDayText(today).split(' '), ' ', room) : [];
  for (const [index, line] of day.entries()) lines.push(`${label(index === 0 ? 'in a day' : '')}${line}`);
  for (const [index, { model, usdPerSecond }] of plan.deployments.entries()) {
    const price = usdPerSecond === null ? 'its price is not known' : `${formatUsd(usdPerSecond)} a second`;
    const bills = `${cleanText(model)}, while it is needed: ${price}`;
    lines.push(`${label(index === 0 ? 'activated' : '')}${clipMiddle(bills, room)}`);
  }
  const publishing = published ? wrapped(publishedText(published).split(' '), ' ', room) : [];
  for (const [index, line] of publishing.entries()) lines.push(`${label(index === 0 ? 'published' : '')}${line}`);
  const acts = actsOf(plan);
  const shownActs = all ? acts : acts.slice(0, FEW);
  for (const [index, { key, isOpen, run }] of shownActs.entries()) {
    const name = cleanText(isOpen ? openName(key as StepName) : key);
    const command = commandText(run);
    lines.push(
      `${label(index === 0 ? 'acts outside' : '')}${clipEnd(command === '' ? name : `${name}: ${command}`, room)}`,
    );
  }
  if (acts.length > shownActs.length) lines.push(`${label('')}and ${number(acts.length - shownActs.length)} more`);
  const places = [...onePlaceEach(outputs.filter(isMadeIn(plan))), ...openOutputs(plan)];
  const shownOutputs = all ? places : places.slice(0, FEW);
  for (const [index, output] of shownOutputs.entries()) {
    const { path, asked } = output;
    const from = cleanText(`${originText(output)}${asked === undefined ? '' : `, in place of ${asked}`}`);
    const to = clipMiddle(cleanText(path), room);
    const left = room - cellWidth(to) - 3;
    // The place of a film matters more than its name on the way.
    lines.push(`${label(index === 0 ? 'films' : '')}${left < 8 ? to : `${to} ← ${clipMiddle(from, left)}`}`);
  }
  if (places.length > shownOutputs.length)
    lines.push(`${label('')}and ${number(places.length - shownOutputs.length)} more`);
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
    .map(({ to: path, from, file, part, as }) => ({
      ...{ path, instance: openName(from), file, part, as, asked: undefined },
    }));

function stepOf({ pipeline }: Plan, name: StepName): Step {
  const step = pipeline.steps.find(one => one.name === name);
  if (!step) throw new Error(`no step ${name} in this film`);
  return step;
}

const LABEL = 14;
const ARROW = ' →';

/** A path of a thousand steps says no more than both its ends. */
const shortened = (keys: readonly string[]): readonly string[] =>
  keys.length <= 12 ? keys : [...keys.slice(0, 6), `… ${number(keys.length - 10)} more …`, ...keys.slice(-4)];

const finalText = (final: FinalPlan): string =>
  'mistakes' in final ? final.mistakes : [money(final), ...paidBefore(final.totals)].join(' ');

/** `up to $14.20`: what a plan is still to pay. */
export function money({ totals, demand }: Pick<Plan, 'totals' | 'demand'>): string {
  const { usd, openUsd, openUnpriced } = totals;
  const isOpen = openUsd > 0 || demand.certain.usd.known < demand.most.usd.known;
  const known = knownMoney({ ...totals, usd: addUsd(usd, openUsd), maybe: totals.maybe + (isOpen ? 1 : 0) });
  if (openUnpriced === 0) return known;
  const open = `what ${counted(openUnpriced, 'open step')} will come to`;
  return usd + openUsd + totals.unpriced === 0 ? open : `${known}, and ${open}`;
}

/** What is paid already, or perhaps is: no part of what is still to pay. */
function paidBefore({ paid, perhaps }: Plan['totals']): readonly string[] {
  return [
    ...(paid > 0 ? [`(${formatUsd(paid)} is paid already)`] : []),
    ...(perhaps > 0 ? [`(${formatUsd(perhaps)} is perhaps paid: the answers were lost)`] : []),
  ];
}

function knownMoney({ run, maybe, usd, unpriced }: Plan['totals']): string {
  if (run + maybe === 0) return 'nothing to pay';
  const known = maybe > 0 ? `up to ${formatUsd(usd)}` : formatUsd(usd);
  if (unpriced === 0) return known;
  return usd === 0
    ? `${counted(unpriced, 'instance')} without a known price`
    : `${known}, and ${counted(unpriced, 'instance')} without a known price`;
}
