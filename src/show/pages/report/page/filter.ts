/** The field and the buttons that say which instances the page shows. */

import { counted, number } from '../../../../model/text/format.ts';
import { countStates, STATE_WORDS, STATES } from '../../../text/report/state-words.ts';
import { byId, html } from '../../parts/element.ts';
import { mark } from '../../parts/states.ts';
import { isPicked } from './model.ts';
import type { View, Wanted } from './view.ts';

/** Milliseconds after a letter. */
const PAUSE = 80;

export function listenToFilter(view: View): void {
  const { instances } = view.model.report;
  const field = byId<HTMLInputElement>('find');
  const states = countStates(instances);
  const picked = instances.filter(isPicked).length;
  const chip = (wanted: Wanted, word: string, of: number, sign?: SVGElement) =>
    html(
      'button',
      { type: 'button', 'data-wanted': wanted, on: { click: () => view.filter({ wanted }) } },
      sign,
      `${word} ${number(of)}`,
    );
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
  const say = () => {
    for (const one of byId('chips').querySelectorAll<HTMLElement>('button'))
      one.setAttribute('aria-pressed', String(one.dataset.wanted === view.wanted));
    byId('none').hidden = view.shown.length > 0;
    byId('shown').textContent = shownText(view);
  };
  view.onFilter(say);
  say();
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
