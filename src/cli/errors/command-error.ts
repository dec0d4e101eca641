import type { Diagnostic } from '../../domain/diagnostic.ts';
import type { ExitCode } from './exit-codes.ts';

/** A command cannot go on; the message, when there is one, is for the person who typed it: one line or several. */
export class CommandError extends Error {
  /** Of the process. */
  readonly exitCode: ExitCode;
  /** What is wrong with the file, which was printed already; for `--json`. */
  readonly diagnostics: readonly Diagnostic[];
  readonly lines: readonly string[];
  constructor(exitCode: ExitCode, message: string | readonly string[] = '', diagnostics: readonly Diagnostic[] = []) {
    const lines = [message].flat();
    super(lines.join('\n'));
    this.lines = lines;
    this.exitCode = exitCode;
    this.diagnostics = diagnostics;
  }
}
