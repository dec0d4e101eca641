/** A kind of step is one row of one table: nobody else in `plan/` asks what kind a resolved step or a result is; `layers.test.ts` holds it for steps. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { labelOf } from '../../src/plan/kinds/index.ts';
import { compiled } from './support.ts';

const PLAN = fileURLToPath(new URL('../../src/plan/', import.meta.url));

const files = readdirSync(PLAN, { recursive: true, encoding: 'utf8' })
  .map(path => path.replaceAll('\\', '/'))
  .filter(path => path.endsWith('.ts') && !path.startsWith('kinds/') && path !== 'result-kinds.ts')
  .map(path => ({ path, text: readFileSync(join(PLAN, path), 'utf8') }));

/** What a resolved step and its result are called. */
const WORK = ['request', 'command', 'tokenize', 'media', 'text', 'fine_tune'];

const asks = (text: string): readonly string[] => {
  return [
    ...text.matchAll(new RegExp(`\\b(resolved|work|result)\\.is\\s*[!=]==?\\s*'(${WORK.join('|')})'`, 'g')),
    ...text.matchAll(/\bswitch \((work|result)\.is\)/g),
  ].map(([found]) => found);
};

test('what kind a step resolves to, is asked in its own row alone', () => {
  expect(files.length).toBeGreaterThan(20);
  expect(files.flatMap(({ path, text }) => asks(text).map(found => `${path}: ${found}`))).toEqual([]);
});

test('the rule sees what it is made for', () => {
  expect(asks("resolved.is === 'request' && result.is !== 'media'")).toHaveLength(2);
  expect(asks("decision.is === 'run' || limit.kind === 'video' || model.kind !== 'retake'")).toEqual([]);
});

test('what a step is called in events, in the lock, and where durations are learnt', () => {
  const { steps } = compiled(`
steps:
  shot: { model: V-T2V-A, with: { prompt: a fox, duration: 5 } }
  cut: { run: [cut, "\${{ steps.shot.file }}"], creates: { film: film.mp4 } }
  look: { tokenize: { repository: me/fox, fine_tune: ft1 } }
`);
  expect(steps.map(labelOf)).toEqual(['V-T2V-A', 'run', 'tokenize']);
});
