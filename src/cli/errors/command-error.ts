import type { ExitCode } from './exit-codes.ts';

/** A command cannot go on; the message, when there is one, is for the person who typed it. */
export class CommandError extends Error {
  /** Of the process. */
  readonly exitCode: ExitCode;
  constructor(exitCode: ExitCode, message = '') {
    super(message);
    this.exitCode = exitCode;
  }
}
