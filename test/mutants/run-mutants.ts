/**
 * Plants each bug of `mutants.ts`, and runs the tests that must see it: `npm run mutants`, or `npm run mutants -- --only run --only ui`.
 * Ends with 1 where a bug was missed. The working tree is as it was afterwards, also after Ctrl-C.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MUTANTS, type Mutant } from './mutants.ts';

const ROOT = join(import.meta.dirname, '../..');
process.chdir(ROOT);

const { only } = parseArgs({ options: { only: { type: 'string', multiple: true } } }).values;
const unknown = only?.find(room => !MUTANTS.some(mutant => mutant.room === room));
if (unknown !== undefined) stop(`no mutant is in ${unknown}; there are ${MUTANTS.map(({ room }) => room).join(', ')}`);
const mutants = MUTANTS.filter(({ room }) => !only || only.includes(room));

const changed = execFileSync('git', ['status', '--porcelain', '--', ...mutants.map(({ file }) => file)]).toString();
if (changed !== '') stop(`these files have changes that are not committed:\n${changed}`);

interface Tested {
  readonly red: boolean;
  readonly seconds: number;
  readonly said: string;
}

const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort());
process.once('SIGTERM', () => interrupted.abort());

/** A group of its own: Ctrl-C ends this program first, which ends the tests and mends the file. */
async function tested(tests: readonly string[]): Promise<Tested> {
  const began = performance.now();
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--bail', '1', ...tests], {
    ...{ stdio: ['ignore', 'pipe', 'pipe'], detached: true },
    env: { ...process.env, NO_COLOR: '1' },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const end = () => void (child.pid && process.kill(-child.pid, 'SIGTERM'));
  interrupted.signal.addEventListener('abort', end);
  const [exit] = await once(child, 'close');
  interrupted.signal.removeEventListener('abort', end);
  if (interrupted.signal.aborted) stop('interrupted');
  return { red: exit !== 0, seconds: Math.round((performance.now() - began) / 1000), said };
}

/** A test that fails by what it expects, not one that cannot even be read. */
const failedTest = (said: string): string | undefined => /^ *FAIL +(.+ > .+)$/m.exec(said)?.[1];

async function planted({ file, from, to, tests }: Mutant): Promise<Tested> {
  const text = readFileSync(file, 'utf8');
  if (text.split(from).length !== 2) stop(`${file}: what is to be changed does not stand there once`);
  const mend = () => writeFileSync(file, text);
  process.once('exit', mend);
  try {
    writeFileSync(
      file,
      text.replace(from, () => to),
    );
    return await tested(tests);
  } finally {
    mend();
    process.off('exit', mend);
  }
}

const all = [...new Set(mutants.flatMap(({ tests }) => tests))];
const without = await tested(all);
if (without.red) stop(`${without.said}\nthese tests are red without any bug`);
console.log(`green   without    ${all.length} test files (${without.seconds} s)`);

let caught = 0;
for (const mutant of mutants) {
  const { red, seconds, said } = await planted(mutant);
  const seen = red ? failedTest(said) : undefined;
  if (seen !== undefined) caught += 1;
  const where = mutant.tests.join(', ');
  console.log(
    `${seen === undefined ? 'MISSED' : 'caught'}  ${mutant.room.padEnd(9)}  ${mutant.name} (${where}, ${seconds} s)`,
  );
  if (red && seen === undefined) console.log(said);
}
console.log(`${caught} of ${mutants.length} caught`);
process.exitCode = caught === mutants.length ? 0 : 1;

function stop(why: string): never {
  console.error(why);
  process.exit(1);
}
