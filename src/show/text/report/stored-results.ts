/** What the instances of a run gave: of what is gathered from others, the result of the one that it was taken from. */

import type { Rejections } from '../../../model/run/choice.ts';
import { type Choice, isSameChoice } from '../../../model/run/choice.ts';
import type { CommandOutput } from '../../../model/run/failure.ts';
import type { InstanceKey, RunId } from '../../../model/run/key.ts';
import type { Asked } from '../../../model/run/result.ts';
import { isStored, type Result, type StoredResult } from '../../../model/run/result.ts';
import type { InstanceStory, RecordedRun, RunStory } from '../../../records/views/run-story.ts';
import type { States } from './reported-states.ts';

export class Results {
  readonly #record: Pick<RunRecord, 'resultOf' | 'choices'>;
  readonly #story: RunStory;
  readonly #states: States;
  /** Oldest first. */
  readonly #choices: Map<InstanceKey, readonly Choice[]>;
  readonly #known = new Map<InstanceKey, StoredResult | undefined>();

  constructor(record: Pick<RunRecord, 'resultOf' | 'choices'>, story: RunStory, states: States) {
    this.#record = record;
    this.#story = story;
    this.#states = states;
    this.#choices = Map.groupBy(record.choices, ({ key }) => key);
  }

  /** What was decided in the run, or is decided now; undefined: nothing, or about something else. */
  choiceOf({ planned, story }: InstanceStory): Choice | undefined {
    if (story.choice) return story.choice;
    // What the run acted on was decided before its end.
    const wasThere = this.#states.of(planned.key) === 'made';
    const kept = this.#choices.get(planned.key)?.findLast(({ at }) => !wasThere || at <= this.#story.run.lastEventAt);
    if (!kept) return undefined;
    const offered = new Set<string>(this.#states.needs(planned).concat(candidatesIn(planned)));
    return kept.called.some(key => offered.has(key)) ? kept : undefined;
  }

  /** The run took other candidates than those that are chosen now, or what it took was withdrawn. */
  isDecidedAnew({ planned, step, story }: InstanceStory): boolean {
    if (!step?.decides) return false;
    const taken = story.choice
      ? chosenIn(story.choice)
      : planned.decision === 'hit'
        ? candidatesIn(planned)
        : undefined;
    if (!taken) return false;
    const kept = this.#choices.get(planned.key)?.at(-1);
    if (!kept) return story.choice?.by === 'person';
    return step.decides.is === 'pick'
      ? chosenIn(kept).join('\n') !== taken.join('\n')
      : story.choice !== undefined && !isSameChoice(kept, story.choice);
  }

  of(recorded: InstanceStory): StoredResult | undefined {
    const { key } = recorded.planned;
    if (!this.#known.has(key)) this.#known.set(key, this.#find(recorded));
    return this.#known.get(key);
  }

  #find(recorded: InstanceStory): StoredResult | undefined {
    const { planned, step, story } = recorded;
    const state = this.#states.of(planned.key);
    if (step?.isGathered) return this.#taken(recorded);
    if (state !== 'made' && state !== 'reused') return undefined;
    const fingerprint = story.fingerprint ?? planned.fingerprint;
    // The service may have reported the real cost since.
    const newest = fingerprint === undefined ? undefined : this.#record.resultOf(fingerprint);
    const own = story.result && isStored(story.result) ? story.result : undefined;
    return own && newest && !isSameContent(own, newest) ? own : (stored(newest) ?? own);
  }

  #taken(recorded: InstanceStory): StoredResult | undefined {
    const { planned, step } = recorded;
    if (step?.decides?.is === 'approve') return undefined;
    const from = step?.decides ? chosenIn(this.choiceOf(recorded))[0] : this.#lastRound(planned.needs ?? []);
    const source = from === undefined ? undefined : this.#story.instances.get(from);
    return source && source !== recorded ? this.of(source) : undefined;
  }

  /** Of rounds, the last one that was made: those behind it were not needed. Other steps gather from many, and show none of them. */
  #lastRound(needs: readonly InstanceKey[]): InstanceKey | undefined {
    const made = needs.filter(key => ['made', 'reused'].includes(this.#states.of(key)));
    const steps = new Set(made.map(key => this.#story.instances.get(key)?.planned.step));
    return steps.size === 1 ? made.at(-1) : undefined;
  }
}

/** As they were called then, best first. */
export const chosenIn = (choice: Choice | undefined): readonly InstanceKey[] =>
  (choice?.chosen ?? []).flatMap(one => choice?.called[choice.from.indexOf(one)] ?? []);

/** What a pick or an approval is about, as the plan showed it in the place of a request. */
export function candidatesIn({ request }: InstanceStory['planned']): readonly InstanceKey[] {
  const from = typeof request === 'object' && request !== null && 'from' in request ? request.from : undefined;
  return Array.isArray(from)
    ? ((from as readonly unknown[]).filter(key => typeof key === 'string') as InstanceKey[])
    : [];
}

const stored = (result: Result | undefined): StoredResult | undefined =>
  result && isStored(result) ? result : undefined;

const isSameContent = (a: StoredResult, b: Result): boolean =>
  a.is !== 'media' || (b.is === 'media' && a.sha256 === b.sha256);

/** All that a report of a run is made of: the journal's holder hands it over, and everything else is computed. */
export interface RunRecord extends RecordedRun {
  readonly run: RunId;
  /** The film's file, as a person here names it; its name in the journal is that of its run. */
  readonly file?: string;
  /** The newest result with this fingerprint, with its real cost. */
  readonly resultOf: (fingerprint: string) => Result | undefined;
  /** The request of this instance before this run; undefined without one, or where it is unknown. */
  readonly askedBefore: (key: InstanceKey) => Asked | undefined;
  /** What was decided for the film, oldest first, without what was withdrawn. */
  readonly choices: readonly Choice[];
  /** Rejections of candidates. Absent: unknown. */
  readonly rejections?: Rejections;
  /** The file is not what it was. */
  readonly isEdited: boolean;
  /** Where all that a command wrote is kept. */
  readonly logOf: (key: InstanceKey) => CommandOutput | undefined;
}
