/** The state of the films of a project, for a person: open ones first, each with the command that settles it. */

import { FINAL } from '../../../model/profile.ts';
import { freeText, spentText, unsettledText } from '../../../model/run/run-money.ts';
import { clipEnd } from '../../../model/text/cells.ts';
import { cleanText, safeLines } from '../../../model/text/clean.ts';
import { formatSeconds, formatUsd } from '../../../model/text/format.ts';
import { STATE_WORDS } from '../report/state-words.ts';
import type { FilmStatus, OpenAtService } from './film-status.ts';

/** Lines of one kind; the rest is counted. */
const MOST = 8;

/** @param now Unix milliseconds. @param width in terminal cells. */
export function statusText(films: readonly FilmStatus[], now: number, width: number): string {
  if (films.length === 0) return 'nothing was run in this project yet, or nothing that left a trace\n';
  const done = films.filter(isDone);
  const shown = films.filter(film => !isDone(film) || done.indexOf(film) < MOST);
  const blocks = shown.map(film =>
    filmLines(film, now)
      .map(line => clipped(line, width))
      .join('\n'),
  );
  if (shown.length < films.length) blocks.push(`… and ${films.length - shown.length} more that are done`);
  return `${blocks.join('\n\n')}\n`;
}

/** A command is copied, and stays whole. */
const clipped = (line: string, width: number): string => (line.startsWith(COMMAND) ? line : clipEnd(line, width));
const COMMAND = '    ';

const isDone = ({ outcome, open }: FilmStatus): boolean => outcome === 'done' && open.length === 0;

function filmLines(film: FilmStatus, now: number): readonly string[] {
  const { questions, rejected, at_work, waiting, failed, unwritten = [], open, command } = film;
  const reason = film.team ? film.team.reason : film.reason;
  const review = questions[0]?.command;
  const underWay = new Set(at_work.flatMap(({ generation }) => generation ?? []));
  const elsewhere = open.filter(({ generation }) => generation === null || !underWay.has(generation));
  return [
    headLine(film, now),
    ...(reason ? linesOf(reason).map(line => `  ${line}`) : []),
    `  ${moneyText(film)}`,
    ...some(at_work, ({ key, state, since, generation }) => {
      const id = generation === null ? '' : `, generation ${cleanText(generation)}`;
      return `${cleanText(key)}  ${STATE_WORDS[state]} for ${ago(since, now)}${id}`;
    }),
    ...some(questions, ({ key, ask }) => `${cleanText(key)}  waits for a person: ${ask}`),
    ...(review === undefined || review === command ? [] : [`${COMMAND}${review}`]),
    ...some(
      rejected,
      ({ key, who, note }) => `${cleanText(key)}  rejected by ${who}${note === null ? '' : `: ${cleanText(note)}`}`,
    ),
    ...some(waiting, ({ step, count, for: what }) => `${cleanText(step)}  ${count} ${what ?? 'waiting'}`),
    ...some(
      failed,
      ({ key, message, cancelled }) => `${cleanText(key)}  ${cancelled ? 'cancelled' : 'failed'}: ${message}`,
    ),
    ...some(unwritten, ({ path, reason }) => `${cleanText(path)}  could not be written: ${reason}`),
    ...some(elsewhere, one => openText(one, now, film.money)),
    ...(command === null ? [] : [`${COMMAND}${command}`]),
  ];
}

const linesOf = (text: string): readonly string[] => safeLines(text).split('\n').slice(0, MOST);

function headLine(film: FilmStatus, now: number): string {
  const { file, profile, service, outcome, began, ended, team, run } = film;
  const name = profile === null || profile === FINAL ? file : `${file} in ${cleanText(profile)}`;
  if (team) {
    const { leader, asked_by: who } = team;
    const head = `${run}  ${cleanText(name)} on ${cleanText(service)}, for ${cleanText(who)}:`;
    if (team.status === 'queued')
      return `${head} waits for ${team.reason === null ? 'a worker that is free' : 'its turn'}`;
    if (leader !== null) return `${head} led by ${cleanText(leader)}, running for ${ago(began, now)}`;
    return `${head} ${team.status}, ${ago(ended ?? began, now)} ago`;
  }
  if (outcome === 'running') return `${name} on ${service}: running for ${ago(began, now)}`;
  return `${name} on ${service}: ${outcomeWords(outcome)}, ${ago(ended ?? began, now)} ago`;
}

function outcomeWords(outcome: string): string {
  switch (outcome) {
    case 'budget':
      return 'stopped at its budget';
    case 'unreachable':
      return 'stopped, the service cannot be used';
    case 'unwritable':
      return 'stopped, the journal cannot be written';
    default:
      return outcome.replace('_', ' ');
  }
}

function moneyText({ counts, failed, money, service }: FilmStatus): string {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const over = (counts.made ?? 0) + (counts.reused ?? 0);
  const cancelled = failed.filter(one => one.cancelled).length;
  const apart = [
    [(counts.failed ?? 0) - cancelled, 'failed'],
    [cancelled, 'cancelled'],
    ...(['blocked', 'skipped', 'left_out'] as const).map(state => [counts[state] ?? 0, STATE_WORDS[state]] as const),
  ].flatMap(([count, words]) => (count === 0 ? [] : [`${count} ${words}`]));
  const done = all === 0 ? 'nothing begun' : [`${over} of ${all} there`, ...apart].join(', ');
  if (money.free) return `${done}; ${freeText(money.list_price ?? 0)}`;
  // What is spent is the run's; a film's budget bounds all its runs.
  const budget = money.budget === null ? '' : `, budget ${formatUsd(money.budget)}`;
  const isKnown = !money.perhaps && !money.unreported;
  return `${done}; ${spentText(money.spent, money.estimated ?? 0, { service }, isKnown)}${unsettledText(money)}${budget}`;
}

function openText(
  { key, is, generation, since, price }: OpenAtService,
  now: number,
  { free }: FilmStatus['money'],
): string {
  const id = generation === null ? '' : `, generation ${cleanText(generation)}`;
  const usd = price === null || price === 0 || free ? '' : `, ${formatUsd(price)}`;
  const words = {
    under_way: 'open at the service',
    made: 'made and not here yet',
    lost: 'its answer was lost, perhaps at the service',
  }[is];
  return `${cleanText(key)}  ${words}${id}, sent ${ago(since, now)} ago${usd}`;
}

function some<T>(all: readonly T[], text: (one: T) => string | readonly string[]): readonly string[] {
  const lines = all
    .slice(0, MOST)
    .flatMap(one => text(one))
    .map(line => `  ${line}`);
  return all.length > MOST ? [...lines, `  … and ${all.length - MOST} more`] : lines;
}

/** After a clock was set back no time is negative. */
const ago = (at: number, now: number): string => formatSeconds(Math.max(0, now - at) / 1000);
