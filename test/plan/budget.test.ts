/** A plan held against its budget: what it comes to with what is spent, what does not fit, and which line to change. */
import { describe, expect, test } from 'vitest';
import { type Amounts, addDemand, type Budget, NO_AMOUNTS, NO_DEMAND, statusOf } from '../../src/model/budget.ts';
import { budgetTable, overBudgetText } from '../../src/plan/cost/budget-plan.ts';
import { formatPlan, planJson } from '../../src/show/plan/plan-text.ts';
import { planOf } from './support.ts';

const SHOTS = `
steps:
  shot: { model: V-T2V-A, matrix: { n: [1, 2] }, with: { prompt: "shot \${{ matrix.n }}", duration: 4 } }
  up: { each: "\${{ steps.shot }}", model: V-UP, with: { input_video: "\${{ each.result_url }}", resolution: 1080p } }
  still: { model: I-GEN-A, with: { prompt: a fox } }
`;

const spent = (usd: number, images = 0): Amounts =>
  addDemand(NO_AMOUNTS, { ...NO_DEMAND, usd, images, generations: 1 });

function against(film: string, budget: Budget, settled = NO_AMOUNTS, inFlight = NO_AMOUNTS) {
  const plan = planOf(film);
  const status = statusOf({ of: 'film', budget }, { settled, inFlight });
  const { rows, notes } = budgetTable(plan, status);
  return {
    told: [...rows.slice(1).map(cells => cells.join(' | ')), ...notes],
    refused: overBudgetText(plan, status),
    json: planJson(plan, { budget: status }).budget,
  };
}

describe('a plan', () => {
  test('tells what it comes to, of each number', () => {
    const { told, refused } = against(SHOTS, { usd: 25, images: 40 }, spent(2, 3));
    expect(told).toEqual(['dollars | $2.00 | $0.00 | up to $1.61 | $25.00', 'images | 3 | 0 | 1 | 40']);
    expect(refused).toBeUndefined();
  });

  test('counts what is in flight in full', () => {
    expect(against(SHOTS, { usd: 25 }, spent(2), spent(1)).told).toEqual([
      'dollars | $2.00 | $1.00 | up to $1.61 | $25.00',
    ]);
  });

  test('that certainly does not fit is not begun: what it comes to, what is left, which line to change', () => {
    const { told, refused } = against(SHOTS, { usd: 3 }, spent(2));
    expect(told).toEqual(['dollars | $2.00 | $0.00 | up to $1.61 | $3.00', 'dollars: does not fit']);
    expect(refused).toBe(
      "over budget, nothing was begun: what is to be made comes to $1.21, and the film's budget of $3.00 leaves $1.00 ($2.00 spent); raise `usd` under `budget`",
    );
  });

  test('that perhaps does not fit is begun, and told', () => {
    // What is made of the shots depends on them.
    const { told, refused } = against(SHOTS, { usd: 1.5 });
    expect(told).toEqual(['dollars | $0.00 | $0.00 | up to $1.61 | $1.50', 'dollars: what does not fit is not sent']);
    expect(refused).toBeUndefined();
  });

  test('of which nothing is to be paid is begun, whatever was spent', () => {
    const { refused } = against('steps: { list: { run: [ls] } }', { usd: 1 }, spent(2));
    expect(refused).toBeUndefined();
  });

  test('with what nobody can price names the line that allows it', () => {
    const film = `
steps:
  shot: { model: V-I2V-D, with: { prompt: a fox, input_image: "https://media.example/fox.png" } }
  more: { model: V-I2V-D, with: { prompt: a hare, input_image: "https://media.example/fox.png" } }
`;
    expect(against(film, { usd: 9 }).told).toEqual([
      'dollars | $0.00 | $0.00 | $0.00 | $9.00',
      'dollars: the price of 2 requests is not known: put `unpriced: allow` under `budget` to send it all the same',
    ]);
    expect(against(film, { usd: 9 }).refused).toBe(
      "over budget, nothing was begun: the cost of 2 requests is unknown, and a budget bounds the film's dollars; put `unpriced: allow` under `budget` to send it all the same",
    );
    expect(against(film, { usd: 9, unpriced: 'allow' }).refused).toBeUndefined();
    // Of images and tokens they have none.
    expect(against(film, { images: 9 }).refused).toBeUndefined();
    expect(against(film, { tokens: 9 }).refused).toBeUndefined();
  });

  test('with a chat that says no max_tokens comes to what its model can write at most, and is begun', () => {
    const film = `
steps:
  script: { model: C-D, with: { prompt: beats } }
`;
    expect(against(film, { usd: 9 })).toMatchObject({
      told: ['dollars | $0.00 | $0.00 | up to $0.42 | $9.00'],
      refused: undefined,
    });
    expect(against(film, { tokens: 9 })).toMatchObject({
      told: ['tokens | 0 | 0 | up to 1,047,585 | 9', 'tokens: what does not fit is not sent'],
      refused: undefined,
    });
  });

  test('with a judge comes to what its model can read at most, before anything is there to judge', () => {
    const film = (shots: string) => `
steps:
  script: { model: C-D, with: { prompt: beats, max_tokens: 9 }, schema: { type: object, required: [beats], properties: { beats: { type: array, items: { type: string } } } } }
  shot: { model: V-T2V-A, ${shots} takes: 3, with: { prompt: a fox, duration: 4 } }
  best: { each: "\${{ steps.shot }}", pick: takes, judge: { model: C-B, prompt: which? } }
`;
    // 128,000 tokens read and as many written are $0.0512 each.
    const known = against(film('matrix: { n: [1, 2] },'), { usd: 9, tokens: 1_000_000 });
    expect(known).toMatchObject({
      told: ['dollars | $0.00 | $0.00 | up to $1.90 | $9.00', 'tokens | 0 | 0 | up to 512,186 | 1,000,000'],
      refused: undefined,
    });
    const open = against(film('matrix: { beat: "${{ steps.script.json.beats }}" }, max: 5,'), { usd: 12 });
    expect(open).toMatchObject({ told: ['dollars | $0.00 | $0.00 | up to $9.26 | $12.00'], refused: undefined });
  });

  test('with a list that is still to be written comes to so much at most', () => {
    const film = `
steps:
  script: { model: C-D, with: { prompt: beats, max_tokens: 9 }, schema: { type: object, required: [beats], properties: { beats: { type: array, items: { type: string } } } } }
  shot: { model: V-T2V-A, matrix: { beat: "\${{ steps.script.json.beats }}" }, max: 5, with: { prompt: "\${{ matrix.beat }}", duration: 4 } }
`;
    expect(against(film, { video_seconds: 30 }).told).toEqual(['seconds of video | 0 | 0 | up to 20 | 30']);
    expect(against(film, { video_seconds: 10 }).told).toEqual([
      'seconds of video | 0 | 0 | up to 20 | 10',
      'seconds of video: what does not fit is not sent',
    ]);
  });

  test('tells a program the same', () => {
    expect(against(SHOTS, { usd: 25 }, spent(2)).json).toEqual([
      {
        ...{ of: 'film', measure: 'usd', limit: 25, spent: 2, in_flight: 0 },
        ...{ certain: 3.21, at_most: 3.61, unpriced: 0, maybe_unpriced: 0 },
      },
    ]);
  });
});

test('a plan of a film without a budget says nothing of one', () => {
  const plan = planOf(SHOTS);
  expect(formatPlan(plan, { width: 100 })).not.toContain('budget');
  expect(planJson(plan)).not.toHaveProperty('budget');
});

test('its budgets are a table, and a sentence each where there is no room for one', () => {
  const budget = statusOf(
    { of: 'film', budget: { usd: 3, images: 40 } },
    { settled: spent(2, 3), inFlight: NO_AMOUNTS },
  );
  const table = (width: number) => {
    const text = formatPlan(planOf(SHOTS), { width, budget });
    return text.slice(text.indexOf('\nbudget') + 1);
  };
  expect(table(80)).toMatchInlineSnapshot(`
    "budget                 spent  reserved      to come  limit
                  dollars  $2.00     $0.00  up to $1.61  $3.00
                  images       3         0            1     40
                  dollars: does not fit"
  `);
  expect(table(40)).toMatchInlineSnapshot(`
    "budget        dollars: spent $2.00,
                  reserved $0.00,
                  to come up to $1.61,
                  limit $3.00
                  images: spent 3,
                  reserved 0, to come 1,
                  limit 40
                  dollars: does not fit"
  `);
});
