/** Admission on this machine, held to what every implementation must do about rates. */
import { DatabaseSync } from 'node:sqlite';
import { describe } from 'vitest';
import type { RunId } from '../../../src/domain/key.ts';
import { JournalAdmission } from '../../../src/run/admission/journal-admission.ts';
import { JOURNAL } from '../../../src/run/local/journal-tables.ts';
import { LocalJournal } from '../../../src/run/local/local-journal.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { rateCases } from './admission-cases.ts';
import { RATED_LIMITS, ratedProcess } from './rated-process.ts';

describe('over the journal of this machine', () => {
  rateCases(() => {
    const clock = new FakeClock();
    const database = new DatabaseSync(':memory:');
    for (const table of JOURNAL.migrations) database.exec(String(table));
    const running = new Set<string>();
    let runs = 0;
    return {
      now: () => clock.now(),
      passes: ms => clock.advance(ms),
      setClock: async ms => clock.set(ms),
      async process(film, rates, account = 'house') {
        const run = `${film} ${++runs}` as RunId;
        running.add(film);
        const journal = new LocalJournal({ database, film, clock });
        const admission = new JournalAdmission({
          ...{ journal, clock, account, limits: RATED_LIMITS, rates, owned: () => undefined },
          isRunning: other => running.has(other),
        });
        return ratedProcess({
          ...{ run, account, journal, admission },
          dies: async () => void running.delete(film),
        });
      },
    };
  });
});
