/** Files with a slip in them: they are told what is wrong, or they run. Nothing of it is ever a bug of ours. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { findMistakes } from '../../src/app/film/find-mistakes.ts';
import { compile } from '../../src/language/compile.ts';
import { formatDiagnostics } from '../../src/language/yaml/excerpt.ts';
import { type Diagnostic, isError } from '../../src/model/diagnostic.ts';
import { isSameMistake } from '../../src/plan/obstacles.ts';
import { formatPlan, planJson } from '../../src/show/plan/plan-text.ts';
import { yamlOf } from './film.ts';
import { Choices, property } from './property.ts';
import { randomFilm } from './random-film.ts';
import { FILES, World } from './world.ts';

/** One slip of a person who edits a file. */
function slipped(text: string, choices: Choices): string {
  const lines = text.split('\n');
  const at = choices.below(lines.length);
  const other = choices.below(lines.length);
  const line = lines[at] ?? '';
  const words = text.match(/\w+/g) ?? [''];
  switch (choices.below(9)) {
    case 0:
      return lines.toSpliced(at, 1).join('\n');
    case 1:
      return lines.toSpliced(at, 0, line).join('\n');
    case 2:
      return lines.with(at, lines[other] ?? '').join('\n');
    case 3:
      return lines.toSpliced(at, 1).toSpliced(other, 0, line).join('\n');
    case 4:
      return lines.with(at, `  ${line}`).join('\n');
    case 5:
      return lines.with(at, line.replace(/^ {2}/, '')).join('\n');
    case 6: {
      const own = line.match(/\w+/g) ?? ['x'];
      return lines.with(at, line.replace(choices.pick(own), choices.pick(words))).join('\n');
    }
    case 7: {
      const place = choices.below(line.length + 1);
      const letter = choices.pick([...'${}[]()?:\'"-,.#|&*!0a ']);
      return lines.with(at, line.slice(0, place) + letter + line.slice(place)).join('\n');
    }
    default: {
      const place = choices.below(line.length + 1);
      return lines.with(at, line.slice(0, place) + line.slice(place + 1)).join('\n');
    }
  }
}

const slips = fc.array(fc.array(fc.nat(100_000), { minLength: 6, maxLength: 6 }), { minLength: 1, maxLength: 2 });

let ran = 0;

property(
  'a file with a slip in it is refused with a place and words, by `check` and by a plan alike, or plans and runs to an end',
  100,
  [randomFilm({ most: 5 }), slips],
  async (film, chosen) => {
    const text = chosen.reduce((sum, numbers) => slipped(sum, new Choices(numbers)), yamlOf(film));
    await told(text, async () => {
      const { pipeline, diagnostics } = compile({ path: 'film.yaml', text }, modelLibrary, { files: FILES });
      if (!pipeline) {
        expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
        expect(formatDiagnostics(diagnostics)).toMatch(/film\.yaml:\d+:\d+: error: /);
        return;
      }
      const world = new World();
      const planned = world.plan(pipeline);
      const found = await foundBefore(text);
      // A param that the command line does not give is no mistake of the file.
      const isTold = (one: Diagnostic) =>
        one.code === 'missing-param' || found.some(other => isSameMistake(one, other));
      expect(formatDiagnostics(planned.diagnostics.filter(one => !isTold(one)))).toBe('');
      if (!planned.plan) {
        expect(formatDiagnostics(planned.diagnostics)).toMatch(/film\.yaml:\d+:\d+: error: /);
        return;
      }
      expect(formatDiagnostics(found.filter(isError))).toBe('');
      formatPlan(planned.plan, { width: 80, all: true });
      JSON.stringify(planJson(planned.plan));
      const { outcome } = await world.run(pipeline);
      expect(['done', 'failed']).toContain(outcome?.is);
      expect(formatDiagnostics(world.plan(pipeline).diagnostics)).toBe('');
      ran += 1;
    });
  },
);

/** What `check` finds. */
async function foundBefore(text: string): Promise<readonly Diagnostic[]> {
  const { diagnostics } = await findMistakes(
    { path: 'film.yaml', text },
    {
      ...{ library: modelLibrary, env: {}, sources: { files: FILES } },
      files: async () => ({ get: () => undefined, load: async () => false, read: [] }),
      places: { root: '/nowhere', store: async () => undefined },
    },
  );
  return diagnostics;
}

test('some of those files ran', () => expect(ran).toBeGreaterThan(6));

/** The file itself is what a bug is told by. */
async function told(text: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n\n${text}`, { cause: error });
  }
}
