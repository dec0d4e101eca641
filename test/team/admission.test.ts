/** The journal and the admission of a team, held to what every implementation must do. */
import { describe } from 'vitest';
import { rateCases } from '../run/ports/admission-cases.ts';
import { budgetCases } from '../run/ports/budget-cases.ts';
import { journalCases } from '../run/ports/journal-cases.ts';
import { twoFilmsCases } from '../run/ports/two-films-cases.ts';
import { teamWorlds } from './team-world.ts';

const open = teamWorlds();
describe.each([
  ['the journal', journalCases],
  ['rates', rateCases],
  ['budgets', budgetCases],
  ['two films', twoFilmsCases],
])("%s, over a team's database", (_, cases) => cases(open));
