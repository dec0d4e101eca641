/** The run as the page asks about it: instances by place, what was paid, what was picked. */

import { freeText } from '../../../../model/run/run-money.ts';
import type {
  ReportedAttempt,
  ReportedDecision,
  ReportedInstance,
  ReportedStep,
  RunReport,
} from '../../../../model/run/run-report.ts';
import { money, moneyInWords } from '../../parts/format.ts';
import { type Playable, playable } from '../../parts/media.ts';
import type { ReportData } from '../report-data.ts';
import { isAsked, wordsOfKind } from './kind-words.ts';

export class ReportModel {
  readonly data: ReportData;
  readonly report: RunReport;
  readonly #byKey: ReadonlyMap<string, ReportedInstance>;
  readonly #byStep: ReadonlyMap<string, readonly ReportedInstance[]>;
  readonly #takeAxes = new Map<string, readonly string[]>();
  readonly critical: ReadonlySet<string>;
  /** Steps of the longest path, in its order. */
  readonly criticalSteps: readonly string[];

  constructor(data: ReportData) {
    this.data = data;
    this.report = data.report;
    this.#byKey = new Map(data.report.instances.map(one => [one.key, one]));
    this.#byStep = Map.groupBy(data.report.instances, one => one.step);
    this.critical = new Set(data.report.critical);
    const steps = data.report.critical.flatMap(key => this.find(key)?.step ?? []);
    this.criticalSteps = [...new Set<string>(steps)];
  }

  find(key: string): ReportedInstance | undefined {
    return this.#byKey.get(key);
  }

  of(step: string): readonly ReportedInstance[] {
    return this.#byStep.get(step) ?? [];
  }

  stepOf(one: ReportedInstance): ReportedStep | undefined {
    return this.report.steps.find(({ name }) => name === one.step);
  }

  posterOf({ media }: ReportedInstance): string | null {
    return (media && this.data.media[media.sha256]?.poster) ?? null;
  }

  /** The instance with the picture or words to show for this one: itself; of an approval, the first that is approved. */
  shownFor(one: ReportedInstance): ReportedInstance {
    if (wordsOfKind(one.kind).asks?.namesChosen !== false) return one;
    const question = this.report.questions.find(({ key }) => key === one.key);
    const approved = (question?.options ?? []).flatMap(({ key }) => this.find(key) ?? []);
    return approved.find(({ media }) => media) ?? approved.find(({ text }) => text !== null) ?? one;
  }

  playableOf({ media }: Pick<ReportedInstance, 'media'>): Playable {
    return media ? playable(media, this.data.media[media.sha256]) : { is: 'absent' };
  }

  /** Coordinates in which the takes of a step differ: what a person chose between. */
  takeAxes(step: string): readonly string[] {
    const axes = this.#takeAxes.get(step) ?? this.#foundTakeAxes(step);
    this.#takeAxes.set(step, axes);
    return axes;
  }

  #foundTakeAxes(step: string): readonly string[] {
    const some = this.of(step)[0];
    if (!some || this.of(step).length === 1) return [];
    const question = this.report.questions.find(
      ({ options }) => options.length > 1 && options.some(({ key }) => this.find(key)?.step === step),
    );
    const offered = (question?.options ?? [])
      .flatMap(({ key }) => this.find(key) ?? [])
      .filter(one => one.step === step);
    const axes = Object.keys(some.coordinates);
    const varied = axes.filter(axis => new Set(offered.map(({ coordinates }) => coordinates[axis])).size > 1);
    return varied.length > 0 ? varied : axes.filter(axis => axis === 'take');
  }

  /** What its takes have in common: `beat=3`; what distinguishes it: `2`, `take 2`. */
  beatOf(one: ReportedInstance): string {
    const axes = this.takeAxes(one.step);
    return Object.entries(one.coordinates)
      .filter(([axis]) => !axes.includes(axis))
      .map(([axis, value]) => `${axis}=${value}`)
      .join(', ');
  }

  takeName(one: ReportedInstance): string {
    const axes = this.takeAxes(one.step);
    return Object.entries(one.coordinates)
      .filter(([axis]) => axes.includes(axis))
      .map(([axis, value]) => `${axis} ${value}`)
      .join(', ');
  }

  /** Takes of the same beat, itself among them; empty where it has no other. */
  takesOf(one: ReportedInstance): readonly ReportedInstance[] {
    if (this.takeAxes(one.step).length === 0) return [];
    const beat = this.beatOf(one);
    const takes = this.of(one.step).filter(other => this.beatOf(other) === beat);
    return takes.length > 1 ? takes : [];
  }

  /** The decision that it was chosen by, or that it is. */
  decisionOf(one: ReportedInstance): ReportedDecision | null {
    return one.decision ?? this.chosenIn(one);
  }

  chosenIn(one: ReportedInstance): ReportedDecision | null {
    return one.chosenBy.map(key => this.find(key)?.decision).find(decision => decision != null) ?? null;
  }

  /** `take 2`, of what is chosen. */
  chosenNames({ chosen }: ReportedDecision): string {
    const names = chosen.map(key => {
      const one = this.find(key);
      return one ? this.takeName(one) || one.label : key;
    });
    return names.join(', ');
  }

  /** What failed by itself, and not for something that it needs. */
  get failures(): readonly ReportedInstance[] {
    return this.report.instances.filter(({ failure }) => failure !== null && failure.code !== 'blocked');
  }

  /** Keys that were not made because this one failed. */
  heldUpBy(failed: ReportedInstance): readonly ReportedInstance[] {
    const reached = new Set<string>([failed.key]);
    // In the order of the plan: what is needed comes before what needs it.
    return this.report.instances.filter(one => {
      if (one.state === 'made' || one.state === 'reused' || !one.needs.some(key => reached.has(key))) return false;
      reached.add(one.key);
      return true;
    });
  }

  /** Nothing was billed: costs are at list price. */
  get isFree(): boolean {
    return this.report.run.isFree;
  }

  /** As in a list: `–`, `$0.30`, `free`. */
  price(one: ReportedInstance): string {
    const usd = paidFor(one);
    return this.isFree && usd !== 0 ? 'free' : money(usd);
  }

  /** `nothing`, `$0.30`; `free ($0.30 at list price)`. */
  costWords(usd: number | null): string {
    return this.isFree ? freeText(usd ?? 0) : moneyInWords(usd);
  }

  /** Seconds since the run began. */
  at(unix: number): number {
    return Math.max(0, (unix - this.report.run.began) / 1000);
  }

  /** Seconds that the run took, or has taken so far. */
  get length(): number {
    const { ended, began } = this.report.run;
    if (ended !== null) return Math.max(1, (ended - began) / 1000);
    return Math.max(1, ...this.report.instances.flatMap(one => one.attempts.map(it => this.at(endOf(it)))));
  }
}

export const isPicked = (one: ReportedInstance): boolean => one.chosenBy.length > 0;

/** Unix milliseconds: the last that is known of it. */
export const endOf = ({ ended, fetching, running, queued }: ReportedAttempt): number =>
  ended ?? fetching ?? running ?? queued;

/** What this run paid for it, its failed attempts included: US dollars, or null where that is not known. */
export const paidFor = ({ failure, cost }: ReportedInstance): number | null => (failure ? failure.cost : cost);

/** Of several, what is known. */
export const paidForAll = (all: readonly ReportedInstance[]): number =>
  all.reduce((sum, one) => sum + (paidFor(one) ?? 0), 0);

/** Seconds from the first queue to the last byte, waiting for people aside. */
export const secondsFor = (one: ReportedInstance): number =>
  isAsked(one) ? 0 : one.attempts.reduce((sum, attempt) => sum + (endOf(attempt) - attempt.queued) / 1000, 0);
