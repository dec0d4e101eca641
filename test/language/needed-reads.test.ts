import { expect, it } from 'vitest';
import { Findings } from '../../src/language/checks/findings.ts';
import { writtenPath } from '../../src/language/expression/interpret.ts';
import { evaluate } from '../../src/language/types/evaluate.ts';
import { type NeededRead, neededReads } from '../../src/language/types/needed-reads.ts';
import { readValue } from '../../src/language/types/values.ts';
import { readTree } from '../../src/language/yaml/yaml-tree.ts';
import type { Scope, Value } from '../../src/model/pipeline.ts';
import type { Json } from '../../src/model/text/json.ts';
import { read as readAlone } from './expression/ask.ts';
import { type Kind, Maker, PARAMS, randomFrom } from './expression/random-expressions.ts';

const written = ({ root, path }: NeededRead): string => writtenPath([root, ...path]);

/** What is known: these paths and what is below them. `steps.still[2]` is known by itself. */
interface World {
  readonly known?: readonly string[];
  readonly steps?: Scope['steps'];
  readonly each?: Json;
  readonly previous?: Json;
  readonly matrix?: Scope['matrix'];
  readonly lengths?: Readonly<Record<string, number>>;
}

const params = { up: true, down: false, part: 2, cast: ['fox'] };

/** `= 3`, `needs steps.a.text`, or `! what is said`. `asked`: every question, in order. */
function need(text: string, world: World = {}): { readonly answer: string; readonly asked: readonly string[] } {
  const findings = new Findings({ path: 'film.yaml', text: `value: ${text}\n` });
  const node = readTree(findings.source, findings)?.entries[0]?.value;
  if (!node) throw new Error(JSON.stringify(findings.list));
  const value: Value = readValue(node, { findings, isReal: () => false, secrets: new Set() });
  const asked: string[] = [];
  const given = neededReads(value, {
    scope: {
      params,
      data: {},
      steps: world.steps ?? {},
      matrix: world.matrix ?? {},
      each: world.each ?? null,
      take: {},
      previous: world.previous ?? {},
      run: { id: 'r', name: 'film' },
      env: {},
    },
    known: read => {
      asked.push(written(read));
      return (
        ['params', 'data', 'matrix', 'take', 'run', 'env'].includes(read.root) ||
        (world.known ?? []).some(
          path =>
            written(read) === path ||
            (/^[.[]/.test(written(read).slice(path.length)) && written(read).startsWith(path)),
        )
      );
    },
    ...(world.lengths ? { lengthOf: (read: NeededRead) => world.lengths?.[written(read)] } : {}),
  });
  if (given.is === 'ok') return { answer: `= ${JSON.stringify(given.value)}`, asked };
  if (given.is === 'needs') return { answer: needs(...given.reads.map(written)), asked };
  return { answer: `! ${given.message}${given.absent ? ` (absent: ${writtenPath(given.absent)})` : ''}`, asked };
}

const needs = (...reads: readonly string[]): string => `needs ${reads.join(', ')}`;
const inFile = (code: string): string => `'\${{ ${code.replaceAll("'", "''")} }}'`;

type Row = readonly [code: string, answer: string, world?: World];
const answersOf = (rows: readonly Row[]): readonly Row[] =>
  rows.map(([code, _, ...world]) => [code, need(inFile(code), ...world).answer, ...world]);

const hero = { result_url: 'https://x/hero.png', media: { width: 64 } };
const stills = Array.from({ length: 5 }, (_, index) => ({ result_url: `https://x/${index}.png` }));

const HERO: World = { known: ['steps.hero'], steps: { hero } };
const OK: World = { known: ['steps.a'], steps: { a: { ok: true } } };
const approved = (is: boolean): World => ({ known: ['steps.ok'], steps: { ok: { approved: is } } });
// A skipped step is known, and leaves nothing.
const SKIPPED: World = { known: ['steps.big', 'steps.small'], steps: { small: hero } };
const THIRD: World = { known: ['steps.still[2]'], steps: { still: [null, null, stills[2]!] } };
const ALL: World = { known: ['steps.still'], steps: { still: stills } };
const FIVE: World = { lengths: { 'steps.still': 5 } };
const EMPTY: World = { known: ['steps.script'], steps: { script: { json: { beats: [] } } } };
const OF_SIDES = 'params.up ? steps.big.result_url : steps.small.result_url';
const OF_APPROVAL = 'steps.ok.approved ? steps.big.result_url : "none"';
const OF_FILE = 'has(previous.file) ? previous.file : steps.hero.result_url';

const TABLE: { readonly [what: string]: readonly Row[] } = {
  'nothing is needed where all that is read is known': [
    ['params.part + 1', '= 3'],
    ['steps.hero.result_url', '= "https://x/hero.png"', HERO],
  ],
  'a path is needed as it is written, and once': [
    ['steps.hero.media.width * 2 + steps.hero.media.width', 'needs steps.hero.media.width'],
  ],
  'both sides of an operator and all arguments, at the same time': [
    ['steps.a.text + steps.b.text', 'needs steps.a.text, steps.b.text'],
    ['math.greatest(steps.a.bytes, params.part, steps.b.bytes)', 'needs steps.a.bytes, steps.b.bytes'],
  ],
  'what is not known comes before an error, which may be gone when it is': [
    ['1 / 0 + steps.a.bytes', 'needs steps.a.bytes'],
    ['1 / 0', '! `1 / 0`: division by zero'],
  ],
  'a condition that is known needs the side it takes alone': [[OF_SIDES, 'needs steps.big.result_url']],
  'a condition that is not known is needed first': [
    [OF_APPROVAL, 'needs steps.ok.approved'],
    [OF_APPROVAL, 'needs steps.big.result_url', approved(true)],
    [OF_APPROVAL, '= "none"', approved(false)],
  ],
  'a step that was skipped is not needed on the dead side, and told on the live one': [
    [OF_SIDES.replace('up', 'down'), '= "https://x/hero.png"', SKIPPED],
    [OF_SIDES, '! `steps.big.result_url` has no value (absent: steps.big.result_url)', SKIPPED],
  ],
  'and, or: the left side first; the right one only where the left does not decide': [
    ['params.down && steps.a.ok', '= false'],
    ['params.up || steps.a.ok', '= true'],
    ['params.up && steps.a.ok', 'needs steps.a.ok'],
    ['steps.a.ok && steps.b.ok', 'needs steps.a.ok'],
    ['steps.a.ok && steps.b.ok', 'needs steps.b.ok', OK],
    ['steps.a.ok || steps.b.ok', '= true', OK],
  ],
  'and, or: the right side decides as well, whatever the left comes to': [
    ['steps.a.ok && params.down', '= false'],
    ['steps.a.ok || params.up', '= true'],
    ['1 / 0 > 1 && steps.a.ok', 'needs steps.a.ok'],
  ],
  'and, or in loops: an item that decides is enough, and otherwise the first that is not known': [
    ['[false, true].exists(x, x || steps.a.ok)', '= true'],
    ['range(3).all(i, steps.still[i].ok)', 'needs steps.still[0].ok'],
  ],
  'has() needs what it looks into, and is false where that leaves nothing': [
    [OF_FILE, 'needs previous.file'],
    [OF_FILE, 'needs steps.hero.result_url', { known: ['previous'] }],
    [OF_FILE, '= "/a.png"', { known: ['previous'], previous: { file: '/a.png' } }],
    ['has(steps.a.json.title)', '= false', { known: ['steps.a'], steps: {} }],
  ],
  'an index that is known needs that item alone': [
    ['steps.still[2].result_url', 'needs steps.still[2].result_url'],
    ['steps.still[params.part - 1].result_url', 'needs steps.still[1].result_url'],
    ['steps.still[matrix.part].result_url', 'needs steps.still[4].result_url', { matrix: { part: 4 } }],
    ['steps.still[2].result_url', '= "https://x/2.png"', THIRD],
    ['steps.still[2].result_url + steps.still[3].result_url', 'needs steps.still[3].result_url', THIRD],
  ],
  'the index is needed before the item': [
    ['steps.still[steps.best.json.n].result_url', 'needs steps.best.json.n'],
    [
      'steps.still[steps.best.json.n].result_url',
      'needs steps.still[3].result_url',
      { known: ['steps.best'], steps: { best: { json: { n: 3 } } } },
    ],
  ],
  'a loop through a list needs all of it': [
    ['steps.still.map(s, s.result_url)', 'needs steps.still'],
    ['steps.still.filter(s, s.matrix.who in params.cast)', 'needs steps.still'],
    ['steps.still', 'needs steps.still'],
    ['steps.still.map(s, s.result_url).size()', '= 5', ALL],
  ],
  'a loop through indices needs each of those items, at the same time': [
    ['range(1, 3).map(i, steps.still[i].result_url)', 'needs steps.still[1].result_url, steps.still[2].result_url'],
    [
      'range(1, 3).map(i, steps.still[i].result_url)',
      'needs steps.still[2].result_url',
      { known: ['steps.still[1]'], steps: { still: stills } },
    ],
  ],
  'which is the last may be known before they are': [
    ['steps.still.last().result_url', 'needs steps.still[4].result_url', FIVE],
    ['steps.still[size(steps.still) - 1].result_url', 'needs steps.still[4].result_url', FIVE],
    ['steps.still[steps.still.size() - 2].result_url', 'needs steps.still[3].result_url', FIVE],
  ],
  'how many there are is said of all of them: some may turn out to be skipped': [
    ['size(steps.still)', 'needs steps.still', FIVE],
    ['steps.still.size() + 1', 'needs steps.still', FIVE],
    ["size(steps.still) > 1 ? 'many' : 'one'", 'needs steps.still', FIVE],
  ],
  'a list of an answer is not known before the answer': [
    ['steps.script.json.beats[0].look', 'needs steps.script.json.beats[0].look'],
    ['steps.script.json.beats[5].look', '! `steps.script.json.beats[5]`: there is no item 5: the list is empty', EMPTY],
  ],
  'an index before the first is an error at once': [
    [
      'steps.still[-1].result_url',
      '! `steps.still[-1]`: there is no item -1: the list has 5, from `[0]` to `[4]`; write `.last()`',
      ALL,
    ],
  ],
};

for (const [what, rows] of Object.entries(TABLE)) it(what, () => expect(answersOf(rows)).toEqual(rows));

it('all parts of a text, a list and a mapping are needed at the same time; a plain text needs nothing', () => {
  expect(need('plain').answer).toBe('= "plain"');
  const both = 'needs steps.a.text, steps.b.text';
  expect(need('from ${{ steps.a.text }} to ${{ steps.b.text }}').answer).toBe(both);
  expect(need('[ "${{ steps.a.text }}", { b: "${{ steps.b.text }}" }, "${{ steps.a.text }}" ]').answer).toBe(both);
});

it('nothing is asked for twice, or on the side that is not taken', () => {
  expect(need('${{ steps.hero.media.width }}').asked).toEqual(['steps.hero.media.width']);
  const dead = OF_SIDES.replace('up', 'down');
  expect(need(inFile(dead)).asked).toEqual(['params.down', 'steps.small.result_url']);
});

it('what is asked one after the other ends in the value that a whole scope gives', () => {
  const steps: Record<string, Json> = {
    ok: { approved: true },
    script: { json: { beats: [{ n: 1 }, { n: 3 }] } },
    still: stills,
    hero,
  };
  const code =
    'steps.ok.approved && has(steps.script.json.beats) ? steps.script.json.beats.map(b, steps.still[b.n].result_url).join(" ") : steps.hero.result_url';
  const known: string[] = [];
  const rounds: string[] = [];
  do {
    rounds.push(need(inFile(code), { known, steps }).answer);
    known.push(...rounds.at(-1)!.replace('needs ', '').split(', '));
  } while (rounds.at(-1)!.startsWith('needs '));
  expect(rounds).toEqual([
    'needs steps.ok.approved',
    'needs steps.script.json.beats',
    'needs steps.still[1].result_url, steps.still[3].result_url',
    '= "https://x/1.png https://x/3.png"',
  ]);
});

it('random expressions: what is asked for until nothing is needed ends as it does where all is known, and nothing is asked for twice', () => {
  const kinds: readonly Kind[] = ['int', 'double', 'bool', 'text', 'ints', 'texts'];
  const nothing = { data: {}, steps: {}, matrix: {}, each: null, take: {}, previous: {}, env: {} };
  const whole: Scope = { ...nothing, params: PARAMS, run: { id: 'r', name: 'film' } };
  let waited = 0;
  let lazy = 0;
  for (let seed = 1; seed <= 3_000; seed++) {
    const random = randomFrom(seed);
    const code = `(${new Maker(random).make(kinds[seed % kinds.length]!, 1 + (seed % 4))})`;
    const { expression } = readAlone(code);
    const known = new Set(Object.keys(PARAMS).filter(() => random() < 0.3));
    const partial = {
      // What is not known is anything.
      scope: whole,
      known: ({ path: [name] }: NeededRead) => known.has(String(name)),
    };
    for (let round = 0; ; round++) {
      const given = neededReads(expression, partial);
      if (given.is !== 'needs') {
        const { is } = given;
        const wanted = evaluate(expression, whole);
        expect({ code, is, value: is === 'ok' ? given.value : null }).toEqual({
          code,
          is: wanted.is,
          value: wanted.is === 'ok' ? wanted.value : null,
        });
        if (round > 0) waited++;
        if (expression.reads.some(({ path }) => !known.has(path[0]!))) lazy++;
        break;
      }
      // An item and its list may both be needed.
      const names = new Set(given.reads.map(({ path }) => String(path[0])));
      for (const name of names) {
        expect([code, known.has(name)]).toEqual([code, false]);
        known.add(name);
      }
    }
  }
  expect(waited).toBeGreaterThan(500);
  expect(lazy).toBeGreaterThan(200);
});
