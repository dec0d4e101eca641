/** Where a section is wrong as a whole, every name may have been meant to be in it: none is called unknown. */
export class AnyName<V> extends Map<string, V> {
  readonly #value: V;

  constructor(value: V) {
    super();
    this.#value = value;
  }

  override has(): boolean {
    return true;
  }

  override get(): V {
    return this.#value;
  }
}
