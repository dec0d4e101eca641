import { describe, expect, it } from 'vitest';
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
  readonly known: readonly string[];
  readonly steps?: Scope['steps'];
  readonly each?: Json;
  readonly previous?: Json;
  readonly matrix?: Scope['matrix'];
  readonly lengths?: Readonly<Record<string, number>>;
}

const params = { up: true, down: false, part: 2, cast: ['fox'] };

/** The value, what is needed next, or what is said. `asked`: every question, in order. */
function need(text: string, world: World): { readonly answer: Json; readonly asked: readonly string[] } {
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
        world.known.some(
          path =>
            written(read) === path ||
            (/^[.[]/.test(written(read).slice(path.length)) && written(read).startsWith(path)),
        )
      );
    },
    ...(world.lengths ? { lengthOf: (read: NeededRead) => world.lengths?.[written(read)] } : {}),
  });
  switch (given.is) {
    case 'ok':
      return { answer: { value: given.value }, asked };
    case 'needs':
      return { answer: { needs: given.reads.map(written) }, asked };
    case 'error':
      return { answer: { said: given.message, ...(given.absent ? { absent: writtenPath(given.absent) } : {}) }, asked };
  }
}

const answer = (text: string, world: World = { known: [] }): Json => need(text, world).answer;
const needs = (...reads: readonly string[]): Json => ({ needs: reads });
const value = (json: Json): Json => ({ value: json });

const hero = { result_url: 'https://x/hero.png', media: { width: 64 } };
const stills = Array.from({ length: 5 }, (_, index) => ({ result_url: `https://x/${index}.png` }));

describe('what a value needs next', () => {
  it('nothing, where all that it reads is known', () => {
    expect(answer('plain')).toEqual(value('plain'));
    expect(answer('${{ params.part + 1 }}')).toEqual(value(3));
    expect(answer('${{ steps.hero.result_url }}', { known: ['steps.hero'], steps: { hero } })).toEqual(
      value('https://x/hero.png'),
    );
  });

  it('a path is needed as it is written, and asked for once', () => {
    expect(need('${{ steps.hero.media.width }}', { known: [] })).toEqual({
      answer: needs('steps.hero.media.width'),
      asked: ['steps.hero.media.width'],
    });
    expect(answer('${{ steps.hero.media.width * 2 + steps.hero.media.width }}')).toEqual(
      needs('steps.hero.media.width'),
    );
  });

  it('both sides of an operator, all arguments, and all parts of a text, a list and a mapping, at the same time', () => {
    expect(answer('${{ steps.a.text + steps.b.text }}')).toEqual(needs('steps.a.text', 'steps.b.text'));
    expect(answer('${{ math.greatest(steps.a.bytes, params.part, steps.b.bytes) }}')).toEqual(
      needs('steps.a.bytes', 'steps.b.bytes'),
    );
    expect(answer('from ${{ steps.a.text }} to ${{ steps.b.text }}')).toEqual(needs('steps.a.text', 'steps.b.text'));
    expect(answer('[ "${{ steps.a.text }}", { b: "${{ steps.b.text }}" }, "${{ steps.a.text }}" ]')).toEqual(
      needs('steps.a.text', 'steps.b.text'),
    );
  });

  it('what is not known comes before an error, which may be gone when it is', () => {
    expect(answer('${{ 1 / 0 + steps.a.bytes }}')).toEqual(needs('steps.a.bytes'));
    expect(answer('${{ 1 / 0 }}')).toEqual({ said: '`1 / 0`: division by zero' });
  });
});

describe('a condition', () => {
  const code = "'${{ params.up ? steps.big.result_url : steps.small.result_url }}'";

  it('that is known needs the side it takes alone', () => {
    expect(answer(code)).toEqual(needs('steps.big.result_url'));
    expect(need("'${{ params.down ? steps.big.result_url : steps.small.result_url }}'", { known: [] })).toEqual({
      answer: needs('steps.small.result_url'),
      asked: ['params.down', 'steps.small.result_url'],
    });
  });

  it('that is not known is needed first', () => {
    const both = `'\${{ steps.ok.approved ? steps.big.result_url : "none" }}'`;
    expect(answer(both)).toEqual(needs('steps.ok.approved'));
    expect(answer(both, { known: ['steps.ok'], steps: { ok: { approved: true } } })).toEqual(
      needs('steps.big.result_url'),
    );
    expect(answer(both, { known: ['steps.ok'], steps: { ok: { approved: false } } })).toEqual(value('none'));
  });

  it('a step that was skipped is not needed on the dead side, and told on the live one', () => {
    // A skipped step is known, and leaves nothing.
    const world = { known: ['steps.big', 'steps.small'], steps: { small: hero } };
    expect(answer("'${{ params.down ? steps.big.result_url : steps.small.result_url }}'", world)).toEqual(
      value('https://x/hero.png'),
    );
    expect(answer(code, world)).toEqual({
      said: '`steps.big.result_url` has no value',
      absent: 'steps.big.result_url',
    });
  });
});

describe('and, or', () => {
  it('the left side first; the right one only where the left does not decide', () => {
    expect(answer('${{ params.down && steps.a.ok }}')).toEqual(value(false));
    expect(answer('${{ params.up || steps.a.ok }}')).toEqual(value(true));
    expect(answer('${{ params.up && steps.a.ok }}')).toEqual(needs('steps.a.ok'));
    expect(answer('${{ steps.a.ok && steps.b.ok }}')).toEqual(needs('steps.a.ok'));
    expect(answer('${{ steps.a.ok && steps.b.ok }}', { known: ['steps.a'], steps: { a: { ok: true } } })).toEqual(
      needs('steps.b.ok'),
    );
    expect(answer('${{ steps.a.ok || steps.b.ok }}', { known: ['steps.a'], steps: { a: { ok: true } } })).toEqual(
      value(true),
    );
  });

  it('the right side decides as well, whatever the left comes to', () => {
    expect(answer('${{ steps.a.ok && params.down }}')).toEqual(value(false));
    expect(answer('${{ steps.a.ok || params.up }}')).toEqual(value(true));
    expect(answer('${{ 1 / 0 > 1 && steps.a.ok }}')).toEqual(needs('steps.a.ok'));
  });

  it('in loops: an item that decides is enough, and otherwise the first that is not known', () => {
    expect(answer('${{ [false, true].exists(x, x || steps.a.ok) }}')).toEqual(value(true));
    expect(answer('${{ range(3).all(i, steps.still[i].ok) }}')).toEqual(needs('steps.still[0].ok'));
  });
});

describe('has()', () => {
  it('needs what it looks into, and is false where that leaves nothing', () => {
    const code = `'\${{ has(previous.file) ? previous.file : steps.hero.result_url }}'`;
    expect(answer(code)).toEqual(needs('previous.file'));
    expect(answer(code, { known: ['previous'] })).toEqual(needs('steps.hero.result_url'));
    expect(answer(code, { known: ['previous'], previous: { file: '/a.png' } })).toEqual(value('/a.png'));
    expect(answer('${{ has(steps.a.json.title) }}', { known: ['steps.a'], steps: {} })).toEqual(value(false));
  });
});

describe('lists', () => {
  it('an index that is known needs that item alone', () => {
    expect(answer('${{ steps.still[2].result_url }}')).toEqual(needs('steps.still[2].result_url'));
    expect(answer('${{ steps.still[params.part - 1].result_url }}')).toEqual(needs('steps.still[1].result_url'));
    expect(answer('${{ steps.still[matrix.part].result_url }}', { known: [], matrix: { part: 4 } })).toEqual(
      needs('steps.still[4].result_url'),
    );
    const world = { known: ['steps.still[2]'], steps: { still: [null, null, stills[2]!] } };
    expect(answer('${{ steps.still[2].result_url }}', world)).toEqual(value('https://x/2.png'));
    expect(answer('${{ steps.still[2].result_url + steps.still[3].result_url }}', world)).toEqual(
      needs('steps.still[3].result_url'),
    );
  });

  it('the index is needed before the item', () => {
    const code = '${{ steps.still[steps.best.json.n].result_url }}';
    expect(answer(code)).toEqual(needs('steps.best.json.n'));
    expect(answer(code, { known: ['steps.best'], steps: { best: { json: { n: 3 } } } })).toEqual(
      needs('steps.still[3].result_url'),
    );
  });

  it('a loop through it needs all of it', () => {
    expect(answer('${{ steps.still.map(s, s.result_url) }}')).toEqual(needs('steps.still'));
    expect(answer('${{ steps.still.filter(s, s.matrix.who in params.cast) }}')).toEqual(needs('steps.still'));
    expect(answer('${{ steps.still }}')).toEqual(needs('steps.still'));
    expect(
      answer('${{ steps.still.map(s, s.result_url).size() }}', { known: ['steps.still'], steps: { still: stills } }),
    ).toEqual(value(5));
  });

  it('a loop through indices needs each of those items, at the same time', () => {
    expect(answer('${{ range(1, 3).map(i, steps.still[i].result_url) }}')).toEqual(
      needs('steps.still[1].result_url', 'steps.still[2].result_url'),
    );
    expect(
      answer('${{ range(1, 3).map(i, steps.still[i].result_url) }}', {
        known: ['steps.still[1]'],
        steps: { still: stills },
      }),
    ).toEqual(needs('steps.still[2].result_url'));
  });

  it('which is the last may be known before they are', () => {
    const world = { known: [], lengths: { 'steps.still': 5 } };
    expect(answer('${{ steps.still.last().result_url }}', world)).toEqual(needs('steps.still[4].result_url'));
    expect(answer('${{ steps.still[size(steps.still) - 1].result_url }}', world)).toEqual(
      needs('steps.still[4].result_url'),
    );
    expect(answer('${{ steps.still[steps.still.size() - 2].result_url }}', world)).toEqual(
      needs('steps.still[3].result_url'),
    );
  });

  it('how many there are is said of all of them: some may turn out to be skipped', () => {
    const world = { known: [], lengths: { 'steps.still': 5 } };
    expect(answer('${{ size(steps.still) }}', world)).toEqual(needs('steps.still'));
    expect(answer('${{ steps.still.size() + 1 }}', world)).toEqual(needs('steps.still'));
    expect(answer(`"\${{ size(steps.still) > 1 ? 'many' : 'one' }}"`, world)).toEqual(needs('steps.still'));
  });

  it('a list of an answer is not known before the answer', () => {
    expect(answer('${{ steps.script.json.beats[0].look }}')).toEqual(needs('steps.script.json.beats[0].look'));
    expect(
      answer('${{ steps.script.json.beats[5].look }}', {
        known: ['steps.script'],
        steps: { script: { json: { beats: [] } } },
      }),
    ).toMatchObject({ said: '`steps.script.json.beats[5]`: there is no item 5: the list is empty' });
  });

  it('an index before the first is an error at once', () => {
    expect(answer('${{ steps.still[-1].result_url }}', { known: ['steps.still'], steps: { still: stills } })).toEqual({
      said: '`steps.still[-1]`: there is no item -1: the list has 5, from `[0]` to `[4]`; write `.last()`',
    });
  });
});

it('what is asked one after the other ends in the value that a whole scope gives', () => {
  const steps: Record<string, Json> = {
    ok: { approved: true },
    script: { json: { beats: [{ n: 1 }, { n: 3 }] } },
    still: stills,
    hero,
  };
  const code = `'\${{ steps.ok.approved && has(steps.script.json.beats) ? steps.script.json.beats.map(b, steps.still[b.n].result_url).join(" ") : steps.hero.result_url }}'`;
  const known: string[] = [];
  const rounds: Json[] = [];
  for (let given = answer(code, { known, steps }); ; given = answer(code, { known, steps })) {
    rounds.push(given);
    if (!(given as { needs?: readonly string[] }).needs) break;
    known.push(...(given as { needs: readonly string[] }).needs);
  }
  expect(rounds).toEqual([
    needs('steps.ok.approved'),
    needs('steps.script.json.beats'),
    needs('steps.still[1].result_url', 'steps.still[3].result_url'),
    value('https://x/1.png https://x/3.png'),
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
