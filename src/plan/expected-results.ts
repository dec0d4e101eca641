/** What is known of results before they exist: the media that each instance will give, and what its request asks for. */

import type { MediaFacts } from '../model/media/media.ts';
import type { InstanceKey } from '../model/run/key.ts';
import type { Slot } from './graph/plan-graph.ts';
import { expectedSeconds, kindOf } from './kinds/index.ts';
import { agreed, type ExpectedFacts, factsOfPart, inputOf, knownFacts, type MediaInput } from './media/media-fields.ts';
import type { PlanContext } from './plan-context.ts';
import type { Pending, ResolvedWork } from './values/resolved.ts';

interface Expectation {
  readonly facts: MediaFacts | undefined;
  readonly ratio: number | undefined;
  /** Seconds that it is expected to take. */
  readonly expected: number;
  /** Facts of what it makes itself, by which it is priced. */
  readonly own: MediaFacts | undefined;
}

export class ExpectedResults {
  readonly #context: PlanContext;
  readonly #before: ((key: InstanceKey) => ExpectedFacts | undefined) | undefined;
  readonly #facts = new Map<InstanceKey, ExpectedFacts>();
  /** The media that each request asks for, whatever was delivered. */
  readonly #asked = new Map<InstanceKey, () => MediaFacts | undefined>();

  /** @param before facts of what other planners have decided. */
  constructor(context: PlanContext, before?: (key: InstanceKey) => ExpectedFacts | undefined) {
    this.#context = context;
    this.#before = before;
  }

  set(key: InstanceKey, facts: ExpectedFacts): void {
    this.#facts.set(key, facts);
  }

  ask(key: InstanceKey, asked: () => MediaFacts | undefined): void {
    this.#asked.set(key, asked);
  }

  asked(key: InstanceKey): MediaFacts | undefined {
    return this.#asked.get(key)?.();
  }

  /** `own`: facts of what it makes itself, by which it is priced. Its readers may get its replacement. */
  expect({ key, step }: Slot, resolved: Pending | ResolvedWork): Expectation {
    const kept = (field: string, media: readonly MediaInput[]) => {
      const input = inputOf(field, media);
      return input && this.ofInput(input);
    };
    const gives = resolved.is === 'pending' ? resolved.gives : undefined;
    const own = gives
      ? agreed(gives.map(one => this.of(one)))
      : kindOf(step).expectedFacts(step, resolved, kept, this.#context);
    const standIn = resolved.is === 'pending' ? resolved.undecided?.else : undefined;
    const read = standIn === undefined ? own : agreed([own, this.of(standIn)]);
    const expected = (one: InstanceKey) => {
      const media = this.asked(one);
      return media && knownFacts(media);
    };
    const asked = () => (gives ? agreed(gives.map(expected)) : own);
    this.ask(key, () => (standIn === undefined ? asked() : agreed([asked(), expected(standIn)]))?.media);
    if (read) this.#facts.set(key, read);
    const { media: facts, ratio } = read ?? {};
    return { facts, ratio, expected: expectedSeconds(step, own?.media, this.#context), own: own?.media };
  }

  /** Before one of them is chosen: what all candidates agree in. */
  chooseAmong(key: InstanceKey, candidates: readonly InstanceKey[]): MediaFacts | undefined {
    const facts = agreed(candidates.map(one => this.of(one)));
    if (facts) this.#facts.set(key, facts);
    return facts?.media;
  }

  ofInput(input: Pick<MediaInput, 'facts' | 'from' | 'part' | 'either'>): ExpectedFacts | undefined {
    const { facts, from, part, either } = input;
    if (facts) return knownFacts(facts);
    if (either) return agreed(either.map(origin => this.ofInput(origin)));
    const made = from === undefined ? undefined : this.of(from);
    return part ? factsOfPart(part, made) : made;
  }

  of(key: InstanceKey): ExpectedFacts | undefined {
    return this.#facts.get(key) ?? this.#before?.(key);
  }
}
