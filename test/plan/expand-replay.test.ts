/** Films at random whose steps write lists for one another: grown step by step, a plan ends as planning again over all results. */
import { expect, test } from 'vitest';
import type { Plan } from '../../src/model/plan.ts';
import type { InstanceKey, StepName } from '../../src/model/run/key.ts';
import type { Result } from '../../src/model/run/result.ts';
import { expand, grow } from '../../src/plan/graph/expand.ts';
import { plan } from '../../src/plan/plan.ts';
import { resolve } from '../../src/plan/values/resolve.ts';
import { growing, wrote } from './growing.ts';
import { contextOf, Shelf } from './support.ts';

const STEPS = 7;

/** Numbers from 0 to below `most`, the same for the same seed. */
function dice(seed: number): (most: number) => number {
  let state = seed * 2654435761;
  return most => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % most;
  };
}

/** Every step is a command that writes a list of its own. */
function filmOf(seed: number) {
  const roll = dice(seed);
  const lists: Record<string, string> = {};
  const fanned = new Set<string>();
  const lines = Array.from({ length: STEPS }, (_, at) => {
    const name = `s${at}`;
    const from = `s${roll(Math.max(at, 1))}`;
    const command = (reads: string) => `run: [x, ${name}, ${reads}]`;
    if (at === 0) return `  ${name}: { ${command('"0"')} }`;
    const isList = fanned.has(from);
    switch (roll(4)) {
      case 0:
        return `  ${name}: { ${command(`"\${{ ${isList ? `steps.${from}.map(s, s.stdout).join()` : `steps.${from}.stdout`} }}"`)} }`;
      case 1:
        if (!isList) return `  ${name}: { needs: [${from}], ${command('"1"')} }`;
        fanned.add(name);
        return `  ${name}: { each: "\${{ steps.${from} }}", ${command('"${{ each.stdout }}"')} }`;
      default:
        fanned.add(name);
        lists[name] = isList ? `steps.${from}.map(s, s.json.id)` : `steps.${from}.json.list`;
        return `  ${name}: { matrix: { a${at}: "\${{ params.list }}" }, ${command(`"\${{ matrix.a${at} }}"`)} }`;
    }
  });
  return growing(`params: { list: { type: array, default: [x] } }\nsteps:\n${lines.join('\n')}\n`, lists);
}

const resultOf = (key: InstanceKey): Result =>
  wrote({ id: `${key.length}-${hash(key)}`, list: ['p', `q${hash(key) % 7}`] });
const hash = (text: string): number => [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 99_991, 7);

/** What does not depend on what was owned. */
const shape = ({ instances }: Plan) =>
  [...instances].map(({ key, coordinates, matrix, each, needs, needsAll }) => ({
    ...{ key, coordinates, matrix, each, needs, needsAll },
  }));

function carriedOut(made: Plan, owned: Shelf): Plan {
  const results = new Map<InstanceKey, Result>();
  const lookup = (key: InstanceKey) => results.get(key);
  const context = contextOf({ owned });
  for (let changed = true; changed; ) {
    changed = false;
    for (const instance of made.instances) {
      if (results.has(instance.key)) continue;
      const resolved = resolve(made, instance, lookup, context);
      if (resolved.is !== 'command') continue;
      results.set(instance.key, resultOf(instance.key));
      owned.put({ ...instance, fingerprint: resolved.fingerprint }, resultOf(instance.key));
      changed = true;
    }
    for (const step of made.instances.steps as Iterable<StepName>) {
      const { expansions, failures } = expand(made, step, lookup, context);
      expect(failures).toEqual([]);
      for (const expansion of expansions) grow(made, expansion);
      if (expansions.length > 0) changed = true;
    }
  }
  return made;
}

test('forty films, grown while they run, are what planning again gives', () => {
  let grew = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const pipeline = filmOf(seed);
    const owned = new Shelf();
    const made = plan(pipeline, contextOf({ owned })).plan!;
    grew += made.open.length;
    const grown = carriedOut(made, owned);
    const again = plan(pipeline, contextOf({ owned })).plan!;
    expect(again.open).toEqual([]);
    expect(shape(grown)).toEqual(shape(again));
    expect(new Set([...again.instances].map(({ decision }) => decision.is))).toEqual(new Set(['hit']));
  }
  expect(grew).toBeGreaterThan(60);
});
