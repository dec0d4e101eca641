/** Admission over the team's database, held to what every implementation must do about rates. */
import { afterEach, describe } from 'vitest';
import { ratesAsked } from '../../src/cluster/journal/team-rows.ts';
import type { RunId } from '../../src/domain/key.ts';
import { JournalAdmission } from '../../src/run/admission/journal-admission.ts';
import { rateCases } from '../run/ports/admission-cases.ts';
import { RATED_LIMITS, ratedProcess } from '../run/ports/rated-process.ts';
import { postgresForTests, TeamWorld } from './team-world.ts';

const postgres = postgresForTests();
const worlds: TeamWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

describe('over the database of a team', () => {
  rateCases(async () => {
    const world = await TeamWorld.open(postgres());
    worlds.push(world);
    return {
      now: () => world.clock.now(),
      passes: ms => world.passes(ms),
      setClock: ms => world.setClock(ms),
      async process(film, rates, account = 'house') {
        const { run, journal } = await world.lead(film, { account, rates: ratesAsked(rates) });
        const admission = new JournalAdmission({
          ...{ journal, clock: world.clock, account, limits: RATED_LIMITS, rates, owned: () => undefined },
          isRunning: other => journal.isRunning(other),
        });
        return ratedProcess({ ...{ run: run as RunId, account, journal, admission }, dies: () => world.dies(run) });
      },
    };
  });
});
