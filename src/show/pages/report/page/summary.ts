/** What the run came to: its name, its figures with its money, and what failed, with the command that goes on. */

import { atListPrice, unsettledText } from '../../../../model/run/run-money.ts';
import type { ReportedInstance, ReportedOutput, ReportedState } from '../../../../model/run/run-report.ts';
import { markedText } from '../../../../model/source-type.ts';
import { counted, number } from '../../../../model/text/format.ts';
import { countStates, STATE_WORDS } from '../../../text/report/state-words.ts';
import { commandLine } from '../../parts/copying.ts';
import { byId, html } from '../../parts/element.ts';
import { clock, dayAndTime, money, span, withStop } from '../../parts/format.ts';
import { mediaText } from '../../parts/media.ts';
import { mark } from '../../parts/states.ts';
import { paidFor, type ReportModel } from './model.ts';
import type { View } from './view.ts';

/** Failures under the film; the section at the end has all. */
const MAX_NOTICES = 3;

export function drawSummary(view: View): void {
  const { model } = view;
  const { run } = model.report;
  document.title = `${run.name} · Shotlist`;
  byId('title').textContent = run.name;
  const where = `${run.file}${run.profile ? ` as ${run.profile}` : ''}, on ${run.service}, ${dayAndTime(run.began)}.`;
  byId('about').textContent = [run.description?.trim().replace(/[^.!?…]$/, '$&.'), where, remarks(model)]
    .filter(Boolean)
    .join(' ');
  byId('figures').append(...figures(view));
  byId('outputs').append(...model.report.outputs.map(outputLine));
  const failed = model.failures;
  if (failed.length === 0) drawEnd(model);
  else byId('notices').append(...failed.slice(0, MAX_NOTICES).map(one => notice(model, one)));
  if (failed.length > MAX_NOTICES)
    byId('notices').append(
      html('p.more', html('a', { href: '#the-trouble' }, `${number(failed.length - MAX_NOTICES)} more`)),
    );
}

/** What the film gives, and where it was put. */
function outputLine({ name, path, media, marked, failed }: ReportedOutput): HTMLElement {
  const there = [media && mediaText(media), marked && markedText(marked)].filter(Boolean).join(', ');
  const became = failed === null ? there : `not there: ${failed}`;
  return html('li.flow', html('span.mono', path || name), html('span.soft', became));
}

/** Sentences about the whole: it goes on, it ended early, its file is another now. */
function remarks(model: ReportModel): string {
  const { run } = model.report;
  return [
    run.outcome === 'running' ? 'It goes on: this is how it stood when the report was drawn.' : null,
    run.outcome === 'cut_off' ? 'Its process ended without a word.' : null,
    run.isEdited ? 'The file was edited since; this is what was run.' : null,
    run.isWhole ? null : 'Some of what was planned is not known any more.',
    run.isFree || unsettledText(run) === '' ? null : `Beside what is spent${unsettledText(run)}.`,
    run.unpriced > 0 && !run.isFree ? `${counted(run.unpriced, 'generation')} without a known price.` : null,
    run.estimated > 0 && !run.isFree
      ? `Of what was spent, ${money(run.estimated)} is our price list’s word alone.`
      : null,
  ]
    .filter(Boolean)
    .join(' ');
}

/** A run that ended early without a failure shows why, and how to go on. */
function drawEnd({ report: { run } }: ReportModel): void {
  if (run.reason === null && (run.command === null || run.outcome === 'running')) return;
  byId('notices').append(
    html(
      'div.notice.mid.flow',
      html('p', run.reason ?? endText(run.outcome)),
      run.command === null ? null : commandLine(run.command),
    ),
  );
}

function endText(outcome: string): string {
  switch (outcome) {
    case 'waiting':
      return 'It waits for a person to choose; all else is done.';
    case 'interrupted':
      return 'It was interrupted; the same command goes on.';
    case 'failed':
      return 'What failed, and what is made of it, is not there.';
    default:
      return 'It did not get to the end.';
  }
}

function figures(view: View): readonly HTMLElement[] {
  const { model } = view;
  const { run, instances } = model.report;
  const states = model.data.whole?.states ?? countStates(instances);
  const of = (state: ReportedState) => figure(number(states[state] ?? 0), STATE_WORDS[state], view, state);
  const others = (['asks', 'queued', 'running'] as const).filter(state => states[state]);
  const people = run.waitedForPeople >= 1 ? `${span(run.waitedForPeople)} of it people` : 'from first to last';
  return [of('made'), of('reused'), of('failed'), ...others.map(of), spent(model), figure(clock(model.length), people)];
}

function spent({ report: { run } }: ReportModel): HTMLElement {
  if (run.isFree) {
    return figure('free', run.list_price ? atListPrice(run.list_price) : 'on this machine');
  }
  // What is spent is the run's; a film's budget bounds all its runs.
  const budget = run.budget === null ? '' : `, budget ${money(run.budget)}`;
  const saved = run.saved > 0 ? `, ${money(run.saved)} saved` : '';
  return figure(run.spent === 0 ? '$0' : money(run.spent), `spent${budget}${saved}`);
}

function figure(value: string, word: string, view?: View, state?: ReportedState): HTMLElement {
  const show = () => {
    if (!view || !state) return;
    view.filter({ wanted: state });
    byId('the-instances').scrollIntoView();
  };
  const inside = state ? html('button', { 'aria-label': `${value} ${word}: show them`, onclick: show }, value) : value;
  const isBad = state === 'failed' && value !== '0';
  return html(isBad ? 'div.bad' : 'div', html('dt.note', word), html('dd', inside));
}

function notice(model: ReportModel, one: ReportedInstance): HTMLElement {
  const held = model.heldUpBy(one);
  const cost = model.isFree ? 0 : paidFor(one);
  const [first] = held;
  const because = first
    ? ` ${held.length === 1 ? first.label : `${first.label} and ${number(held.length - 1)} more`} ${held.length === 1 ? 'was' : 'were'} not made.`
    : '';
  const costSentence = cost === null ? ' What it cost is not known.' : cost > 0 ? ` It cost ${money(cost)}.` : '';
  const command = one.failure?.command ?? model.report.run.command;
  return html(
    'div.notice.mid.flow',
    mark('failed'),
    html(
      'p',
      html('a.mono', { href: '#the-trouble' }, one.label),
      ` failed: ${withStop(one.failure?.message ?? '')}${costSentence}${because}`,
    ),
    command === null ? null : commandLine(command),
  );
}
