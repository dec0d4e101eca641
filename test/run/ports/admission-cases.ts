/** What every implementation of `Admission` must do about the rates of a service's settings. */
import { expect, test } from 'vitest';
import type { FilmWorld } from './film-world.ts';
import { type RatedProcess, rated } from './rated-process.ts';

const MINUTE = 60_000;

export function rateCases(opened: () => FilmWorld | Promise<FilmWorld>): void {
  const open = async () => rated(await opened());

  /** Asks until one is held back, and says how many went. */
  async function went(process: RatedProcess, requests: readonly string[], model?: string): Promise<number> {
    for (const [n, request] of requests.entries()) if ((await process.ask(request, model)).is !== 'go') return n;
    return requests.length;
  }

  test('so many go, and the next is told which number holds it back, and until when', async () => {
    const world = await open();
    const fox = await world.process('fox', { per_minute: 2 });
    const began = world.now();
    expect(await fox.ask('a')).toMatchObject({ is: 'go' });
    await world.passes(10_000);
    expect(await fox.ask('b')).toMatchObject({ is: 'go' });
    expect(await fox.ask('c')).toEqual({
      is: 'held_back',
      reached: { rate: 'per_minute', limit: 2 },
      until: began + MINUTE,
    });
  });

  test('what is held back counts for nothing, and goes when it was told, not a moment before', async () => {
    const world = await open();
    const fox = await world.process('fox', { per_minute: 1 });
    await fox.ask('a');
    for (let n = 0; n < 20; n++) await fox.ask('b');
    await world.passes(MINUTE - 1);
    expect(await fox.ask('b')).toMatchObject({ is: 'held_back' });
    await world.passes(1);
    expect(await fox.ask('b')).toMatchObject({ is: 'go' });
    expect(await fox.ask('c')).toMatchObject({ is: 'held_back', until: world.now() + MINUTE });
  });

  test('no window of any place in time holds more, however they come', async () => {
    const world = await open();
    const fox = await world.process('fox', { per_minute: 3 });
    const sent: number[] = [];
    for (let n = 0; n < 200; n++) {
      if ((await fox.ask(`r${sent.length}`)).is === 'go') sent.push(world.now());
      await world.passes([0, 1, 7_000, 19_999, 20_001][n % 5] ?? 0);
    }
    expect(sent.length).toBeGreaterThan(20);
    for (const from of sent) expect(sent.filter(at => at >= from && at < from + MINUTE).length).toBeLessThanOrEqual(3);
  });

  test.each(['accepted', 'refused', 'succeeded', 'failed'] as const)('what was %s was sent all the same', async how => {
    const world = await open();
    const fox = await world.process('fox', { per_hour: 1 });
    await fox.ask('a');
    if (how === 'succeeded' || how === 'failed') await fox.accepted('a');
    await fox[how]('a');
    expect(await fox.ask('b')).toMatchObject({ is: 'held_back', reached: { rate: 'per_hour' } });
  });

  test('films of a project share it, and a run that was killed has sent what it has', async () => {
    const world = await open();
    const rates = { per_day: 3 };
    const [fox, owl] = [await world.process('fox', rates), await world.process('owl', rates)];
    expect([await fox.ask('a'), await owl.ask('b')].map(({ is }) => is)).toEqual(['go', 'go']);
    await fox.dies();
    const later = await world.process('fox', rates);
    expect(await later.ask('c')).toMatchObject({ is: 'go' });
    expect(await later.ask('d')).toMatchObject({ is: 'held_back' });
    expect(await owl.ask('e')).toMatchObject({ is: 'held_back' });
  });

  test('another account is another service', async () => {
    const world = await open();
    await (await world.process('fox', { per_day: 1 }, 'a')).ask('x');
    expect(await (await world.process('owl', { per_day: 1 }, 'b')).ask('y')).toMatchObject({ is: 'go' });
  });

  test('that of one model holds back that model alone, and is told as its own', async () => {
    const world = await open();
    const fox = await world.process('fox', { per_minute: 5, models: { 'V-UP': { per_minute: 1 } } });
    expect(await went(fox, ['a', 'b'], 'V-UP')).toBe(1);
    expect(await fox.ask('b', 'V-UP')).toMatchObject({ reached: { rate: 'per_minute', limit: 1, model: 'V-UP' } });
    expect(await went(fox, ['c', 'd', 'e', 'f', 'g'], 'V-RT')).toBe(4);
  });

  test('of several the one that holds longest is told', async () => {
    const world = await open();
    const fox = await world.process('fox', { per_second: 1, per_minute: 1, per_hour: 1, per_day: 2 });
    await fox.ask('a');
    expect(await fox.ask('b')).toMatchObject({ reached: { rate: 'per_hour' }, until: world.now() + 60 * MINUTE });
  });

  test('what was sent before is followed, and not held back', async () => {
    const world = await open();
    const fox = await world.process('fox', { per_day: 1, in_flight: 1 });
    await fox.ask('a');
    await fox.accepted('a');
    await fox.dies();
    const later = await world.process('fox', { per_day: 1, in_flight: 1 });
    expect(await later.ask('a')).toMatchObject({ is: 'mine' });
    expect(await later.ask('b')).toMatchObject({ is: 'held_back' });
  });

  test('so many are under way at once, over all films, until each has come to its end', async () => {
    const world = await open();
    const rates = { in_flight: 2 };
    const [fox, owl] = [await world.process('fox', rates), await world.process('owl', rates)];
    await fox.ask('a');
    await owl.ask('b');
    expect(await fox.ask('c')).toMatchObject({ is: 'held_back', reached: { rate: 'in_flight', limit: 2 } });
    // However long they take.
    await fox.accepted('a');
    await owl.accepted('b');
    await world.passes(5 * 60 * MINUTE);
    expect(await fox.ask('c')).toMatchObject({ is: 'held_back' });
    await owl.failed('b');
    expect(await fox.ask('c')).toMatchObject({ is: 'go' });
    expect(await owl.ask('d')).toMatchObject({ is: 'held_back' });
  });

  test.each(['lost', 'late'] as const)(
    'what this very run has given up as %s may be under way for a while, and holds it up no longer than that',
    async why => {
      const world = await open();
      const fox = await world.process('fox', { in_flight: 1 });
      await fox.ask('a');
      if (why === 'late') await fox.accepted('a');
      await fox.givenUp('a', why);
      expect(await fox.ask('b')).toMatchObject({ is: 'held_back' });
      await world.passes(60 * MINUTE);
      expect(await fox.ask('b')).toMatchObject({ is: 'go' });
    },
  );

  test('what nobody follows any more counts as under way for a while, and then holds nobody up for ever', async () => {
    const world = await open();
    const fox = await world.process('fox', { in_flight: 1 });
    await fox.ask('a');
    await fox.accepted('a');
    await fox.dies();
    const owl = await world.process('owl', { in_flight: 1 });
    expect(await owl.ask('b')).toMatchObject({ is: 'held_back' });
    await world.passes(60 * MINUTE);
    expect(await owl.ask('b')).toMatchObject({ is: 'go' });
  });

  test.each([
    ['an hour', 60 * MINUTE],
    ['a year', 365 * 24 * 60 * MINUTE],
  ])('a clock that is set back by %s lets nothing more through, and is not waited for', async (_, by) => {
    const world = await open();
    const fox = await world.process('fox', { per_minute: 2 });
    expect(await went(fox, ['a', 'b', 'c'])).toBe(2);
    await world.setClock(-by);
    expect(await fox.ask('c')).toMatchObject({ is: 'held_back' });
    await fox.dies();
    const later = await world.process('fox', { per_minute: 2 });
    expect(await later.ask('c')).toMatchObject({ is: 'held_back' });
    await world.passes(MINUTE);
    expect(await went(later, ['c', 'd', 'e'])).toBe(2);
  });

  test('nobody is held back who has no rates', async () => {
    const fox = await (await open()).process('fox', {});
    expect(
      await went(
        fox,
        [...Array(30).keys()].map(n => `r${n}`),
      ),
    ).toBe(30);
  });
}
