/** `shotlist approve FILE ok`: a person approves or rejects a result; `approve FILE` lists what is open. */

import { withExitCode } from '../errors/command-error.ts';
import { choosing } from './pick.ts';

export const main = withExitCode(args => choosing('approve', args));
