/** What is said beforehand, and what is taken back: `--pick`, `--approve`, `pick --undo`, in runs that wait, are killed, and go on. */
import { describe, expect, test } from 'vitest';
import type { Asking } from '../../src/model/run/choice.ts';
import type { InstanceKey } from '../../src/model/run/key.ts';
import { parseSelector } from '../../src/model/selector.ts';
import type { Choices } from '../../src/records/journal/choices.ts';
import { openJournal } from '../../src/records/journal/journal-file.ts';
import { LocalChoices } from '../../src/records/journal/local-choices.ts';
import { PresetChoices, type Said } from '../../src/run/choices/said-choices.ts';
import type { Decider, OpenQuestion, Verdict } from '../../src/run/ports/decider.ts';
import { ran, rig, type StartedRun, stdoutOf, withQuickRig } from './rig.ts';

withQuickRig();

const FILM = `steps:
  shot: { matrix: { beat: [a, b] }, takes: 3, model: V-T2V-A, with: { prompt: "a fox \${{ matrix.beat }}", duration: 5 } }
  best: { each: "\${{ steps.shot }}", pick: takes }
  ok: { approve: "\${{ steps.best }}" }
  told: { needs: [ok], run: [echo, "\${{ steps.best.map(b, b.sha256).join() }}"] }
`;

const pick = (text: string, ...chosen: string[]): Said => ({ is: 'pick', of: parseSelector(text)!, text, chosen });
const approve = (text: string): Said => ({ is: 'approve', of: parseSelector(text)!, text, chosen: [] });

describe('said beforehand', () => {
  test('takes that lose are never paid for, and the choice is a line of the lock that a fresh clone follows', async () => {
    rig.said = [pick('best[beat=a]', 'take=2'), pick('best[beat=b]', '3'), approve('ok')];
    const { outcome } = await ran(FILM);
    expect([outcome.is, rig.service.posts.length]).toEqual(['done', 2]);
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
    rig.decider = { choose: async () => undefined, decide: async () => ({ chosen: [], by: 'person', who: 'Grace' }) };
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
    const asking = askingOf('best', ['shot[take=1]', 'shot[take=2]']);
    const said = (all: readonly Said[]) => new PresetChoices(none, { all, who: 'Ada', at: 1 });
    const one = said([pick('best', 'take=3')]);
    expect([one.find(asking), one.mistakes]).toEqual([
      undefined,
      [expect.stringMatching(/take=3 is none of the candidates/)],
    ]);
    const two = said([pick('best', 'take=1', 'take=2')]);
    expect([two.find(asking), two.mistakes]).toEqual([undefined, ['best takes one candidate, and 2 are named']]);
  });
});

const askingOf = (key: string, called: readonly string[]): Asking => ({
  ...{ is: 'pick', key: key as InstanceKey, count: 1, by: 'person' },
  ...{ called: called as readonly InstanceKey[], from: called.map(one => `of ${one}`) },
});

const question = (events: StartedRun['events'], key: string) =>
  events.findLast(
    event => event.type === 'waiting_for' && event.key === (key as InstanceKey),
  ) as unknown as OpenQuestion;

/** What another process of this machine does. */
async function elsewhere<T>(act: (choices: LocalChoices) => T | Promise<T>, locked: readonly [] = []): Promise<T> {
  const journal = openJournal({ folder: rig.folder, film: rig.film, clock: rig.clock, to: 'look' });
  try {
    return await act(new LocalChoices({ journal, locked, hasStep: () => true }));
  } finally {
    await journal.close();
  }
}

const pickElsewhere = ({ key, options }: OpenQuestion, take: number, who = 'Grace') =>
  elsewhere(choices => {
    const [from, called] = [options.map(({ id }) => id), options.map(option => option.key)];
    const asking: Asking = { is: 'pick', key, from, called, count: 1, by: 'person' };
    return choices.record({ key, from, called, chosen: [from[take - 1]!], by: 'person', who, at: 7 }, asking);
  });

describe('taken back', () => {
  test('the next run asks again, also where the lock still says it; another choice is taken', async () => {
    rig.said = [pick('best', 'take=2'), approve('ok')];
    const before = await ran(FILM);
    const lock = rig.lockText;
    rig.said = [];
    const asked = askingOfRun(before.film, 'best[beat=a]');
    expect((await elsewhere(choices => choices.withdraw(asked)))?.map(({ who }) => who)).toEqual(['Ada']);
    // The lock was not rewritten: a process that was cut off.
    expect(rig.lockText).toBe(lock);
    const { outcome, film } = await ran(FILM);
    expect([outcome.is, rig.service.posts.length]).toEqual(['waiting', 4]);
    expect(question(film.events, 'best[beat=a]').options).toHaveLength(3);
    await pickElsewhere(question(film.events, 'best[beat=a]'), 3);
    rig.said = [approve('ok')];
    const after = await ran(FILM);
    expect([after.outcome.is, rig.lockText?.includes('chosen: shot[beat=a,take=3]')]).toEqual(['done', true]);
    expect(stdoutOf(after.outcome, 'told')).not.toBe(stdoutOf(before.outcome, 'told'));
  });

  const askingOfRun = ({ plan }: StartedRun, key: string): Asking => {
    const { decision } = plan.instances.get(key as InstanceKey) ?? {};
    const choice = decision?.is === 'hit' && decision.result.is === 'picked' ? decision.result.choice : undefined;
    if (choice)
      return { is: 'pick', key: choice.key, from: choice.from, called: choice.called, count: 1, by: 'person' };
    const known = rigChoice(key);
    return { is: 'pick', key: known.key, from: known.from, called: known.called, count: 1, by: 'person' };
  };
  const rigChoice = (key: string) => {
    const journal = openJournal({ folder: rig.folder, film: rig.film, clock: rig.clock, to: 'look' });
    const rows = journal.choices
      .after(0)
      .flatMap(row => ('choice' in row && row.choice.key === key ? [row.choice] : []));
    void journal.close();
    return rows.at(-1)!;
  };
});

describe('a person in another terminal', () => {
  /** Two who are asked; the test says when one answers. */
  class Sitting implements Decider {
    readonly #answers = new Map<string, (verdict: Verdict | undefined) => void>();
    readonly asked = new Map<string, OpenQuestion>();
    choose = async () => undefined;
    decide(one: OpenQuestion, signal: AbortSignal): Promise<Verdict | undefined> {
      this.asked.set(one.key, one);
      return new Promise(resolve => {
        this.#answers.set(one.key, resolve);
        signal.addEventListener('abort', () => resolve(undefined), { once: true });
      });
    }
    says(key: string, take: number): void {
      const { options } = this.asked.get(key)!;
      this.#answers.get(key)?.({ chosen: [options[take - 1]!.id], by: 'person', who: 'Ada' });
    }
  }

  test('decides one question at the moment another is answered here: both move the run', async () => {
    const person = new Sitting();
    rig.decider = person;
    const film = await rig.start(FILM.replace(/ {2}ok: .*\n/, '').replace('needs: [ok], ', ''));
    const done = rig.runToEnd(film);
    const whole = async (key: string): Promise<OpenQuestion> => {
      await film.happened('waiting_for', key);
      const asked = person.asked.get(key)!;
      while (asked.options.length < 3) await new Promise<void>(resolve => void asked.onChange(resolve));
      return asked;
    };
    const [first] = await Promise.all([whole('best[beat=a]'), whole('best[beat=b]')]);
    // What was written there is read with the answer here, before anybody looks for it.
    await pickElsewhere(first, 3);
    person.says('best[beat=b]', 1);
    expect((await film.happened('chosen', 'best[beat=a]')) as unknown).toMatchObject({ choice: { who: 'Grace' } });
    expect((await done).is).toBe('done');
  });
});
