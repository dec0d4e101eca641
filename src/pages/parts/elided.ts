/** A name whose end tells it apart from its neighbours: where there is no room it loses its middle, `shot[beat=2-com…,take=3]`. */
import { html } from './element.ts';

export function elided(label: string): HTMLElement {
  const at = Math.max(label.lastIndexOf(','), label.lastIndexOf('#') - 1);
  const [head, tail] = at > 0 ? [label.slice(0, at), label.slice(at)] : [label, ''];
  return html('span', { class: 'elided' }, html('span', { text: head }), html('span', { text: tail }));
}
