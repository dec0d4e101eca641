/** Answers given beforehand, held to what every decider must do. */
import { describe } from 'vitest';
import { presetDecider } from '../../../src/run/ports/decider.ts';
import { deciderCases } from './decider-cases.ts';

describe('presetDecider', () => deciderCases(presetDecider));
