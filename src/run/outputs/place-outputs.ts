/** Places each output as soon as its step has its result, and records it; the outputs still missing are placed at the end. */

import { dirname, extname, join, relative, resolve as resolvePath, sep } from 'node:path';
import { type Mark, markOf } from '../../media/marking/mark.ts';
import { type CutSource, sourcesOf } from '../../model/media/cut.ts';
import type { DerivedMedia } from '../../model/media/derived-media.ts';
import type { Step } from '../../model/pipeline.ts';
import type { PlannedOutput } from '../../model/plan.ts';
import type { InstanceKey, StepName } from '../../model/run/key.ts';
import { contentsOf, endOf, isStored, type Result } from '../../model/run/result.ts';
import { timelineOf } from '../../plan/cut/otio.ts';
import { resolve } from '../../plan/values/resolve.ts';
import { type SourceTypeOf, sourceTypes } from '../../plan/values/source-types.ts';
import { settledCut } from '../derived-inputs.ts';
import type { RunCore } from '../engine/run-core.ts';
import type { RunServices } from '../engine/run-services.ts';
import type { Downloads } from '../requests/download-result.ts';
import { Outputs, type Placed, type PlaceMedium } from './outputs.ts';
import { Unwritable } from './safe-output-path.ts';

export class OutputPlacing {
  readonly #run: RunServices['run'];
  readonly #outputs: Outputs;
  readonly #working = new Set<Promise<void>>();
  #sourceTypes: SourceTypeOf | undefined;

  constructor({ run, addresses }: Pick<RunServices, 'run' | 'addresses'>) {
    const { store, settings, clock, executor } = run;
    // What is made is placed, also when the run is stopped.
    const derive = (media: DerivedMedia) => executor.derive(media, new AbortController().signal);
    this.#run = run;
    const { root, reserved = [] } = settings;
    this.#outputs = new Outputs(run.plan.outputs, {
      ...{ root, store, clock, reserved, derive },
      textAs: (output, _, place) => timelineText(output, run, place),
      mark: output => this.#mark(output),
      isTaken: ({ rounds = [] }) => rounds.every(({ round, taken }) => takenBy(run.state.lookup(taken)) === round),
    });
    run.recorder.onResult(({ key }, result, isNew) => {
      if (isNew) addresses.made(result);
      this.#place(key, result);
      if (result.is === 'round') this.#placeInside(result.key);
    });
  }

  add(outputs: readonly PlannedOutput[]): void {
    this.#outputs.add(outputs);
  }

  /** Resolves when nothing is being placed any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#working);
  }

  /** Places what is still missing, and gives the outcome of each output. */
  async rest(): Promise<readonly Placed[]> {
    const run = this.#run;
    await Promise.all(this.#working);
    const late = await this.#outputs.rest(key => {
      const result = run.state.lookup(key);
      return result === 'skipped' ? undefined : result;
    });
    const unmade = unmadeOutputs(run);
    for (const placed of [...late, ...unmade]) this.#emit(placed);
    return [...this.#outputs.placed, ...unmade];
  }

  #place(key: InstanceKey, result: Result): void {
    this.#run.failpoint?.('output-placing');
    const run = this.#run;
    // Ten thousand promises to place nothing would all wait for the end of the turn in which a rerun takes up what is owned.
    if (!this.#outputs.has(key)) return;
    const work = this.#outputs
      .place(key, result)
      .then(placed => {
        for (const one of placed) this.#emit(one);
      })
      // Errors of the disk are outcomes, so an exception is a bug of ours.
      .catch(bug => run.stopping.reportBug(bug))
      .finally(() => this.#working.delete(work));
    this.#working.add(work);
  }

  /** Which round it is was not known when it was made. */
  #placeInside(round: InstanceKey): void {
    const { state } = this.#run;
    for (const key of this.#outputs.inside(round)) {
      const result = state.lookup(key);
      if (result !== undefined && result !== 'skipped') this.#place(key, result);
    }
  }

  #mark({ instance }: PlannedOutput): Mark | undefined {
    const { plan, state, planContext, settings } = this.#run;
    this.#sourceTypes ??= sourceTypes(plan, key => state.lookup(key), planContext);
    const type = this.#sourceTypes(instance);
    return type && markOf(type, settings.shotlist);
  }

  #emit(placed: Placed): void {
    const { recorder } = this.#run;
    if (placed.is === 'failed') {
      const { is: _, ...about } = placed;
      recorder.note({ type: 'output_failed', ...about });
    } else {
      const { is: _, ...about } = placed;
      recorder.emit({ type: 'output_written', ...about });
    }
  }
}

const takenBy = (result: Result | 'skipped' | undefined): InstanceKey | undefined =>
  result !== undefined && result !== 'skipped' && result.is === 'round' ? result.key : undefined;

type Needs = Downloads & Pick<RunCore, 'planContext' | 'store'>;

/**
 * The timeline of a cut as an editing program reads it: its media by the paths that lead there from the file itself. What no output holds
 * is put into a folder beside it: `film.media/shot-beat-3.mp4` beside `film.otio`.
 * @throws Unwritable where there is no cut: another result replaces it, or one of its media is no longer available.
 */
async function timelineText({ instance: key, path }: PlannedOutput, run: Needs, place: PlaceMedium): Promise<string> {
  const instance = run.plan.instances.get(key);
  const work = instance && resolve(run.plan, instance, run.state.lookup, run.planContext);
  if (!instance || work?.is !== 'cut')
    throw new Unwritable('what replaces it is no cut, and has no timeline: give it a condition of its own');
  const settled = await settledCut(work, key, run, run.stopping.signal);
  if (settled.is !== 'ok')
    throw new Unwritable(settled.is === 'failed' ? settled.failure.message : 'the run was interrupted');
  const { cut } = settled;
  const { root } = run.settings;
  const from = dirname(join(root, path));
  const makers = makersOf(run);
  const paths = new Map<string, string>();
  for (const { sha256, facts } of sourcesOf(cut)) {
    const own = work.authorPaths.get(sha256);
    if (paths.has(sha256)) continue;
    const file = run.store.has(sha256) ? await run.store.pathOf(sha256) : own;
    if (file === undefined)
      throw new Unwritable(`one of its media (sha256 ${sha256.slice(0, 12)}…) is not on this machine`);
    const maker = makers.get(sha256);
    const name = maker === undefined ? sha256.slice(0, 12) : maker.replaceAll(/[^\w.-]+/g, '-').replace(/-$/, '');
    const isTaken = [...paths.values()].includes(`${mediaFolder(path)}/${name}${extname(file)}`);
    const asked = `${mediaFolder(path)}/${name}${isTaken ? `-${sha256.slice(0, 8)}` : ''}${extname(file)}`;
    paths.set(sha256, own === undefined ? await place({ sha256, file, facts, maker }, asked) : own);
  }
  const urlOf = ({ sha256 }: CutSource) => addressFrom(from, resolvePath(root, paths.get(sha256) ?? ''));
  return `${JSON.stringify(timelineOf(cut, { name: key, urlOf }), null, 2)}\n`;
}

/** Beside the timeline, by its name. */
const mediaFolder = (path: string): string => `${path.slice(0, path.length - endOf(path).length)}.media`;

/** The instances whose results have each content. */
function makersOf({ plan, state }: Pick<RunCore, 'plan' | 'state'>): ReadonlyMap<string, InstanceKey> {
  const makers = new Map<string, InstanceKey>();
  for (const { key } of plan.instances) {
    const result = state.lookup(key);
    if (result === undefined || result === 'skipped' || !isStored(result)) continue;
    for (const { sha256 } of contentsOf(result)) if (!makers.has(sha256)) makers.set(sha256, key);
  }
  return makers;
}

const addressFrom = (folder: string, file: string): string =>
  relative(folder, file).split(sep).map(encodeURIComponent).join('/');

/** Requested outputs that will not be made: what they are made from was skipped, without a condition of their own. */
function unmadeOutputs({ plan, state }: Pick<RunCore, 'plan' | 'state'>): readonly Placed[] {
  const skipped = plan.outputs.flatMap(({ name: output, instance: key, path }) => {
    const now = state.get(key);
    if (now.is !== 'skipped' || now.standIn !== undefined || now.by === undefined) return [];
    const first = firstSkipped(now.by, plan, state);
    // A person has rejected it, or a draft leaves it out: that is no failure.
    if (first && !hasCondition(first)) return [];
    return [{ output, key, path, reason: `it was not made, because ${now.by} was skipped; ${HAVE_ANOTHER}` }];
  });
  const { instances, pipeline } = plan;
  // A step whose list was never written has no instances, and so no planned outputs.
  const ofEmptySteps = pipeline.outputs
    .filter(({ from }) => !instances.isOpen(from) && instances.of(from).length === 0)
    .map(({ name: output, from, to: path }) => {
      const reason = `${from} has no instances, because what writes its list was skipped; ${HAVE_ANOTHER}`;
      return { output, key: from as string as InstanceKey, path, reason };
    });
  return [...skipped, ...ofEmptySteps].map(about => ({ is: 'failed', ...about }));
}

const HAVE_ANOTHER = 'give that step an `else`, or this one a condition of its own';
const hasCondition = ({ if: condition, until }: Step): boolean => condition !== undefined || until !== undefined;

/** The step at which a chain of skipped ones begins. */
function firstSkipped(name: string, plan: RunCore['plan'], state: RunCore['state']): Step | undefined {
  const named = plan.instances.get(name as InstanceKey);
  for (const { key, step } of named ? [named] : plan.instances.of(name as StepName)) {
    const now = state.get(key);
    if (now.is === 'skipped') return now.by === undefined ? step : firstSkipped(now.by, plan, state);
  }
  return undefined;
}

/** Paths of outputs that were no part of the run. For a step with unknown instances: the path as the file writes it. */
export function leftOutOutputs({ plan, state }: Pick<RunCore, 'plan' | 'state'>): readonly string[] {
  const planned = plan.outputs.filter(({ instance }) => state.get(instance).is === 'left_out');
  const open = plan.pipeline.outputs.filter(({ from }) => state.isLeftOut(from));
  return [...planned.map(({ path }) => path), ...open.map(({ to }) => to)];
}
