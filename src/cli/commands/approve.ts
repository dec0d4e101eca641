/** `shotlist approve FILE ok`: a person says yes, or no, to what is there; `approve FILE` lists what is open. */

import { withExitCode } from '../errors/exit-code.ts';
import { choosing } from './pick.ts';

export const main = withExitCode(args => choosing('approve', args));
