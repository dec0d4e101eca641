/** A schema with expressions on paper: evaluated before the request, part of what is asked, and waited for where it reads a step. */
import { expect, test } from 'vitest';
import { decisions, planned, planOf, Shelf, shown } from './support.ts';

const FILM = `
params: { n: { type: integer, default: 3 } }
steps:
  script:
    model: C-D
    with: { prompt: beats, max_tokens: 100 }
    schema: { type: object, properties: { beats: { type: array, minItems: "\${{ params.n }}", maxItems: "\${{ params.n }}" } } }
`;

test('it is asked for with what its expressions give, and another number is another request', () => {
  const shelf = new Shelf();
  const outcome = shelf.make(planOf(FILM), {}).get('script' as never);
  const schema = { type: 'object', properties: { beats: { type: 'array', minItems: 3, maxItems: 3 } } };
  expect(outcome).toMatchObject({
    request: { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } },
    via: { is: 'chat', schema },
  });
  expect(decisions(planOf(FILM, { owned: shelf }))).toEqual(['script: hit, unchanged']);
  expect(decisions(planOf(FILM, { owned: shelf, params: { n: '4' } }))).toEqual(['script: run, its schema changed']);
});

test('written out in place it is the same request', () => {
  const print = (film: string) => [...planOf(film).instances][0]?.fingerprint;
  expect(print(FILM)).toBe(print(FILM.replaceAll('"${{ params.n }}"', '3')));
});

test('a number that another step writes is waited for', () => {
  expect(
    shown(`
steps:
  count: { model: C-D, with: { prompt: how many? }, schema: { type: object, properties: { n: { type: integer } } } }
  script:
    model: C-D
    with: { prompt: beats, max_tokens: 100 }
    schema: { type: object, properties: { beats: { type: array, minItems: "\${{ steps.count.json.n }}" } } }
`),
  ).toMatchInlineSnapshot(`
    "film  2 instances on studio, free: prices are list prices

    run    count  never run                       $0.42  at most, without max_tokens
           C-D · user: how many? · answer {n}

    maybe  script  waits for count            $0.000058  at most 175 + 100 tokens
           C-D · user: beats · max_tokens 100 · answer {beats}

    longest path  about 20.0s: count → script
    total         1 run, 1 maybe: free (up to $0.42 at list price)"
  `);
});

test('each instance may ask for another number, and equal schemas are one', () => {
  const film = `
steps:
  script:
    matrix: { n: [2, 3], mood: [calm, tense] }
    model: C-D
    with: { prompt: "beats, \${{ matrix.mood }}" }
    schema: { type: object, properties: { beats: { type: array, minItems: "\${{ matrix.n }}" } } }
`;
  const made = [...new Shelf().make(planOf(film), {}).values()];
  const schemas = made.map(one => (one.is === 'request' && one.via.is === 'chat' ? one.via.schema : undefined));
  expect(schemas.map(schema => JSON.stringify(schema).replace(/.*minItems":(\d).*/, '$1'))).toEqual([
    '2',
    '2',
    '3',
    '3',
  ]);
  expect(schemas[0]).toBe(schemas[1]);
});

test('what comes out as no JSON Schema is told before anything is asked', () => {
  expect(shown(FILM, { params: { n: '-1' } })).toMatchInlineSnapshot(
    `"8:5 ‹schema› \`schema\` is no JSON Schema: properties.beats.maxItems must be >= 0; mend it"`,
  );
});

test('what a variable of the environment holds is asked for and not shown', () => {
  const film = `
env: [HOUSE]
steps:
  script:
    model: C-D
    with: { prompt: beats }
    schema: { type: object, description: "for \${{ env.HOUSE }}", properties: { a: { type: string } } }
`;
  const { plan } = planned(film, { env: { HOUSE: 'Acme' } });
  expect(JSON.stringify([...plan!.instances][0]?.request)).toContain('for $HOUSE');
  expect(JSON.stringify([...plan!.instances][0]?.request)).not.toContain('Acme');
});

test('a list of its objects is the rows of an axis, typed by it', () => {
  const film = (field: string) => `
steps:
  script:
    model: C-D
    with: { prompt: beats }
    schema: { type: object, properties: { beats: { type: array, maxItems: 3, items: { type: object, properties: { look: { type: string } } } } } }
  shot:
    matrix: { beat: "\${{ steps.script.json.beats }}" }
    max: 3
    model: I-GEN-A
    with: { prompt: "\${{ matrix.beat.${field} }}" }
`;
  expect(planned(film('look')).diagnostics).toEqual([]);
  expect(() => planned(film('lok'))).toThrow('has no `lok`; did you mean `look`?');
});

test('a secret in it counts by its name, and all else by what it is', () => {
  const film = (n: number) => `
env: [HOUSE]
steps:
  script:
    model: C-D
    with: { prompt: beats }
    schema: { type: object, description: "for \${{ env.HOUSE }}", properties: { a: { type: array, minItems: ${n} } } }
`;
  const print = (n: number, HOUSE: string) => [...planOf(film(n), { env: { HOUSE } }).instances][0]?.fingerprint;
  expect(print(1, 'Acme')).toBe(print(1, 'Other'));
  expect(print(1, 'Acme')).not.toBe(print(2, 'Acme'));
});
