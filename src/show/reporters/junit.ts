/**
 * A run as JUnit's XML, which every CI system shows: a `testsuite` for the film, a `testcase` for each instance. What was not made because
 * something else failed, or because a person has to choose, is `skipped`: one cause is one red line. What is wrong with the run itself, or
 * with an output, has a `testcase` of its own.
 */
import type { RecordedEvent, Reporter } from '../../model/run/event.ts';
import { stepOf } from '../../model/run/key.ts';
import type { RunMoney } from '../../model/run/run-money.ts';
import { isFree } from '../../model/run/run-money.ts';
import { formatUsd } from '../../model/text/format.ts';
import { isOver } from '../../records/views/instance-state.ts';
import { reduce } from '../../records/views/reduce.ts';
import { emptyRunView, type InstanceView, type RunView } from '../../records/views/run-view.ts';
import { billsOnTexts } from '../text/left-at-service-text.ts';
import { openingLine, outcomeLine } from '../text/opening-and-outcome.ts';
import { type FailedInstance, failedInstances, groupLines } from '../text/run-summary.ts';
import { askText, endText, stateText } from '../text/state-text.ts';
import { type JunitCase, junitXml } from './junit-xml.ts';

interface JunitOptions {
  /** What to type to go on. */
  readonly command: string;
  /** Takes the whole document, once, when the run is over. */
  readonly write: (document: string) => Promise<void>;
}

export function junitReporter({ command, write }: JunitOptions): Reporter {
  const run = emptyRunView();
  return {
    report(event: RecordedEvent): void {
      reduce(run, event);
    },
    close: () => write(junitDocument(run, command)),
  };
}

export function junitDocument(run: RunView, command: string): string {
  const film = run.profile === null ? run.name : `${run.name} (${run.profile})`;
  const failed = new Map(failedInstances(run, command, 'at length').map(one => [one.instance.key, one]));
  const cases = [
    ...[...run.instances.values()].map(instance => caseOf(run, film, instance, failed.get(instance.key))),
    ...casesOfRun(run, film),
  ];
  const { finished } = run;
  const properties = {
    run: run.id,
    pipeline: run.pipeline,
    service: run.service,
    ...(run.profile !== null && { profile: run.profile }),
    outcome: finished?.outcome ?? 'running',
    ...(finished && moneyProperties(run, finished)),
  };
  return junitXml({
    ...{ name: film, began: run.startedAt, ended: run.lastEventAt, properties, cases },
    systemOut: [openingLine(run), outcomeLine(run)],
  });
}

/** A number that is not known is `unknown`. */
const moneyProperties = (run: RunView, { usd, in_flight, perhaps }: RunMoney) => ({
  ...(isFree(run) ? { usd: '0', list_price_usd: String(usd) } : { usd: String(usd) }),
  ...(in_flight && { in_flight_usd: String(in_flight.usd ?? 'unknown') }),
  ...(perhaps && { perhaps_usd: String(perhaps.usd ?? 'unknown') }),
});

function caseOf(run: RunView, film: string, instance: InstanceView, failed: FailedInstance | undefined): JunitCase {
  const { label, state, took, key, paidUsd } = instance;
  const about = { name: label, of: `${film}.${stepOf(key)}`, took: (took ?? 0) / 1000 };
  if (state.is === 'failed' && failed) {
    const [, first, ...more] = groupLines([failed]).map(({ text }) => text);
    const text = [first, ...more].join('\n');
    return { ...about, is: 'failure', type: state.failure.code, message: first ?? '', text };
  }
  const skipped = (type: string, message: string): JunitCase => ({ ...about, is: 'skipped', type, message });
  if (state.is === 'asking') return skipped('waiting', askText(state));
  if (!isOver(state)) return skipped('not_run', `not brought to an end: ${stateText(run, instance, run.lastEventAt)}`);
  if (state.is === 'succeeded' || state.is === 'reused') {
    const paid = paidUsd > 0 && !isFree(run) ? `, ${formatUsd(paidUsd)}` : '';
    return { ...about, is: 'passed', text: `${endText(state)}${paid}` };
  }
  return skipped(state.is, endText(state));
}

/** What concerns no instance alone. */
function casesOfRun(run: RunView, film: string): readonly JunitCase[] {
  const { finished, failedOutputs, connection } = run;
  const about = { of: `${film}.run`, took: 0, is: 'error' } as const;
  const ended = finished?.outcome ?? 'cut_off';
  const isShownByInstances = ended === 'done' || ended === 'failed' || ended === 'waiting';
  const why = finished?.reason || (ended === 'unreachable' ? connection.reason : '') || outcomeLine(run);
  return [
    ...(isShownByInstances ? [] : [{ ...about, name: 'run', type: ended, message: why }]),
    ...failedOutputs.map(({ path, reason }) => ({ ...about, name: path, type: 'output', message: reason })),
    ...billsOnTexts(run).map(({ model, text }) => ({ ...about, name: model, type: 'still_billing', message: text })),
  ];
}
