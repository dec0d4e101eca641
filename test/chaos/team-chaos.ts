/**
 * `npm run chaos -- --team [--runs 8] [--steps 300] [--workers 4] [--kill-every 5] [--seed N]`: a team of real workers, a random one of which
 * is killed for ever every few seconds while a new one joins. Among the kills: the database goes away, one worker stands still for half a minute,
 * one has no line to the database and one none to the service for as long, the clock of one is a day ahead for as long, one is told to leave, and
 * twice all are replaced one after the other. One film brings a deployment up, all ask for
 * the same three pictures, and one has a budget that it does not fit into. Printed at the end: what was submitted and how often twice, how soon others took over, and the most that the service
 * ever had at once.
 *
 * It runs `dist/`, made afresh. `--shape NAME`: one of the small trials of `team-shapes.ts` instead.
 * `--plants`: which of the bugs of `team-bugs.ts` the checker finds (`--plant NAME`: that one), each in the trial that shows it. `--until REGEX`: the
 * trial ends at the first fault at the door that matches.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { figures, mostWithin } from '../checker/check.ts';
import { AIMS, LIMITS, type Takeover } from './team-audit.ts';
import { plantedInTeam, TEAM_BUGS } from './team-bugs.ts';
import { type Act, isShape, SHAPES, type Shape } from './team-shapes.ts';
import { teamTrial } from './team-trial.ts';

const { values } = parseArgs({
  options: {
    // The only kind there is.
    team: { type: 'boolean' },
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '8' },
    steps: { type: 'string', default: '300' },
    workers: { type: 'string', default: '4' },
    'kill-every': { type: 'string', default: '5' },
    shape: { type: 'string' },
    until: { type: 'string' },
    plants: { type: 'boolean', default: false },
    plant: { type: 'string' },
    'at-most': { type: 'string', default: '1200' },
  },
});
/** Once each, among the kills. */
const ONCE: Readonly<Record<number, Act>> = {
  ...{
    1: 'freeze',
    3: 'end',
    5: 'database',
    7: 'cut database',
    9: 'upgrade',
    11: 'cut service',
    13: 'clock',
    15: 'upgrade',
  },
};

if (values.plants || values.plant !== undefined) process.exit((await planted()) ? 0 : 1);
if (!existsSync('dist/shotlist.cjs')) throw new Error('there is no dist/ to run: npm run build first');
const { shape } = values;
if (shape !== undefined && !isShape(shape))
  throw new Error(`no trial is called ${shape}: ${Object.keys(SHAPES).join(', ')}`);
const small: Shape | undefined = shape === undefined ? undefined : SHAPES[shape];
const limits = small?.limits ?? LIMITS;
const { submits, door, acts, takeovers, seconds, faults, folder } = await teamTrial({
  ...{ seed: Number(values.seed), runs: Number(values.runs), steps: Number(values.steps) },
  ...{
    workers: Number(values.workers),
    every: Number(values['kill-every']),
    most: Number(values['at-most']),
    isTimed: true,
    hasExtras: small === undefined,
  },
  ...small,
  act: n => (small ? small.acts[n] : (ONCE[n] ?? 'kill')),
  ...(values.until === undefined ? {} : { until: new RegExp(values.until) }),
  tell: line => console.log(line),
});

const timed = (after: Takeover['after'], aim: number): string => {
  const all = takeovers.filter(one => one.after === after).map(one => one.seconds);
  all.sort((a, b) => a - b);
  const at = (part: number) => (all[Math.floor((all.length - 1) * part)] ?? 0).toFixed(1);
  return all.length === 0 ? 'none' : `${all.length}: median ${at(0.5)} s, longest ${at(1)} s (aim ${aim} s)`;
};
if (faults.length > 0) writeFileSync(join(folder, 'door.jsonl'), door.map(row => `${JSON.stringify(row)}\n`).join(''));
const { inFlight, inFlightOf } = figures(door);
const rows: readonly (readonly [name: string, value: string])[] = [
  ['submits', String(submits)],
  ['doubles', String(faults.filter(fault => fault.startsWith('double')).length)],
  ['lost', String(faults.filter(fault => /^(lost|stuck)/.test(fault)).length)],
  ['workers killed', `${acts.kill + acts['kill lead']}; told to leave ${acts.end}; frozen ${acts.freeze}`],
  ['all replaced', `${acts.upgrade} times`],
  [
    'cut from the database',
    `${acts['cut database']}; from the service ${acts['cut service']}; clock ahead ${acts.clock}`,
  ],
  ['database killed', String(acts.database)],
  ['led again after a kill', timed('kill', AIMS.dead)],
  ['… a freeze', timed('freeze', AIMS.dead)],
  ['… SIGTERM', timed('end', AIMS.leaving)],
  ['… all replaced', timed('upgrade', AIMS.dead)],
  [
    'most in flight',
    `${inFlight} of ${limits.inFlight}; ${limits.model} ${inFlightOf[limits.model] ?? 0} of ${limits.ofModel}`,
  ],
  ['most in a second', `${mostWithin(door, 1_000)} of ${limits.perSecond}`],
  ['duration', `${Math.round(seconds)} s; seed ${values.seed}`],
];
for (const [name, value] of rows) console.log(`${name.padEnd(24)}${value}`);
for (const fault of faults) console.log(`FAULT ${fault}`);
if (faults.length > 0) console.log(`kept: ${folder}`);
process.exitCode = faults.length > 0 ? 1 : 0;

/** Whether the checker finds each bug in the trial that shows it. */
async function planted(): Promise<boolean> {
  const bugs = TEAM_BUGS.filter(({ name }) => values.plant === undefined || values.plant === name);
  let seen = 0;
  for (const bug of bugs) {
    const { atDoor, elsewhere, seconds } = await plantedInTeam(bug, ['--seed', values.seed, '--at-most', '180']);
    if (atDoor !== undefined) seen += 1;
    const what = atDoor ?? `MISSED at the door; ${elsewhere ?? 'no other fault'}`;
    console.log(`${bug.name} (${bug.shape}, ${Math.round(seconds)} s): ${what}`);
  }
  console.log(`${seen} of ${bugs.length} planted bugs seen at the door`);
  return bugs.length > 0 && seen === bugs.length;
}
