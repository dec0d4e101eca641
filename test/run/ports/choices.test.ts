/** Choices on this machine, held to what all choices must do. */
import { describe } from 'vitest';
import { choicesCases } from './choices-cases.ts';
import { localWorlds } from './local-world.ts';

const open = localWorlds();
describe('choices on this machine', () => choicesCases(open));
