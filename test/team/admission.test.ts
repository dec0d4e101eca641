/** Admission over the team's database, held to what every implementation must do. */
import { describe } from 'vitest';
import { rateCases } from '../run/ports/admission-cases.ts';
import { budgetCases } from '../run/ports/budget-cases.ts';
import { twoFilmsCases } from '../run/ports/two-films-cases.ts';
import { teamWorlds } from './team-world.ts';

const open = teamWorlds();
describe("rates, over a team's database", () => rateCases(open));
describe("budgets, over a team's database", () => budgetCases(open));
describe("two films, over a team's database", () => twoFilmsCases(open));
