/** We will not go on, for a reason its reader can do something about: the message says what. Never a bug. */
export class Refusal extends Error {}
