/**
 * A run in a job of GitHub Actions: a group of lines for each step that is over, an annotation on the line of the file for what went wrong,
 * and a page for the job's summary. A group holds what is finished alone: instances run side by side, and lines of two groups that are open
 * would mix. Everything between our own orders is inside a stretch where the runner reads none.
 */

import type { RecordedEvent, Reporter } from '../../model/run/event.ts';
import { type StepName, stepOf } from '../../model/run/key.ts';
import { isFree } from '../../model/run/run-money.ts';
import { messageText } from '../../model/text/clean.ts';
import { counted, formatSeconds, formatUsd } from '../../model/text/format.ts';
import { whyText } from '../../plan/cost/budget-text.ts';
import { isOver } from '../../records/views/instance-state.ts';
import { reduce } from '../../records/views/reduce.ts';
import { emptyRunView, type InstanceView, type RunView } from '../../records/views/run-view.ts';
import { billsOnTexts } from '../text/left-at-service-text.ts';
import { outcomeLine } from '../text/opening-and-outcome.ts';
import { failureGroups, groupLines } from '../text/run-summary.ts';
import { endText } from '../text/state-text.ts';
import {
  type Annotation,
  annotation,
  END_OF_GROUP,
  fitting,
  group,
  type PlaceInFile,
  resumeCommands,
  stopCommands,
} from './github-commands.ts';
import { runSummary } from './github-summary.ts';

interface GithubOptions {
  /** A line of the job's log, without its line feed. */
  readonly write: (line: string) => void;
  /** Adds to the job's summary. */
  readonly summarise: (markdown: string) => Promise<void>;
  /** The step's place in its author's file; undefined where it has none, or outside of the repository. */
  readonly placeOf: (step: StepName) => PlaceInFile | undefined;
  /** A word that cannot be guessed: it ends the stretch in which no order is obeyed. */
  readonly newToken: () => string;
  /** What to type to go on. */
  readonly command: string;
}

/** Lines of a group. */
const MOST_LINES = 200;

export function githubReporter(options: GithubOptions): Reporter {
  const { write, summarise, command } = options;
  const run = emptyRunView();
  const opened = new Set<StepName>();
  let token: string | undefined;

  /** Our own orders are read, and what comes after them is not. */
  function order(...lines: readonly string[]): void {
    if (token !== undefined) write(resumeCommands(token));
    for (const line of lines) write(line);
    token = options.newToken();
    write(stopCommands(token));
  }

  function openStep(step: StepName): void {
    const instances = [...run.instances.values()].filter(({ key }) => stepOf(key) === step);
    if (opened.has(step) || !instances.every(({ state }) => isOver(state))) return;
    opened.add(step);
    order(group(stepTitle(run, step, instances)));
    for (const line of stepLines(run, instances)) write(line);
    order(END_OF_GROUP);
  }

  return {
    report(event: RecordedEvent): void {
      if (event.type === 'run_started') order();
      const wasOver = 'key' in event && isOverNow(run, event.key);
      reduce(run, event);
      if ('key' in event && !wasOver && isOverNow(run, event.key)) openStep(stepOf(event.key));
    },
    async close(): Promise<void> {
      try {
        order(...fitting(annotationsOf(run, options), 'all of them are in the summary and in the log').map(annotation));
      } finally {
        if (token !== undefined) write(resumeCommands(token));
      }
      await summarise(runSummary(run, command));
    },
  };
}

function isOverNow({ instances }: RunView, key: InstanceView['key']): boolean {
  const state = instances.get(key)?.state;
  return state !== undefined && isOver(state);
}

/** `shot: 34 made, 2 failed, $17.00` */
function stepTitle(run: RunView, step: StepName, instances: readonly InstanceView[]): string {
  const words: Readonly<Record<string, string>> = { succeeded: 'made', reused: 'already here', left_out: 'left out' };
  const counts = [...Map.groupBy(instances, ({ state }) => state.is)].map(
    ([is, some]) => `${some.length} ${words[is] ?? is}`,
  );
  const paid = instances.reduce((sum, { paidUsd }) => sum + paidUsd, 0);
  return `${step}: ${[...counts, ...(paid > 0 && !isFree(run) ? [formatUsd(paid)] : [])].join(', ')}`;
}

function stepLines(run: RunView, instances: readonly InstanceView[]): readonly string[] {
  const lines = instances.map(({ label, model, state, took, paidUsd }) => {
    const how = isOver(state) ? endText(state) : '';
    const time = took === null ? [] : [formatSeconds(took / 1000)];
    const paid = paidUsd > 0 && !isFree(run) ? [formatUsd(paidUsd)] : [];
    return [label, model, how, ...time, ...paid].filter(word => word !== '').join('  ');
  });
  const rest = lines.length - MOST_LINES;
  return rest > 0 ? [...lines.slice(0, MOST_LINES), `and ${rest} more`] : lines;
}

function annotationsOf(run: RunView, { placeOf, command }: GithubOptions): readonly Annotation[] {
  const { finished, pipeline } = run;
  const ofStep = (kind: Annotation['kind'], step: StepName, title: string, message: string): Annotation => ({
    ...{ kind, title, message },
    place: placeOf(step),
  });
  const failures = failureGroups(run, command, 'at length').map(failed => {
    const [first, ...more] = groupLines(failed).map(({ text }) => text);
    const step = stepOf(failed[0]?.instance.key ?? ('' as StepName));
    return ofStep('error', step, `${first} failed`, more.join('\n'));
  });
  const waiting = [...run.instances.values()].flatMap(({ key, label, state }) =>
    state.is === 'asking'
      ? [ofStep('warning', stepOf(key), `${label} waits for a person`, messageText(state.ask))]
      : [],
  );
  const held = [...run.instances.values()].flatMap(({ key, label, state }) =>
    state.is === 'over_budget' ? [ofStep('warning', stepOf(key), `${label} is not sent`, whyText(state.stop))] : [],
  );
  const about = (kind: Annotation['kind'], title: string, message: string): Annotation => ({ kind, title, message });
  const stopped =
    finished && !TOLD_BY_INSTANCES.has(finished.outcome) ? [about('error', pipeline, outcomeLine(run))] : [];
  const unwritten = run.failedOutputs.map(({ path, reason }) => about('error', `${path} is not written`, reason));
  const billing = billsOnTexts(run).map(({ model, text }) => about('warning', `${model} bills on`, text));
  const made = finished?.outcome === 'done' ? [about('notice', pipeline, summaryOf(run))] : [];
  return [...stopped, ...failures, ...unwritten, ...billing, ...waiting, ...held, ...made];
}

const TOLD_BY_INSTANCES: ReadonlySet<string> = new Set(['done', 'failed', 'waiting', 'budget']);

const summaryOf = (run: RunView): string =>
  [outcomeLine(run), ...(run.outputs.length > 0 ? [counted(run.outputs.length, 'output')] : [])].join('\n');
