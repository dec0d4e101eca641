/**
 * Carries out cases one after another, in a process that may die of one. Each is announced before it begins and again when it has
 * ended, by a write that nothing can hold back: whoever listens knows which case the silence belongs to.
 */
import { writeSync } from 'node:fs';
import { Dice } from '../simulate/dice.ts';
import { KINDS, type KindName, SLOTS } from './fuzz-kinds.ts';
import { FuzzService } from './fuzz-service.ts';
import { fuzzStudio } from './fuzz-studio.ts';
import { FuzzWorld } from './fuzz-world.ts';

const [first = '1', count = '1', step = '1', only = ''] = process.argv.slice(2);
const say = (line: object) => writeSync(1, `${JSON.stringify(line)}\n`);

const world = await FuzzWorld.open();
const service = await FuzzService.open();
const studio = await fuzzStudio(`${world.folder}/studio`);
let escaped: unknown;
process.on('uncaughtException', error => {
  escaped = error;
});
process.on('unhandledRejection', error => {
  escaped = error;
});

const end = Number(first) + Number(count);
for (let seed = Number(first); seed < end; seed += Number(step)) {
  const kind = (only || SLOTS[seed % SLOTS.length]) as KindName;
  const begin = () => say({ begun: seed, kind });
  begin();
  world.onReset = begin;
  const fault = await attempt(kind, seed);
  say({ ended: seed, ...(fault !== undefined && { fault, kept: world.keep(`${kind}-${seed}`) }) });
}
await studio.close();
service.close();
world.close();

async function attempt(kind: KindName, seed: number): Promise<string | undefined> {
  escaped = undefined;
  try {
    const wrong = await KINDS[kind](new Dice(Math.imul(seed, 2_654_435_761)), { world, service, studio });
    await new Promise(setImmediate);
    return wrong ?? (escaped === undefined ? undefined : `nobody caught: ${stackOf(escaped)}`);
  } catch (error) {
    return `thrown: ${stackOf(error)}`;
  }
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error.stack ?? error.message).split('\n').slice(0, 8).join('\n');
}
