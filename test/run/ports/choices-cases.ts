/** What every implementation of `Choices` must do, whether one machine keeps them or a database that many share. */
import { expect, test } from 'vitest';
import type { Asking, Choice } from '../../../src/domain/choice.ts';
import type { InstanceKey } from '../../../src/domain/key.ts';
import { LocalChoices } from '../../../src/run/local/local-choices.ts';
import type { FilmJournal } from '../../../src/session/film-journal.ts';
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
}
