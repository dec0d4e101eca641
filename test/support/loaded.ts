/**
 * The suite on a busy machine: beside eight loops that never rest, three times in a row; then once on a single core. Ends at the first
 * run that fails, with its exit code. `npm run test:loaded`; what follows `--` goes to Vitest.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const LOOPS = 8;
const RUNS = 3;

const more = process.argv.slice(2);
const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');

async function runs(title: string, command: readonly string[]): Promise<void> {
  const began = performance.now();
  const [program = '', ...args] = [...command, process.execPath, vitest, 'run', ...more];
  const [exit] = await once(spawn(program, args, { stdio: 'inherit' }), 'exit');
  console.log(
    `\n${title}: ${exit === 0 ? 'green' : `exit ${exit}`} after ${Math.round((performance.now() - began) / 1000)} s\n`,
  );
  if (exit !== 0) throw new Error(`${title}: a test failed`);
}

// A loop ends with this process, also when that is killed.
const LOOP = `while kill -0 ${process.pid} 2>/dev/null; do n=0; while [ $n -lt 100000 ]; do n=$((n + 1)); done; done`;
const loops = Array.from({ length: LOOPS }, () => spawn('sh', ['-c', LOOP], { stdio: 'ignore' }));
try {
  for (let run = 1; run <= RUNS; run++) await runs(`run ${run} of ${RUNS} beside ${LOOPS} busy loops`, []);
} finally {
  for (const loop of loops) loop.kill('SIGKILL');
}
await runs('on one core', ['taskset', '--cpu-list', '0']);
