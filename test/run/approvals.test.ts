/** An approval in a run: a person's yes lets the film go on, a no is no failure, and other content is a new question. */
import { describe, expect, test } from 'vitest';
import type { Decider, OpenQuestion } from '../../src/run/ports/decider.ts';
import { deciding, verdictOn } from './people.ts';
import { ran, rig, skipped, stdoutOf, withRig } from './rig.ts';

withRig();

/** Says the same of everything that is shown. */
const saying = (isYes: (question: OpenQuestion) => boolean, note?: string): Decider & { asked: string[] } => {
  const asked: string[] = [];
  const person = deciding(question => {
    asked.push(`${question.key}: ${question.ask}`);
    return verdictOn(question, isYes(question), note);
  });
  return { asked, ...person };
};

const FILM = `steps:
  film: { run: [echo, film] }
  ok: { approve: "\${{ steps.film }}", ask: "is the logo untouched?" }
  post: { needs: [ok], run: [echo, posted] }
  told: { run: [echo, "\${{ steps.ok.approved ? 'yes' : 'no' }} \${{ steps.ok.by }}"] }
`;

describe('one question', () => {
  test('yes: what waits for it goes on, and nobody is asked again', async () => {
    const person = saying(() => true);
    rig.decider = person;
    const { outcome } = await ran(FILM);
    expect([outcome.is, stdoutOf(outcome, 'post'), stdoutOf(outcome, 'told')]).toEqual(['done', 'posted', 'yes Ada']);
    expect(person.asked).toEqual(['ok: is the logo untouched?']);
    expect(rig.lockText).toContain('      approved: true\n      by: person\n      who: Ada\n');
    rig.decider = undefined;
    expect((await ran(FILM)).outcome.counts.reused).toBe(4);
    await rig.cloneAfresh();
    expect((await ran(FILM)).outcome.is).toBe('done');
  });

  test('no is no failure: what only waits for it is skipped with the words, and what reads the answer goes on', async () => {
    rig.decider = saying(() => false, 'the logo is bent');
    const { film, outcome } = await ran(FILM);
    expect([outcome.is, stdoutOf(outcome, 'told')]).toEqual(['done', 'no Ada']);
    expect(skipped(film)).toEqual(['post: ok was not approved by Ada: the logo is bent']);
    rig.decider = undefined;
    const again = await ran(FILM);
    expect([again.outcome.is, skipped(again.film)]).toEqual(['done', skipped(film)]);
    const further = await ran(`${FILM}
  last: { run: 'echo "$SAID" > last.txt', env: { SAID: "\${{ steps.post.stdout }}" }, creates: { last: last.txt } }
outputs: { last: { from: "\${{ steps.last.files.last }}", to: out/last.txt } }
`);
    expect([further.outcome.is, skipped(further.film).at(-1)]).toEqual(['done', 'last: post is skipped']);
  });

  test('other content and another question are asked about anew; nobody there, the run waits', async () => {
    rig.decider = saying(() => true);
    await ran(FILM);
    rig.decider = undefined;
    expect((await ran(FILM.replace('[echo, film]', '[echo, other]'))).outcome.is).toBe('waiting');
    expect((await ran(FILM.replace('untouched', 'still there'))).outcome.is).toBe('waiting');
    const waiting = await ran(FILM.replace('[echo, film]', '[echo, third]'));
    // What was posted before is not posted again, whatever becomes of the question.
    expect(waiting.outcome.counts).toMatchObject({ unfinished: 2, reused: 1 });
  });
});

test('of a fan-out with `each`, one question each; what is fanned out alike follows its own answer', async () => {
  const person = saying(question => question.key === 'ok[n=1]');
  rig.decider = person;
  const { film, outcome } = await ran(`steps:
  film: { matrix: { n: [1, 2] }, run: [echo, "\${{ matrix.n }}"] }
  ok: { each: "\${{ steps.film }}", approve: "\${{ each }}" }
  post: { each: "\${{ steps.film }}", needs: [ok], run: [echo, "\${{ each.stdout }}"] }
`);
  expect(person.asked.sort()).toEqual(['ok[n=1]: is film[n=1] approved?', 'ok[n=2]: is film[n=2] approved?']);
  expect([outcome.is, skipped(film)]).toEqual(['done', ['post[n=2]: ok[n=2] was not approved by Ada']]);
});

test('of a list in which two are the same to the letter, one yes is for all', async () => {
  rig.decider = saying(() => true);
  const { outcome } = await ran(`steps:
  film: { takes: 2, run: [echo, film] }
  ok: { approve: "\${{ steps.film }}" }
  post: { needs: [ok], run: [echo, posted] }
`);
  expect([outcome.is, stdoutOf(outcome, 'post')]).toEqual(['done', 'posted']);
});

test('of one pick among several, by its place: nothing goes on before a person has said yes', async () => {
  const { film, outcome } = await ran(`steps:
  still: { matrix: { beat: [ice, snow] }, takes: 2, run: [echo, "\${{ matrix.beat }}"] }
  best: { each: "\${{ steps.still }}", pick: takes, rule: "\${{ candidate.matrix.take }}" }
  ok: { approve: "\${{ steps.best[0] }}" }
  post: { needs: [ok], run: [echo, posted] }
`);
  expect([outcome.is, stdoutOf(outcome, 'post'), skipped(film)]).toEqual(['waiting', undefined, []]);
});

test('of a list, one question for all', async () => {
  const person = saying(() => true);
  rig.decider = person;
  const { outcome } = await ran(`steps:
  film: { matrix: { n: [1, 2] }, run: [echo, "\${{ matrix.n }}"] }
  ok: { approve: "\${{ steps.film }}" }
`);
  expect([outcome.is, person.asked]).toEqual(['done', ['ok: is film[n=1], film[n=2] approved?']]);
});
