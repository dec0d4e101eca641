/** What every implementation of `Decider` must do. */
import { expect, test } from 'vitest';
import type { InstanceKey } from '../../../src/model/run/key.ts';
import type { Decider, Question } from '../../../src/run/ports/decider.ts';

/** An answer that is given wherever it is among the options, and who gives it. */
export interface Answer {
  readonly option: string;
  readonly by: string;
}

/** `open`: a decider whose person, page or flag gives these answers; none: nobody is there. */
export function deciderCases(open: (answers: readonly Answer[]) => Decider): void {
  test('the choice is one of the options, with who decided', async () => {
    expect(await open([RESUBMIT]).choose(LOST, never())).toMatchObject(RESUBMIT);
  });

  test('where nobody is there to decide nothing is chosen', async () => {
    expect(await open([]).choose(LOST, never())).toBeUndefined();
  });

  test('what is not among the options is never chosen', async () => {
    const decider = open([{ option: 'burn', by: 'flag' }]);
    expect(await decider.choose(LOST, never())).toBeUndefined();
  });

  test('each question has its own answer, and the same question the same again', async () => {
    const decider = open([{ option: 'first', by: 'mira' }, RESUBMIT]);
    const pick: Question = {
      ...{ id: 'pick shot', key: 'shot' as InstanceKey, ask: 'which take?' },
      options: [
        { id: 'first', label: 'the first' },
        { id: 'second', label: 'the second' },
      ],
    };
    expect(await decider.choose(LOST, never())).toMatchObject(RESUBMIT);
    expect(await decider.choose(pick, never())).toMatchObject({ option: 'first', by: 'mira' });
    expect(await decider.choose(LOST, never())).toMatchObject(RESUBMIT);
  });

  test('nothing is chosen for a run that has stopped', async () => {
    expect(await open([RESUBMIT]).choose(LOST, AbortSignal.abort())).toBeUndefined();
  });
}

const RESUBMIT: Answer = { option: 'resubmit', by: '--on-unknown resubmit' };
const LOST: Question = {
  ...{ id: 'lost shot', key: 'shot' as InstanceKey, ask: 'its answer was lost: send it again?' },
  options: [
    { id: 'fail', label: 'let it fail' },
    { id: 'resubmit', label: 'send it again' },
  ],
};
const never = () => new AbortController().signal;
