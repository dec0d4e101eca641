/** What is said beforehand, and what is taken back: `--pick`, `--approve`, `pick --undo`, in runs that wait, are killed, and go on. */
import { describe, expect, test } from 'vitest';
import type { InstanceKey } from '../../src/model/run/key.ts';
import type { Choices } from '../../src/records/journal/choices.ts';
import { type PresetAnswer, PresetChoices } from '../../src/run/choices/preset-choices.ts';
import { filmStatus } from '../../src/show/text/status/film-status.ts';
import { newestReport } from '../text/report/report-of.ts';
import { approve, deciding, elsewhere, Person, pick, pickElsewhere, pickOf, questionOf } from './people.ts';
import { ran, rig, stdoutOf, withQuickRig } from './rig.ts';

withQuickRig();

const FILM = `steps:
  shot: { matrix: { beat: [a, b] }, takes: 3, model: V-T2V-A, with: { prompt: "a fox \${{ matrix.beat }}", duration: 5 } }
  best: { each: "\${{ steps.shot }}", pick: takes }
  ok: { approve: "\${{ steps.best }}" }
  told: { needs: [ok], run: [echo, "\${{ steps.best.map(b, b.sha256).join() }}"] }
`;

describe('said beforehand', () => {
  test('takes that lose are never paid for, and the choice is a line of the lock that a fresh clone follows', async () => {
    rig.said = [pick('best[beat=a]', 'take=2'), pick('best[beat=b]', '3'), approve('ok')];
    const { outcome } = await ran(FILM);
    expect([outcome.is, rig.service.posts.length]).toEqual(['done', 2]);
    const { counts, questions } = filmStatus(newestReport(rig), [], '');
    expect({ counts, questions }).toEqual({ counts: { left_out: 4, made: 6 }, questions: [] });
    expect(rig.lockText).toMatch(/best\[beat=a\]:\n {6}chosen: shot\[beat=a,take=2\]\n {6}by: flag\n {6}who: Ada\n/);
    expect(rig.lockText).toMatch(/ok:\n {6}approved: true\n {6}by: flag\n/);
    const written = rig.lockText;
    // The same words again change nothing: a script may say them each time.
    expect((await ran(FILM)).outcome.is).toBe('done');
    expect(rig.lockText).toBe(written);
    rig.said = [];
    await rig.cloneAfresh();
    const again = await ran(FILM);
    expect([again.outcome.is, stdoutOf(again.outcome, 'told')]).toEqual(['done', stdoutOf(outcome, 'told')]);
    expect(rig.service.posts.length).toBe(2);
  });

  test('one word for all beats', async () => {
    rig.said = [pick('best', 'take=1'), approve('ok')];
    expect([(await ran(FILM)).outcome.is, rig.service.posts.length]).toEqual(['done', 2]);
  });

  test('killed before anything was made: the words hold, also for a run that says nothing', async () => {
    rig.service.isQuick = false;
    rig.said = [pick('best', 'take=2'), approve('ok')];
    const film = await rig.start(FILM);
    void rig.runToEnd(film).catch(() => {});
    await rig.service.arrived(2);
    await rig.kill();
    rig.said = [];
    rig.service.isQuick = true;
    rig.service.finish('gen-1');
    rig.service.finish('gen-2');
    const { outcome } = await ran(FILM);
    // The approval was of what was not there yet: that is asked about.
    expect([outcome.is, rig.service.posts.length]).toEqual(['waiting', 2]);
  });

  test('of a list that another step writes: what loses is not made either', async () => {
    rig.said = [pick('best', 'take=1')];
    const { outcome } = await ran(`steps:
  script: { run: [echo, '{"beats": ["x", "y"]}'] }
  shot: { matrix: { beat: "\${{ steps.script.json.beats }}" }, max: 4, takes: 3, model: V-T2V-A, with: { prompt: "a fox \${{ matrix.beat }}", duration: 5 } }
  best: { each: "\${{ steps.shot }}", pick: takes }
  told: { each: "\${{ steps.best }}", run: [echo, "\${{ each.sha256 }}"] }
`);
    expect([outcome.is, rig.service.posts.length]).toEqual(['done', 2]);
    expect(rig.lockText?.match(/by: flag/g)).toHaveLength(2);
  });

  test('it outranks a rule, and what was chosen before; a refusal of the very same content it does not', async () => {
    const ruled = `steps:
  line: { matrix: { n: [1, 2, 3] }, run: [echo, "\${{ matrix.n }}"] }
  best: { pick: "\${{ steps.line }}", rule: "\${{ candidate.matrix.n }}" }
  ok: { approve: "\${{ steps.best }}" }
`;
    rig.decider = deciding(() => ({ chosen: [] }), 'Grace');
    expect((await ran(ruled)).outcome.is).toBe('done');
    expect(rig.lockText).toContain('approved: false');
    rig.decider = undefined;
    rig.said = [approve('ok')];
    expect((await ran(ruled)).outcome.is).toBe('done');
    expect(rig.lockText).toContain('approved: false');
    rig.said = [pick('best', '1'), approve('ok')];
    expect((await ran(ruled)).outcome.is).toBe('done');
    expect(rig.lockText).toMatch(/best:\n {6}chosen: line\[n=1\]\n {6}by: flag/);
    expect(rig.lockText).toContain('approved: true');
  });

  test('what names no candidate is a mistake, and decides nothing', () => {
    const none: Choices = {
      find: () => undefined,
      record: async () => ({ is: 'kept' }),
      withdraw: async () => [],
      refresh: () => false,
      newest: 0,
      sinceOpened: new Map(),
    };
    const asking = pickOf({
      key: 'best' as InstanceKey,
      from: ['a', 'b'],
      called: ['shot[take=1]', 'shot[take=2]'] as never,
    });
    const said = (all: readonly PresetAnswer[]) => new PresetChoices(none, { all, who: 'Ada', at: 1 });
    const one = said([pick('best', 'take=3')]);
    expect([one.find(asking), one.mistakes]).toEqual([
      undefined,
      [expect.stringMatching(/take=3 is none of the candidates/)],
    ]);
    const two = said([pick('best', 'take=1', 'take=2')]);
    expect([two.find(asking), two.mistakes]).toEqual([undefined, ['best takes one candidate, and 2 are named']]);
  });
});

test('taken back the next run asks again, also where the lock still says it; another choice is taken', async () => {
  rig.said = [pick('best', 'take=2'), approve('ok')];
  const before = await ran(FILM);
  const lock = rig.lockText;
  rig.said = [];
  const picked = before.outcome.results.get('best[beat=a]' as InstanceKey)?.result;
  if (picked?.is !== 'picked') throw new Error('nothing is picked');
  const withdrawn = await elsewhere(choices => choices.withdraw(pickOf(picked.choice)));
  expect(withdrawn?.map(({ who }) => who)).toEqual(['Ada']);
  // The lock was not rewritten: a process that was cut off.
  expect(rig.lockText).toBe(lock);
  const { outcome, film } = await ran(FILM);
  expect([outcome.is, rig.service.posts.length]).toEqual(['waiting', 4]);
  const question = questionOf(film, 'best[beat=a]');
  expect(question.options).toHaveLength(3);
  await pickElsewhere(question, 'shot[beat=a,take=3]');
  rig.said = [approve('ok')];
  const after = await ran(FILM);
  expect([after.outcome.is, rig.lockText?.includes('chosen: shot[beat=a,take=3]')]).toEqual(['done', true]);
  expect(stdoutOf(after.outcome, 'told')).not.toBe(stdoutOf(before.outcome, 'told'));
});

test('a person in another terminal decides one question at the moment another is answered here: both move the run', async () => {
  const person = new Person();
  rig.decider = person;
  const film = await rig.start(FILM.replace(/ {2}ok: .*\n/, '').replace('needs: [ok], ', ''));
  const done = rig.runToEnd(film);
  const [first] = await Promise.all(['best[beat=a]', 'best[beat=b]'].map(key => person.isAsked(film, key, 3)));
  // What was written there is read with the answer here, before anybody looks for it.
  await pickElsewhere(first!, 'shot[beat=a,take=3]');
  person.says('best[beat=b]', 'shot[beat=b,take=1]');
  expect(await film.happened('chosen', 'best[beat=a]')).toMatchObject({ choice: { who: 'Grace' } });
  expect((await done).is).toBe('done');
});
