/**
 * How long each hostile expression takes the first time a process meets it, before any of the code is warm: read and evaluated, in a
 * process of its own, the slowest of a few. `node test/bench/hostile-cold.ts [TIMES]`; it fails where one takes more than 50 ms.
 */
import { execFileSync } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ATTACKS, attack } from '../language/expression/attacks.ts';

const MOST = 50;
const [given = '5', which] = process.argv.slice(2);

if (which !== undefined) {
  const [, code = ''] = ATTACKS[Number(which)] ?? [];
  const start = performance.now();
  const { steps, size } = attack(code);
  const took = performance.now() - start;
  console.log(JSON.stringify({ took, steps, size }));
} else {
  const rows = ATTACKS.map(([name], index) => {
    const runs = Array.from({ length: Number(given) }, () => inItsOwnProcess(index));
    const took = runs.map(run => run.took).sort((a, b) => a - b);
    return { name, median: took[took.length >> 1] ?? 0, slowest: took.at(-1) ?? 0, ...runs[0] };
  });
  for (const { name, median, slowest, steps, size } of rows.sort((a, b) => b.slowest - a.slowest))
    console.log(
      `${slowest.toFixed(1).padStart(6)} ms  median ${median.toFixed(1).padStart(6)}  ${steps} steps, ${size} made  ${name}`,
    );
  console.log(`${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(2)}, node ${process.version}`);
  if (rows.some(({ slowest }) => slowest > MOST)) process.exitCode = 1;
}

interface Run {
  readonly took: number;
  readonly steps: number;
  readonly size: number;
}

function inItsOwnProcess(index: number): Run {
  const file = fileURLToPath(import.meta.url);
  return JSON.parse(execFileSync(process.execPath, [file, '1', String(index)], { encoding: 'utf8' })) as Run;
}
