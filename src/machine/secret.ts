import { inspect } from 'node:util';

/** What is shown in place of a secret. */
export const SHOWN = '«secret»';

/** Something only the service may see. However it is printed, logged or journalled by mistake, it shows as «secret». */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself. Call this only where it is put into a request header. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [inspect.custom](): string {
    return SHOWN;
  }
}
