/** What a chat model wrote, to be read. */
import { type AnswerLine, answerLines } from '../../text/report/answer-lines.ts';
import { html } from './element.ts';

export function answer(text: string): HTMLElement {
  const lines = answerLines(text) ?? [{ depth: 0, name: null, text }];
  return html('div', { class: 'answer' }, ...lines.map(lineOf));
}

function lineOf({ depth, name, text }: AnswerLine): HTMLElement {
  const line = html('p', {}, name === null ? null : html('b', { text: `${name} ` }), text);
  line.style.marginLeft = `${depth * 12}px`;
  return line;
}
