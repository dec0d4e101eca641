/**
 * `npm run crash [-- --seed N] [--runner 1000] [--studio 300] [--vice NAME …] [--disk] [--film N --of runner|studio]`: the real runner and the
 * real studio, killed at named points and at any moment. What is counted is what the studio was really given, and what the disk holds.
 *
 * `--disk`: the project has a small disk, which another program fills before each kill of the runner at any moment.
 *
 * It runs `dist/`, made afresh, in `--sets` places side by side.
 */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { FAILPOINTS } from '../../src/model/run/failpoint.ts';
import { VICES } from '../../src/studio/service/vices/vice-table.ts';
import { crash } from './crash-session.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '8' },
    runner: { type: 'string', default: '1000' },
    studio: { type: 'string', default: '300' },
    sets: { type: 'string', default: '3' },
    vice: { type: 'string', multiple: true, default: [] as string[] },
    disk: { type: 'boolean', default: false },
    film: { type: 'string' },
    of: { type: 'string', default: 'runner' },
  },
});
/** Kills after which every named point must have been one of them. */
const ENOUGH = 300;

const unknown = values.vice.filter(name => !(name in VICES));
if (unknown.length > 0) throw new Error(`the studio has no vice ${unknown.join(', ')}`);
if (!existsSync('dist/shotlist.cjs')) throw new Error('there is no dist/ to run: npm run build first');
const began = performance.now();
const one = values.film === undefined ? {} : { film: Number(values.film) };
const kills = { runner: Number(values.runner), studio: Number(values.studio) };
const seed = Number(values.seed);
const { killed, films, faults, at } = await crash({
  seed,
  kills: values.film === undefined ? kills : { runner: 0, studio: 0, [values.of]: 1 },
  vices: values.vice,
  isOnSmallDisk: values.disk,
  sideBySide: Number(values.sets),
  tell: line => console.log(line),
  ...one,
});

const count = (is: string) => faults.filter(fault => fault.is === is).length;
const unseen = FAILPOINTS.filter(point => !at.has(point));
console.log(
  `${films} films; the runner died at ${[...at].map(([point, times]) => `${point} ${times}`).join(', ') || 'nothing'}`,
);
const isHollow = killed.runner >= ENOUGH && unseen.length > 0;
if (isHollow) console.log(`nobody died at ${unseen.join(', ')}: the run does not pass there, or the name is wrong`);
const told = (number: number) => number.toLocaleString('en-US');
const stuck = count('stuck') > 0 ? `, ${count('stuck')} stuck` : '';
console.log(
  `${told(killed.runner)} kills of the runner, ${told(killed.studio)} of the studio: ` +
    `${count('double')} double, ${count('lost')} lost, ${count('corrupt')} corrupt${stuck}; ` +
    `seed ${seed}, ${Math.round((performance.now() - began) / 1000)} s`,
);
process.exitCode = faults.length > 0 || isHollow ? 1 : 0;
