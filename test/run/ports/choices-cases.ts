/** What every implementation of `Choices` must do, whether one machine keeps them or a database that many share. */
import { afterEach, describe, expect, test } from 'vitest';
import type { Asking, Choice } from '../../../src/model/run/choice.ts';
import type { InstanceKey } from '../../../src/model/run/key.ts';
import type { FilmJournal } from '../../../src/records/journal/film-journal.ts';
import { LocalChoices } from '../../../src/records/journal/local-choices.ts';
import { RunRig, type StartedRun } from '../rig.ts';
import type { FilmWorld } from './film-world.ts';

const KEY = 'best' as InstanceKey;
const called = ['shot[seed=1]', 'shot[seed=2]'] as unknown as readonly InstanceKey[];
const asking: Asking = { is: 'pick', key: KEY, from: ['a', 'b'], called, count: 1, by: 'person' };
const choice = (who: string, chosen: string, at = 5): Choice => ({
  ...{ key: KEY, from: ['a', 'b'], called, chosen: [chosen], by: 'person', who, at },
});

export function choicesCases(open: () => FilmWorld | Promise<FilmWorld>): void {
  const choicesOf = (journal: FilmJournal, locked: readonly Choice[] = []) =>
    new LocalChoices({ journal, locked, hasStep: () => true });
  /** Brings what others have decided to where it is looked for. */
  const look = async (journal: FilmJournal, choices: LocalChoices) => {
    await journal.look({ fingerprint: '' });
    return choices.refresh();
  };

  test('the first wins, and the second is told who was', async () => {
    const world = await open();
    const [ada, bob] = [choicesOf(await world.looks('fox')), choicesOf(await world.looks('fox'))];
    expect(await ada.record(choice('Ada', 'a'), asking)).toEqual({ is: 'kept' });
    expect(await bob.record(choice('Bob', 'b'), asking)).toMatchObject({ is: 'taken', choice: { who: 'Ada' } });
    expect([ada.find(asking)?.who, bob.find(asking)?.who]).toEqual(['Ada', 'Ada']);
  });

  test('of twenty at once one is kept, and all others are told the same', async () => {
    const world = await open();
    const all = await Promise.all(
      [...Array(20).keys()].map(async n => ({ n, choices: choicesOf(await world.looks('fox')) })),
    );
    const came = await Promise.all(
      all.map(({ n, choices }) => choices.record(choice(`p${n}`, n % 2 === 0 ? 'a' : 'b'), asking)),
    );
    expect(came.filter(({ is }) => is === 'kept')).toHaveLength(1);
    expect(new Set(all.map(({ choices }) => choices.find(asking)?.who)).size).toBe(1);
    const later = choicesOf(await world.looks('fox'));
    expect(later.find(asking)?.who).toBe(all[0]?.choices.find(asking)?.who);
  });

  test('whoever has seen a choice may replace it; whoever has not is told of it', async () => {
    const world = await open();
    const [ada, bob] = [choicesOf(await world.looks('fox')), choicesOf(await world.looks('fox'))];
    await ada.record(choice('Ada', 'a'), asking);
    const seen = choice('Ada', 'a');
    expect(await ada.record(choice('Ada', 'b', 6), asking, seen)).toEqual({ is: 'kept' });
    expect(await bob.record(choice('Bob', 'a', 7), asking, seen)).toMatchObject({ is: 'taken', choice: { at: 6 } });
  });

  test('what was kept is there for the run that goes on, and for the next', async () => {
    const world = await open();
    const fox = await world.process('fox');
    const ofRun = choicesOf(fox.journal);
    expect(ofRun.find(asking)).toBeUndefined();
    expect(await look(fox.journal, ofRun)).toBe(false);
    await choicesOf(await world.looks('fox')).record(choice('Ada', 'a'), asking);
    expect(await look(fox.journal, ofRun)).toBe(true);
    expect(ofRun.find(asking)).toMatchObject({ who: 'Ada', chosen: ['a'] });
    expect(await look(fox.journal, ofRun)).toBe(false);
    await fox.dies();
    expect(choicesOf((await world.process('fox')).journal).find(asking)).toMatchObject({ who: 'Ada' });
  });

  test('what is withdrawn holds no more, for anybody, and may be decided anew', async () => {
    const world = await open();
    const fox = await world.process('fox');
    const ofRun = choicesOf(fox.journal);
    const ada = choicesOf(await world.looks('fox'));
    await ada.record(choice('Ada', 'a'), asking);
    await look(fox.journal, ofRun);
    expect(await ada.withdraw(asking)).toMatchObject([{ who: 'Ada' }]);
    await look(fox.journal, ofRun);
    expect([ada.find(asking), ofRun.find(asking)]).toEqual([undefined, undefined]);
    expect(await ofRun.record({ ...choice('a rule', 'b', 8), by: 'person' }, asking)).toEqual({ is: 'kept' });
    expect(choicesOf(await world.looks('fox')).find(asking)).toMatchObject({ who: 'a rule' });
  });

  test('many looks at once bring nothing twice, and nothing back', async () => {
    const world = await open();
    const fox = await world.process('fox');
    const ofRun = choicesOf(fox.journal);
    const ada = choicesOf(await world.looks('fox'));
    for (let n = 0; n < 5; n++) {
      await ada.record(choice('Ada', 'a', n), asking);
      const looks = [...Array(6).keys()].map(() => look(fox.journal, ofRun));
      const decides = [1, 2].map(() => fox.journal.decide({ fingerprint: `f${n}`, model: 'm' }, () => ofRun.refresh()));
      await ada.withdraw(asking);
      await Promise.all([...looks, ...decides]);
      await look(fox.journal, ofRun);
      expect(ofRun.find(asking)).toBeUndefined();
    }
  });

  test('what the lock says is older than what the journal has seen since', async () => {
    const world = await open();
    const locked = choice('Eve', 'a', 1);
    const ada = choicesOf(await world.looks('fox'), [locked]);
    expect(ada.find(asking)).toMatchObject({ who: 'Eve' });
    expect(await ada.record(choice('Ada', 'b', 2), asking, locked)).toEqual({ is: 'kept' });
    expect(choicesOf(await world.looks('fox'), [locked]).find(asking)).toMatchObject({ who: 'Ada' });
  });

  test('another film is another matter', async () => {
    const world = await open();
    await choicesOf(await world.looks('fox')).record(choice('Ada', 'a'), asking);
    const owl = await world.process('owl');
    const ofOwl = choicesOf(owl.journal);
    await look(owl.journal, ofOwl);
    expect(ofOwl.find(asking)).toBeUndefined();
  });

  test('words of a hostile kind are kept as they are', async () => {
    const world = await open();
    const note = 'a\0b \ud800 "quoted" \\u0000';
    await choicesOf(await world.looks('fox')).record({ ...choice(`Ada ${note}`, 'a'), note }, asking);
    expect(choicesOf(await world.looks('fox')).find(asking)).toMatchObject({ note, who: `Ada ${note}` });
  });

  describe('a choice is acted on, whenever it arrives:', () => {
    const rigs: RunRig[] = [];
    afterEach(async () => {
      for (const rig of rigs.splice(0)) await rig.dispose();
    });
    const begun = async (): Promise<Led> => {
      const led = new Led(await open());
      rigs.push(led.rig);
      await led.begins();
      await led.rig.service.arrived(5);
      return led;
    };

    test.each<readonly [when: string, turns: number, story: (led: Led) => Promise<void>]>([
      [
        'before there is anything to choose from',
        1,
        async led => {
          await led.picks('best', 2);
          await led.picks('tune', 1);
          led.makes('shot', 'song');
        },
      ],
      [
        'while the question is open, with no time left until the run parks',
        1,
        async led => {
          led.makes('shot', 'song');
          await led.asks('best', 'tune');
          await led.picks('best', 2);
          await led.picks('tune', 1);
        },
      ],
      [
        'while the other choice is acted on',
        1,
        async led => {
          led.makes('shot', 'song');
          await led.asks('best', 'tune');
          await led.picks('best', 2);
          await led.rig.clock.advance(500);
          await led.film.happened('succeeded', 'told');
          await led.picks('tune', 1);
        },
      ],
      [
        'for another take, after the film of the first one was made',
        2,
        async led => {
          await led.decided({ best: 1, tune: 1 });
          await led.picks('best', 2);
        },
      ],
      [
        'for both, and one of them is the same as before',
        2,
        async led => {
          await led.decided({ best: 1, tune: 1 });
          await led.picks('best', 2);
          await led.picks('tune', 2);
          await led.picks('tune', 1);
        },
      ],
      [
        'between the last look of the run and its end',
        2,
        async led => {
          await led.decided({ best: 1, tune: 1 });
          led.atEnd(() => led.picks('best', 2));
        },
      ],
      [
        'after the run has parked',
        2,
        async led => {
          led.makes('shot', 'song', 'slow');
          expect(await led.comesToRest()).toBe('waiting');
          await led.picks('best', 2);
          await led.picks('tune', 1);
          await led.begins();
        },
      ],
      [
        'after the process has died, before another takes the film over',
        2,
        async led => {
          await led.decided({ best: 1, tune: 1 });
          await led.dies();
          await led.picks('best', 2);
          await led.begins();
        },
      ],
    ])('%s', async (_, turns, story) => {
      const led = await begun();
      await story(led);
      led.makes('slow');
      expect([await led.comesToRest(), led.films]).toEqual(['done', ['told by take 2', 'sung by take 1']]);
      expect(led.turns).toBe(turns);
    });

    test('one that is withdrawn after it was acted on is asked again', async () => {
      const led = await begun();
      await led.decided({ best: 1, tune: 1 });
      await led.withdraws('best');
      led.makes('slow');
      expect([await led.comesToRest(), led.turns]).toEqual(['waiting', 2]);
    });
  });
}

const PICKED = `shotlist: 1
name: picked
steps:
  shot: { model: V-T2V-A, takes: 2, with: { prompt: shot, duration: 5 } }
  song: { model: V-T2V-A, takes: 2, with: { prompt: song, duration: 5 } }
  slow: { model: V-T2V-A, with: { prompt: slow, duration: 5 } }
  best: { pick: "\${{ steps.shot }}" }
  tune: { pick: "\${{ steps.song }}" }
  told: { run: [echo, told by, "\${{ steps.best.choice.who }}"] }
  sung: { run: [echo, sung by, "\${{ steps.tune.choice.who }}"] }
`;

/** A film that one process after the other leads over a world's journal, while persons decide in processes of their own. */
class Led {
  readonly rig = new RunRig();
  readonly #world: FilmWorld;
  #film: StartedRun | undefined;
  #journal: FilmJournal | undefined;
  #atEnd: (() => Promise<void>) | undefined;
  #late: Promise<void> | undefined;
  #choices = 0;
  turns = 0;

  constructor(world: FilmWorld) {
    this.#world = world;
    this.rig.journalOf = async film => {
      const { journal } = await world.process(film);
      this.#journal = journal;
      return journal;
    };
    this.rig.reporters.push({
      report: ({ type }) => {
        if (type !== 'run_finished') return;
        this.#late = this.#atEnd?.();
        this.#atEnd = undefined;
      },
      close: async () => {},
    });
  }

  get film(): StartedRun {
    if (!this.#film) throw new Error('nothing was started yet');
    return this.#film;
  }

  async begins(): Promise<void> {
    this.turns += 1;
    this.#film = await this.rig.start(PICKED);
  }

  /** What these steps have at the service is made, and nothing of it before. */
  makes(...prompts: readonly string[]): void {
    for (const [id, { request, status }] of this.rig.service.records)
      if (prompts.includes(String(request.prompt)) && status === 'processing') this.rig.service.finish(id);
  }

  async asks(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.film.happened('waiting_for', key);
  }

  /** Takes are picked, and the run has made what follows from them. */
  async decided(chosen: { readonly best: number; readonly tune: number }): Promise<void> {
    this.makes('shot', 'song');
    await this.asks('best', 'tune');
    for (const [step, take] of Object.entries(chosen)) await this.picks(step, take);
    await this.rig.clock.advance(500);
    for (const key of ['told', 'sung']) await this.film.happened('succeeded', key);
  }

  /** A person picks that take, over whatever was picked before; the process that leads the film has read of it when this ends. */
  async picks(step: string, take: number): Promise<void> {
    const { asking, person } = await this.#asked(step);
    const { key, from, called } = asking;
    const at = ++this.#choices;
    const choice: Choice = { key, from, called, chosen: [from[take - 1] ?? ''], by: 'person', who: `take ${take}`, at };
    await person.record(choice, asking, person.find(asking));
    await this.#journal?.look({ fingerprint: '' });
  }

  async withdraws(step: string): Promise<void> {
    const { asking, person } = await this.#asked(step);
    await person.withdraw(asking);
    await this.#journal?.look({ fingerprint: '' });
  }

  atEnd(work: () => Promise<void>): void {
    this.#atEnd = work;
  }

  async dies(): Promise<void> {
    await this.rig.kill();
    this.#journal = undefined;
  }

  /** Turns follow one another for as long as there is a choice that none of them has acted on: so a team's lead ends. */
  async comesToRest(): Promise<string> {
    for (;;) {
      const { is, actedOn } = await this.rig.runToEnd(this.film);
      await this.#late;
      const lastChoice = (await this.#world.looks('film')).choices.newest();
      if (actedOn.later.length === 0 && actedOn.to >= lastChoice) return is;
      if (this.turns === 5)
        throw new Error(`${actedOn.to} of ${lastChoice} choices are acted on, and never the others`);
      await this.begins();
    }
  }

  /** By whose choice what follows from each pick was made in the last turn. */
  get films(): readonly (string | undefined)[] {
    return ['told', 'sung'].map(key => {
      const made = this.film.events.findLast(
        event => (event.type === 'succeeded' || event.type === 'reused') && event.key === key,
      );
      return made && 'result' in made && made.result.is === 'command' ? made.result.stdout.trim() : undefined;
    });
  }

  async #asked(step: string) {
    const called = [1, 2].map(take => `${step === 'best' ? 'shot' : 'song'}[take=${take}]` as InstanceKey);
    const from = called.map(key => this.film.plan.instances.get(key)?.fingerprint ?? '');
    const asking: Asking = { is: 'pick', key: step as InstanceKey, from, called, count: 1, by: 'person' };
    const journal = await this.#world.looks('film');
    return { asking, person: new LocalChoices({ journal, locked: [], hasStep: () => true }) };
  }
}
