/** Time and money: one bar for each attempt on one axis, and over them what was spent. */

import type { ReportedAttempt, ReportedInstance } from '../../../../../model/run/run-report.ts';
import { counted, number } from '../../../../../model/text/format.ts';
import { type Attributes, byId, elided, html, svg } from '../../../parts/element.ts';
import { clock, money } from '../../../parts/format.ts';
import { type Row, VirtualRows } from '../../../parts/virtual-rows.ts';
import { isAsked } from '../kind-words.ts';
import { endOf } from '../model.ts';
import type { View } from '../view.ts';

interface Line {
  readonly one: ReportedInstance;
  readonly attempt: ReportedAttempt;
  /** `shot[beat=4] #2` where there were several. */
  readonly label: string;
}

const HEIGHT = 24;

/** @returns the list of its bars. */
export function drawTimeline(view: View): VirtualRows<Row> {
  const list = new VirtualRows(byId('bars'));
  const axis = new TimeAxis(view.model.length);
  const lines = linesOf(view);
  const draw = () => {
    const shown = new Set(view.shown);
    const some = lines.filter(({ one }) => shown.has(one));
    const reused = view.model.report.instances.filter(({ state }) => state === 'reused').length;
    byId('time-said').textContent =
      counted(some.length, 'attempt') + (reused > 0 ? `; ${number(reused)} reused took none` : '');
    list.set(
      some.map((line, at) => {
        const place = { 'aria-setsize': some.length, 'aria-posinset': at + 1 };
        return { height: HEIGHT, draw: () => drawLine(view, axis, line, place) };
      }),
    );
    drawRuler(view, axis, lines);
  };
  for (const of of ['time-body', 'legend', 'zoom-out', 'zoom-in', 'zoom-fit']) byId(of).hidden = lines.length === 0;
  if (view.model.isFree) byId('cost-head').textContent = 'List price';
  byId('legend').append(...legend());
  listenToZoom(axis, draw);
  listenToPointer(axis, draw);
  view.onFilter(draw);
  view.onOpen(() => {
    for (const line of byId('bars').querySelectorAll<HTMLElement>('.line'))
      line.toggleAttribute('data-open', line.dataset.key === view.opened?.key);
  });
  draw();
  return list;
}

const linesOf = (view: View): readonly Line[] =>
  view.model.report.instances
    .flatMap(one =>
      one.attempts.map((attempt, at) => ({
        ...{ one, attempt },
        label: one.attempts.length > 1 ? `${one.label} #${at + 1}` : one.label,
      })),
    )
    .sort((a, b) => a.attempt.queued - b.attempt.queued || (a.attempt.running ?? 0) - (b.attempt.running ?? 0));

function drawLine(view: View, axis: TimeAxis, { one, attempt, label }: Line, place: Attributes): HTMLElement {
  const lane = html('div.lane');
  const bar = (kind: 'p' | 'q' | 'r' | 'd', from: number, to: number) => {
    const width = Math.max(0, axis.place(to) - axis.place(from));
    lane.append(html(`i.${kind}`, { style: { left: `${axis.place(from)}%`, width: `${width}%` } }));
  };
  const [queued, end] = [view.model.at(attempt.queued), view.model.at(endOf(attempt))];
  const running = attempt.running === null ? null : view.model.at(attempt.running);
  const fetching = attempt.fetching === null ? null : view.model.at(attempt.fetching);
  if (isAsked(one)) bar('p', queued, end);
  else {
    const begun = running ?? fetching ?? end;
    if (begun > queued) bar('q', queued, begun);
    if (running !== null) bar('r', running, fetching ?? end);
    else if (attempt.is === 'failed') bar('r', end, end);
    if (fetching !== null && end > fetching) bar('d', fetching, end);
  }
  const became = isAsked(one) ? 'a person' : attempt.is;
  const whole = `${label}, ${became}, from ${queued.toFixed(1)} to ${end.toFixed(1)} s`;
  return html(
    `div.line${view.model.critical.has(one.key) ? '.crit' : ''}${attempt.is === 'failed' ? '.bad' : ''}`,
    { ...place, role: 'listitem', 'data-key': one.key, 'data-open': view.opened === one },
    html('button.cut', { title: label, 'aria-label': whole, onclick: () => view.open(one) }, elided(label)),
    lane,
    html('span.c', money(attempt.cost ?? (one.cost === 0 ? 0 : null))),
  );
}

function drawRuler(view: View, axis: TimeAxis, lines: readonly Line[]): void {
  const marks = axis.marks(byId('ruler').clientWidth < 500 ? 3 : 8).map(second => {
    const place = axis.place(second);
    const text = second < 60 ? `${Number(second.toFixed(1))} s` : clock(second);
    return html(`span${place < 2 ? '.edge0' : place > 97 ? '.edge1' : ''}`, { style: { left: `${place}%` } }, text);
  });
  const { line, sum } = spending(view, axis, lines);
  byId('ruler').replaceChildren(
    svg('svg', { viewBox: '0 0 100 40', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, svg('path', { d: line })),
    ...marks,
  );
  const left = `${Math.min(100, Math.max(6, axis.place(axis.length)))}%`;
  if (sum > 0) byId('ruler').append(html('span.sum', { style: { left } }, money(sum)));
}

/** A line that climbs by what each attempt cost, where it ended. */
function spending(view: View, axis: TimeAxis, lines: readonly Line[]) {
  const paid = lines
    .map(({ attempt }) => ({ at: view.model.at(endOf(attempt)), cost: attempt.cost ?? 0 }))
    .filter(({ cost }) => cost > 0)
    .sort((a, b) => a.at - b.at);
  const total = paid.reduce((all, { cost }) => all + cost, 0);
  let sum = 0;
  let line = `M${axis.place(0)} 38`;
  for (const { at, cost } of paid) {
    sum += cost;
    line += `H${axis.place(at).toFixed(3)}V${(38 - (34 * sum) / total).toFixed(3)}`;
  }
  return { line: `${line}H${axis.place(axis.length)}`, sum };
}

function listenToZoom(axis: TimeAxis, draw: () => void): void {
  const then = (change: () => void) => () => {
    change();
    draw();
  };
  const nearer = then(() => axis.zoom(0.5));
  const further = then(() => axis.zoom(2));
  const fit = then(() => axis.fit());
  byId('zoom-in').addEventListener('click', nearer);
  byId('zoom-out').addEventListener('click', further);
  byId('zoom-fit').addEventListener('click', fit);
  const tenth = () => (axis.to - axis.from) / 10;
  const keys: Readonly<Record<string, () => void>> = {
    '+': nearer,
    '=': nearer,
    '-': further,
    0: fit,
    ArrowLeft: then(() => axis.move(-tenth())),
    ArrowRight: then(() => axis.move(tenth())),
  };
  byId('ruler').addEventListener('keydown', event => {
    const press = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
    if (!press || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    press();
  });
}

/** Dragging moves the axis, the wheel with Ctrl zooms it, and a hair follows the pointer. */
function listenToPointer(axis: TimeAxis, draw: () => void): void {
  const [ruler, hair, time] = [byId('ruler'), byId('hair'), byId('time-body')];
  const shareOf = (x: number) => {
    const { left, width } = ruler.getBoundingClientRect();
    return (x - left) / width;
  };
  let grabbed: number | null = null;
  ruler.addEventListener('pointerdown', event => {
    grabbed = axis.at(shareOf(event.clientX));
    ruler.setPointerCapture(event.pointerId);
  });
  ruler.addEventListener('pointermove', event => {
    if (grabbed === null) return;
    axis.move(grabbed - axis.at(shareOf(event.clientX)));
    draw();
  });
  for (const event of ['pointerup', 'pointercancel'])
    ruler.addEventListener(event, () => {
      grabbed = null;
    });
  time.addEventListener(
    'wheel',
    event => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      axis.zoom(event.deltaY > 0 ? 1.25 : 0.8, axis.at(shareOf(event.clientX)));
      draw();
    },
    { passive: false },
  );
  time.addEventListener('pointermove', event => {
    const share = shareOf(event.clientX);
    hair.hidden = share < 0 || share > 1;
    hair.style.left = `${event.clientX - time.getBoundingClientRect().left}px`;
  });
  time.addEventListener('pointerleave', () => {
    hair.hidden = true;
  });
}

const LEGEND = { q: 'queued', r: 'running', d: 'download', p: 'a person', f: 'failed', c: 'longest path' };

const legend = (): readonly HTMLElement[] =>
  Object.entries(LEGEND).map(([name, word]) => html('span', html(`i.sample.${name}`), word));

/** The part of the run that is looked at, in seconds since it began. */

/** Seconds: no nearer than this. */
const NEAREST = 2;
const STEPS = [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 86_400];

class TimeAxis {
  readonly length: number;
  from = 0;
  to: number;

  constructor(length: number) {
    this.length = length;
    this.to = length;
  }

  /** Percent of the width. */
  place(second: number): number {
    return ((second - this.from) / (this.to - this.from)) * 100;
  }

  /** @param share 0 to 1 of the width. */
  at(share: number): number {
    return this.from + share * (this.to - this.from);
  }

  /** @param by below 1: nearer. */
  zoom(by: number, around = (this.from + this.to) / 2): void {
    const span = Math.min(this.length, Math.max(Math.min(NEAREST, this.length), (this.to - this.from) * by));
    const share = (around - this.from) / (this.to - this.from);
    this.#look(around - span * share, span);
  }

  /** @param by seconds. */
  move(by: number): void {
    this.#look(this.from + by, this.to - this.from);
  }

  fit(): void {
    this.from = 0;
    this.to = this.length;
  }

  /** Where the ruler has a word: at most that many. */
  marks(most: number): readonly number[] {
    const wanted = (this.to - this.from) / most;
    const step = STEPS.find(it => it >= wanted) ?? Math.ceil(wanted / 86_400) * 86_400;
    const marks: number[] = [];
    for (let second = Math.ceil(this.from / step) * step; second <= this.to + 1e-6; second += step) marks.push(second);
    return marks;
  }

  #look(from: number, span: number): void {
    this.from = Math.max(0, Math.min(this.length - span, from));
    this.to = this.from + span;
  }
}
