/** The two edges of the live part: a rule with the film's name and the time, and a line of counts with money and the service's health. */

import { isFree } from '../../../model/run/run-money.ts';
import { cellWidth, clipEnd } from '../../../model/text/cells.ts';
import { formatTicking } from '../../../model/text/format.ts';
import { type InstanceState, phase, type Stage } from '../../../records/views/instance-state.ts';
import type { RunView } from '../../../records/views/run-view.ts';
import { moneyTexts } from '../../text/opening-and-outcome.ts';
import { isOpen, msLeftOfAll, stepTallies, timeLeftText } from '../../text/step-tally.ts';
import type { Browsing } from '../browsing.ts';
import { type Columns, isNarrow } from '../columns.ts';
import { type Line, type Piece, text } from '../line.ts';

/** `── teaser · studio ───────────────────────── 1m 12s ──` */
export function header(run: RunView, now: number, { width }: Columns): Line {
  const time = `${formatTicking((now - run.startedAt) / 1000)}${leftText(run, now)}`;
  const service = ` · ${clipEnd(run.service, 24)}`;
  const room = width - 2 - 3 - cellWidth(service) - 1 - 1 - cellWidth(time) - 3;
  const film = clipEnd(run.name, Math.max(4, room - 3));
  const rule = '─'.repeat(Math.max(1, room - cellWidth(film)));
  return [
    ...[text('  ── ', 'quiet'), text(film, 'accent'), text(`${service} `, 'quiet')],
    ...[text(rule, 'quiet'), text(` ${time} `), text('──', 'quiet')],
  ];
}

/** Shown once it is known for every step. */
function leftText(run: RunView, now: number): string {
  const ms = run.detached === null ? msLeftOfAll(stepTallies(run).filter(isOpen), now) : null;
  return ms === null || ms === 0 ? '' : ` · ${timeLeftText(ms)}`;
}

interface FooterRoom {
  /** Of the terminal. */
  readonly columns: number;
  /** Where the person at the keyboard is; undefined: no person is there, or the keys mean something else now. */
  readonly browsing: Browsing | undefined;
  /** There is room for two lines. */
  readonly isTall: boolean;
  /** It is carried out elsewhere, and goes on without this screen. */
  readonly elsewhere?: true | undefined;
}

/**
 * `2 of 4 done · 1 under way · 1 waiting      spent $1.56 · in flight $0.48 · to come ~$0.36      live · Ctrl-C stops`; with keys and room
 * for them in two lines.
 */
export function footer(
  run: RunView,
  { width }: Columns,
  { columns, browsing, isTall, elsewhere }: FooterRoom,
): readonly Line[] {
  if (isNarrow(columns)) return [narrowFooter(run, columns)];
  const counts = countPieces(run);
  const state = health(run);
  const ends = run.detached === null ? interruptText(run) : 'Ctrl-C again ends at once';
  const hint = text(elsewhere ? 'Ctrl-C leaves' : ends, 'quiet');
  const stateAndHint = state.length > 0 ? [...state, text(' · ', 'quiet'), hint] : [hint];
  const moneys = moneyTexts(run).map(words => [text(words)]);
  if (browsing && isTall) {
    const first = fitting([...moneys.map(money => [counts, money]), [counts]], width) ?? clippedCounts(counts, width);
    const notice = browsing.notice === '' ? null : [text(clipEnd(browsing.notice, width - 4), 'accent')];
    const keys = [text(browsing.mode === 'live' ? KEYS : STREAM_KEYS, 'quiet')];
    return [
      first,
      notice
        ? [text('  '), ...notice]
        : (fitting([[keys, stateAndHint], [[text(FEW_KEYS, 'quiet')], stateAndHint], [stateAndHint]], width) ?? [
            text('  '),
            hint,
          ]),
    ];
  }
  // Parts that do not fit are dropped: words about the money first, then the hint, then the money, last the service's health.
  const tries = [
    ...moneys.map(money => [counts, money, stateAndHint]),
    ...moneys.map(money => [counts, money, state]),
    [counts, state],
    ...moneys.map(money => [counts, money]),
  ];
  return [fitting(tries, width) ?? clippedCounts(counts, width)];
}

const KEYS = '↑↓ Enter one in full   p pick   r review   s plain   ?';
const STREAM_KEYS = 's live view   ↑↓ Enter one in full   ?';
const FEW_KEYS = '↑↓ Enter   s plain   ? keys';

function fitting(tries: readonly (readonly (readonly Piece[])[])[], width: number): Line | null {
  for (const parts of tries) {
    const line = spread(
      parts.filter(part => part.length > 0),
      width - 2,
    );
    if (line !== null) return [text('  '), ...line];
  }
  return null;
}

const clippedCounts = (counts: readonly Piece[], width: number): Line => [
  ...[text('  '), text(clipEnd(counts.map(piece => piece.text).join(''), width - 2))],
];

/** `29/62  $12.52 of ~$38.40     Ctrl-C` */
function narrowFooter(run: RunView, columns: number): Line {
  const width = Math.max(4, columns - 1);
  const tally = { over: 0, failed: 0 };
  for (const { state } of run.instances.values()) {
    if (state.is === 'failed') tally.failed += 1;
    else if (phase(state) === 'over') tally.over += 1;
  }
  const counts = [
    text(`${tally.over}/${run.instances.size}`),
    ...(tally.failed > 0 ? [text(` ${tally.failed} failed`, 'alarm')] : []),
  ];
  const out = [text(run.detached === null ? 'Ctrl-C' : 'Ctrl-C ends', 'quiet')];
  const moneys = moneyTexts(run).map(words => [...counts, text('  '), text(words)]);
  return fitting([...moneys.map(left => [left, out]), [counts, out], [counts]], width) ?? clippedCounts(counts, width);
}

/** What the service has begun goes on without us, and is billed: that is no stop. */
function interruptText(run: RunView): string {
  if (run.onInterrupt === 'cancel') return 'Ctrl-C cancels';
  const isBilling = !isFree(run) && [...run.instances.values()].some(({ state }) => goesOn(state));
  return isBilling ? 'Ctrl-C detaches' : 'Ctrl-C stops';
}

/** What is made on this machine is at work as well, and ends with the run. */
const goesOn = ({ is, stage }: InstanceState): boolean => SHOWN_SENT.has(is) && AT_SERVICE.has(stage);

const SHOWN_SENT: ReadonlySet<InstanceState['is']> = new Set(['sending', 'unknown', 'queued', 'working', 'generated']);
const AT_SERVICE: ReadonlySet<Stage> = new Set(['intended', 'unknown', 'generating', 'generated']);

function countPieces(run: RunView): readonly Piece[] {
  const n = { done: 0, underWay: 0, waiting: 0, failed: 0, blocked: 0 };
  for (const instance of run.instances.values()) {
    const where = phase(instance.state);
    if (instance.state.is === 'failed') n.failed += 1;
    else if (instance.state.is === 'blocked') n.blocked += 1;
    else if (where === 'over') n.done += 1;
    else if (where === 'under-way') n.underWay += 1;
    else n.waiting += 1;
  }
  const failed = n.failed + n.blocked > 0 ? [text(' · ', 'quiet'), text(`${n.failed} failed`, 'alarm')] : [];
  const parts = [`${n.done} of ${run.instances.size} done`, ...(n.underWay > 0 ? [`${n.underWay} under way`] : [])];
  const later = n.waiting > 0 ? [text(` · ${n.waiting} waiting`, 'quiet')] : [];
  const blocked = n.blocked > 0 ? [text(` · ${n.blocked} blocked`, 'quiet')] : [];
  return [text(parts[0] ?? ''), ...(parts[1] ? [text(` · ${parts[1]}`)] : []), ...later, ...failed, ...blocked];
}

/** Empty while all is well. */
function health(run: RunView): readonly Piece[] {
  if (run.detached !== null) return [text(stopping(run), 'accent')];
  if (!run.connection.reachable) return [text(`${clipEnd(run.service, 16)} unreachable, trying`, 'alarm')];
  if (run.stream === null) return [];
  return [text(run.stream.up ? 'live' : 'polling', 'quiet')];
}

function stopping(run: RunView): string {
  const up = [...run.deployments.values()].find(
    ({ is, status }) => is === 'ours' || (is === 'coming' && status === 'deploying'),
  );
  if (up !== undefined) return `ending ${clipEnd(up.model, 16)}`;
  return run.onInterrupt === 'cancel' ? 'cancelling' : 'stopping';
}

/** The parts side by side, blanks shared out between them; null when they do not fit. */
function spread(parts: readonly (readonly Piece[])[], width: number): Line | null {
  const used = parts.flat().reduce((sum, piece) => sum + cellWidth(piece.text), 0);
  const gaps = parts.length - 1;
  const blank = width - used;
  if (blank < gaps * 2) return null;
  if (gaps === 0) return parts[0] ?? [];
  return parts.flatMap((part, index) => {
    if (index === 0) return [...part];
    const share = Math.floor(blank / gaps) + (index === gaps ? blank % gaps : 0);
    return [text(' '.repeat(share)), ...part];
  });
}
