/** The journal that many machines share, held to what every journal must do. */
import { describe } from 'vitest';
import { journalCases } from '../run/ports/journal-cases.ts';
import { teamWorlds } from './team-world.ts';

const open = teamWorlds();
describe('the journal of a team', () => journalCases(open));
