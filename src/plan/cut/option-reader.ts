/** The options of one mapping of a cut, as its expressions gave them. What is not there yet is left out, and counts as open. */
import { isObject, type Json, type JsonObject } from '../../domain/json.ts';
import type { MapValue, Value } from '../../domain/pipeline.ts';
import { isPending } from '../../domain/plan.ts';
import type { Option } from '../../language/cut/options.ts';
import type { Problem } from '../obstacles.ts';
import type { Places } from './assembly.ts';
import { cutMessages } from './cut-messages.ts';

export class OptionReader {
  readonly written: Value;
  readonly #given: JsonObject;
  readonly #called: (name: string) => string;
  readonly #problems: Problem[];
  #isOpen = false;

  /** @param given what the values came to; the value itself where the short form of a mapping was written. */
  constructor(written: Value, given: JsonObject, called: (name: string) => string, problems: Problem[]) {
    this.written = written;
    this.#given = given;
    this.#called = called;
    this.#problems = problems;
  }

  /** Something that was asked for is not there yet. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  readonly places: Places = option =>
    (option !== undefined && this.written.is === 'map' ? valueNamed(this.written, option)?.at : undefined) ??
    this.written.at;

  called(name: string): string {
    return this.#called(name);
  }

  /** What an expression gave; null counts as left out. */
  given(name: string): Json | undefined {
    const given = Object.hasOwn(this.#given, name) ? this.#given[name] : undefined;
    return given ?? undefined;
  }

  value(name: string): Value | undefined {
    return this.written.is === 'map' ? valueNamed(this.written, name) : undefined;
  }

  read<T>(name: string, option: Option<T>): T | undefined {
    const given = this.given(name);
    if (given === undefined) return undefined;
    if (isPending(given)) {
      this.#isOpen = true;
      return undefined;
    }
    const read = option.read(given);
    if (read === undefined) this.tell(cutMessages.value(this.#called(name), option.takes, given), name);
    return read;
  }

  /** The reader of a mapping inside; of its short form `from` is all that it says. Undefined where it is left out. */
  inside(name: string, called: (name: string) => string): OptionReader | undefined {
    const given = this.given(name);
    const value = this.value(name);
    if (given === undefined || !value) return undefined;
    if (value.is === 'map') return new OptionReader(value, isObject(given) ? given : {}, called, this.#problems);
    return new OptionReader(value, { from: given }, called, this.#problems);
  }

  tell(message: string, option?: string): void {
    this.#problems.push({ message, at: this.places(option) });
  }
}

export const valueNamed = ({ entries }: MapValue, name: string): Value | undefined =>
  entries.find(entry => entry.name === name)?.value;
