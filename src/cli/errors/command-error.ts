import type { Diagnostic } from '../../domain/diagnostic.ts';
import type { ExitCode } from './exit-codes.ts';

/** A command cannot go on; the message, when there is one, is for the person who typed it. */
export class CommandError extends Error {
  /** Of the process. */
  readonly exitCode: ExitCode;
  /** What is wrong with the file, which was printed already; for `--json`. */
  readonly diagnostics: readonly Diagnostic[];
  constructor(exitCode: ExitCode, message = '', diagnostics: readonly Diagnostic[] = []) {
    super(message);
    this.exitCode = exitCode;
    this.diagnostics = diagnostics;
  }
}
