/** One expression, asked as a file would: its type at the check, its value in a run, and what is said where there is none. */

import { expect } from 'vitest';
import { Findings } from '../../../src/language/checks/findings.ts';
import { typeName } from '../../../src/language/messages/foreign/wording.ts';
import { evaluate } from '../../../src/language/types/evaluate.ts';
import { typeOf } from '../../../src/language/types/infer.ts';
import type { TypeScope } from '../../../src/language/types/path-types.ts';
import { ANY, DOUBLE, INT, list, mediaResult, TEXT, type Type } from '../../../src/language/types/types.ts';
import { readValue } from '../../../src/language/types/values.ts';
import type { ExpressionValue, Scope } from '../../../src/model/pipeline.ts';
import type { Json } from '../../../src/model/text/json.ts';

/** What a command wrote: of no known type, as `dyn(…)` is in the specification's own cases. */
export const JSON_VALUES = {
  one: 1,
  half: 0.5,
  zero: 0,
  text: 'a fox',
  yes: true,
  nothing: null,
  list: [1, 2, 3],
  mixed: [1, 'foo', 3],
  map: { a: 1, b: { c: null } },
  big: 2 ** 60,
  beats: [
    { look: 'snow', seconds: 5 },
    { look: 'dusk', seconds: 2.5 },
  ],
};

const shot = (name: string, duration: number): Json => ({
  result_url: `https://example.org/${name}.mp4`,
  file: `/store/${name}.mp4`,
  sha256: name,
  bytes: 1000,
  generation_id: null,
  request: { prompt: name },
  cost: 1,
  media: { kind: 'video', width: 1280, height: 720, duration, fps: 24 },
});

const scope: Scope = {
  params: { idea: 'a fox', count: 3, speed: 5, words: ['a', 'b'], speeds: [1, 2.5] },
  data: { scenes: [{ seconds: 3 }, { seconds: 2.5 }] },
  steps: { c: { stdout: '', json: JSON_VALUES, files: {} }, shot: shot('ab', 5), many: [shot('cd', 4), shot('ef', 8)] },
  matrix: {},
  each: null,
  take: {},
  previous: {},
  run: { id: 'r1', name: 'film' },
  env: {},
};

const record = (fields: readonly (readonly [string, Type])[]): Type => ({
  is: 'record',
  called: 'a row',
  cel: 'Json',
  fields: new Map(fields),
  leadsTo: 'none',
});

const steps = new Map([
  ['c', { result: record([['json', ANY]]), coordinates: [] }],
  ['shot', { result: mediaResult('video'), coordinates: [] }],
  ['many', { result: mediaResult('video'), coordinates: ['seed'] }],
]);

const types: TypeScope = {
  params: new Map<string, Type>([
    ['idea', TEXT],
    ['count', INT],
    ['speed', DOUBLE],
    ['words', list(TEXT)],
    ['speeds', list(DOUBLE)],
  ]),
  data: new Map([['scenes', list(record([['seconds', DOUBLE]]))]]),
  env: new Set(),
  steps,
  step: 'here',
  matrix: new Map(),
  each: undefined,
  coordinates: [],
};

export interface Asked {
  /** As messages call it; what is said, with the part of the code it is said of, where the check refuses. */
  readonly type: string;
  /** Undefined where there is none. */
  readonly value: Json | undefined;
  /** What is said in a run, with the part of the code it is said of; undefined where there is a value. */
  readonly failure: string | undefined;
}

export function ask(code: string, inScope: Scope = scope): Asked {
  const { expression, findings } = read(code);
  const type = typeOf(expression, types, findings);
  const answer = evaluate(expression, inScope);
  const at = ({ start, end }: { start: number; end: number }): string => findings.source.text.slice(start, end);
  const said = findings.list.map(({ message, span }) => `‹${at(span)}› ${message}`);
  return {
    type: said.length > 0 ? said.join('\n') : typeName(type),
    value: answer.is === 'ok' ? answer.value : undefined,
    failure: answer.is === 'ok' ? undefined : `‹${at(answer.at)}› ${answer.message}`,
  };
}

/** The expression alone in a file of its own. */
export function read(code: string): { readonly expression: ExpressionValue; readonly findings: Findings } {
  const written = `\${{ ${code} }}`;
  const findings = new Findings({ path: 'film.yaml', text: written });
  const node = { is: 'scalar', value: written, at: { start: 0, end: written.length } } as const;
  const expression = readValue(node, {
    findings,
    secrets: new Set(),
    isReal: (root, [name]) => root === 'params' && (name ?? '').startsWith('speed'),
  });
  if (expression.is !== 'expression') throw new Error(`${written} is no expression`);
  return { expression, findings };
}

/** `code`, its type, and its value. */
type Right = readonly [code: string, type: string, value: Json];
/** `code`, and what the check or else a run says, and of which part: `‹all›` is the whole expression. */
type Wrong = readonly [code: string, said: string];

/** Everything about a list of cases at once, so that a difference shows its neighbours. */
export function gives(cases: readonly Right[]): void {
  const given = cases.map(([code]) => {
    const { type, value, failure } = ask(code);
    return [code, type, failure ?? value ?? null];
  });
  expect(given).toEqual(cases);
}

/** What the check refuses, and where it is certain of nothing, what the run refuses. */
export function refuses(cases: readonly Wrong[]): void {
  const said = cases.map(([code]) => {
    const { type, failure, value } = ask(code);
    const whole = `‹\${{ ${code} }}› `;
    const shortened = (words: string) =>
      words.replace(`${whole}\`${code}\`: `, '‹all› ').replace(whole, '‹all› ').replace(`‹${code}› `, '‹all› ');
    if (type.includes('›')) return [code, shortened(`check: ${type}`)];
    return [code, shortened(`${type}, run: ${failure ?? JSON.stringify(value)}`)];
  });
  expect(said).toEqual(cases);
}
