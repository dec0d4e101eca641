/** A run that meets its budget: what fits goes, what does not is not sent, and the next run goes on. */

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runsOf } from '../../src/app/reports/make-run-report.ts';
import { openAtService } from '../../src/app/reports/project-status.ts';
import { runsJson, runsText } from '../../src/cli/commands/team/list.ts';
import { runLines } from '../../src/cli/report/show-report.ts';
import type { BudgetStatus } from '../../src/model/budget.ts';
import { moneyOf } from '../../src/model/run/run-money.ts';
import { formatUsd } from '../../src/model/text/format.ts';
import { budgetTable } from '../../src/plan/cost/budget-plan.ts';
import { reduce } from '../../src/records/views/reduce.ts';
import { emptyRunView } from '../../src/records/views/run-view.ts';
import { HOSTED_PROOF } from '../../src/run/requests/proof-of-absence.ts';
import { planMarkdown } from '../../src/show/plan/plan-markdown.ts';
import { formatPlan } from '../../src/show/plan/plan-text.ts';
import { runSummary } from '../../src/show/reporters/github-summary.ts';
import { junitDocument } from '../../src/show/reporters/junit.ts';
import { plainReporter } from '../../src/show/reporters/plain.ts';
import { moneyTexts, openingLine } from '../../src/show/text/opening-and-outcome.ts';
import { summaryLines } from '../../src/show/text/run-summary.ts';
import { filmStatus } from '../../src/show/text/status/film-status.ts';
import { statusText } from '../../src/show/text/status/status-text.ts';
import type { RunRow } from '../../src/team/runs/run-rows.ts';
import { newestReport } from '../text/report/report-of.ts';
import { chatAnswer, LOST_ANSWER } from './fake-service.ts';
import { RunRig, ran, rig, type StartedRun, withQuickRig } from './rig.ts';

withQuickRig(() => {
  rig.pricing = new Map([
    ['V-T2V-A', { method: 'per_video_output_second', cost_per_second: 0.1 }],
    ['V-UP', { method: 'per_video_output_second', cost_per_second: 0.02 }],
    ['C-D', { method: 'token', input_cost_per_token: 0.001, output_cost_per_token: 0.002 }],
  ]);
});

/** $0.50 each, and $0.10 for what is made of it. */
const SHOTS = (budget: string) => `
budget: ${budget}
steps:
  shot: { model: V-T2V-A, matrix: { n: [1, 2, 3] }, with: { prompt: "shot \${{ matrix.n }}", duration: 5 } }
  up: { each: "\${{ steps.shot }}", model: V-UP, with: { input_video: "\${{ each.result_url }}", resolution: 720p } }
`;

const projectOf = ({ folder }: RunRig) => ({
  ...{ root: folder, pipelineFile: join(folder, 'film.yaml'), settingsFile: join(folder, 'none'), stateFolder: folder },
});

const sent = ({ events }: StartedRun) => events.flatMap(event => (event.type === 'submit_intended' ? [event.key] : []));
const held = ({ events }: StartedRun) =>
  events.flatMap(event => (event.type === 'over_budget' ? [`${event.key}: ${event.why}`] : []));
const told = ({ events }: StartedRun) =>
  summaryLines(events.reduce(reduce, emptyRunView()), 'shotlist run film.yaml').map(({ text }) =>
    text.replace(/after [^:]+:/, 'after …s:'),
  );

describe('a film', () => {
  test('stops at its budget: what fits goes on, nothing has failed, and the next run makes the rest', async () => {
    const { film, outcome } = await ran(SHOTS('{ usd: 1.15 }'));
    expect(outcome).toMatchObject({ is: 'budget', usd: 1.1 });
    expect(outcome.counts).toMatchObject({ succeeded: 3, unfinished: 3, failed: 0, blocked: 0 });
    // Of two that are ready at once the one whose clip was here first.
    const one = sent(film)[2] === 'up[n=1]' ? '1' : '2';
    const other = one === '1' ? '2' : '1';
    expect(sent(film)).toEqual(['shot[n=1]', 'shot[n=2]', `up[n=${one}]`]);
    expect(held(film).sort()).toEqual(['shot[n=3]: exceeds', `up[n=${other}]: exceeds`]);
    expect(film.events.at(-1)).toMatchObject({
      type: 'run_finished',
      outcome: 'budget',
      budget: [{ of: 'film', measure: 'usd', limit: 1.15, spent: 1.1, in_flight: 0 }],
    });
    const lines = told(film);
    expect(lines[0]).toBe('film stopped at its budget after …s: 3 not finished, 3 made, about $1.10 spent');
    expect(lines).toContain('budget: $1.10 of $1.15 spent');
    expect(lines.at(-1)).toBe('shotlist run film.yaml');

    const again = await rig.start(SHOTS('{ usd: 5 }'));
    expect(await rig.runToEnd(again)).toMatchObject({ is: 'done', usd: 0.7 });
    expect(again.events[0]).toMatchObject({ budget: [{ limit: 5, spent: 1.1, in_flight: 0 }] });
    expect(sent(again).sort()).toEqual(['shot[n=3]', `up[n=${other}]`, 'up[n=3]']);
  });

  test('that is lowered below what is spent sends nothing, and what is owned is made use of', async () => {
    await ran(SHOTS('{ usd: 5 }'));
    expect((await ran(SHOTS('{ usd: 0.5 }'))).outcome).toMatchObject({ is: 'done', usd: 0 });
    const more = await rig.start(SHOTS('{ usd: 0.5 }').replace('[1, 2, 3]', '[1, 2, 3, 4]'));
    expect(await rig.runToEnd(more)).toMatchObject({ is: 'budget', usd: 0 });
    expect(sent(more)).toEqual([]);
  });

  test('in a fresh clone knows by its lock what was spent', async () => {
    await ran(SHOTS('{ usd: 5 }'));
    const clone = new RunRig();
    try {
      Object.assign(clone, { lockText: rig.lockText, pricing: rig.pricing });
      const film = await clone.start(SHOTS('{ usd: 1.9 }').replaceAll('shot $', 'take $'));
      // All of it would be made anew: it is not sent.
      expect(film.events[0]).toMatchObject({ budget: [{ limit: 1.9, spent: 1.8, in_flight: 0 }] });
      expect((await film.done).is).toBe('budget');
      expect(clone.service.posts).toEqual([]);
    } finally {
      clone.dispose();
    }
  });
});

const SCRIPT = (budget: string, fields = 'max_tokens: 20') => `
budget: ${budget}
steps:
  script:
    model: C-D
    with: { prompt: beats, ${fields} }
    schema: { type: object, required: [beats], properties: { beats: { type: array, items: { type: string } } } }
`;

describe('a chat', () => {
  test('whose answer does not fit is sent back only where that fits: each call is asked about', async () => {
    rig.service.chatAnswers.push(chatAnswer('no JSON'), chatAnswer('{"beats":["a"]}'));
    const film = await rig.start(SCRIPT('{ usd: 9, generations: 1 }'));
    expect(await rig.runToEnd(film)).toMatchObject({ is: 'budget', usd: 0.02 });
    expect(rig.service.calls).toHaveLength(1);
    expect(held(film)).toEqual(['script: exceeds']);
  });

  test('counts what it really came to: much less than it might have', async () => {
    rig.service.chatAnswers.push(chatAnswer('{"beats":["a"]}'));
    const film = await rig.start(SCRIPT('{ usd: 9, tokens: 500 }'));
    expect(await rig.runToEnd(film)).toMatchObject({ is: 'done' });
    expect(film.events.at(-1)).toMatchObject({ budget: [{ spent: 0.02 }, { measure: 'tokens', spent: 15 }] });
  });

  test('without a bound to its answer counts for all that its model can write, unless what has no price is allowed', async () => {
    const film = await rig.start(SCRIPT('{ usd: 9 }', 'temperature: 1'));
    expect(await rig.runToEnd(film)).toMatchObject({ is: 'budget' });
    expect(held(film)).toEqual(['script: exceeds']);
    rig.service.chatAnswers.push(chatAnswer('{"beats":["a"]}'));
    const ample = await rig.start(SCRIPT('{ usd: 3000 }', 'temperature: 1'));
    expect(await rig.runToEnd(ample)).toMatchObject({ is: 'done' });
    // Once it is answered, what it came to counts.
    expect(ample.events.at(-1)).toMatchObject({ budget: [{ spent: 0.02 }] });
  });
});

describe('three numbers: what is made and does not come home is spent, what goes on is in flight, what is lost is perhaps', () => {
  /** Its service gives pages for results, and is interrupted. */
  async function resultsThatFail(): Promise<StartedRun> {
    rig.settings = { proof: HOSTED_PROOF };
    rig.service.isQuick = false;
    rig.service.listsHistory = false;
    rig.service.trouble.push(
      { answer: { is: 'accepted', id: 'gen-1' }, take: true },
      { answer: { is: 'accepted', id: 'gen-2' }, take: true },
      { answer: LOST_ANSWER, take: true },
    );
    for (let n = 0; n < 20; n++) rig.fetches.push({ is: 'failed', message: 'a page where the media should be' });
    const film = await rig.start(SHOTS('{ usd: 9 }').replace(/ {2}up: .*/, ''));
    await rig.service.arrived(3);
    await film.happened('submit_accepted', 'shot[n=2]');
    rig.service.finish('gen-1');
    await rig.runUntil(film, 'failed', 'shot[n=1]');
    return film;
  }
  async function twentyAccepted(): Promise<StartedRun> {
    rig.service.isQuick = false;
    const numbers = Array.from({ length: 20 }, (_, n) => n + 1).join(', ');
    const film = await rig.start(
      SHOTS('{ usd: 99 }')
        .replace('[1, 2, 3]', `[${numbers}]`)
        .replace(/ {2}up: .*/, ''),
    );
    let accepted = 0;
    for (let n = 1; n <= 20; n++) void film.happened('submit_accepted', `shot[n=${n}]`).then(() => (accepted += 1));
    while (accepted < 20) await rig.clock.advance(500);
    return film;
  }

  test.each([
    {
      of: 'a run whose results fail',
      start: resultsThatFail,
      usd: 0.5,
      unsettled: { in_flight: { requests: 1, usd: 0.5 }, perhaps: { requests: 1, usd: 0.5 } },
      words: ', $0.50 in flight for 1 request, perhaps $0.50 more for a request whose answer was lost',
      budgetText: '$0.50 of $9.00 spent, $1.00 reserved',
    },
    {
      of: 'an interruption with twenty accepted',
      start: twentyAccepted,
      usd: 0,
      unsettled: { in_flight: { requests: 20, usd: 10 } },
      words: ', $10.00 in flight for 20 requests',
      budgetText: '$0.00 of $99.00 spent, $10.00 reserved',
    },
  ])('$of says the same wherever it is shown', async ({ start, usd, unsettled, words, budgetText }) => {
    const film = await start();
    film.run.detach();
    const outcome = await rig.runToEnd(film);
    const view = film.events.reduce(reduce, emptyRunView());
    const report = newestReport(rig);
    const open = rig.journal.views.ledger.open.map(openAtService);
    const status = filmStatus(report, open, '');
    const [listed] = runsOf({ project: projectOf(rig), file: 'film.yaml', profile: undefined } as never);
    const team = {
      id: 'spot-1',
      service: 'house',
      path: 'spot.yaml',
      profile: null,
      askedBy: 'anna',
      createdAt: 0,
      changedAt: 0,
      price: 9,
    };
    const row = { ...team, status: 'cancelled', outcome: moneyOf(outcome) } as unknown as RunRow;
    const numbers = {
      'the last event': moneyOf(film.events.at(-1) as never),
      'the outcome, as a program gets it': moneyOf(outcome),
      'the report': moneyOf({ ...report.run, usd: report.run.spent }),
      status: moneyOf({ ...status.money, usd: status.money.spent }),
      'report --all': listed && moneyOf(listed as never),
      'team list': moneyOf(runsJson(row) as never),
    };
    const expected = { usd, ...unsettled };
    for (const [where, told] of Object.entries(numbers)) expect({ where, ...told }).toEqual({ where, ...expected });
    const texts = {
      'the last words': told(film).join('\n'),
      JUnit: junitDocument(view, ''),
      GitHub: runSummary(view, '').replaceAll('&#36;', '$'),
      status: statusText([status], rig.clock.now(), 200),
      'report --all': runLines(listed ? [listed] : [], 'film.yaml'),
      'team list': runsText([row], 'house'),
    };
    for (const [where, text] of Object.entries(texts)) expect(`${where}: ${text}`).toContain(words);
    const [spent = ''] = /(about )?(\$[\d.]+|nothing) spent/.exec(texts['the last words']) ?? [];
    expect(texts.status).toContain(`; ${spent}`);
    const { in_flight, perhaps } = expected as typeof expected & { perhaps?: { usd: number } };
    expect(texts.JUnit).toContain(`name="in_flight_usd" value="${in_flight.usd}"`);
    expect(texts.JUnit.includes('name="perhaps_usd"')).toBe(perhaps !== undefined);

    // The budget beside them: what is made is spent, and what goes on and what is lost are both reserved.
    const { budget: statuses = [] } = film.events.at(-1) as { readonly budget?: readonly BudgetStatus[] };
    const reserved = in_flight.usd + (perhaps?.usd ?? 0);
    expect(statuses).toMatchObject([{ of: 'film', measure: 'usd', spent: usd, in_flight: reserved }]);
    const budgetLines = { 'the last words': texts['the last words'], GitHub: texts.GitHub, opening: openingLine(view) };
    for (const [where, text] of Object.entries(budgetLines)) expect(`${where}: ${text}`).toContain(budgetText);
    expect(budgetTable(film.plan, statuses).rows[1]?.slice(0, 3)).toEqual([
      'dollars',
      formatUsd(usd),
      formatUsd(reserved),
    ]);
  });
});

/** Whatever shows what a film will cost, before anything of it is made. */
function beforehand({ plan, events }: StartedRun) {
  const view = events.slice(0, 1).reduce(reduce, emptyRunView());
  const total = /^total(.*?)(?=^\S)/ms.exec(`${formatPlan(plan, { width: 120 })}\nend`)?.[1] ?? '';
  return {
    plan: total.replaceAll(/\s+/g, ' '),
    'plan --format markdown': planMarkdown(plan, { command: '' }).replaceAll('&#36;', '$'),
    'the first line': openingLine(view),
    screen: moneyTexts(view)[0]!,
    JSON: JSON.stringify({ usd: null, ...events[0] }),
  };
}

describe('what a film will cost is one number in one phrase, before it runs', () => {
  const LIST = (matrix: string) => `
steps:
  script: { model: C-D, with: { prompt: beats, max_tokens: 20 }, schema: { type: object, required: [beats], properties: { beats: { type: array, items: { type: string } } } } }
  shot: { model: V-T2V-A, ${matrix}, with: { prompt: a fox, duration: 5 } }
`;
  const OPEN = LIST('matrix: { beat: "${{ steps.script.json.beats }}" }, max: 3');
  const SURE = SHOTS('{ images: 9 }').replace(/ {2}up: .*/, '');

  test.each([
    { of: 'certain', film: SURE, service: 'house', phrase: 'about $1.50', screen: 'to come ~$1.50', usd: 1.5 },
    { of: 'at most', film: OPEN, service: 'house', phrase: 'up to $1.72', screen: 'to come up to $1.72', usd: 1.717 },
    { of: 'free', film: SURE, service: 'studio', phrase: 'free ($1.50 at list price)', usd: 1.5 },
    { of: 'free, at most', film: OPEN, service: 'studio', phrase: 'free (up to $1.72 at list price)', usd: 1.717 },
  ])('$of', async ({ film, service, phrase, screen = phrase, usd }) => {
    const told = beforehand(await rig.start(film, {}, service));
    const { JSON: event, screen: footer, ...texts } = told;
    for (const [where, text] of Object.entries(texts)) expect(`${where}: ${text}`).toContain(phrase);
    expect(footer).toContain(screen);
    expect(JSON.parse(event)).toMatchObject({ usd });
  });

  test('with lists that became shorter the screen says what is left', async () => {
    rig.service.chatAnswers.push(chatAnswer('{"beats":["a"]}'));
    const film = await rig.start(OPEN);
    await film.happened('submit_accepted', 'shot[beat=a]');
    const view = film.events.reduce(reduce, emptyRunView());
    expect(moneyTexts(view)[0]).toBe('spent $0.02 · in flight $0.50');
  });

  test('with prices that are not known says so in all of them', async () => {
    rig.pricing = new Map();
    const told = beforehand(await rig.start(SURE));
    for (const where of ['plan', 'plan --format markdown', 'the first line'] as const)
      expect(`${where}: ${told[where]}`).toContain('3 instances without a known price');
  });
});

test('the built-in studio is free: no budget of dollars stops it, a budget of anything else does, and nothing is said to be spent', async () => {
  rig.budgets = { maxUsd: 0.1 };
  const film = await rig.start(SHOTS('{ usd: 1, generations: 5 }'), {}, 'studio');
  expect(formatPlan(film.plan, { width: 100 }).split('\n')[0]).toBe(
    'film  6 instances on studio, free: prices are list prices',
  );
  const outcome = await rig.runToEnd(film);
  expect(outcome).toMatchObject({ is: 'budget', counts: { succeeded: 5, unfinished: 1 } });
  expect(outcome).toMatchObject({ usd: 0, list_price_usd: 1.7 });
  expect(film.events.at(-1)).toMatchObject({ type: 'run_finished', usd: 0, list_price_usd: 1.7 });
  const free = 'free ($1.70 at list price)';
  const view = film.events.reduce(reduce, emptyRunView());
  const report = newestReport(rig);
  const status = filmStatus(report, [], '');
  expect(report.run).toMatchObject({ spent: 0, list_price: 1.7, estimated: 0 });
  expect(status.money).toMatchObject({ spent: 0, list_price: 1.7, free: true });
  const plain: string[] = [];
  const reporter = plainReporter(line => plain.push(line));
  for (const event of film.events) reporter.report(event);
  const texts = {
    'the last words': told(film).join('\n'),
    'the plain log': plain.join('\n'),
    JUnit: junitDocument(view, ''),
    GitHub: runSummary(view, '').replaceAll('&#36;', '$'),
    status: statusText([status], rig.clock.now(), 200),
  };
  for (const [where, text] of Object.entries(texts)) {
    expect(`${where}: ${text}`).toContain(free);
    expect(`${where}: ${text}`).not.toMatch(/\$[^\n]*spent|spent[^\n]*\$|catalog|elsewhere/);
    expect(`${where}: ${text.replaceAll(/free \([^)]*at list price\)/g, '')}`).not.toMatch(/\$\d/);
  }
  expect(texts.JUnit).toContain('name="usd" value="0"');
  expect(texts['the last words']).toContain('budget: 5 of 5 generations used');
});
