/** A pick in a run: who decides, what waits, what is left out, and that the same is never asked twice. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { InstanceKey } from '../../src/model/run/key.ts';
import { DEFAULT_LIMITS } from '../../src/run/engine/limits.ts';
import { chooses, elsewhere, Person, pickElsewhere, pickOf, questionOf } from './people.ts';
import { eventLines, leftOut, ran, rig, type StartedRun, stdoutOf, withQuickRig } from './rig.ts';

withQuickRig();

const FILM = `steps:
  shot: { model: V-T2V-A, takes: 3, with: { prompt: a fox, duration: 5 } }
  best: { pick: "\${{ steps.shot }}" }
  told: { run: [echo, "\${{ steps.best.sha256 }} \${{ steps.best.choice.who }}"] }
outputs:
  film: { from: "\${{ steps.best }}", to: out/best.mp4 }
`;

const choices = ({ events }: StartedRun) => events.flatMap(event => (event.type === 'chosen' ? [event.choice] : []));
/** A person is asked about this film, and there are so many to choose from. */
async function asking(text = FILM, count = 3) {
  const person = new Person();
  rig.decider = person;
  const film = await rig.start(text);
  const done = rig.runToEnd(film);
  done.catch(() => {});
  const question = await person.isAsked(film, 'best', count);
  return { person, film, done, question, says: (option: string, note?: string) => person.says('best', option, note) };
}

describe('a person chooses', () => {
  test('nobody is there: the rest runs on, and the run ends waiting', async () => {
    const { film, outcome } = await ran(`${FILM.replace('outputs:', '  other: { run: [echo, other] }\noutputs:')}`);
    expect([outcome.is, outcome.counts.succeeded, outcome.counts.unfinished]).toEqual(['waiting', 4, 2]);
    expect(eventLines(film.events).filter(line => /best|finished/.test(line))).toEqual([
      'best waiting_for',
      'best waiting_for',
      'best waiting_for',
      'run_finished',
    ]);
    expect(film.events.at(-1)).toMatchObject({ type: 'run_finished', outcome: 'waiting' });
  });

  test('nobody is asked about a pick that is no part of the run', async () => {
    await ran(FILM);
    const person = new Person();
    rig.decider = person;
    rig.selection = { until: ['shot'] };
    const { film, outcome } = await ran(FILM);
    expect([outcome.is, person.asked.size]).toEqual(['done', 0]);
    expect(eventLines(film.events)).not.toContain('best waiting_for');
  });

  test('the answer lets the film go on, is told, and stands in the lock; the next run asks nobody', async () => {
    const { film, done, says } = await asking();
    says('shot[take=2]', 'it breathes');
    const outcome = await done;
    expect(outcome.is).toBe('done');
    expect(choices(film)).toMatchObject([{ key: 'best', by: 'person', who: 'Ada', note: 'it breathes' }]);
    expect(stdoutOf(outcome, 'told')).toContain(' Ada');
    expect(existsSync(join(rig.folder, 'out/best.mp4'))).toBe(true);
    expect(rig.lockText).toMatch(
      /choices of house:\n {4}best:\n {6}chosen: shot\[take=2\]\n {6}by: person\n {6}who: Ada\n/,
    );
    rig.decider = undefined;
    const again = await ran(FILM);
    expect([again.outcome.is, again.outcome.counts.reused]).toEqual(['done', 5]);
    expect(stdoutOf(again.outcome, 'told')).toBe(stdoutOf(outcome, 'told'));
  });

  test('who chooses before all takes are there decides against those to come: what was not sent is not sent', async () => {
    const person = new Person();
    rig.decider = person;
    rig.service.isQuick = false;
    rig.settings = { limits: { ...DEFAULT_LIMITS, in_flight: 2 } };
    const film = await rig.start(FILM.replace('takes: 3', 'takes: 4'));
    await rig.service.arrived(2);
    rig.service.finish('gen-1');
    const done = rig.runToEnd(film);
    const question = await person.isAsked(film, 'best', 1);
    await rig.service.arrived(3);
    expect(question.awaited).toEqual(['shot[take=2]', 'shot[take=3]', 'shot[take=4]']);
    person.says('best', 'shot[take=1]');
    await film.happened('chosen');
    rig.service.finish('gen-2');
    rig.service.finish('gen-3');
    expect((await done).is).toBe('done');
    expect([rig.service.posts.length, leftOut(film)]).toEqual([3, ['shot[take=4]: lost the pick best']]);
    expect(choices(film)[0]?.from).toHaveLength(4);
  });
});

describe('a rule chooses', () => {
  const RULED = `steps:
  line: { matrix: { n: [1, 2, 3] }, run: [echo, '{"score": 1}', "\${{ matrix.n }}"] }
  best: { pick: "\${{ steps.line }}", rule: "\${{ candidate.matrix.n == 2 ? 5 : 1 }}" }
  told: { run: [echo, "\${{ steps.best.stdout }}"] }
`;
  test('the highest number wins, its score is kept, and it is not computed again', async () => {
    const { film, outcome } = await ran(RULED);
    expect([outcome.is, stdoutOf(outcome, 'told')]).toEqual(['done', '{"score": 1} 2']);
    expect(choices(film)[0]?.scores?.map(({ score }) => score)).toEqual([1, 5, 1]);
    const again = await ran(RULED);
    expect(choices(again.film)).toEqual([]);
    expect(again.outcome.counts.reused).toBe(5);
  });

  test('of equals the first; another rule decides anew', async () => {
    const first = await ran(RULED.replace('== 2', '== 9'));
    expect(stdoutOf(first.outcome, 'told')).toBe('{"score": 1} 1');
    const other = await ran(RULED.replace('== 2', '== 3'));
    expect(stdoutOf(other.outcome, 'told')).toBe('{"score": 1} 3');
  });

  test.each([
    [
      'count: the best come first, as a list',
      `  line: { matrix: { n: [1, 2, 3] }, run: [echo, "\${{ matrix.n }}"] }
  best: { pick: "\${{ steps.line }}", count: 2, rule: "\${{ candidate.matrix.n }}" }
  told: { run: [echo, "\${{ steps.best.map(b, b.stdout.trim() + ':' + string(b.choice.score)).join(',') }}"] }`,
      { told: '3:3,2:2' },
    ],
    [
      'takes: one choice for each beat, over its own takes',
      `  line: { matrix: { beat: [a, b] }, takes: 2, run: [echo, "\${{ matrix.beat }}\${{ take.number }}"] }
  best: { each: "\${{ steps.line }}", pick: takes, rule: "\${{ candidate.matrix.take }}" }
  told: { each: "\${{ steps.best }}", run: [echo, "\${{ each.stdout }}"] }`,
      { 'told[beat=a]': 'a2', 'told[beat=b]': 'b2' },
    ],
    [
      'takes alone leave one result, and no list',
      `  line: { takes: 2, run: [echo, "\${{ take.number }}"] }
  best: { each: "\${{ steps.line }}", pick: takes, rule: "\${{ candidate.matrix.take }}" }
  told: { run: [echo, "\${{ steps.best.stdout }}"] }`,
      { told: '2' },
    ],
    [
      'says which one it is: its take, and its coordinates',
      `  line: { matrix: { beat: [a, b] }, takes: 3, run: [echo, "\${{ matrix.beat }}\${{ take.number }}"] }
  best: { each: "\${{ steps.line }}", pick: takes, rule: "\${{ candidate.matrix.take == 2 ? 1 : 0 }}" }
  first: { pick: "\${{ steps.best }}", rule: "\${{ candidate.matrix.beat == 'b' ? 1 : 0 }}" }
  two: { pick: "\${{ steps.line }}", count: 2, rule: "\${{ candidate.matrix.take }}" }
  each: { each: "\${{ steps.best }}", run: [echo, "take \${{ each.take + 1 }} of \${{ each.matrix.beat }}"] }
  told: { run: [echo, "\${{ steps.first.take }} of \${{ steps.first.matrix.beat }}, \${{ steps.best.map(b, b.matrix.beat + string(b.take)).join(' ') }}, \${{ steps.two.map(t, t.matrix.beat + string(t.take)).join(' ') }}"] }`,
      { 'each[beat=b]': 'take 3 of b', told: '2 of b, a2 b2, a3 b3' },
    ],
    [
      'a filter, and several steps in a list',
      `  line: { matrix: { n: [1, 2, 3] }, run: [echo, "\${{ matrix.n }}"] }
  other: { run: [echo, other] }
  best: { pick: "\${{ steps.line.filter(l, l.matrix.n < 3) }}", rule: "\${{ candidate.matrix.n }}" }
  both: { pick: ["\${{ steps.best }}", "\${{ steps.other }}"], rule: "\${{ candidate.stdout.startsWith('o') ? 1 : 0 }}" }
  told: { run: [echo, "\${{ steps.best.stdout }} \${{ steps.both.stdout }}"] }`,
      { told: '2 other' },
    ],
  ])('%s', async (_, steps, says) => {
    const { outcome } = await ran(`steps:\n${steps}\n`);
    expect(outcome.is).toBe('done');
    for (const [key, words] of Object.entries(says)) expect([key, stdoutOf(outcome, key)]).toEqual([key, words]);
  });

  test('what gives no number fails with words', async () => {
    const { outcome, film } = await ran(RULED.replace('? 5 : 1', '? candidate.json.score : 1'));
    expect(outcome.is).toBe('failed');
    expect(film.events.find(event => event.type === 'failed')).toMatchObject({ key: 'best' });
  });
});

test('one candidate alone is taken without asking', async () => {
  const { film, outcome } = await ran(FILM.replace('takes: 3', 'takes: 1'));
  expect(outcome.is).toBe('done');
  expect(choices(film)).toMatchObject([{ by: 'only' }]);
});

describe('two at once, and what goes wrong', () => {
  test('a choice that another process makes moves the run within a second, and the one who was asked is told', async () => {
    const { person, film, done, question } = await asking();
    const before = rig.clock.now();
    expect(await pickElsewhere(question, 'shot[take=3]')).toEqual({ is: 'kept' });
    const chosen = await film.happened('chosen');
    expect(chosen).toMatchObject({ choice: { who: 'Grace' } });
    expect(chosen.at - before).toBeLessThanOrEqual(1_000);
    expect(person.asked.get('best')?.signal.aborted).toBe(true);
    expect((await done).is).toBe('done');
  });

  test('a choice that another process made a moment before is the one that counts', async () => {
    const { film, done, question, says } = await asking();
    await elsewhere(async choices => {
      await chooses(choices, question, 'shot[take=3]');
      says('shot[take=2]');
    });
    expect((await done).is).toBe('done');
    expect(choices(film)).toMatchObject([{ who: 'Grace' }]);
  });

  test('killed after the choice and before the lock was written: the next run takes it, and writes it', async () => {
    // What a killed process was placing goes on in this one, so nothing is placed.
    const UNPLACED = FILM.slice(0, FILM.indexOf('outputs:'));
    const { film, says } = await asking(UNPLACED);
    says('shot[take=2]');
    await film.happened('chosen');
    await rig.kill();
    expect(rig.lockText ?? '').not.toContain('choices of');
    rig.decider = undefined;
    const again = await ran(UNPLACED);
    expect(again.film.events.filter(({ type }) => type === 'failed' || type === 'output_failed')).toEqual([]);
    expect(again.outcome.is).toBe('done');
    expect(rig.lockText).toContain('chosen: shot[take=2]');
  });

  test('the disk is full at the choice: the run stops, nothing follows from it, and the next asks again', async () => {
    const { film, done, says } = await asking();
    rig.disk.isFull = true;
    says('shot[take=2]');
    expect((await done).is).toBe('unwritable');
    expect(choices(film)).toEqual([]);
    rig.disk.isFull = false;
    await rig.kill();
    rig.decider = undefined;
    expect((await ran(FILM)).outcome.is).toBe('waiting');
  });

  test('a clock that went back does not bring back an older choice', async () => {
    const question = questionOf((await ran(FILM)).film, 'best');
    await pickElsewhere(question, 'shot[take=1]');
    const at = await elsewhere(async choices => {
      const asking = pickOf({
        ...{ key: question.key, from: question.options.map(({ id }) => id), called: question.options.map(o => o.key) },
      });
      const before = choices.find(asking)!;
      const newer = { ...before, chosen: [asking.from[1]!], at: before.at - 1_000_000 };
      expect(await choices.record(newer, asking, before)).toEqual({ is: 'kept' });
      return newer.at;
    });
    const { film } = await ran(FILM);
    expect(film.events.find(event => event.type === 'reused' && event.key === ('best' as InstanceKey))).toMatchObject({
      result: { choice: { at } },
    });
  });
});

describe('the lock', () => {
  async function chosen() {
    const { done, says } = await asking();
    says('shot[take=2]');
    await done;
    rig.decider = undefined;
  }

  test('candidates that are owned before what they read is settled are known in it by what they ask for', async () => {
    const film = `params: { up: { type: boolean, default: false } }
steps:
  extra: { if: "\${{ params.up }}", model: V-T2V-A, with: { prompt: a fox } }
  line:
    matrix: { n: [1, 2] }
    run: [echo, "\${{ matrix.n }} \${{ has(steps.extra.sha256) ? 'more' : 'alone' }}"]
  best: { pick: "\${{ steps.line }}" }
`;
    expect((await ran(film)).outcome.is).toBe('waiting');
    const { done, says } = await asking(film, 2);
    says('line[n=2]');
    await done;
    const lock = rig.lockText ?? '';
    const asked = /line\[n=2\]:\n {6}fingerprint: (?<fingerprint>[\da-f]{64})/.exec(lock)?.groups?.fingerprint;
    expect(lock).toContain(`line[n=2]: ${asked}`);
  });

  test('another choice in it, pulled or edited by hand, is newer than the journal, and the film follows it', async () => {
    await chosen();
    rig.lockText = rig.lockText
      ?.replace('chosen: shot[take=2]', 'chosen: shot[take=3]')
      .replace('who: Ada', 'who: Grace');
    const { film, outcome } = await ran(FILM);
    expect(outcome.is).toBe('done');
    expect(film.events.find(event => event.type === 'reused' && event.key === ('best' as InstanceKey))).toMatchObject({
      result: { choice: { who: 'Grace' }, chosen: [{ key: 'shot[take=3]' }] },
    });
    expect(rig.lockText).toContain('who: Grace');
  });

  test.each([
    ['chosen: shot[take=2]', 'chosen: shot[take=7]', /`chosen` names shot\[take=7\], which is not among `from`/],
    ['by: person', 'by: me', /`by` must be person, flag, rule, judge, only or promoted/],
    ['who: Ada', 'whom: Ada', /`who` must be a text/],
    ['at: 20', 'at: yesterday 20', /`at` must be a time/],
  ])('%s edited to %s is refused with what to do', async (from, to, message) => {
    await chosen();
    rig.lockText = rig.lockText?.replace(from, to);
    await expect(rig.start(FILM)).rejects.toThrow(message);
  });

  test('a choice of a step that is gone goes with it, and stays where the run did not end', async () => {
    await chosen();
    const gone = FILM.replace(/ {2}best: .*\n {2}told: .*\n/, '')
      .replace('steps.best', 'steps.shot')
      .replace('out/best.mp4', '"out/best-{take}.mp4"');
    expect((await ran(gone)).outcome.is).toBe('done');
    expect(rig.lockText).not.toContain('chosen:');
  });
});
