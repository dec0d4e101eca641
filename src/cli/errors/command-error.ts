/** A command cannot go on; the message, when there is one, is for the person who typed it. */
export class Stop extends Error {
  readonly exit: number;
  constructor(exit: number, message = '') {
    super(message);
    this.exit = exit;
  }
}
