/** What failed, with its story, what it cost, what it held up, and the command that goes on. */

import type { ReportedInstance } from '../../../../model/run/run-report.ts';
import { counted, number } from '../../../../model/text/format.ts';
import { commandLine } from '../../parts/copying.ts';
import { byId, type Child, html } from '../../parts/element.ts';
import { money, sentence } from '../../parts/format.ts';
import { generationId, opener } from './details.ts';
import { failureTitle } from './kind-words.ts';
import { paidFor, paidForAll } from './model.ts';
import { lastLines } from './texts.ts';
import type { View } from './view.ts';

/** Failures that are shown in full. */
const MAX_FAILURES = 100;
/** Keys that were held up by one of them. */
const MAX_HELD_UP = 12;

export function drawTrouble(view: View): void {
  const all = view.model.failures;
  byId('to-trouble').hidden = byId('the-trouble').hidden = all.length === 0;
  if (all.length === 0) return;
  const lost = view.model.isFree ? 0 : paidForAll(all);
  byId('trouble-said').textContent = `${counted(all.length, 'failure')}${lost > 0 ? `, ${money(lost)} lost` : ''}`;
  byId('fails').append(...all.slice(0, MAX_FAILURES).map(one => story(one, view)));
  if (all.length > MAX_FAILURES)
    byId('fails').append(html('p.soft', `${number(all.length - MAX_FAILURES)} more are in the list above.`));
}

function story(one: ReportedInstance, view: View): HTMLElement {
  const { model } = view;
  const command = one.failure?.command ?? model.report.run.command;
  const held = model.heldUpBy(one);
  const row = (word: string, ...what: readonly (Child | readonly Child[])[]) =>
    html('div.mid.flow', html('span.soft', word), html('span.what.flow', ...what));
  const more = held.length > MAX_HELD_UP ? html('span', `and ${number(held.length - MAX_HELD_UP)} more`) : null;
  const came = [one.failure?.code, counted(one.attempts.length, 'attempt'), model.costWords(paidFor(one))];
  return html(
    'article.fail',
    html(
      'div.words',
      html('p', html('button.key', { onclick: () => view.open(one) }, one.label)),
      html('p', came.join(', ')),
    ),
    html(
      'div',
      html('h3', one.failure ? failureTitle(one.failure) : ''),
      html('p.said', sentence(one.failure?.message ?? '')),
      lastLines(one),
      html(
        'div.go',
        one.failure?.first ? row('First', html('span', one.failure.first)) : null,
        command === null ? null : row('Go on', commandLine(command)),
        held.length === 0
          ? null
          : row(
              'Not made because of it',
              held.slice(0, MAX_HELD_UP).map(({ key }) => opener(key, view)),
              more,
            ),
        one.generation === null ? null : row('Generation', generationId(one.generation)),
      ),
    ),
  );
}
