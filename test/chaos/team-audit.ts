/**
 * What a team under fire is held to in the end: by what its service was given, by what its tables say, by what `fetch` put on the disk, and by
 * how soon somebody led again. Each gives its faults, a line each, by a name in front.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Queries } from '../../src/team/database/team-database.ts';
import { check, type DoorRow, type Rules } from '../checker/check.ts';
import { isPlacedFrom } from '../support/placed.ts';
import { BUDGET, BUDGETED, type FilmExtras, NO_EXTRAS, outputsOf } from './team-film.ts';

export interface TeamLimits {
  readonly inFlight: number;
  readonly perSecond: number;
  readonly model: string;
  readonly ofModel: number;
}
export const LIMITS: TeamLimits = { inFlight: 12, perSecond: 10, model: 'I-GEN-A', ofModel: 8 };
/** Seconds. */
export const AIMS = { dead: 30, leaving: 2 } as const;

/** What the checker holds the service's door to. */
const rules = ({ inFlight, perSecond, model, ofModel }: TeamLimits): Rules => ({
  inFlight,
  inFlightOf: { [model]: ofModel },
  rates: [{ within: 1_000, most: perSecond }],
  budgets: [{ from: BUDGETED, generations: BUDGET }],
  // Ten minutes, and a minute until a worker looks.
  deployments: { idle: 11 * 60_000, isNeverCutShort: true },
});

/** Sent twice, or more than was allowed. */
export const faultsAtDoor = (door: readonly DoorRow[], limits = LIMITS): readonly string[] =>
  check(door.map(withPayer), rules(limits)).map(({ is, what }) => `${is}: ${what}`);

/** All have one key; the film that has a budget is told by its prompts. */
const withPayer = (row: DoorRow): DoorRow =>
  row.is === 'taken' && row.content.includes(BUDGETED) ? { ...row, from: BUDGETED } : row;

export interface RunSeen {
  readonly id: string;
  readonly status: string;
  readonly leader: string | null;
  readonly reason: string | null;
}

const ENDS: readonly string[] = ['done', 'failed', 'cancelled'];
export const isOpen = ({ status }: Pick<RunSeen, 'status'>): boolean => !ENDS.includes(status);

/** Given up, or never finished. */
export const faultsOfRuns = (rows: readonly RunSeen[]): readonly string[] =>
  rows.flatMap(run => {
    const { id, status, leader, reason } = run;
    if (status === 'done') return [];
    if (isOpen(run)) return [`stuck: ${id} is ${status}${leader === null ? '' : `, led by ${leader}`}`];
    return [`lost: ${id} ${status}: ${reason ?? 'no reason told'}`];
  });

/** Written by who does not lead any more, open for ever, or told as done more than once or never. */
export async function faultsInTables({ query }: Pick<Queries, 'query'>): Promise<readonly string[]> {
  // Rows have their numbers in the order in which they were kept, for each film: its lead holds it meanwhile.
  const late = await query<{ film: string; n: number }>(
    `SELECT film, count(*)::int AS n FROM (SELECT film, epoch, max(epoch) OVER (PARTITION BY film ORDER BY id) AS newest FROM event) e
       WHERE epoch < newest GROUP BY film`,
  );
  const [open] = await query<{ n: number }>("SELECT count(*)::int AS n FROM submission WHERE state <> 'closed'");
  const ends = await query<{ run: string; n: number }>(
    `SELECT run.id AS run, (SELECT count(*)::int FROM told WHERE told.run = run.id AND told.body::jsonb ->> 'type' = 'run_finished'
       AND told.body::jsonb ->> 'outcome' = 'done') AS n FROM run WHERE status = 'done'`,
  );
  return [
    ...late.map(({ film, n }) => `superseded: ${n} events of ${film} after its next lead's first`),
    ...(open && open.n > 0 ? [`open: ${open.n} submissions nobody knows the end of`] : []),
    ...ends.filter(({ n }) => n !== 1).map(({ run, n }) => `told: ${run} is told as done ${n} times`),
  ];
}

/** Of a run that is done: what is not there, or not what it must be. */
export async function faultsOfOutputs(
  project: string,
  run: string,
  film: number,
  shots: number,
  extras: FilmExtras = NO_EXTRAS,
): Promise<readonly string[]> {
  const wrong: (readonly [string, Buffer])[] = [];
  for (const [path, bytes] of outputsOf(film, shots, extras)) {
    const file = join(project, path);
    if (!existsSync(file) || !(await isPlacedFrom(file, bytes))) wrong.push([path, bytes]);
  }
  return wrong.length === 0
    ? []
    : [`lost: ${wrong.length} outputs of ${run} are not there, or others: ${wrong[0]?.[0]} first`];
}

/** A run that lost its lead, and when another worker led it. Seconds. */
export interface Takeover {
  readonly run: string;
  /** `upgrade`: all workers leave, so the next lead may be about to leave as well. */
  readonly after: 'kill' | 'end' | 'freeze' | 'upgrade';
  readonly seconds: number;
}

/** @param given how often its job was given out meanwhile. */
export function faultOfTakeover({ run, after, seconds }: Takeover, given: number): string | undefined {
  if (seconds <= (after === 'end' ? AIMS.leaving : AIMS.dead)) return undefined;
  const how = `its job given out ${given} ${given === 1 ? 'time' : 'times'} meanwhile`;
  return `late: ${run} was led again ${seconds.toFixed(1)} s after its worker's ${after}, ${how}`;
}
