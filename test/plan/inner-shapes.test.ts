/** Whatever is not known yet, wherever it stands, no message and no plan shows how the program writes that inside. */
import { expect, test } from 'vitest';
import pipelineSchema from '../../schema/pipeline.schema.json' with { type: 'json' };
import { modelLibrary } from '../../src/api/model-library.ts';
import { validateRequest } from '../../src/api/validate-request.ts';
import { compile } from '../../src/language/compile.ts';
import type { Model } from '../../src/model/model.ts';
import { type Plan, pending } from '../../src/model/plan.ts';
import type { StepName } from '../../src/model/run/key.ts';
import { findByPlanning } from '../../src/plan/check.ts';
import { plan } from '../../src/plan/plan.ts';
import { formatPlan } from '../../src/show/plan/plan-text.ts';
import { filesOf } from '../support/project-files.ts';
import { contextOf, Shelf } from './support.ts';

const INNER = /\$pending|\$file|\[object |\bundefined\b|\bNaN\b|\bfunction\b|=>/;

/** Values that nobody knows before something is made. */
const UNKNOWN = [
  'steps.words.json',
  'steps.words.json.a',
  'steps.words.json.a == 2 ? steps.words.json.b : 3',
  'matrix.row',
  'matrix.row.a',
  '[matrix.row.a]',
  '{"a": steps.words.json}',
  'each.json',
  'previous.json',
];

/** What a request of this model needs beside one field. */
const beside = (label: string, field: string): string =>
  (modelLibrary.get(label)?.request.required ?? [])
    .filter(name => name !== field)
    .map(name => `${name}: ${REQUIRED[name] ?? (name.startsWith('input_') ? 'a.mp4' : 'a fox')}, `)
    .join('');
const REQUIRED: { readonly [name: string]: string } = {
  messages: '[{ role: user, content: a line }]',
  input_image: 'a.png',
  input_images: '[a.png]',
  retake_duration: '2',
};

/** Steps of which VALUE is the one thing that is not known. */
const steps: readonly string[] = [
  ...modelLibrary.labels.flatMap(label =>
    Object.keys(modelLibrary.get(label)?.request.properties ?? {}).map(
      field => `{ model: ${label}, with: { ${beside(label, field)}${field}: VALUE } }`,
    ),
  ),
  ...['prompt', 'system', 'images', 'messages', 'max_tokens'].map(
    field => `{ model: C-B, with: { ${field === 'prompt' ? '' : 'prompt: a fox, '}${field}: VALUE } }`,
  ),
  '{ model: C-B, with: { prompt: a fox, images: [VALUE] } }',
  '{ model: C-B, with: { messages: [{ role: user, content: [{ type: text, text: VALUE }, { type: bogus }] }] } }',
  '{ model: C-B, with: { messages: [{ role: [VALUE], content: { a: VALUE } }] } }',
  '{ model: C-B, with: { prompt: a fox, images: { a: VALUE } } }',
  '{ model: C-B, with: { prompt: a fox, images: [[VALUE]] } }',
  '{ model: V-T2V-A, with: { prompt: a fox, duration: [VALUE], seed: { a: VALUE } } }',
  '{ model: I-EDIT-C, with: { prompt: a fox, input_image: { a: VALUE } } }',
  '{ model: custom/model, with: { prompt: { a: VALUE }, steps: [[VALUE]] } }',
  '{ model: V-REF, with: { prompt: a fox, input_images: [VALUE, a.png] } }',
  '{ model: C-D, with: { prompt: a }, schema: { type: object, properties: { a: { type: array, maxItems: VALUE } } } }',
  ...['if', 'else', 'timeout', 'takes', 'concurrency', 'cache', 'retry', 'key', 'max', 'save', 'until', 'only'].map(
    key => `{ model: V-T2V-A, with: { prompt: a fox }, ${key}: VALUE }`,
  ),
  '{ model: V-T2V-A, with: { prompt: a fox }, until: { holds: VALUE, max: 2 } }',
  '{ model: V-T2V-A, with: { prompt: a fox }, until: { holds: false, max: 2, otherwise: VALUE } }',
  '{ model: V-T2V-A, with: { prompt: a fox }, until: { holds: false, max: VALUE } }',
  '{ model: VALUE, with: { prompt: a fox } }',
  '{ run: [echo, VALUE] }',
  '{ run: VALUE }',
  '{ run: "echo", shell: VALUE }',
  '{ run: [echo], env: { A: VALUE } }',
  '{ run: [echo], files: { a: VALUE } }',
  '{ run: [echo], creates: { a: VALUE } }',
  '{ tokenize: { repository: VALUE, fine_tune: a } }',
  '{ tokenize: { repository: a/b, fine_tune: VALUE } }',
  '{ pick: VALUE }',
  '{ pick: "${{ steps.shot }}", rule: VALUE }',
  '{ pick: "${{ steps.shot }}", count: VALUE }',
  ...['prompt', 'system', 'images', 'frames', 'model'].map(
    key => `{ pick: "\${{ steps.shot }}", judge: { model: C-B, prompt: which, ${key}: VALUE } }`,
  ),
  '{ approve: VALUE }',
  '{ approve: "${{ steps.shot }}", ask: VALUE }',
  '{ uses: inner.yaml, with: { given: VALUE } }',
  ...Object.keys(pipelineSchema.$defs.clip.properties).map(
    key => `{ cut: { clips: [{ ${/^(title|from|beside)$/.test(key) ? '' : 'from: a.mp4, '}${key}: VALUE }] } }`,
  ),
  '{ cut: { clips: [{ title: a, for: VALUE }] } }',
  '{ cut: { clips: [{ title: a, for: 2s, over: { text: VALUE } }] } }',
  '{ cut: { clips: [{ beside: [VALUE, a.mp4] }] } }',
  '{ cut: { clips: [{ from: a.mp4, voice: { from: VALUE, level: VALUE } }] } }',
  ...['join', 'music', 'over', 'subtitles', 'loudness', 'size', 'fps', 'fit', 'codec'].map(
    key => `{ cut: { clips: [a.mp4], ${key}: VALUE } }`,
  ),
  '{ cut: { clips: [a.mp4], music: { from: VALUE, level: VALUE, duck: VALUE } } }',
];

const BEFORE = `
  words: { run: [cat, words.json] }
  shot: { model: V-T2V-A, takes: 2, with: { prompt: a fox } }
  many: { matrix: { row: "\${{ steps.words.json.rows }}" }, max: 3, run: [cat, words.json] }
`;
const ODD = { a: { deep: [1, { er: null }] }, b: [true], rows: [{ a: { deep: 1 } }, { a: [null] }] };
const INNER_FILE = `shotlist: 1
name: inner
params: { given: {} }
steps:
  one: { model: V-T2V-A, if: "\${{ params.given }}", with: { prompt: "\${{ params.given }}", duration: "\${{ params.given }}" } }
  two: { matrix: { n: "\${{ params.given }}" }, max: 2, model: C-D, with: { prompt: "\${{ matrix.n }}", max_tokens: "\${{ params.given.a }}" } }
  three: { cut: { clips: [{ title: "\${{ params.given }}", for: "\${{ params.given.a }}" }] } }
`;
const CLIP = { sha256: 'aa', url: 'file:///film/a.mp4', bytes: 9, facts: { kind: 'video', duration: 4 } } as const;

/** All that is told of a film: its mistakes, the plan of what is left of it, and that plan once `words` has printed something odd. */
function told(text: string): readonly string[] {
  const files = filesOf({ 'inner.yaml': INNER_FILE });
  const { diagnostics, ...film } = compile({ path: 'film.yaml', text }, modelLibrary, { files });
  const localMedia = () => CLIP;
  const found = findByPlanning(film, diagnostics, { library: modelLibrary, env: {}, localMedia });
  const all = [...diagnostics, ...found.diagnostics];
  const mistakes = all.flatMap(({ message, notes = [] }) => [message, ...notes.map(note => note.message)]);
  const part = film.soundPart(all);
  const owned = new Shelf();
  const made = part && plan(part, { ...contextOf({ owned }), localMedia }).plan;
  if (!made) return mistakes;
  owned.put(made.instances.of('words' as StepName)[0]!, { is: 'command', stdout: '', json: ODD, files: {} });
  return [...mistakes, ...linesOf(made), ...linesOf(plan(part, { ...contextOf({ owned }), localMedia }).plan!)];
}

const linesOf = (made: Plan): readonly string[] => [
  ...formatPlan(made, { width: 1_000, all: true }).split('\n'),
  ...[...made.instances].map(({ decision, priceBasis }) => `${decision.why} ${priceBasis}`),
  ...made.open.map(({ why, priceBasis }) => `${why} ${priceBasis}`),
];

test.each(UNKNOWN)('%s', value => {
  const matrix = ', matrix: { row: "${{ steps.words.json.rows }}" }';
  const fan = value.includes('matrix.') ? matrix : value.includes('each.') ? ', each: "${{ steps.many }}"' : '';
  const written = steps.map((step, n) => {
    const most = fan === matrix && !step.includes(' max: ') ? ', max: 3' : '';
    const given = step.replaceAll('VALUE', () => JSON.stringify(`\${{ ${value} }}`));
    return `  s${n}: ${given.slice(0, -2)}${fan}${most} }\n`;
  });
  const lines = told(`shotlist: 1\nname: film\nsteps:\n${BEFORE}${written.join('')}`);
  expect(lines.length).toBeGreaterThan(steps.length);
  expect(lines.filter(line => INNER.test(line))).toEqual([]);
});

test("nor does a reason against a request by a service's own schema", () => {
  const known = modelLibrary.get('V-T2V-A')!;
  const properties = {
    list: { type: 'array', maxItems: 1 },
    either: { anyOf: [{ type: 'string' }, { maxProperties: 1 }] },
  };
  const model = { ...known, request: { type: 'object', properties } } as unknown as Model;
  const request = { list: [pending('steps.a.text'), 2], either: { a: pending('steps.b.text'), b: 2 } };
  expect(validateRequest(model, request).map(({ message }) => message)).toEqual([
    'list must have at most 1 items, it has 2',
    'either must be text or of another shape, not {"a":"‹steps.b.text›","b":2}',
  ]);
});
