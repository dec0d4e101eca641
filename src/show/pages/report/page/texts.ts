/** Long texts of an instance: what a model wrote, what a command printed, its request. */
import type { ReportedInstance } from '../../../../model/run/run-report.ts';
import { answer } from '../../parts/answer.ts';
import { html } from '../../parts/element.ts';
import { wordsOfKind } from './kind-words.ts';

const KEYED = /^(\s*(?:- )*)([\w.-]+:)(.*)$/;

/** YAML with its keys stepped back. */
export function yamlText(text: string): HTMLElement {
  const block = html('pre', { class: 'yaml', tabindex: 0, role: 'region', 'aria-label': 'The request, as YAML' });
  for (const line of text.trimEnd().split('\n')) {
    const [, before = '', key, after = ''] = KEYED.exec(line) ?? [];
    if (key === undefined) block.append(`${line}\n`);
    else block.append(before, html('b', { text: key }), `${after}\n`);
  }
  return block;
}

/** What it came to, where that is a text. @param tabindex of one that is scrolled by keys */
export function textOf({ kind, text }: ReportedInstance, tabindex?: number): HTMLElement {
  if (wordsOfKind(kind).isPrinted) return html('pre', { class: 'yaml', text: text ?? '', tabindex });
  return answer(text ?? '');
}

/** The last that its command wrote, and where all of it is; nothing where it wrote nothing. */
export const lastLines = ({ log }: ReportedInstance): readonly HTMLElement[] => [
  ...(log?.lines?.length ? [html('pre', { class: 'yaml', text: log.lines.join('\n'), tabindex: 0 })] : []),
  ...(log?.log ? [html('p', { class: 'soft', text: `All of it: ${log.log}` })] : []),
];
