/** What an expression may turn out to be, told only where it does no more than choose and name. */
import { expect, test } from 'vitest';
import { Findings } from '../../src/language/checks/findings.ts';
import { writtenPath } from '../../src/language/expression/interpret.ts';
import { type Possible, possibleValues } from '../../src/language/types/possible-values.ts';
import { readValue } from '../../src/language/types/values.ts';
import { readTree } from '../../src/language/yaml/yaml-tree.ts';
import type { Scope } from '../../src/model/pipeline.ts';
import { processorTime } from '../support/processor-time.ts';

const SCOPE: Scope = {
  params: { up: true, part: 1, clip: 'clip.mp4' },
  ...{ data: {}, steps: { done: { file: 'done.mp4' } }, matrix: {}, each: null, take: {}, previous: {} },
  ...{ run: { id: 'r', name: 'film' }, env: {} },
};

/** `steps.a.file | 'clip.mp4'`, items in brackets, or nothing. Of the steps only `done` is there; `still` has three. */
function possible(code: string): string {
  const findings = new Findings({ path: 'film.yaml', text: `value: ${JSON.stringify(`\${{ ${code} }}`)}\n` });
  const node = readTree(findings.source, findings)?.entries[0]?.value;
  const value = node && readValue(node, { findings, isReal: () => false, secrets: new Set() });
  if (value?.is !== 'expression') throw new Error(JSON.stringify(findings.list));
  const values = possibleValues(value, {
    scope: SCOPE,
    known: ({ root, path: [name] }) => root === 'params' || (root === 'steps' && name === 'done'),
    lengthOf: ({ path: [name, ...more] }) => (name === 'still' && more.length === 0 ? 3 : undefined),
  });
  if (!values) return 'nothing';
  if (values.is === 'one') return written(values.of);
  return `[${Array.from({ length: values.length }, (_, place) => written(values.item(place))).join(', ')}]`;
}

const written = (of: readonly Possible[] | undefined): string =>
  of
    ?.map(one => (one.is === 'text' ? JSON.stringify(one.text) : writtenPath([one.read.root, ...one.read.path])))
    .join(' | ') ?? '?';

test.each([
  ['steps.a.result_url', 'steps.a.result_url'],
  ["steps['a'].file", 'steps.a.file'],
  ['(steps.a.file)', 'steps.a.file'],
  ['steps.still[2].file', 'steps.still[2].file'],
  ['steps.still[params.part].file', 'steps.still[1].file'],
  ['steps.still.last().file', 'steps.still[2].file'],
  ['steps.still[steps.a.json.n].file', 'nothing'],
  ['params.up ? steps.a.file : steps.b.file', 'steps.a.file'],
  ['!params.up ? steps.a.file : params.clip', '"clip.mp4"'],
  ['steps.a.json.x ? steps.a.file : steps.b.file', 'steps.a.file | steps.b.file'],
  [
    'steps.a.json.x ? (steps.b.json.y ? steps.c.file : steps.done.file) : params.clip',
    'steps.c.file | "done.mp4" | "clip.mp4"',
  ],
  ['steps.a.json.x ? steps.a.file : steps.b.file + "#t"', 'nothing'],
  ['(steps.a.json.x ? steps.a : steps.b).file', 'nothing'],
  ['steps.a.json.x && true ? 1 : 2', 'nothing'],
  ['[steps.a.file, params.clip, steps.b.file + "x"]', '[steps.a.file, "clip.mp4", ?]'],
  [
    'steps.still.map(s, s.result_url)',
    '[steps.still[0].result_url, steps.still[1].result_url, steps.still[2].result_url]',
  ],
  ['steps.still.map(s, s.matrix.n > 1, s.result_url)', 'nothing'],
  ['steps.still.filter(s, s.matrix.n > 1).map(s, s.result_url)', 'nothing'],
  ['steps.other.map(s, s.result_url)', 'nothing'],
  ['steps.still.map(s, params.clip)', 'nothing'],
  ['cel.bind(x, steps.a, x.file)', 'steps.a.file'],
  ['1 / 0 > 0 ? steps.a.file : steps.b.file', 'nothing'],
])('%s', (code, said) => {
  expect(possible(code)).toBe(said);
});

test('a choice of choices whose conditions are much work ends soon, with nothing claimed', () => {
  const work = 'range(1000).all(a, range(1000).all(b, a + b >= 0)) || steps.a.json.x';
  const code = Array.from({ length: 30 }).reduce<string>(
    inner => `(${work}) ? steps.a.file : (${inner})`,
    'steps.b.file',
  );
  const worked = processorTime();
  possible(code);
  expect(worked()).toBeLessThan(200);
});
