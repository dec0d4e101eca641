/**
 * What `shotlist plan FILE` prints: every instance with what becomes of it and why, the request it would send, its price;
 * then the longest path, the total, and where the films go. Laid out for the width it is given, so that nothing wraps.
 */
import { cellWidth, clipEnd, clipMiddle, padEnd } from '../domain/cells.ts';
import { cleanText } from '../domain/clean.ts';
import { formatSeconds, formatUsd } from '../domain/format.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import { type Decision, type Instance, isPending, type Plan } from '../domain/plan.ts';

export interface PlanTextOptions {
  /** Terminal cells of a line. */
  readonly width: number;
  readonly color?: boolean;
  /** Every instance, also of steps that have many. */
  readonly all?: boolean;
}

/** Steps with more instances than this are summed up. */
const MANY = 40;
/** Outputs that are named when there are many. */
const FEW = 10;
/** `maybe  ` */
const INDENT = ' '.repeat(7);

export function formatPlan(plan: Plan, { width: given, color = false, all = false }: PlanTextOptions): string {
  // Nobody's eye finds the price of a line across 200 cells.
  const width = Math.min(Math.max(given, 40), 120);
  const page: Page = { width, paint: color ? colors : plain, basis: basisWidth(plan, all) };
  const blocks: string[] = [];
  for (const [, instances] of plan.byStep) {
    if (isSummedUp(instances, all)) blocks.push(summary(instances, page));
    else for (const instance of instances) blocks.push(block(instance, page));
  }
  return [title(plan, page), spaced(blocks), closing(plan, page, all)].join('\n\n');
}

/** One-line blocks (what is owned, what is skipped) stand close together. */
function spaced(blocks: readonly string[]): string {
  const isShort = (block: string | undefined) => block !== undefined && !block.includes('\n');
  return blocks
    .map((block, i) => (i === 0 ? '' : isShort(block) && isShort(blocks[i - 1]) ? '\n' : '\n\n') + block)
    .join('');
}

interface Page {
  readonly width: number;
  /** Cells of the column that says how prices came about. */
  readonly basis: number;
  readonly paint: Readonly<Record<'bold' | 'dim' | Decision['is'], (text: string) => string>>;
}

function title({ pipeline, service, totals }: Plan, { width, paint }: Page): string {
  const facts = `${counted(totals.instances, 'instance')} on ${service}`;
  const name = clipEnd(cleanText(pipeline.name), width - facts.length - 3);
  return `${paint.bold(name)}  ${paint.dim(facts)}`;
}

/** One instance: a line that can be read alone, then the request it would send. */
function block(instance: Instance, page: Page): string {
  const { decision } = instance;
  const lines = head(page, decision, cleanText(instance.key), cleanText(decision.why), moneyOf(instance, page));
  // What is owned already sends nothing.
  if (decision.is === 'run' || decision.is === 'maybe') lines.push(...request(instance, page));
  return lines.join('\n');
}

/** `run    shot[seed=11]  never run            $0.60  6 s × $0.10`; what does not fit moves to a second line. */
function head(page: Page, { is }: Pick<Decision, 'is'>, key: string, why: string, money: string): string[] {
  const { width, paint } = page;
  const room = width - INDENT.length;
  const name = clipMiddle(key, room);
  const status = paint[is](is) + ' '.repeat(INDENT.length - is.length);
  const left = room - cellWidth(name) - (money === '' ? 0 : cellWidth(money) + 2);
  if (cellWidth(why) + 2 <= left)
    return [`${status}${paint.bold(name)}  ${apart(why, money, room - cellWidth(name) - 2, paint.dim)}`];
  if (left >= 0)
    return [`${status}${apart(name, money, room, paint.bold)}`, `${INDENT}${paint.dim(clipEnd(why, room))}`];
  return [`${status}${paint.bold(name)}`, `${INDENT}${apart(why, money, room, paint.dim)}`];
}

/** One at the left end, one at the right. */
function apart(left: string, right: string, room: number, paint: (text: string) => string): string {
  const clipped = right === '' ? clipEnd(left, room) : clipEnd(left, room - cellWidth(right) - 2);
  return `${paint(clipped)}${' '.repeat(Math.max(0, room - cellWidth(clipped) - cellWidth(right)))}${right}`.trimEnd();
}

/** As many on a line as fit; each is short enough for a line of its own. */
function packed(chunks: readonly string[], separator: string, room: number): readonly string[] {
  const lines: string[] = [];
  for (const chunk of chunks) {
    const joined = `${lines.at(-1)}${separator}${chunk}`;
    if (lines.length > 0 && cellWidth(joined) <= room) lines[lines.length - 1] = joined;
    else lines.push(chunk);
  }
  return lines;
}

function moneyOf({ decision, step, price, priceBasis }: Instance, { basis }: Page): string {
  if (decision.is === 'skip') return '';
  if (decision.is === 'hit') return inColumns('owned', '', basis);
  if (step.kind === 'run') return inColumns('free', '', basis);
  if (price === null) return priceBasis;
  return inColumns(formatUsd(price), priceBasis, basis);
}

const inColumns = (usd: string, basis: string, width: number): string =>
  width === 0 ? usd : `${usd}  ${padEnd(basis, width)}`;

function basisWidth(plan: Plan, all: boolean): number {
  let width = 0;
  for (const instances of plan.byStep.values()) {
    if (isSummedUp(instances, all)) continue;
    for (const { price, priceBasis } of instances) if (price !== null) width = Math.max(width, priceBasis.length);
  }
  return width;
}

const isSummedUp = (instances: readonly Instance[], all: boolean): boolean => instances.length > MANY && !all;

/** `V-RF · input_video ‹steps.shot.result_url› · aspect_ratio 9:16`, as many lines as it takes, long texts clipped to one. */
function request({ step, request: asked }: Instance, { width, paint }: Page): readonly string[] {
  const room = width - INDENT.length;
  const chunks = [step.kind === 'generate' ? step.model : 'command'];
  for (const [name, value] of Object.entries(asked ?? {})) chunks.push(clipEnd(`${name} ${shown(value)}`, room));
  return packed(chunks, ' · ', room).map(line => `${INDENT}${paint.dim(line)}`);
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

/** 10,000 instances in three lines: how many of each kind, why, and the first that will be made as an example. */
function summary(instances: readonly Instance[], page: Page): string {
  const first = instances[0]!;
  const kinds = (['hit', 'run', 'maybe', 'skip'] as const).map(is => ({
    is,
    all: instances.filter(one => one.decision.is === is),
  }));
  const present = kinds.filter(kind => kind.all.length > 0);
  const leading = present.find(kind => kind.is !== 'hit' && kind.is !== 'skip') ?? present[0]!;
  const counts = present.map(({ is, all }) => `${number(all.length)} ${is}`).join(', ');
  const paid = instances.filter(({ decision }) => decision.is === 'run' || decision.is === 'maybe');
  const usd = paid.reduce((sum, { price }) => sum + (price ?? 0), 0);
  const priced = paid.some(({ price }) => price !== null);
  const money =
    first.step.kind === 'run'
      ? 'on this machine'
      : paid.length === 0
        ? 'owned'
        : priced
          ? formatUsd(usd)
          : 'no price known';
  const lines = head(page, leading, `${first.step.name} × ${number(instances.length)}`, counts, money);
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

function closing(plan: Plan, { width, paint }: Page, all: boolean): string {
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
    for (const [index, line] of packed(path, ' ', room).entries())
      lines.push(`${label(index === 0 ? 'longest path' : '')}${line}`);
  }
  const counts = (['hit', 'run', 'maybe', 'skip'] as const)
    .filter(is => totals[is] > 0)
    .map(is => `${number(totals[is])} ${is}`);
  const sum = packed([`${counts.join(', ')}:`, paint.bold(money(totals))], ' ', room);
  for (const [index, line] of sum.entries()) lines.push(`${label(index === 0 ? 'total' : '')}${line}`);
  const shownOutputs = all ? outputs : outputs.slice(0, FEW);
  for (const [index, { path, instance, file }] of shownOutputs.entries()) {
    const from = cleanText(file === undefined ? instance : `${instance} (${file})`);
    const to = clipMiddle(cleanText(path), room);
    const left = room - cellWidth(to) - 3;
    // Where a film is matters more than what it was called on the way.
    lines.push(`${label(index === 0 ? 'films' : '')}${left < 8 ? to : `${to} ← ${clipMiddle(from, left)}`}`);
  }
  if (outputs.length > shownOutputs.length)
    lines.push(`${label('')}and ${number(outputs.length - shownOutputs.length)} more`);
  return lines.join('\n');
}

const LABEL = 14;
const ARROW = ' →';

/** A path of a thousand steps says no more than both its ends. */
const shortened = (keys: readonly string[]): readonly string[] =>
  keys.length <= 12 ? keys : [...keys.slice(0, 6), `… ${number(keys.length - 10)} more …`, ...keys.slice(-4)];

function money({ run, maybe, usd, unpriced }: Plan['totals']): string {
  if (run + maybe === 0) return 'nothing to pay';
  const known = maybe > 0 ? `up to ${formatUsd(usd)}` : formatUsd(usd);
  if (unpriced === 0) return known;
  return usd === 0
    ? `${counted(unpriced, 'instance')} without a known price`
    : `${known}, and ${counted(unpriced, 'instance')} without a known price`;
}

const number = (count: number): string => count.toLocaleString('en-US');
const counted = (count: number, noun: string): string => `${number(count)} ${noun}${count === 1 ? '' : 's'}`;

const same = (text: string): string => text;
const plain: Page['paint'] = { bold: same, dim: same, hit: same, run: same, maybe: same, skip: same };
const sgr =
  (on: number, off: number) =>
  (text: string): string =>
    text === '' ? '' : `\x1b[${on}m${text}\x1b[${off}m`;
const colors: Page['paint'] = {
  bold: sgr(1, 22),
  dim: sgr(2, 22),
  hit: sgr(32, 39),
  run: sgr(36, 39),
  maybe: sgr(33, 39),
  skip: sgr(90, 39),
};

/** The documented shape of `--json`, version 1: fields are added, never renamed. */
export function planJson(plan: Plan): JsonObject {
  const { pipeline, params, service, instances, outputs, totals, criticalPath } = plan;
  return {
    version: 1,
    pipeline: pipeline.source.path,
    name: pipeline.name,
    service,
    params,
    instances: instances.map(instanceJson),
    outputs: outputs.map(output => ({ ...output })),
    totals: { ...totals },
    critical_path: { keys: criticalPath.keys, seconds: criticalPath.seconds },
  };
}

function instanceJson(instance: Instance): JsonObject {
  const { key, step, coordinates, needs, needsAll, decision, request: asked, fingerprint, facts } = instance;
  return {
    key,
    step: step.name,
    kind: step.kind,
    ...(step.kind === 'generate' && { model: step.model }),
    coordinates,
    decision: decision.is,
    why: decision.why,
    ...(asked && { request: asked }),
    ...(fingerprint !== undefined && { fingerprint }),
    price_usd: instance.price,
    price_basis: instance.priceBasis,
    needs,
    needs_all: needsAll,
    ...(facts && { media: { ...facts } }),
    expected_seconds: instance.expected,
    remaining_seconds: instance.remaining,
  };
}
