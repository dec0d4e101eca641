/** The two edges of the live part: a rule with the film's name and the time, and a line of counts with money and the service's health. */
import { cellWidth, clipEnd } from '../domain/cells.ts';
import { formatTicking } from '../domain/format.ts';
import { moneyWords } from '../telling/run-text.ts';
import { phase, type Tale } from '../telling/run-view.ts';
import type { Columns } from './columns.ts';
import { type Line, type Piece, text } from './line.ts';

/** `── teaser · studio ───────────────────────── 1m 12s ──` */
export function header(tale: Tale, now: number, { width }: Columns): Line {
  const time = formatTicking((now - tale.startedAt) / 1000);
  const service = ` · ${clipEnd(tale.service, 24)}`;
  const room = width - 2 - 3 - cellWidth(service) - 1 - 1 - cellWidth(time) - 3;
  const film = clipEnd(tale.film, Math.max(4, room - 3));
  const rule = '─'.repeat(Math.max(1, room - cellWidth(film)));
  return [
    ...[text('  ── ', 'quiet'), text(film, 'accent'), text(`${service} `, 'quiet')],
    ...[text(rule, 'quiet'), text(` ${time} `), text('──', 'quiet')],
  ];
}

/** `2 of 4 done · 1 under way · 1 waiting      $1.56 of ~$2.40      live · Ctrl-C stops` */
export function footer(tale: Tale, { width }: Columns): Line {
  const counts = countPieces(tale);
  const state = health(tale);
  const hint = text(tale.detached === null ? CTRL_C[tale.onInterrupt] : 'Ctrl-C again ends at once', 'quiet');
  const money = [text(moneyWords(tale))];
  const beside = state.length > 0 ? [...state, text(' · ', 'quiet'), hint] : [hint];
  // Whatever does not fit goes: first the hint, then the money, last the service's health.
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

function countPieces(tale: Tale): readonly Piece[] {
  const n = { done: 0, underWay: 0, waiting: 0, failed: 0, blocked: 0 };
  for (const instance of tale.instances.values()) {
    const where = phase(instance.standing);
    if (instance.standing.is === 'failed') n.failed += 1;
    else if (instance.standing.is === 'blocked') n.blocked += 1;
    else if (where === 'over') n.done += 1;
    else if (where === 'under-way') n.underWay += 1;
    else n.waiting += 1;
  }
  const failed = n.failed + n.blocked > 0 ? [text(' · ', 'quiet'), text(`${n.failed} failed`, 'alarm')] : [];
  const parts = [`${n.done} of ${tale.instances.size} done`, ...(n.underWay > 0 ? [`${n.underWay} under way`] : [])];
  const later = n.waiting > 0 ? [text(` · ${n.waiting} waiting`, 'quiet')] : [];
  const blocked = n.blocked > 0 ? [text(` · ${n.blocked} blocked`, 'quiet')] : [];
  return [text(parts[0] ?? ''), ...(parts[1] ? [text(` · ${parts[1]}`)] : []), ...later, ...failed, ...blocked];
}

/** Silent while all is well: only what the author may wonder about is told. */
function health(tale: Tale): readonly Piece[] {
  if (tale.detached !== null) return [text(stopping(tale), 'accent')];
  if (!tale.reach.reachable) return [text(`${clipEnd(tale.service, 16)} unreachable, trying`, 'alarm')];
  if (tale.stream === null) return [];
  return [text(tale.stream.up ? 'live' : 'polling', 'quiet')];
}

function stopping(tale: Tale): string {
  const up = [...tale.deployments.values()].find(
    ({ is, status }) => is === 'ours' || (is === 'coming' && status === 'deploying'),
  );
  if (up !== undefined) return `ending ${clipEnd(up.model, 16)}`;
  return tale.onInterrupt === 'cancel' ? 'cancelling' : 'stopping';
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
