import { tryOut } from './trial.ts';
const [from, n] = [Number(process.argv[2] ?? 1), Number(process.argv[3] ?? 1)];
const trace = process.argv.includes('--trace');
const t0 = performance.now();
let bad = 0;
const byInv = new Map<string, number[]>();
for (let seed = from; seed < from + n; seed++) {
  const told = await tryOut(seed, { trace });
  if (trace) console.log(told.trace.join('\n'));
  if (told.broken) {
    bad++;
    const k = told.broken.invariant;
    byInv.set(k, [...(byInv.get(k) ?? []), seed]);
    if (bad <= 5 || trace) console.log(seed, told.broken.message.slice(0, 1500));
  }
}
console.log(bad, 'broken', byInv, (performance.now() - t0) / n, 'ms a seed');
