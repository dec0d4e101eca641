/**
 * A plan as a bot posts it under a pull request: what would run, why, what it costs, and what the change adds to the branch it goes into.
 * GitHub takes no comment of more than 65,536 characters: rows that do not fit are counted, and what comes first matters most.
 */
import type { BudgetStatus } from '../../model/budget.ts';
import { addUsd } from '../../model/money.ts';
import type { Step } from '../../model/pipeline.ts';
import { type Instance, isToBeMade, type OpenStep, type Plan, shownAs } from '../../model/plan.ts';
import { calledAs, type InstanceKey, type StepName } from '../../model/run/key.ts';
import { isFree } from '../../model/run/run-money.ts';
import { markedText } from '../../model/source-type.ts';
import { counted, formatSeconds, formatUsd, number } from '../../model/text/format.ts';
import { markdownCode as code, markdownText as text } from '../../model/text/markup.ts';
import { budgetTable } from '../../plan/cost/budget-plan.ts';
import { kindOf } from '../../plan/kinds/index.ts';
import { onePlaceEach, unmadeBecause } from '../../plan/planned-outputs.ts';
import { foldStep, sumOf, toBeMade } from './folded-step.ts';
import { actsOf } from './plan-json.ts';
import { countsText } from './plan-page.ts';
import { inReadingOrder, money } from './plan-text.ts';
import { openName } from './step-text.ts';

interface PlanMarkdownOptions {
  readonly base?: BaseLock | undefined;
  readonly budget?: readonly BudgetStatus[];
  /** Each instance by itself. Otherwise a step of several is one row. */
  readonly all?: boolean;
  /** What to type to see all of it. */
  readonly command: string;
}

/** Bytes, of 65,536 characters that a comment takes. */
const MOST = 60_000;
/** Characters of one cell. */
const MOST_OF_CELL = 300;

/** Finds the comment of the same film again: the first line of the page. */
export const markdownMarker = (path: string): string => `<!-- shotlist plan ${path.replaceAll(/[^\w./-]/g, '_')} -->`;

export function planMarkdown(plan: Plan, { base, budget = [], all = false, command }: PlanMarkdownOptions): string {
  const difference = base && againstBase(plan, base);
  const made = [...plan.instances].filter(({ decision }) => isToBeMade(decision)).length;
  const page = new Page();
  page.add(
    markdownMarker(plan.pipeline.source.path),
    `### 🎬 ${text(plan.pipeline.name)}: ${text(verdict(plan))}`,
    '',
    ...(base && difference ? [changeText(base, difference), ''] : []),
    ...sums(plan, budget),
    '',
  );
  const rows = inReadingOrder(plan).flatMap(step => stepRows(plan, step, { all, difference }));
  page.details(`What would run, and why (${number(made + plan.open.length)})`, [...head(difference), ...rows]);
  if (difference && difference.gone.length > 0)
    page.details(
      `No part of the film any more (${number(difference.gone.length)})`,
      difference.gone.map(key => `- ${code(clipped(key))}`),
    );
  const outputs = onePlaceEach(plan.outputs);
  if (outputs.length > 0)
    page.details(
      `Films (${number(outputs.length)})`,
      outputs.map(output => {
        const { path, instance, unmarked } = output;
        const unmade = unmadeBecause(output, plan);
        const skipped = unmade === undefined ? '' : `, skipped: ${text(clipped(unmade))}`;
        return `- ${code(clipped(path))} from ${code(clipped(instance))}${skipped}${unmarked ? `, ${markedText('none')}` : ''}`;
      }),
    );
  const acts = actsOf(plan);
  if (acts.length > 0)
    page.details(
      `What acts outside of this machine (${number(acts.length)})`,
      acts.map(({ key }) => `- ${code(clipped(key))}`),
    );
  return page.text(`All of it: ${code(command)}`);
}

/** `12 of 62 instances would run, $6.40` */
function verdict(plan: Plan): string {
  const { instances, run, maybe, open } = plan.totals;
  if (run + maybe + open === 0) return 'nothing would run, nothing to pay';
  const steps = open > 0 ? ` and ${counted(open, 'open step')}` : '';
  return `${number(run + maybe)} of ${counted(instances, 'instance')}${steps} would run, ${money(plan)}`;
}

function changeText(base: BaseLock, { counts, usd, unpriced, gone }: BaseDifference): string {
  const name = code(base.name);
  if (!base.isThere) return `${name} has no lock of this film: all of it is new.`;
  const parts = [
    ...(counts.new > 0 ? [`${number(counts.new)} new`] : []),
    ...(counts.changed > 0 ? [`${number(counts.changed)} asked for anew`] : []),
    ...(counts.open > 0 ? [`${number(counts.open)} known once what they read is made`] : []),
    ...(gone.length > 0 ? [`${number(gone.length)} gone`] : []),
  ];
  if (parts.length === 0) return `Against ${name}: nothing that is made changes.`;
  const unknown = unpriced > 0 ? ` and ${counted(unpriced, 'instance')} without a known price` : '';
  return `Against ${name}: ${parts.join(', ')}. The change adds **${text(formatUsd(usd))}**${unknown}.`;
}

function sums(plan: Plan, budget: readonly BudgetStatus[]): readonly string[] {
  const { totals, service, pipeline, criticalPath } = plan;
  const { rows: budgets, notes } = budgetTable(plan, budget);
  const rows: readonly (readonly [string, string])[] = [
    ['film', code(pipeline.source.path)],
    ['service', `${text(service)}${pipeline.profile === undefined ? '' : `, profile ${text(pipeline.profile)}`}`],
    ['instances', text(countsText(totals))],
    ['to pay', text(money(plan))],
    ...(totals.paid > 0 && !isFree(plan) ? [['paid already', text(formatUsd(totals.paid))] as const] : []),
    ...(criticalPath.keys.length > 0
      ? [['longest path', `about ${formatSeconds(criticalPath.seconds)}`] as const]
      : []),
  ];
  return [
    ...['| | |', '| --- | --- |', ...rows.map(cells => row(cells))],
    ...budgets.flatMap((cells, at) => [
      ...(at === 0 ? [''] : []),
      row((at === 0 ? ['budget', ...cells.slice(1)] : cells).map(text)),
      ...(at === 0 ? ['| --- | ---: | ---: | ---: | ---: |'] : []),
    ]),
    ...notes.flatMap(note => ['', text(note)]),
  ];
}

const head = (difference: BaseDifference | undefined): readonly string[] => [
  row(['step', 'made with', 'why', 'cost', ...(difference ? ['against the base'] : [])]),
  row(['---', '---', '---', '---:', ...(difference ? ['---'] : [])]),
];

interface RowsOptions {
  readonly all: boolean;
  readonly difference: BaseDifference | undefined;
}

/** Of a step of which something would run: its row, or with `all` a row for each instance that would. */
function stepRows(plan: Plan, name: StepName, { all, difference }: RowsOptions): readonly string[] {
  const open = plan.open.find(({ step }) => step === name);
  if (open && plan.instances.isOpen(name)) return [openRow(open, difference)];
  const instances = plan.instances.of(name);
  const made = toBeMade(instances);
  if (made.length === 0) return [];
  if (all || instances.length === 1) return made.map(instance => instanceRow(instance, difference));
  return [foldedRow(plan, instances, difference)];
}

function openRow({ step, why, usd, leftOut, isOff }: OpenStep, difference: BaseDifference | undefined): string {
  return row([
    code(openName(step)),
    leftOut !== undefined || isOff ? 'skip' : 'open',
    text(clipped(leftOut ?? why)),
    usd === null ? '' : text(`up to ${formatUsd(usd)}`),
    ...(difference ? [''] : []),
  ]);
}

function instanceRow(instance: Instance, difference: BaseDifference | undefined): string {
  const { key, step, decision, price, priceBasis } = instance;
  const cost = price === null ? 'not known' : price === 0 ? '' : formatUsd(price);
  const basis = priceBasis === '' || price === 0 ? '' : `, ${priceBasis}`;
  return row([
    code(clipped(key)),
    text(clipped(labelOf(step))),
    text(clipped(shownAs(decision) === 'maybe' ? `perhaps: ${decision.why}` : decision.why)),
    text(`${cost}${cost === '' ? '' : basis}`),
    ...(difference ? [WORDS[difference.of(instance)]] : []),
  ]);
}

/** The row that the terminal has of the step, and what the base has of it. */
function foldedRow(plan: Plan, instances: readonly Instance[], difference: BaseDifference | undefined): string {
  const { name, made, counts, why, reasons, moreReasons } = foldStep(instances, { isFree: isFree(plan) });
  const { usd, basis } = sumOf(made);
  const whys = [
    ...(why === undefined ? [counts] : [`${counts}: ${why}`]),
    ...reasons.map(({ count, why }) => `${count}: ${why}`),
    ...(moreReasons > 0 ? [`and ${number(moreReasons)} more reasons`] : []),
  ];
  return row([
    code(clipped(name)),
    text(clipped([...new Set(instances.map(({ step }) => labelOf(step)))].join(', '))),
    whys.map(one => text(clipped(one))).join('<br>'),
    usd === 'free' ? '' : text([usd, basis].filter(part => part !== '').join(', ')),
    ...(difference ? [text(differenceText(made, difference))] : []),
  ]);
}

const labelOf = (step: Step): string => kindOf(step).label(step) || calledAs(step.name);

/** `2 new, 1 asked for anew` */
const differenceText = (made: readonly Instance[], difference: BaseDifference): string =>
  [...Map.groupBy(made, difference.of)].map(([is, some]) => `${number(some.length)} ${WORDS[is]}`).join(', ');

const WORDS: Readonly<Record<AgainstBase, string>> = {
  ...{ new: 'new', changed: 'asked for anew', open: 'known later', same: 'the base has it' },
};

/** Blocks that are cut between two lines, and never so that a `<details>` stays open. */
class Page {
  readonly #lines: string[] = [];
  #used = 0;

  add(...lines: readonly string[]): void {
    for (const line of lines) {
      this.#lines.push(line);
      this.#used += Buffer.byteLength(line) + 1;
    }
  }

  details(summary: string, lines: readonly string[]): void {
    if (lines.length === 0) return;
    const open = ['<details>', `<summary>${summary}</summary>`, ''];
    const room = MOST - this.#used - 400;
    let used = 0;
    const kept = lines.filter(line => {
      used += Buffer.byteLength(line) + 1;
      return used <= room;
    });
    const rest = lines.length - kept.length;
    const more = rest > 0 ? ['', `and ${number(rest)} more`] : [];
    this.add(...open, ...kept, ...more, '', '</details>', '');
  }

  text(last: string): string {
    return [...this.#lines, last, ''].join('\n');
  }
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const clipped = (words: string): string =>
  words.length <= MOST_OF_CELL ? words : `${words.slice(0, MOST_OF_CELL - 1)}…`;

// A plan beside the lock of another branch: which instances a change brings in, makes anew, and does away with, and what that costs.

/** The lock of the branch that a change is to go into. */
export interface BaseLock {
  /** As it is named: `origin/main`. */
  readonly name: string;
  /** The film has a lock there. */
  readonly isThere: boolean;
  readonly fingerprints: ReadonlyMap<InstanceKey, string>;
}

/**
 * `new`: the base has no such instance. `changed`: it was asked for something else there. `open`: what it asks for is known when what it
 * reads is made. `same`: the base has just that.
 */
type AgainstBase = 'new' | 'changed' | 'open' | 'same';

interface BaseDifference {
  readonly of: (instance: Instance) => AgainstBase;
  /** Of all that the plan makes and the base has otherwise or not at all: US dollars, and how many have no price. */
  readonly usd: number;
  readonly unpriced: number;
  readonly counts: Readonly<Record<AgainstBase, number>>;
  /** In the base's lock, and no part of this film any more. */
  readonly gone: readonly InstanceKey[];
}

function againstBase(plan: Plan, base: BaseLock): BaseDifference {
  const of = ({ key, fingerprint }: Instance): AgainstBase => {
    const there = base.fingerprints.get(key);
    if (there === undefined) return 'new';
    if (fingerprint === undefined) return 'open';
    return fingerprint === there ? 'same' : 'changed';
  };
  const counts = { new: 0, changed: 0, open: 0, same: 0 };
  let usd = 0;
  let unpriced = 0;
  const keys = new Set<InstanceKey>();
  for (const instance of plan.instances) {
    keys.add(instance.key);
    const { decision, price } = instance;
    if (decision.is === 'skip' || decision.is === 'left_out') continue;
    const is = of(instance);
    counts[is] += 1;
    if (is === 'same' || !isToBeMade(decision)) continue;
    if (price === null) unpriced += 1;
    else usd = addUsd(usd, price);
  }
  // The instances of an open step are not known: what the base has of it may come again.
  const open = plan.open.map(({ step }) => step as string);
  const isOpen = (key: InstanceKey) => open.some(step => key === step || key.startsWith(`${step}[`));
  return {
    of,
    usd,
    unpriced,
    counts,
    gone: [...base.fingerprints.keys()].filter(key => !keys.has(key) && !isOpen(key)),
  };
}
