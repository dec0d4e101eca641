/** What the reader looks at now: which instances the list shows, by a field and by buttons, and which one is open. Whatever draws it listens. */
import type { ReportedInstance, ReportedState } from '../../../../model/run/run-report.ts';
import { counted, number } from '../../../../model/text/format.ts';
import { countStates, STATE_WORDS, STATES } from '../../../text/report/state-words.ts';
import { byId, html } from '../../parts/element.ts';
import { mark } from '../../parts/states.ts';
import { isPicked, type ReportModel } from './model.ts';

type Wanted = 'all' | 'picked' | ReportedState;

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

  onFilter(listener: () => void): void {
    this.#filtered.push(listener);
  }

  /** Called when another instance is open, or none. */
  onOpen(listener: () => void): void {
    this.#turned.push(listener);
  }

  filter(change: { readonly wanted?: Wanted; readonly words?: string; readonly steps?: readonly string[] }): void {
    Object.assign(this, change);
    const words = this.words.toLowerCase().split(/\s+/).filter(Boolean);
    this.#shown = this.model.report.instances.filter(one => this.#fits(one, words));
    for (const listener of this.#filtered) listener();
  }

  open(one: ReportedInstance | null): void {
    if (this.opened === one) return;
    this.opened = one;
    for (const listener of this.#turned) listener();
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

/** Milliseconds after a letter. */
const PAUSE = 80;

export function listenToFilter(view: View): void {
  const { instances } = view.model.report;
  const field = byId<HTMLInputElement>('find');
  const states = countStates(instances);
  const picked = instances.filter(isPicked).length;
  const chip = (wanted: Wanted, word: string, of: number, sign?: SVGElement) =>
    html('button', { 'data-wanted': wanted, onclick: () => view.filter({ wanted }) }, sign, `${word} ${number(of)}`);
  byId('chips').append(
    chip('all', 'All', instances.length),
    ...STATES.filter(state => states[state]).map(state =>
      chip(state, STATE_WORDS[state], states[state] ?? 0, mark(state)),
    ),
    ...(picked ? [chip('picked', 'picked', picked)] : []),
  );
  let typing: ReturnType<typeof setTimeout> | undefined;
  field.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(() => view.filter({ words: field.value.trim() }), PAUSE);
  });
  byId('clear').addEventListener('click', () => showAll(view));
  const update = () => {
    for (const one of byId('chips').querySelectorAll<HTMLElement>('button'))
      one.setAttribute('aria-pressed', String(one.dataset.wanted === view.wanted));
    byId('none').hidden = view.shown.length > 0;
    byId('shown').textContent = shownText(view);
  };
  view.onFilter(update);
  update();
}

export function showAll(view: View): void {
  byId<HTMLInputElement>('find').value = '';
  view.filter({ wanted: 'all', words: '', steps: [] });
}

function shownText({ shown, model, isFiltered, steps }: View): string {
  const { instances } = model.report;
  const { whole } = model.data;
  if (isFiltered)
    return `${counted(shown.length, 'instance')} of ${number(instances.length)}${steps.length > 0 ? ` in ${steps.length === 1 ? steps[0] : `${steps.length} steps`}` : ''}`;
  if (!whole) return counted(instances.length, 'instance');
  return `${number(instances.length)} of ${counted(whole.instances, 'instance')}: all that failed or wait, then the first. The whole is in the JSON of the report.`;
}
