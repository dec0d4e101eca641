/** A command cannot go on; the message, when there is one, is for the person who typed it. */
export class CommandError extends Error {
  /** Of the process. */
  readonly exitCode: number;
  constructor(exitCode: number, message = '') {
    super(message);
    this.exitCode = exitCode;
  }
}
