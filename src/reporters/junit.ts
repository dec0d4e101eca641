/**
 * A run as JUnit's XML, which every CI system shows: a `testsuite` for the film, a `testcase` for each instance. What was not made because
 * something else failed, or because a person has to choose, is `skipped`: one cause is one red line. What is wrong with the run itself, or
 * with an output, has a `testcase` of its own.
 */
import type { RecordedEvent, Reporter } from '../domain/event.ts';
import { formatUsd } from '../domain/format.ts';
import { stepOf } from '../domain/key.ts';
import { xmlAttributes as attributes, xmlText } from '../domain/markup.ts';
import { type FailedInstance, failedInstances, groupLines } from '../telling/failure-groups.ts';
import { isOver } from '../telling/instance-state.ts';
import { billsOnText } from '../telling/left-at-service-text.ts';
import { openingLine, outcomeLine } from '../telling/opening-and-outcome.ts';
import { reduce } from '../telling/reduce.ts';
import { isFree } from '../telling/run-cost.ts';
import { emptyRunView, type InstanceView, type RunView } from '../telling/run-view.ts';
import { endText, stateText } from '../telling/state-text.ts';

export interface JunitOptions {
  /** What to type to go on. */
  readonly command: string;
  /** Takes the whole document, once, when the run is over. */
  readonly write: (document: string) => Promise<void>;
}

export function junitReporter({ command, write }: JunitOptions): Reporter {
  const run = emptyRunView();
  let id = '';
  return {
    report(event: RecordedEvent): void {
      if (event.type === 'run_started') id = event.run;
      reduce(run, event);
    },
    close: () => write(junitDocument(run, { id, command })),
  };
}

interface Case {
  readonly name: string;
  readonly of: string;
  /** Seconds. */
  readonly took: number;
  readonly is: 'passed' | 'failure' | 'error' | 'skipped';
  /** What kind of trouble, for whoever sorts by it. */
  readonly type?: string;
  readonly message?: string;
  readonly text?: string;
}

export function junitDocument(
  run: RunView,
  { id, command }: { readonly id: string; readonly command: string },
): string {
  const film = run.profile === null ? run.name : `${run.name} (${run.profile})`;
  const failed = new Map(failedInstances(run, command, 'at length').map(one => [one.instance.key, one]));
  const cases = [
    ...[...run.instances.values()].map(instance => caseOf(run, film, instance, failed.get(instance.key))),
    ...casesOfRun(run, film),
  ];
  const many = (is: Case['is']) => cases.filter(one => one.is === is).length;
  const sums = attributes({
    tests: cases.length,
    failures: many('failure'),
    errors: many('error'),
    time: seconds(run.lastEventAt - run.startedAt),
  });
  const suite = attributes({
    name: film,
    timestamp: new Date(run.startedAt).toISOString().slice(0, 19),
    skipped: many('skipped'),
  });
  const { finished } = run;
  const properties = {
    run: id,
    pipeline: run.pipeline,
    service: run.service,
    ...(run.profile !== null && { profile: run.profile }),
    outcome: finished?.outcome ?? 'running',
    ...(finished && { usd: String(finished.usd) }),
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="shotlist" ${sums}>`,
    `  <testsuite ${suite} ${sums}>`,
    '    <properties>',
    ...Object.entries(properties).map(([name, value]) => `      <property ${attributes({ name, value })}/>`),
    '    </properties>',
    ...cases.map(caseXml),
    `    <system-out>${xmlText([openingLine(run), outcomeLine(run)].join('\n'))}</system-out>`,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function caseOf(run: RunView, film: string, instance: InstanceView, failed: FailedInstance | undefined): Case {
  const { label, state, since, until, key, paidUsd } = instance;
  const took = since === null || until === null ? 0 : until - since;
  const about = { name: label, of: `${film}.${stepOf(key)}`, took: took / 1000 };
  if (state.is === 'failed' && failed) {
    const [, first, ...more] = groupLines([failed]).map(({ text }) => text);
    const text = [first, ...more].join('\n');
    return { ...about, is: 'failure', type: state.failure.code, message: first ?? '', text };
  }
  const skipped = (type: string, message: string): Case => ({ ...about, is: 'skipped', type, message });
  if (state.is === 'asking') return skipped('waiting', `waits for a person: ${state.ask}`);
  if (!isOver(state)) return skipped('not_run', `not brought to an end: ${stateText(run, instance, run.lastEventAt)}`);
  if (state.is === 'succeeded' || state.is === 'reused') {
    const paid = paidUsd > 0 && !isFree(run) ? `, ${formatUsd(paidUsd)}` : '';
    return { ...about, is: 'passed', text: `${endText(state)}${paid}` };
  }
  return skipped(state.is, endText(state));
}

/** What concerns no instance alone. */
function casesOfRun(run: RunView, film: string): readonly Case[] {
  const { finished, failedOutputs, deployments, connection } = run;
  const about = { of: `${film}.run`, took: 0, is: 'error' } as const;
  const ended = finished?.outcome ?? 'cut_off';
  const isToldByInstances = ended === 'done' || ended === 'failed' || ended === 'waiting';
  const why = finished?.reason || (ended === 'unreachable' ? connection.reason : '') || outcomeLine(run);
  return [
    ...(isToldByInstances ? [] : [{ ...about, name: 'run', type: ended, message: why }]),
    ...failedOutputs.map(({ path, reason }) => ({ ...about, name: path, type: 'output', message: reason })),
    ...[...deployments.values()].flatMap(deployment => {
      const bills = billsOnText(run, deployment);
      return bills === null ? [] : [{ ...about, name: deployment.model, type: 'still_billing', message: bills }];
    }),
  ];
}

function caseXml({ name, of, took, is, type = '', message = '', text = '' }: Case): string {
  const open = `    <testcase ${attributes({ name, classname: of, time: seconds(took * 1000) })}`;
  if (is === 'passed')
    return text === '' ? `${open}/>` : `${open}><system-out>${xmlText(text)}</system-out></testcase>`;
  const tag = `<${is} ${attributes({ type, message: message.split('\n')[0] ?? '' })}`;
  return `${open}>${text === '' ? `${tag}/>` : `${tag}>${xmlText(text)}</${is}>`}</testcase>`;
}

const seconds = (ms: number): string => (Math.max(0, ms) / 1000).toFixed(3);
