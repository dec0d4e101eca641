/**
 * `node test/checker/main.ts DOOR.jsonl [RULES.json]`: judges what a service wrote down at its door, a row of JSON a line, by rules as
 * `check.ts` has them. It prints what it counted and each fault, and ends with 1 where there is one.
 */
import { readFileSync } from 'node:fs';
import { check, type DoorRow, figures, type Rules } from './check.ts';

const [door, rules] = process.argv.slice(2);
if (door === undefined) throw new Error('which door? node test/checker/main.ts DOOR.jsonl [RULES.json]');
const rows = readFileSync(door, 'utf8')
  .split('\n')
  .filter(line => line !== '')
  .map(line => JSON.parse(line) as DoorRow);
const faults = check(rows, rules === undefined ? {} : (JSON.parse(readFileSync(rules, 'utf8')) as Rules));
const { taken, inFlight, usd } = figures(rows);
console.log(`${taken} taken, at most ${inFlight} at once, $${usd.toFixed(2)}; ${faults.length} faults`);
for (const { is, at, what } of faults) console.log(`${is} at ${(at / 1_000).toFixed(1)} s: ${what}`);
process.exitCode = faults.length > 0 ? 1 : 0;
