/** The journal of this machine, held to what every journal must do. */
import { describe } from 'vitest';
import { journalCases } from './journal-cases.ts';
import { localWorlds } from './local-world.ts';

const open = localWorlds();
describe('the journal of this machine', () => journalCases(open));
