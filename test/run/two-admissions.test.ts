/** Two films of a project, run at once, that want the same request. */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { NO_DEMAND } from '../../src/domain/budget.ts';
import type { InstanceKey, RunId } from '../../src/domain/key.ts';
import { JournalAdmission } from '../../src/run/admission/journal-admission.ts';
import { DEFAULT_LIMITS } from '../../src/run/limits.ts';
import { JOURNAL } from '../../src/run/local/journal-tables.ts';
import { LocalJournal } from '../../src/run/local/local-journal.ts';
import { FakeClock } from '../support/fake-clock.ts';

const clock = new FakeClock();
const database = new DatabaseSync(':memory:');
for (const table of JOURNAL.migrations) database.exec(String(table));
const running = new Set(['fox', 'owl']);
const never = new AbortController().signal;

function film(name: string) {
  const journal = new LocalJournal({ database, film: name, clock });
  const limits = DEFAULT_LIMITS;
  const isRunning = (other: string) => running.has(other);
  const admission = new JournalAdmission({ journal, clock, account: 'a', limits, owned: () => undefined, isRunning });
  const run = name as RunId;
  let sent = 0;
  const intend = () => {
    const nonce = `${name} ${++sent}`;
    const work = {
      key: 'shot' as InstanceKey,
      nonce,
      fingerprint: 'f',
      model: 'm',
      request: {},
      price: 1,
      account: 'a',
    };
    journal.append(run, journal.numbered({ type: 'submit_intended', ...work }));
    return nonce;
  };
  const asked = { key: 'shot' as InstanceKey, fingerprint: 'f', model: 'm', demand: NO_DEMAND, shared: true, intend };
  return { journal, admission, run, asked };
}

test('what one gave up is not sent by both: whoever asks again sees that the other has begun', async () => {
  const fox = film('fox');
  const owl = film('owl');
  const first = await fox.admission.admit(fox.asked, never);
  expect(first).toEqual({ is: 'go', nonce: 'fox 1' });
  const given = { key: fox.asked.key, nonce: 'fox 1', reason: 'asked for', asked: true } as const;
  fox.journal.append(fox.run, fox.journal.numbered({ type: 'submit_absent', ...given }));
  await fox.journal.commit();

  expect(await owl.admission.admit(owl.asked, never)).toEqual({ is: 'go', nonce: 'owl 1' });
  const again = fox.admission.admit({ ...fox.asked, again: true }, never);
  await clock.asleep();
  // The other's run was killed: what it sent is taken up, and nothing is sent a second time.
  running.delete('owl');
  await clock.advance(1_000);
  expect(await again).toMatchObject({ is: 'mine', open: { nonce: 'owl 1' } });
});
