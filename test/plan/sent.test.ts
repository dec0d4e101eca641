/** What earlier runs sent and is not here yet: it is told as paid already, and no price is added for it a second time. */
import { expect, test } from 'vitest';
import type { SentRequest } from '../../src/model/plan.ts';
import type { GenerationId, InstanceKey } from '../../src/model/run/key.ts';
import { planJson } from '../../src/show/plan/plan-text.ts';
import { decisions, linesWith, planOf, Shelf, shown } from './support.ts';

const FILM = `
steps:
  shot:
    model: V-T2V-A
    matrix: { seed: [1, 2, 3] }
    with: { prompt: a red fox, duration: 6, resolution: 720P, seed: "\${{ matrix.seed }}" }
  framed:
    each: \${{ steps.shot }}
    model: V-RF
    with: { input_video: "\${{ each.result_url }}", aspect_ratio: "9:16", prompt: snow }
`;
const HOSTED = { service: 'house' };
const UNDER_WAY: SentRequest = { is: 'under_way', generation: 'gen-7' as GenerationId, usd: 0.6 };
const LOST: SentRequest = { is: 'lost', generation: null, usd: 0.6 };

/** As a run left it: each seed's shot as it is told, `none` never sent. */
function left(...shots: readonly (SentRequest | 'none')[]): Shelf {
  const shelf = new Shelf();
  const { instances } = planOf(FILM, HOSTED);
  for (const [index, sent] of shots.entries())
    if (sent !== 'none') shelf.leaveOpen(instances.get(`shot[seed=${index + 1}]` as InstanceKey)!, sent);
  return shelf;
}

test('what is under way is paid already; what was lost, perhaps', () => {
  const text = shown(FILM, { ...HOSTED, owned: left(UNDER_WAY, LOST) });
  expect(linesWith(text, 'sent', 'paid', '1 run')).toMatchInlineSnapshot(`
    "run    shot × 3  2 sent, 1 run                            $0.60  6 s × $0.10
           1 run   never run (seed=3)
           1 sent  under way as gen-7: already paid ($0.60) (seed=1)
           1 sent  answer lost: perhaps paid ($0.60), looked for before it is sent
    total         2 sent, 1 run, 3 maybe: up to $2.76 ($0.60 is paid already)
                  ($0.60 is perhaps paid: the answers were lost)"
  `);
});

test('of several requests the price of each is shown; of one request for several instances, its own', () => {
  const other = { ...UNDER_WAY, generation: 'gen-8' as GenerationId };
  expect(shown(FILM, { ...HOSTED, owned: left(UNDER_WAY, other) })).toContain(
    '2 sent  under way: already paid ($0.60 each)',
  );
  expect(shown(FILM, { ...HOSTED, owned: left(UNDER_WAY, UNDER_WAY) })).toContain(
    '2 sent  under way: already paid ($0.60)',
  );
});

test('a program reads what was sent, and the total leaves it out', () => {
  const json = JSON.parse(JSON.stringify(planJson(planOf(FILM, { ...HOSTED, owned: left(UNDER_WAY, LOST) }))));
  expect(json.instances[0]).toMatchObject({
    decision: 'sent',
    why: 'under way as gen-7: already paid ($0.60)',
    sent: { is: 'under_way', generation: 'gen-7', usd: 0.6, film: null },
    price_usd: 0,
  });
  expect(json.instances[1].sent).toStrictEqual({ is: 'lost', generation: null, usd: 0.6, film: null });
  expect(json.instances[2].sent).toBeUndefined();
  expect(json.totals).toMatchObject({ sent: 2, run: 1, maybe: 3, usd: 2.76, paid: 0.6, perhaps: 0.6 });
});

test.each<[SentRequest, string]>([
  [{ is: 'made', generation: null, usd: 0.6 }, 'made, and not downloaded yet: already paid ($0.60)'],
  [{ is: 'under_way', generation: null, usd: null }, 'under way: already paid'],
  [{ ...UNDER_WAY, film: 'trailer' }, 'under way as gen-7, for the film trailer: already paid ($0.60)'],
  [
    { ...LOST, usd: null, film: 'trailer' },
    'answer lost, for the film trailer: perhaps paid, looked for before it is sent again',
  ],
])('%j is told in words', (sent, why) => {
  expect(decisions(planOf(FILM, { ...HOSTED, owned: left(sent) }))[0]).toBe(`shot[seed=1]: sent, ${why}`);
});

test('one that is asked for twice is counted once', () => {
  const twins = `
steps:
  shot:
    model: V-T2V-A
    matrix: { name: [a, b] }
    with: { prompt: a fox, duration: 5 }
`;
  const owned = new Shelf();
  owned.leaveOpen([...planOf(twins, HOSTED).instances][0]!, UNDER_WAY);
  const made = planOf(twins, { ...HOSTED, owned });
  expect(decisions(made)).toStrictEqual([
    'shot[name=a]: sent, under way as gen-7: already paid ($0.60)',
    'shot[name=b]: sent, the same request as shot[name=a]: made once',
  ]);
  expect(made.totals).toMatchObject({ sent: 2, run: 0, usd: 0, paid: 0.6 });
});

test('`cache: off` takes up its own, and waits for nobody else\u2019s', () => {
  const off = FILM.replace('    model: V-T2V-A', '    cache: off\n    model: V-T2V-A');
  const { instances } = planOf(off, HOSTED);
  const owned = new Shelf();
  owned.leaveOpen(instances.get('shot[seed=1]' as InstanceKey)!, UNDER_WAY);
  owned.leaveOpen(instances.get('shot[seed=2]' as InstanceKey)!, { ...UNDER_WAY, film: 'trailer' });
  expect(decisions(planOf(off, { ...HOSTED, owned })).slice(0, 2)).toStrictEqual([
    'shot[seed=1]: sent, under way as gen-7: already paid ($0.60)',
    'shot[seed=2]: run, cache is off',
  ]);
});

test('a large fan-out counts them', () => {
  const large = FILM.replace('[1, 2, 3]', `[${Array.from({ length: 60 }, (_, i) => i).join(', ')}]`);
  const owned = new Shelf();
  const [first] = [...planOf(large).instances];
  owned.leaveOpen(first!, UNDER_WAY);
  expect(shown(large, { owned })).toContain('shot × 60  1 sent, 59 run');
});

test('the built-in studio was paid nothing for it', () => {
  const owned = new Shelf();
  const { instances } = planOf(FILM);
  owned.leaveOpen(instances.get('shot[seed=1]' as InstanceKey)!, UNDER_WAY);
  expect(shown(FILM, { owned })).not.toContain('paid');
});
