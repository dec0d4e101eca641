/** Long texts of an instance: what a model wrote, what a command printed, its request. */
import type { ReportedInstance } from '../../../../model/run/run-report.ts';
import { answer, html } from '../../parts/element.ts';
import { wordsOfKind } from './kind-words.ts';

const KEYED = /^(\s*(?:- )*)([\w.-]+:)(.*)$/;

/** YAML with its keys stepped back. */
export function yamlText(text: string): HTMLElement {
  const block = html('pre.yaml', { tabindex: 0, role: 'region', 'aria-label': 'The request, as YAML' });
  for (const line of text.trimEnd().split('\n')) {
    const [, before = '', key, after = ''] = KEYED.exec(line) ?? [];
    if (key === undefined) block.append(`${line}\n`);
    else block.append(before, html('b', key), `${after}\n`);
  }
  return block;
}

/** What it came to, where that is a text. @param tabindex of one that is scrolled by keys */
export function textOf({ kind, text }: ReportedInstance, tabindex?: number): HTMLElement {
  if (wordsOfKind(kind).isPrinted) return html('pre.yaml', { tabindex }, text ?? '');
  return answer(text ?? '');
}

/** The last that its command wrote, and where all of it is; nothing where it wrote nothing. */
export const lastLines = ({ log }: ReportedInstance): readonly HTMLElement[] => [
  ...(log?.lines?.length ? [html('pre.yaml', { tabindex: 0 }, log.lines.join('\n'))] : []),
  ...(log?.log ? [html('p.soft', `All of it: ${log.log}`)] : []),
];
