/**
 * Picks of what nobody can know by one request: takes of a whole file, a pick inside of one, chains, picks of picks. Takes that lost before
 * they were sent are not paid for, and a choice in the lock replays in a fresh clone.
 */
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../src/run/engine/run.ts';
import { compiledProject } from '../support/project-files.ts';
import { chatAnswer } from './fake-service.ts';
import { pick } from './people.ts';
import { rig, type StartedRun, stdoutOf, withQuickRig } from './rig.ts';

withQuickRig();

const HEAD = 'shotlist: 1\nname: film\n';
/** A file of these steps; `last` is what it gives. */
const fileOf = (steps: string, last = 'draft') => `shotlist: 1
name: shot
params: { seed: { type: integer, default: 1 } }
steps:
${steps}outputs: { film: { from: "\${{ steps.${last} }}", to: out/film.mp4 } }
`;
const DRAFT = '  draft: { model: V-T2V-A, with: { prompt: "a fox ${{ params.seed }}", duration: 5 } }\n';
const UP = '  up: { model: V-UP, with: { input_video: "${{ steps.draft.result_url }}" } }\n';
const WRITTEN = `  idea: { model: C-D, with: { prompt: "an idea \${{ params.seed }}" } }
  draft: { model: V-T2V-A, with: { prompt: "\${{ steps.idea.text }}", duration: 5 } }
`;
const GRADED = `${DRAFT}  grade: { run: "cat $film $film > b.mp4", files: { film: "\${{ steps.draft.result_url }}" }, creates: { film: b.mp4 } }
`;

const TAKES = `${HEAD}steps:
  shot: { uses: ./shot.yaml, takes: 3 }
  best: { pick: "\${{ steps.shot }}" }
  told: { run: [echo, "\${{ steps.best.outputs.film.sha256 }}"] }
`;
const ROWS = TAKES.replace('takes: 3', 'matrix: { seed: [1, 2, 3] }, with: { seed: "${{ matrix.seed }}" }');
const OF_EACH = `${HEAD}steps:
  still: { model: V-T2V-A, takes: 3, with: { prompt: a fox, duration: 5 } }
  shot: { each: "\${{ steps.still }}", model: V-UP, with: { input_video: "\${{ each.result_url }}" } }
  best: { pick: "\${{ steps.shot }}" }
  told: { run: [echo, "\${{ steps.best.sha256 }}"] }
`;

const paid = () => [rig.service.posts.length, rig.service.calls.length];

async function ran(
  film: string,
  shot = fileOf(DRAFT),
): Promise<{ film: StartedRun; outcome: Outcome; told: unknown[] }> {
  const started = await rig.start(compiledProject({ 'film.yaml': film, 'shot.yaml': shot }));
  const outcome = await rig.runToEnd(started);
  return { film: started, outcome, told: [outcome.is, stdoutOf(outcome, 'told')] };
}

describe.each([
  { name: 'a chain inside', film: TAKES, shot: fileOf(DRAFT + UP, 'up'), once: [2, 0], all: [6, 0] },
  { name: 'a chat inside', film: ROWS, shot: fileOf(WRITTEN), once: [1, 1], all: [3, 3] },
  { name: 'each of a list', film: OF_EACH, shot: undefined, once: [2, 0], all: [6, 0] },
])('$name', ({ film, shot, once, all }) => {
  const second = film === ROWS ? 'seed=2' : 'take=2';
  const ideas = () => {
    for (let n = 1; n <= 3; n++) rig.service.chatAnswers.push(chatAnswer(`idea ${n}`));
  };

  test('a choice in the lock replays in a fresh clone, and in a clone of that: nothing is paid for', async () => {
    ideas();
    expect([(await ran(film, shot)).outcome.is, paid()]).toEqual(['waiting', all]);
    rig.said = [pick('best', second)];
    const { told } = await ran(film, shot);
    rig.said = [];
    for (const _ of ['a clone', 'a clone of that']) {
      await rig.cloneAfresh();
      expect([(await ran(film, shot)).told, paid()]).toEqual([told, all]);
    }
  });

  test('said beforehand, nothing is made of what loses, now or in a fresh clone', async () => {
    ideas();
    rig.said = [pick('best', second)];
    const { told } = await ran(film, shot);
    expect([told[0], paid()]).toEqual(['done', once]);
    const written = rig.lockText;
    expect([(await ran(film, shot)).told, paid(), rig.lockText]).toEqual([told, once, written]);
    rig.said = [];
    expect([(await ran(film, shot)).told, paid()]).toEqual([told, once]);
    await rig.cloneAfresh();
    expect([(await ran(film, shot)).told, paid()]).toEqual([told, once]);
  });

  test('said otherwise the next time, that one is made too, and counts from then on', async () => {
    ideas();
    rig.said = [pick('best', second)];
    const before = await ran(film, shot);
    rig.said = [pick('best', '3')];
    const { told } = await ran(film, shot);
    expect([told[0], paid()]).toEqual(['done', once.map(count => count * 2)]);
    expect(told).not.toEqual(before.told);
    rig.said = [];
    await rig.cloneAfresh();
    expect([(await ran(film, shot)).told, paid()]).toEqual([told, once.map(count => count * 2)]);
  });
});

test('what lost and is not kept by the service is not made again in a fresh clone', async () => {
  const shot = fileOf('  draft: { model: I-GEN-A, via: sync, with: { prompt: a fox } }\n').replace('.mp4', '.png');
  rig.facts = { kind: 'image', format: 'png' };
  // The same bytes each time for the same take.
  for (const take of [1, 2, 3, 2]) rig.service.madeNow.push({ is: 'made', urls: [`https://house.test/${take}.png`] });
  expect((await ran(TAKES, shot)).outcome.is).toBe('waiting');
  rig.said = [pick('best', 'take=2')];
  const { told } = await ran(TAKES, shot);
  rig.said = [];
  await rig.cloneAfresh();
  expect([(await ran(TAKES, shot)).told[0], told[0], paid()]).toEqual(['done', 'done', [0, 4]]);
});

test('a command inside is run again for what was chosen alone', async () => {
  rig.said = [pick('best', 'take=2')];
  const shot = fileOf(GRADED, 'grade.files.film');
  const { told } = await ran(TAKES, shot);
  rig.said = [];
  await rig.cloneAfresh();
  const clone = await ran(TAKES, shot);
  expect([clone.told, paid()]).toEqual([told, [1, 0]]);
  const begun = clone.film.events.flatMap(event => (event.type === 'command_started' ? [event.key as string] : []));
  expect(begun.filter(key => key.includes('grade'))).toEqual(['shot[take=2]/grade']);
});

describe('a pick inside a used file', () => {
  const INSIDE = `shotlist: 1
name: shot
params: { seed: { type: integer, default: 1 } }
steps:
  draft: { model: V-T2V-A, takes: 3, with: { prompt: "a fox \${{ params.seed }}", duration: 5 } }
  best: { pick: "\${{ steps.draft }}" }
  up: { model: V-UP, with: { input_video: "\${{ steps.best.result_url }}" } }
outputs: { film: { from: "\${{ steps.up }}", to: out/film.mp4 }, best: { from: "\${{ steps.best }}", to: out/best.mp4 } }
`;
  const FILM = `${HEAD}steps:
  shot: { uses: ./shot.yaml, matrix: { seed: [1, 2] }, with: { seed: "\${{ matrix.seed }}" } }
  told: { run: [echo, "\${{ steps.shot.map(s, s.outputs.film.sha256 + s.outputs.best.sha256).join(' ') }}"] }
`;

  test('is decided for each use, and replays in a fresh clone', async () => {
    rig.said = [pick('shot[seed=1]/best', 'take=2'), pick('shot[seed=2]/best', '3')];
    const { told } = await ran(FILM, INSIDE);
    expect([told[0], paid()]).toEqual(['done', [4, 0]]);
    rig.said = [];
    await rig.cloneAfresh();
    expect([(await ran(FILM, INSIDE)).told, paid()]).toEqual([told, [4, 0]]);
  });

  test('and one around it: what loses there is neither chosen from nor made', async () => {
    const film = `${FILM.replace(/ {2}told.*\n/, '')}  best: { pick: "\${{ steps.shot }}" }
  told: { run: [echo, "\${{ steps.best.outputs.film.sha256 }}"] }
`;
    rig.said = [pick('best', 'seed=2'), pick('shot[seed=2]/best', '3')];
    const { told } = await ran(film, INSIDE);
    expect([told[0], paid()]).toEqual(['done', [2, 0]]);
    rig.said = [];
    await rig.cloneAfresh();
    expect([(await ran(film, INSIDE)).told, paid()]).toEqual([told, [2, 0]]);
  });
});

test('a pick of picks', async () => {
  const film = `${HEAD}steps:
  shot: { model: V-T2V-A, matrix: { beat: [a, b] }, takes: 2, with: { prompt: "\${{ matrix.beat }}", duration: 5 } }
  best: { each: "\${{ steps.shot }}", pick: takes }
  one: { pick: "\${{ steps.best }}" }
  told: { run: [echo, "\${{ steps.one.sha256 }}"] }
`;
  rig.said = [pick('best', 'take=2'), pick('one', 'beat=b')];
  const { told } = await ran(film);
  expect([told[0], paid()]).toEqual(['done', [1, 0]]);
  rig.said = [];
  await rig.cloneAfresh();
  expect([(await ran(film)).told, paid()]).toEqual([told, [1, 0]]);
});

test('takes that are made in rounds: what loses has none', async () => {
  const film = `${HEAD}steps:
  line:
    model: C-D
    takes: 3
    with: { prompt: "\${{ has(previous.text) ? 'mend ' + previous.text : 'write' }}" }
    until: { holds: "\${{ this.text.startsWith('good') }}", max: 3 }
  best: { pick: "\${{ steps.line }}" }
  told: { run: [echo, "\${{ steps.best.text }}"] }
`;
  rig.service.chatAnswers.push(chatAnswer('bad'), chatAnswer('good'));
  rig.said = [pick('best', 'take=2')];
  expect([(await ran(film)).told, paid()]).toEqual([
    ['done', 'good'],
    [0, 2],
  ]);
  rig.said = [];
  await rig.cloneAfresh();
  expect([(await ran(film)).told, paid()]).toEqual([
    ['done', 'good'],
    [0, 2],
  ]);
});

test('an edit of what was chosen, or of what lost, is a new question', async () => {
  rig.said = [pick('best', 'seed=2')];
  await ran(ROWS);
  rig.said = [];
  const more = await ran(ROWS.replace('[1, 2, 3]', '[1, 2, 4]'));
  expect(more.outcome.is).toBe('waiting');
  expect((await ran(ROWS, fileOf(DRAFT.replace('a fox', 'an owl')))).outcome.is).toBe('waiting');
});

test('a rule tells takes of a whole file apart by their number, as those of a step', async () => {
  const ruled = TAKES.replace(
    '"${{ steps.shot }}" }',
    '"${{ steps.shot }}", rule: "${{ candidate.matrix.take == 2 ? 1 : 0 }}" }',
  );
  const { film, outcome } = await ran(
    ruled.replace('told:', 'first: { run: [echo, "${{ steps.shot.filter(s, s.matrix.take == 1).size() }}"] }\n  told:'),
  );
  expect([outcome.is, stdoutOf(outcome, 'first')]).toEqual(['done', '1']);
  expect(
    film.events.flatMap(event =>
      event.type === 'chosen'
        ? event.choice.chosen.map(one => event.choice.called[event.choice.from.indexOf(one)])
        : [],
    ),
  ).toEqual(['shot[take=2]']);
  const { outcome: ofStep } = await ran(`${HEAD}steps:
  shot: { matrix: { who: [a, b] }, takes: 2, run: [echo, "\${{ matrix.who }}\${{ take.number }}"] }
  best: { pick: "\${{ steps.shot }}", rule: "\${{ candidate.matrix.who == 'b' ? candidate.matrix.take : 0 }}" }
  told: { run: [echo, "\${{ steps.best.stdout }}"] }
`);
  expect(stdoutOf(ofStep, 'told')).toBe('b2');
});
