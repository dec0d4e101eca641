/** What failed, with its story, what it cost, what it held up, and the command that goes on. */

import type { ReportedInstance } from '../../../../model/run/run-report.ts';
import { counted, number } from '../../../../model/text/format.ts';
import { commandLine, copyButton } from '../../parts/copying.ts';
import { byId, html } from '../../parts/element.ts';
import { money, sentence } from '../../parts/format.ts';
import { failureTitle } from './kind-words.ts';
import { paidFor, paidForAll } from './model.ts';
import { lastLines } from './texts.ts';
import type { View } from './view.ts';

/** Failures that are shown in full. */
const MOST_TOLD = 100;
/** Keys that were held up by one of them. */
const MOST_HELD = 12;

export function drawTrouble(view: View): void {
  const all = view.model.report.instances.filter(({ failure }) => failure !== null && failure.code !== 'blocked');
  byId('to-trouble').hidden = byId('the-trouble').hidden = all.length === 0;
  if (all.length === 0) return;
  const lost = view.model.isFree ? 0 : paidForAll(all);
  byId('trouble-said').textContent = `${counted(all.length, 'failure')}${lost > 0 ? `, ${money(lost)} lost` : ''}`;
  byId('fails').append(...all.slice(0, MOST_TOLD).map(one => told(one, view)));
  if (all.length > MOST_TOLD)
    byId('fails').append(
      html('p', { class: 'soft', text: `${number(all.length - MOST_TOLD)} more are in the list above.` }),
    );
}

function told(one: ReportedInstance, view: View): HTMLElement {
  const { model } = view;
  const command = one.failure?.command ?? model.report.run.command;
  const held = model.heldUpBy(one);
  const row = (word: string, ...what: readonly (Node | null)[]) =>
    html(
      'div',
      { class: 'mid flow' },
      html('span', { class: 'soft', text: word }),
      html('span', { class: 'what flow' }, ...what),
    );
  const opener = (other: ReportedInstance) =>
    html('button', { class: 'copy mono', type: 'button', text: other.label, on: { click: () => view.open(other) } });
  return html(
    'article',
    { class: 'fail' },
    html(
      'div',
      { class: 'words' },
      html(
        'p',
        {},
        html('button', { class: 'key', type: 'button', text: one.label, on: { click: () => view.open(one) } }),
      ),
      html('p', {
        text: [one.failure?.code, counted(one.attempts.length, 'attempt'), model.costWords(paidFor(one))].join(', '),
      }),
    ),
    html(
      'div',
      {},
      html('h3', { text: one.failure ? failureTitle(one.failure) : '' }),
      html('p', { class: 'said', text: sentence(one.failure?.message ?? '') }),
      ...lastLines(one),
      html(
        'div',
        { class: 'go' },
        one.failure?.first ? row('First', html('span', { text: one.failure.first })) : null,
        command === null ? null : row('Go on', commandLine(command)),
        held.length === 0
          ? null
          : row(
              'Not made because of it',
              ...held.slice(0, MOST_HELD).map(opener),
              held.length > MOST_HELD ? html('span', { text: `and ${number(held.length - MOST_HELD)} more` }) : null,
            ),
        one.generation === null
          ? null
          : row(
              'Generation',
              html('span', { class: 'mono', text: one.generation }),
              copyButton(one.generation, 'the generation id'),
            ),
      ),
    ),
  );
}
