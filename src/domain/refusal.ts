/** Shotlist will not go on, for a reason that its reader can do something about; the message says what. It is never a bug. */
export class Refusal extends Error {}
