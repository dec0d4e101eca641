/** What the reader looks at now: which instances the list shows, and which one is open. Who draws it listens. */
import type { ReportedInstance, ReportedState } from '../../../../model/run/run-report.ts';
import { STATE_WORDS } from '../../../text/report/state-words.ts';
import { isPicked, type ReportModel } from './model.ts';

export type Wanted = 'all' | 'picked' | ReportedState;

export class View {
  readonly model: ReportModel;
  wanted: Wanted = 'all';
  words = '';
  /** Steps that the graph has chosen; empty: all. */
  steps: readonly string[] = [];
  opened: ReportedInstance | null = null;
  #shown: readonly ReportedInstance[];
  readonly #texts = new Map<ReportedInstance, string>();
  readonly #filtered: (() => void)[] = [];
  readonly #turned: (() => void)[] = [];

  constructor(model: ReportModel) {
    this.model = model;
    this.#shown = model.report.instances;
  }

  get shown(): readonly ReportedInstance[] {
    return this.#shown;
  }

  get isFiltered(): boolean {
    return this.wanted !== 'all' || this.words !== '' || this.steps.length > 0;
  }

  onFilter(heard: () => void): void {
    this.#filtered.push(heard);
  }

  /** Called when another instance is open, or none. */
  onOpen(heard: () => void): void {
    this.#turned.push(heard);
  }

  filter(change: { readonly wanted?: Wanted; readonly words?: string; readonly steps?: readonly string[] }): void {
    Object.assign(this, change);
    const words = this.words.toLowerCase().split(/\s+/).filter(Boolean);
    this.#shown = this.model.report.instances.filter(one => this.#fits(one, words));
    for (const heard of this.#filtered) heard();
  }

  open(one: ReportedInstance | null): void {
    if (this.opened === one) return;
    this.opened = one;
    for (const heard of this.#turned) heard();
  }

  /** The next of those that are shown, or the one before. */
  turn(by: 1 | -1): void {
    const list = this.opened && this.#shown.includes(this.opened) ? this.#shown : this.model.report.instances;
    const next = this.opened && list[list.indexOf(this.opened) + by];
    if (next) this.open(next);
  }

  #fits(one: ReportedInstance, words: readonly string[]): boolean {
    const { wanted, steps } = this;
    if (wanted !== 'all' && one.state !== wanted && !(wanted === 'picked' && isPicked(one))) return false;
    if (steps.length > 0 && !steps.includes(one.step)) return false;
    return words.length === 0 || words.every(word => this.#textOf(one).includes(word));
  }

  #textOf(one: ReportedInstance): string {
    let text = this.#texts.get(one);
    if (text === undefined) {
      const { key, model, kind, prompt, generation, state, failure } = one;
      const picked = isPicked(one) ? `picked ${this.model.chosenIn(one)?.who ?? ''}` : '';
      const words = [key, kind, model, prompt, generation, STATE_WORDS[state], failure?.code, failure?.message, picked];
      text = words.filter(Boolean).join(' ').toLowerCase();
      this.#texts.set(one, text);
    }
    return text;
  }
}
