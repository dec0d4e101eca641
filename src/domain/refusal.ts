/** Ends a command for a reason that its reader can do something about; the message says what. A refusal is never a bug. */
export class Refusal extends Error {}
