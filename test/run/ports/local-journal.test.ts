/** What a journal file of this machine offers, and answers given beforehand, held to what every implementation must do. */
import { describe } from 'vitest';
import { presetDecider } from '../../../src/run/ports/decider.ts';
import { rateCases } from './admission-cases.ts';
import { budgetCases } from './budget-cases.ts';
import { choicesCases } from './choices-cases.ts';
import { deciderCases } from './decider-cases.ts';
import { journalCases } from './journal-cases.ts';
import { localWorlds } from './local-world.ts';
import { twoFilmsCases } from './two-films-cases.ts';

const open = localWorlds();
describe('rates, over the journal of this machine', () => rateCases(open));
describe('budgets, over the journal of this machine', () => budgetCases(open));
describe('two films, over the journal of this machine', () => twoFilmsCases(open));
describe('choices on this machine', () => choicesCases(open));
describe('the journal of this machine', () => journalCases(open));
describe('presetDecider', () => deciderCases(presetDecider));
