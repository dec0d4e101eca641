/** YAML with its keys stepped back. */
import { html } from '../../parts/element.ts';

const KEYED = /^(\s*(?:- )*)([\w.-]+:)(.*)$/;

export function yamlText(text: string): HTMLElement {
  const block = html('pre', { class: 'yaml', tabindex: 0, role: 'region', 'aria-label': 'The request, as YAML' });
  for (const line of text.trimEnd().split('\n')) {
    const [, before = '', key, after = ''] = KEYED.exec(line) ?? [];
    if (key === undefined) block.append(`${line}\n`);
    else block.append(before, html('b', { text: key }), `${after}\n`);
  }
  return block;
}
