/** Chat, `via: sync` and `tokenize` on paper: what would be asked, what it costs at most, and what is refused before. */
import { expect, test } from 'vitest';
import { formatPlan } from '../../src/show/plan/plan-text.ts';
import { linesOf } from '../language/said.ts';
import { planned, planOf, shown } from './support.ts';

const told = (steps: string) => {
  const { plan, diagnostics } = planned(steps);
  return plan ? formatPlan(plan, { width: 90, color: false, all: false }) : linesOf(diagnostics);
};

test('the plan shows who says what, what the answer will hold, and what it costs at most', () => {
  expect(
    told(`
steps:
  script:
    model: C-D
    with: { system: You write shot lists., prompt: three beats about a fox, max_tokens: 300 }
    schema: { type: object, properties: { title: { type: string }, beats: { type: array } } }
  free: { model: C-D, with: { prompt: a title } }
  shot:
    model: V-T2V-A
    with: { prompt: "\${{ steps.script.json.beats[0] }}", duration: 5 }
  notes:
    model: C-D
    with: { prompt: "shorten: \${{ steps.free.text }}", max_tokens: 20 }
  still: { model: I-GEN-A, via: sync, with: { prompt: a fox } }
  tuned: { tokenize: { repository: film-house/looks, fine_tune: ft-harbour } }
`),
  ).toMatchInlineSnapshot(`
    "film  6 instances on studio, free: prices are list prices

    run    script  never run                             $0.00014  at most 199 + 300 tokens
           C-D · system: You write shot lists. · user: three beats about a fox
           max_tokens 300 · answer {title, beats}

    run    free  never run                                  $0.42  at most, without max_tokens
           C-D · user: a title

    maybe  shot  waits for script                           $0.75  5 s × $0.15
           V-T2V-A · prompt ‹steps.script.json.beats[0]› · duration 5

    maybe  notes  waits for free                            $0.10  at most 1047576 + 20 tokens
           C-D · user: shorten: ‹steps.free.text› · max_tokens 20

    run    still  never run                                 $0.01  1 image × $0.01
           I-GEN-A via sync · prompt a fox

    run    tuned  never run                                  free
           tokenize, until it is ready (where the service does not tell, until it has taken it)
           repository film-house/looks · fine_tune ft-harbour

    longest path  about 5m 10s: script → shot
    total         4 run, 2 maybe: free (up to $1.28 at list price)"
  `);
});

test('a schema that comes out as none, a context that is too small, a repository that only now is known', () => {
  expect(
    told(`
params:
  where: { type: string, default: looks }
  least: { type: integer, default: -1 }
steps:
  a: { model: C-D, with: { prompt: x }, schema: { type: array, minItems: "\${{ params.least }}" } }
  b: { model: C-C, with: { prompt: x, max_tokens: 64000 } }
  c: { model: C-C, with: { prompt: "${'word '.repeat(120_000)}" } }
  d: { model: C-C, with: { prompt: x, max_tokens: 63999 } }
  e: { tokenize: { repository: "\${{ params.where }}", fine_tune: ft-1 } }
  f: { model: vendor/one, via: sync, with: { prompt: x } }
`).replaceAll(/word (word )+/g, 'word … '),
  ).toMatchInlineSnapshot(`
    "7:41 ‹schema› \`schema\` is no JSON Schema: minItems must be >= 0; mend it
    8:51 ‹64000› max_tokens is 64000, but C-C holds 64000 tokens of prompt and answer together; ask for fewer
    9:36 ‹"word … word…› its words are about 150004 tokens, and C-C holds 64000 of prompt and answer together; shorten them, or take a model with more
    11:32 ‹"\${{ params.where }}"› a repository is written \`namespace/name\`, not "looks"; write both parts
    12:15 ‹vendor/one› \`via: sync\` needs a model with a known endpoint, and nothing is known of vendor/one; take it out to use the queue"
  `);
});

test('a schema of an older dialect is read as one', () => {
  expect(
    told(`
steps:
  a:
    model: C-D
    with: { prompt: x }
    schema: { $schema: "http://json-schema.org/draft-07/schema#", type: object, properties: { at: { format: date } } }
`),
  ).toContain('answer {at}');
});

test('what is activated for the run bills by the second, and the plan says so', () => {
  const film = `
models:
  look: { id: vendor/fox-look, activate: true }
steps:
  shot: { model: look, with: { prompt: a fox } }
`;
  const pricing = new Map([['vendor/fox-look', { method: 'time', cost_per_second: 0.0011 } as const]]);
  expect(shown(film, { pricing })).toMatchInlineSnapshot(`
    "film  1 instance on studio, free: prices are list prices

    run    shot  never run                                 billed by processing time
           vendor/fox-look · prompt a fox

    longest path  about 5m 00s: shot
    total         1 run: free
    activated     vendor/fox-look, while it is needed: $0.0011 a second"
  `);
});

test('words of another writer are other words; pictures do not care who writes', () => {
  const film = 'steps:\n  a: { model: C-D, with: { prompt: x } }\n  b: { model: I-GEN-A, with: { prompt: x } }\n';
  const prints = (chatBy?: string) => [...planOf(film, { chatBy }).instances].map(instance => instance.fingerprint);
  const [words, picture] = prints();
  const [others, same] = prints('http://127.0.0.1:11434/v1');
  expect(others).not.toBe(words);
  expect(same).toBe(picture);
});
