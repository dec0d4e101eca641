/** Why it was made: field by field against the last time, with the words that went and the words that came. */
import type { ReportedField, ReportedInstance } from '../../../domain/run-report.ts';
import { wordDifference } from '../../../domain/word-difference.ts';
import { html } from '../../parts/element.ts';
import { shapeOf } from '../../parts/states.ts';

export function whyTitle({ state }: ReportedInstance): string {
  switch (shapeOf(state)) {
    case 'reused':
      return 'Why it was reused';
    case 'pending':
      return 'Why it was not run';
    case 'made':
    case 'failed':
    case 'going':
      return 'Why it was made';
  }
}

export function whyTable(fields: readonly ReportedField[]): HTMLElement | null {
  if (fields.length === 0) return null;
  const heads = ['Field', 'Change', 'Value'].map(text => html('th', { scope: 'col', text }));
  return html(
    'table',
    { class: 'why' },
    html('caption', { class: 'away', text: 'Field by field against the last time' }),
    html('thead', { class: 'away' }, html('tr', {}, ...heads)),
    html('tbody', {}, ...fields.map(row)),
  );
}

function row(field: ReportedField): HTMLElement {
  return html(
    'tr',
    { 'data-is': field.is },
    html('th', { scope: 'row', text: field.name }),
    html('td', { text: field.is }),
    html('td', {}, ...changeOf(field)),
  );
}

function changeOf({ is, was, now }: ReportedField): readonly (Node | string)[] {
  switch (is) {
    case 'gone':
      return [html('del', { text: was ?? '' })];
    case 'new':
    case 'same':
      return [now ?? was ?? ''];
    case 'changed':
      return wordDifference(was ?? '', now ?? '').flatMap(({ is: came, text }) =>
        came === 'same' ? [text] : came === 'gone' ? [html('del', { text }), ' '] : [html('ins', { text })],
      );
  }
}
