import { withExitCode } from '../errors/exit-code.ts';
export const main = withExitCode(async () => 0);
