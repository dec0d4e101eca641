/** `shotlist pick FILE best[beat=3] take=2`: a person chooses, also while a run of the film goes on; `pick FILE` lists what is open. */
import { choosing } from '../choose/choosing.ts';
import { withExitCode } from '../errors/exit-code.ts';

export const main = withExitCode(args => choosing('pick', args));
