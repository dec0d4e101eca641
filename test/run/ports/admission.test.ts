/** Admission over the journal of this machine, held to what every implementation must do. */
import { describe } from 'vitest';
import { rateCases } from './admission-cases.ts';
import { budgetCases } from './budget-cases.ts';
import { localWorlds } from './local-world.ts';
import { twoFilmsCases } from './two-films-cases.ts';

const open = localWorlds();
describe('rates, over the journal of this machine', () => rateCases(open));
describe('budgets, over the journal of this machine', () => budgetCases(open));
describe('two films, over the journal of this machine', () => twoFilmsCases(open));
