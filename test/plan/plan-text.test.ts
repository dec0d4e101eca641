import { expect, test } from 'vitest';
import { cellWidth } from '../../src/model/text/cells.ts';
import { formatPlan, planJson } from '../../src/show/plan/plan-text.ts';
import { planOf, Shelf, shown } from './support.ts';

const WIDE = `
steps:
  establishing_shot_of_the_valley:
    model: V-T2V-A
    matrix: { weather: ["heavy snow over the northern ridge", "fog"], mood: ["a quiet, hopeful morning"] }
    with:
      prompt: 一只红色的狐狸穿过结冰的河流，清晨的阳光照在雪地上，镜头缓慢推进，远处的森林笼罩在薄雾之中，鸟儿飞过天空
      negative_prompt: \${{ matrix.weather }}
  graded:
    each: \${{ steps.establishing_shot_of_the_valley }}
    run: [grade, --in, "\${{ each.file }}", --look, a very long look-up table name that goes on and on for ever and ever]
    creates: { film: film.mp4 }
outputs:
  film:
    from: \${{ steps.graded.files.film }}
    to: deliverables/for-the-client/establishing-shot-{weather}-{mood}.mp4
`;

test.each([40, 60, 80, 100, 200])('no line is longer than a terminal of %i cells', width => {
  for (const line of shown(WIDE, { width }).split('\n')) expect(cellWidth(line)).toBeLessThanOrEqual(width);
});

test('the counts of all kinds wrap on a narrow terminal, where a price stands beside its step without its column', () => {
  const film = (hare: string) => `
steps:
  fox: { run: [ls] }
  hare: { model: V-T2V-A, matrix: { n: [1, 2] }, with: { prompt: "${hare} \${{ matrix.n }}" } }
  big: { model: V-UP, with: { input_video: "\${{ steps.hare[0].result_url }}" } }
  off: { if: false, run: [ls, "1"] }
  out: { run: [ls, "2"] }
`;
  const owned = new Shelf();
  owned.make(planOf(film('a hare')));
  const text = shown(film('an owl'), { owned, width: 40, selection: { exclude: ['out'] } });
  expect(text).toMatchInlineSnapshot(`
    "film  6 instances on studio, free

    hit    fox  unchanged              owned

    run    hare × 2   $1.50  2 × 5 s × $0.15
           prompt changed
           V-T2V-A
           prompt an owl 1, an owl 2

    maybe  big            $0.50  5 s × $0.10
           waits for hare[n=1]
           V-UP
           input_video ‹steps.hare[0].resul…

    skip   off  its condition is false
    hit    out  unchanged              owned

    longest path  about 10m 00s: hare[n=1] →
                  big
    total         2 hit, 2 run, 1 maybe,
                  1 skip: free (up to $2.00
                  at list price)"
  `);
});

test('long keys keep both ends, wide characters count twice, long reasons go below', () => {
  expect(`\n${shown(WIDE, { width: 60 })}\n`).toBe(`
film  4 instances on studio, free

run    establishing_shot_of_the_valley × 2
       never run                      $1.50  2 × 5 s × $0.15
       V-T2V-A
       prompt 一只红色的狐狸穿过结冰的河流，清晨的阳光照在…
       negative_prompt by weather, mood:
         "heavy sno…l morning"  heavy snow over the norther…
         fog,"a qui…l morning"  fog

maybe  graded × 2                      free
       waits for establishing_shot_of_the_valley
       command
       run [grade, --in, ‹each.file›, --look, a very long l…

longest path  about 5m 05s:
              establishing_shot_of_t…et, hopeful morning"] →
              graded[weather="heavy …et, hopeful morning"]
total         2 run, 2 maybe: free (up to $1.50 at list
              price)
films         deliverables/for-the-cl…et-hopeful-morning.mp4
              deliverables/for-the-cl…et-hopeful-morning.mp4
`);
});

test('colour adds nothing but colour', () => {
  const plan = planOf(WIDE);
  const colored = formatPlan(plan, { width: 80, color: true });
  expect(colored).toContain('\x1b[36mrun\x1b[39m');
  expect(colored.replaceAll(/\x1b\[\d+m/g, '')).toBe(formatPlan(plan, { width: 80 }));
});

test('what would move the cursor is never printed', () => {
  const text = shown(
    `
params:
  who: { type: string }
steps:
  shot:
    model: V-T2V-A
    matrix: { name: ["\${{ params.who }}"] }
    with: { prompt: "\${{ params.who }}" }
`,
    { params: { who: 'a\x1b[2J\x07\u202efox\nline' } },
  );
  expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  expect(text).toContain('prompt afox line');
});

const MANY = `
params:
  last: { type: integer, default: 3 }
steps:
  shot:
    model: V-T2V-A
    matrix: { seed: [${Array.from({ length: 41 }, (_, i) => i).join(', ')}] }
    with: { prompt: a fox, seed: "\${{ matrix.seed }}", duration: 5 }
outputs:
  film: { from: "\${{ steps.shot }}", to: "out/{seed}.mp4" }
`;

test('a step of many instances is one row, unless all are asked for', () => {
  expect(`\n${shown(MANY)}\n`).toBe(`
film  41 instances on studio, free: prices are list prices

run    shot × 41  never run                             $30.75  41 × 5 s × $0.15
       V-T2V-A · prompt a fox
       seed 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 29 more · duration 5

longest path  about 5m 00s: shot[seed=0]
total         41 run: free ($30.75 at list price)
films         out/0.mp4 ← shot[seed=0]
              out/1.mp4 ← shot[seed=1]
              out/2.mp4 ← shot[seed=2]
              out/3.mp4 ← shot[seed=3]
              out/4.mp4 ← shot[seed=4]
              out/5.mp4 ← shot[seed=5]
              out/6.mp4 ← shot[seed=6]
              out/7.mp4 ← shot[seed=7]
              out/8.mp4 ← shot[seed=8]
              out/9.mp4 ← shot[seed=9]
              and 31 more
`);
  expect(shown(MANY, { all: true }).match(/^run /gm)).toHaveLength(41);
});

const spot = (river: string, takes: string) => `
steps:
  still:
    model: I-GEN-A
    matrix: { beat: [{ slug: lake, is: drinks at a frozen lake }, { slug: ridge, is: climbs a ridge }, { slug: river, is: ${river} }] }
    key: \${{ matrix.beat.slug }}
    with: { prompt: "A red fox \${{ matrix.beat.is }}, ink on rough paper" }
  shot:
    each: \${{ steps.still }}
    model: V-I2V-A
    takes: ${takes}
    with: { prompt: "A red fox \${{ matrix.beat.is }}, ink on rough paper", input_image: "\${{ each.result_url }}", duration: 5s }
  best: { each: "\${{ steps.shot }}", pick: takes }
`;

test('a step of several instances is one row: how many are owned and new, why, each prompt once, and what all of it costs', () => {
  const owned = new Shelf();
  owned.make(planOf(spot('stops at a river', '2')));
  expect(shown(spot('stops at a brook', '3'), { owned })).toMatchInlineSnapshot(`
    "film  15 instances on studio, free: prices are list prices

    run    still × 3  2 hit, 1 run                            $0.01  1 image × $0.01
           1 run  prompt changed (beat=river)
           I-GEN-A · prompt A red fox stops at a brook, ink on rough paper

    run    shot × 9 (3 × 3)  4 hit, 2 run, 3 maybe            $1.25  5 × 5 s × $0.05
           2 run    never run (beat=lake,take=3 and beat=ridge,take=3)
           3 maybe  waits for still (beat=river)
           V-I2V-A · input_image differs · duration 5s
           prompt: A red fox … ink on rough paper
             beat=lake,take=3   drinks at a frozen lake
             beat=ridge,take=3  climbs a ridge
             beat=river         stops at a brook

    maybe  best × 3  to be chosen by a person, of 3            free

    longest path  about 5m 20s: still[beat=river] → shot[beat=river,take=1]
    total         6 hit, 3 run, 6 maybe: free (up to $1.26 at list price)"
  `);
  expect(shown(spot('stops at a brook', '3'), { owned, width: 40 })).toMatchInlineSnapshot(`
    "film  15 instances on studio, free

    run    still × 3  $0.01  1 image × $0.01
           2 hit, 1 run
           1 run  prompt changed
                  (beat=river)
           I-GEN-A
           prompt A red fox stops at a broo…

    run    shot × 9 (3 × 3)
           4 hit, 2 run, 3 maybe
                      $1.25  5 × 5 s × $0.05
           2 run    never run
                    (beat=lake,take=3 and
                    beat=ridge,take=3)
           3 maybe  waits for still
                    (beat=river)
           V-I2V-A · input_image differs
           duration 5s
           prompt: A red fo…k on rough paper
             beat=l…take=3  drinks at a fro…
             beat=r…take=3  climbs a ridge
             beat=river     stops at a brook

    maybe  best × 3                     free
           to be chosen by a person, of 3

    longest path  about 5m 20s:
                  still[beat=river] →
                  shot[beat=river,take=1]
    total         6 hit, 3 run, 6 maybe:
                  free (up to $1.26 at list
                  price)"
  `);
});

test('the plan as JSON: version 1', () => {
  const plan = planOf(`
steps:
  shot:
    model: V-T2V-A
    matrix: { seed: [7] }
    with: { prompt: a fox, seed: "\${{ matrix.seed }}" }
  final:
    each: \${{ steps.shot }}
    model: V-UP
    with: { input_video: "\${{ each.result_url }}" }
outputs:
  film: { from: "\${{ steps.final }}", to: "out/{seed}.mp4" }
`);
  const json = JSON.parse(JSON.stringify(planJson(plan)));
  expect(json.instances[0].fingerprint).toMatch(/^[0-9a-f]{64}$/);
  delete json.instances[0].fingerprint;
  expect(json).toStrictEqual({
    version: 1,
    open: [],
    deployments: [],
    effects: [],
    pipeline: 'film.yaml',
    name: 'film',
    service: 'studio',
    free: true,
    params: {},
    instances: [
      {
        key: 'shot[seed=7]',
        step: 'shot',
        kind: 'generate',
        model: 'V-T2V-A',
        coordinates: { seed: 7 },
        decision: 'run',
        why: 'never run',
        request: { prompt: 'a fox', seed: 7 },
        price_usd: 0.75,
        price_basis: '5 s × $0.15',
        needs: [],
        needs_all: [],
        media: { kind: 'video', width: 1920, height: 1080, duration: 5 },
        expected_seconds: 300,
        remaining_seconds: 600,
      },
      {
        key: 'final[seed=7]',
        step: 'final',
        kind: 'generate',
        model: 'V-UP',
        coordinates: { seed: 7 },
        decision: 'maybe',
        why: 'waits for shot[seed=7]',
        request: { input_video: { $pending: 'each.result_url' } },
        price_usd: 0.5,
        price_basis: '5 s × $0.10',
        needs: ['shot[seed=7]'],
        needs_all: [],
        media: { kind: 'video', duration: 5 },
        expected_seconds: 300,
        remaining_seconds: 300,
      },
    ],
    outputs: [{ name: 'film', instance: 'final[seed=7]', path: 'out/7.mp4' }],
    totals: {
      ...{ instances: 2, hit: 0, fetch: 0, sent: 0, run: 1, maybe: 1, skip: 0, left_out: 0, open: 0 },
      ...{ open_usd: 0, open_unpriced: 0, usd: 1.25, unpriced: 0, paid: 0, perhaps: 0 },
    },
    critical_path: { keys: ['shot[seed=7]', 'final[seed=7]'], seconds: 600 },
  });
});
