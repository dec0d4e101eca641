/** The two edges of the live part: a rule with the film's name and the time, and a line of counts with money and the service's health. */
import { cellWidth, clipEnd } from '../domain/cells.ts';
import { formatTicking } from '../domain/format.ts';
import { phase } from '../telling/instance-state.ts';
import { spentText } from '../telling/opening-and-outcome.ts';
import type { RunView } from '../telling/run-view.ts';
import type { Columns } from './columns.ts';
import { type Line, type Piece, text } from './line.ts';

/** `── teaser · studio ───────────────────────── 1m 12s ──` */
export function header(run: RunView, now: number, { width }: Columns): Line {
  const time = formatTicking((now - run.startedAt) / 1000);
  const service = ` · ${clipEnd(run.service, 24)}`;
  const room = width - 2 - 3 - cellWidth(service) - 1 - 1 - cellWidth(time) - 3;
  const film = clipEnd(run.name, Math.max(4, room - 3));
  const rule = '─'.repeat(Math.max(1, room - cellWidth(film)));
  return [
    ...[text('  ── ', 'quiet'), text(film, 'accent'), text(`${service} `, 'quiet')],
    ...[text(rule, 'quiet'), text(` ${time} `), text('──', 'quiet')],
  ];
}

/** `2 of 4 done · 1 under way · 1 waiting      $1.56 of ~$2.40      live · Ctrl-C stops` */
export function footer(run: RunView, { width }: Columns): Line {
  const counts = countPieces(run);
  const state = health(run);
  const hint = text(run.detached === null ? CTRL_C[run.onInterrupt] : 'Ctrl-C again ends at once', 'quiet');
  const money = [text(spentText(run))];
  const beside = state.length > 0 ? [...state, text(' · ', 'quiet'), hint] : [hint];
  // Parts that do not fit are dropped: first the hint, then the money, last the service's health.
  for (const parts of [
    [counts, money, beside],
    [counts, money, state],
    [counts, state],
    [counts, money],
  ]) {
    const line = spread(
      parts.filter(part => part.length > 0),
      width - 2,
    );
    if (line !== null) return [text('  '), ...line];
  }
  return [text('  '), text(clipEnd(counts.map(piece => piece.text).join(''), width - 2))];
}

const CTRL_C = { detach: 'Ctrl-C stops', cancel: 'Ctrl-C cancels' } as const;

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

/** Empty while all is well: only what the author may wonder about is told. */
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
  return parts.flatMap((part, index) => {
    if (index === 0) return [...part];
    const share = Math.floor(blank / gaps) + (index === gaps ? blank % gaps : 0);
    return [text(' '.repeat(share)), ...part];
  });
}
