/**
 * What `shotlist plan FILE` prints: each step with what becomes of it and why, what it would send, its price (`step-text.ts`); then the
 * longest path, the total, and where the films go. Laid out for the width it is given, so that nothing wraps.
 */
import type { BudgetStatus } from '../../model/budget.ts';
import { partName } from '../../model/media/derived-media.ts';
import { isPart, type Plan, type PlannedOutput } from '../../model/plan.ts';
import { FINAL } from '../../model/profile.ts';
import type { RateInUse } from '../../model/request-rates.ts';
import { calledAs, type StepName } from '../../model/run/key.ts';
import { isFree } from '../../model/run/run-money.ts';
import { markedText } from '../../model/source-type.ts';
import { cellWidth, clipEnd, clipMiddle, padEnd } from '../../model/text/cells.ts';
import { cleanText } from '../../model/text/clean.ts';
import { counted, formatSeconds, formatUsd, number } from '../../model/text/format.ts';
import type { Json } from '../../model/text/json.ts';
import {
  budgetTable,
  estimateOf,
  estimateText,
  heldByDay,
  heldByDayText,
  rateBounds,
  rateBoundText,
  retryCost,
  retryCostText,
} from '../../plan/cost/budget-plan.ts';
import { type PublishedFiles, publishedText } from '../../plan/media/local-file-check.ts';
import { onePlaceEach, unmadeBecause } from '../../plan/planned-outputs.ts';
import { actsOf, type FinalPlan, type TeamPlanFacts } from './plan-json.ts';
import { aligned, countsText, type Page, paintFor, wrapped } from './plan-page.ts';
import { basisWidth, openName, shown, stepBlocks } from './step-text.ts';

export { planJson } from './plan-json.ts';

interface PlanTextOptions {
  /** Terminal cells of a line. */
  readonly width: number;
  readonly color?: boolean;
  /** Each instance by itself. Otherwise a step of several is one row. */
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
  readonly team?: TeamPlanFacts | undefined;
}

/** Outputs that are named when there are many. */
const FEW = 10;

export function formatPlan(
  plan: Plan,
  { width: given, color = false, all = false, budget = [], final, published, rates = [], team }: PlanTextOptions,
): string {
  // A line with its price 200 cells away is hard to read.
  const width = Math.min(Math.max(given, 40), 120);
  const page: Page = {
    width,
    paint: paintFor(color),
    basis: basisWidth(plan, all),
    isFree: isFree(plan),
    variants: new Map(),
  };
  const blocks = inReadingOrder(plan).flatMap(step => stepBlocks(plan, step, all, page));
  return [title(plan, page), spaced(blocks), closing(plan, page, { all, budget, final, published, rates, team })].join(
    '\n\n',
  );
}

/** A step that uses another file before what is inside, and all of that together. */
export function inReadingOrder({ instances, pipeline }: Plan): readonly StepName[] {
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
  // That nothing of this bills is shown before the first price.
  const free = isFree({ service }) ? [', free: prices are list prices', ', free', ''] : [''];
  const facts = free.map(words => all + words).find(words => words.length + 12 <= width) ?? all;
  const name = clipEnd(cleanText(pipeline.name), width - facts.length - 3);
  return `${paint.bold(name)}  ${paint.dim(facts)}`;
}

/** Empty for a film without profiles. */
const inProfile = ({ profile = FINAL, profiles }: Plan['pipeline']): string =>
  profiles.length === 0 ? '' : `, profile ${profile}`;

type Closing = Required<Pick<PlanTextOptions, 'all' | 'budget' | 'final' | 'published' | 'rates' | 'team'>>;

function closing(plan: Plan, { width, paint }: Page, additions: Closing): string {
  const { all, budget, final, published, rates, team } = additions;
  const { totals, criticalPath, outputs } = plan;
  const room = width - LABEL;
  const lines: string[] = [];
  /** The label is beside the first of them. */
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
    wrapped(
      [...`${countsText(totals)}:`.split(/(?<=,) /), ...money(plan).split(' ').map(paint.bold), ...paidBefore(plan)],
      ' ',
      room,
    ),
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
  const planned = onePlaceEach(outputs.filter(isMadeIn(plan)));
  const films = planned.map(film => ({ ...film, unmade: unmadeBecause(film, plan) }));
  addFew('films', [...films, ...openOutputs(plan)], film => filmText(film, room));
  return lines.join('\n');
}

/** `out/film.mp4 ← film`. The place of a film matters more than its name on the way. */
function filmText(film: Origin, room: number): string {
  const { path, asked, unmarked, unmade } = film;
  const from = [
    cleanText(`${originText(film)}${asked === undefined ? '' : `, in place of ${asked}`}`),
    ...(unmade === undefined ? [] : [`skipped: ${cleanText(unmade)}`]),
    ...(unmarked ? [markedText('none')] : []),
  ].join(', ');
  const to = clipMiddle(cleanText(path), room);
  const left = room - cellWidth(to) - 3;
  return left < 8 ? to : `${to} ← ${clipMiddle(from, left)}`;
}

type Origin = {
  readonly [field in 'file' | 'part' | 'as' | 'asked' | 'unmarked']?: PlannedOutput[field] | undefined;
} & {
  readonly path: string;
  readonly instance: string;
  readonly unmade?: string | undefined;
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

/** A path of a thousand steps is no clearer than both its ends. */
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

/** A command in a line: `./upload.sh ‹steps.film.file›`; of a script, its first line. */
function commandText(run: Json): string {
  if (Array.isArray(run)) return (run as readonly Json[]).map(shown).join(' ');
  const [first = '', ...rest] = typeof run === 'string' ? run.trim().split('\n') : [];
  return `${cleanText(first)}${rest.length > 0 ? ' …' : ''}`;
}
