/** The part of the run that is looked at, in seconds since it began. */

/** Seconds: no nearer than this. */
const NEAREST = 2;
const STEPS = [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 86_400];

export class TimeAxis {
  readonly length: number;
  from = 0;
  to: number;

  constructor(length: number) {
    this.length = length;
    this.to = length;
  }

  /** Percent of the width. */
  place(second: number): number {
    return ((second - this.from) / (this.to - this.from)) * 100;
  }

  /** @param share 0 to 1 of the width. */
  at(share: number): number {
    return this.from + share * (this.to - this.from);
  }

  /** @param by below 1: nearer. */
  zoom(by: number, around = (this.from + this.to) / 2): void {
    const span = Math.min(this.length, Math.max(Math.min(NEAREST, this.length), (this.to - this.from) * by));
    const share = (around - this.from) / (this.to - this.from);
    this.#look(around - span * share, span);
  }

  /** @param by seconds. */
  move(by: number): void {
    this.#look(this.from + by, this.to - this.from);
  }

  fit(): void {
    this.from = 0;
    this.to = this.length;
  }

  /** Where the ruler has a word: at most that many. */
  marks(most: number): readonly number[] {
    const wanted = (this.to - this.from) / most;
    const step = STEPS.find(it => it >= wanted) ?? Math.ceil(wanted / 86_400) * 86_400;
    const marks: number[] = [];
    for (let second = Math.ceil(this.from / step) * step; second <= this.to + 1e-6; second += step) marks.push(second);
    return marks;
  }

  #look(from: number, span: number): void {
    this.from = Math.max(0, Math.min(this.length - span, from));
    this.to = this.from + span;
  }
}
