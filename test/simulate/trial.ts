/**
 * One seed: a project with one or two films, a service with manners of its own, and a few rounds of trouble in which runners are
 * started, killed, interrupted and started again. Then the faults stop, and everything has to come to its end.
 */
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';
import { formatDiagnostics } from '../../src/language/yaml/excerpt.ts';
import type { AppliedBudget, Budget } from '../../src/model/budget.ts';
import type { Pipeline } from '../../src/model/pipeline.ts';
import type { ServiceRates } from '../../src/model/request-rates.ts';
import type { RecordedEvent } from '../../src/model/run/event.ts';
import { canonical } from '../../src/model/text/json.ts';
import { check, type Fault, type Rules } from '../checker/check.ts';
import { expectTablesOfLog } from '../support/tables-of-log.ts';
import { Dice } from './dice.ts';
import { deploymentFaults, doorRows, doorRules } from './door.ts';
import { type FilmText, writeFilm } from './films.ts';
import { Broken, Judge, lockedIn } from './judge.ts';
import { Disk, Life } from './machine.ts';
import type { PlantedBug } from './planted-bugs.ts';
import { Provider } from './provider.ts';
import { type Runner, startRunner, TABLES } from './runner.ts';
import type { Network } from './service-over-network.ts';
import { Time } from './time.ts';
import { count, Manners, type Tally } from './vices.ts';

interface TrialReport {
  readonly seed: number;
  readonly broken: Broken | undefined;
  readonly tally: Tally;
  readonly trace: readonly string[];
  /** What the checker finds, which sees the service's door and nothing else. */
  readonly door: readonly Fault[];
}

interface TrialOptions {
  readonly trace?: boolean;
  readonly plant?: PlantedBug;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Steps after which a run that has not ended never will. */
const ENDLESS = 60_000;

const IDEAS = ['first light', 'last light'] as const;

/** How a runner is started where nothing is to go wrong. */
const CALM = {
  ...{ idea: IDEAS[0] as string, diesAfter: Number.POSITIVE_INFINITY },
  onUnknown: 'fail' as 'fail' | 'resubmit',
  onInterrupt: 'detach' as 'detach' | 'cancel',
};

let current: Trial | undefined;

/** A rejection that nobody awaited, in the life whose code ran last. */
export function uncaught(reason: unknown): void {
  const what = reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
  const isAlive = current?.time.current?.dead !== true;
  if (isAlive) current?.judge.breaks('no bug of ours surfaces', `nobody awaited it: ${what}`);
}

export async function runTrial(seed: number, options: TrialOptions = {}): Promise<TrialReport> {
  const trial = new Trial(seed, options);
  current = trial;
  try {
    await trial.play();
  } catch (error) {
    if (error instanceof Broken) trial.judge.broken ??= error;
    else
      trial.judge.breaks(
        'no bug of ours surfaces',
        error instanceof Error ? (error.stack ?? error.message) : String(error),
      );
  } finally {
    trial.leave();
  }
  const { judge, tally, trace } = trial;
  const door = trial.door();
  const [fault] = door;
  if (fault) judge.breaks('the checker finds nothing at the door of the service', `${fault.is}: ${fault.what}`);
  return { seed, broken: judge.broken, tally, trace, door };
}

interface Film extends FilmText {
  readonly pipeline: Pipeline;
}

class Trial {
  readonly tally: Tally = new Map();
  readonly trace: string[] = [];
  readonly judge: Judge;
  readonly #seed: number;
  readonly #options: TrialOptions;
  readonly #dice: Dice;
  readonly #time = new Time();
  readonly #disk = new Disk(TABLES);
  readonly #network: Network = { isCut: false };
  readonly #provider: Provider;
  readonly #films: readonly Film[];
  /** What the service allows, as the settings say. */
  #rates: ServiceRates | undefined;
  readonly #running = new Map<string, Runner>();
  #lives = 0;
  /** From then on somebody has what is lost sent again, which may be once too often. */
  #isRiskedFrom = Number.POSITIVE_INFINITY;
  /** From then on no budget holds. */
  #isQuietFrom = Number.POSITIVE_INFINITY;
  readonly #rules: Rules;
  #ids = 0;

  constructor(seed: number, options: TrialOptions) {
    this.#seed = seed;
    this.#options = options;
    const dice = new Dice(seed);
    this.#dice = dice;
    const isStudio = dice.chance(0.25);
    const manners = new Manners(dice.fork('manners'), this.tally, isStudio ? 'studio' : 'hosted');
    this.#provider = new Provider(this.#time, dice.fork('service'), manners, isStudio);
    this.judge = new Judge(this.#provider, this.#disk, this.#time);
    const ofSettings = dice.fork('rates');
    if (ofSettings.chance(0.4)) this.#rates = ratesWith(ofSettings.pick([2, 4, 8]), ofSettings);
    this.judge.rates = this.#rates ?? {};
    const films = [
      writeFilm('fox', dice.fork('fox')),
      ...(dice.chance(0.35) ? [writeFilm('owl', dice.fork('owl'))] : []),
    ];
    this.judge.budgets = budgetsOf(dice.fork('budgets'));
    this.#rules = doorRules(this.#rates, this.judge.budgets, films.length);
    this.#films = films.map(film => ({ ...film, pipeline: compiled(film) }));
  }

  get time(): Time {
    return this.#time;
  }

  async play(): Promise<void> {
    const { manners, isStudio } = this.#provider;
    this.say(
      `seed ${this.#seed}: ${isStudio ? 'our own studio' : 'a hosted service'} with ${manners.names.join(', ') || 'good manners'}`,
    );
    for (const { text } of this.#films) this.say(text);
    const rounds = this.#dice.between(1, 4);
    for (let round = 0; round < rounds; round++) await this.#trouble();
    await this.#quiet();
    expectTablesOfLog(this.#disk.database);
  }

  door(): readonly Fault[] {
    const { budgets = [], ...rules } = this.#rules;
    const bounded = check(doorRows(this.#provider, Math.min(this.#isRiskedFrom, this.#isQuietFrom)), { budgets });
    return [
      ...check(doorRows(this.#provider, this.#isRiskedFrom), rules),
      ...bounded.filter(({ is }) => is === 'budget'),
      ...(this.judge.broken ? [] : deploymentFaults(this.#provider)),
    ];
  }

  /** Whoever is left is dead; the database is memory that a garbage collector knows nothing of. */
  leave(): void {
    for (const { life, ended } of this.#running.values()) if (!ended) life.diedAt ??= 'the end';
    this.#disk.database.close();
  }

  /** One round in which anything may happen. */
  async #trouble(): Promise<void> {
    const dice = this.#dice.fork(`round ${this.#lives}`);
    const calloffs: (() => void)[] = [];
    const later: Time['after'] = (...due) => {
      const off = this.#time.after(...due);
      calloffs.push(off);
      return off;
    };
    const windows = [
      [0.2, 'cut off', this.#network, 'isCut', dice.pick([5_000, 40_000, 200_000])],
      [0.2, 'disk full', this.#disk, 'isFull', dice.pick([5_000, 60_000, 600_000])],
      [0.15, 'disk bad', this.#disk, 'isBad', dice.pick([5_000, 60_000])],
    ] as const;
    for (const [chance, name, of, trouble, length] of windows) {
      const set = (is: boolean) => void Object.assign(of, { [trouble]: is });
      if (!dice.chance(chance)) continue;
      // At once, too: most is sent and written in the first seconds of a run.
      const from = dice.chance(0.4) ? dice.between(0, 1_000) : dice.between(0, 90_000);
      later(from, name, () => {
        this.say(name);
        set(true);
      });
      later(from + length, name, () => set(false));
    }
    const films = dice.chance(0.6) ? this.#films : [dice.pick(this.#films as [Film, ...Film[]])];
    const runners: Runner[] = [];
    for (const film of films) {
      const idea = dice.chance(0.15) ? IDEAS[1] : IDEAS[0];
      const steps = dice.chance(0.6) ? Math.floor(2 ** (dice.next() * 9)) : Number.POSITIVE_INFINITY;
      const onUnknown = dice.chance(0.1) ? 'resubmit' : 'fail';
      const runner = this.#start(film, {
        idea,
        diesAfter: steps,
        onUnknown,
        onInterrupt: dice.pick(['detach', 'detach', 'cancel']),
      });
      runners.push(runner);
      this.#troubles(runner, dice, later);
    }
    // What hangs for hours is stopped by somebody.
    later(2 * HOUR, 'somebody has had enough', () => {
      for (const runner of runners) this.#interrupt(runner);
    });
    later(3 * HOUR, 'somebody pulls the plug', () => {
      for (const runner of runners) if (!runner.ended) runner.life.diedAt ??= 'the plug';
    });
    await this.#until(runners);
    for (const off of calloffs) off();
    Object.assign(this.#network, { isCut: false });
    Object.assign(this.#disk, { isFull: false, isBad: false });
    await this.#wait(dice.pick([0, 1_000, MINUTE, HOUR]));
  }

  /** One runner is interrupted, its clock jumps, its machine sleeps. */
  #troubles(runner: Runner, dice: Dice, later: Time['after']): void {
    const { life } = runner;
    if (dice.chance(0.2)) later(dice.between(0, 120_000), 'an interrupt', () => this.#interrupt(runner), life);
    const jumps = (name: string, by: number) => () => {
      count(this.tally, name);
      life.skew += by;
    };
    // Whoever sets the clock forward says that the time is over.
    if (dice.chance(0.15) && !this.#rates) {
      const jump = dice.pick([-HOUR, -10_000, 10_000, HOUR, 24 * HOUR]);
      later(dice.between(0, 90_000), 'a clock jump', jumps('clock jump', jump), life);
      const isBackAfter = dice.fork('back').pick([undefined, undefined, 10_000, 200_000]);
      if (isBackAfter !== undefined)
        later(90_000 + isBackAfter, 'a clock that is set right', jumps('clock set right', -jump), life);
    }
    const ofSleep = dice.fork('asleep');
    // What sleeps between its intent and its POST sends later than it counted.
    if (ofSleep.chance(0.1) && !this.#rates)
      later(ofSleep.between(0, 90_000), 'a machine falls asleep', () => {
        if (life.dead) return;
        count(this.tally, 'asleep');
        life.asleepUntil = this.#time.now + ofSleep.pick([30_000, 10 * MINUTE, HOUR]);
      });
  }

  /** The faults have stopped. What they left behind may take a while to show. */
  async #quiet(): Promise<void> {
    this.say('the faults stop');
    this.#provider.manners.isQuiet = true;
    // Whoever wants to see the whole film pays for it.
    this.#isQuietFrom = this.#time.now;
    this.judge.budgets = [];
    for (const onUnknown of ['fail', 'fail', 'resubmit', 'resubmit'] as const) {
      const late = this.#time.after(DAY, 'a day has gone by', () =>
        this.judge.breaks('the run ends once the faults stop', 'a day was not enough'),
      );
      const runners = this.#films.map(film => this.#start(film, { onUnknown }));
      await this.#until(runners);
      late();
      for (const runner of runners) {
        if (!runner.outcome) throw new Broken('the run ends once the faults stop', `${runner.film} has not ended`);
        this.#endsWell(runner, onUnknown);
      }
      if (runners.every(runner => runner.outcome?.is === 'done')) break;
      await this.#wait(20 * MINUTE);
    }
    const before = this.#provider.generations.length;
    for (const film of this.#films) {
      const again = this.#start(film);
      await this.#until([again]);
      if (again.outcome?.is !== 'done') continue;
      await this.#sameAsInOneGo(film, again);
    }
    const fresh = this.#provider.generations.slice(before).filter(made => !this.judge.isUnshared(made.nonce));
    if (fresh.length > 0)
      this.judge.breaks('what is owned costs nothing again', `${fresh.length} more were taken when all was done`);
  }

  #endsWell({ film, plan, outcome, failures, fingerprints }: Runner, onUnknown: 'fail' | 'resubmit'): void {
    if (!outcome || outcome.is === 'done') return;
    const breaks = (what: string): void =>
      this.judge.breaks('it ends well, or in a failure that had to be', `${film} ${what}`);
    if (outcome.is !== 'failed') breaks(`ended ${outcome.is}: ${outcome.reason}`);
    for (const [key, timed] of failures) {
      const { failure } = timed;
      const step = plan.instances.get(key as never)?.step;
      // A twin's fate is its twin's: it has no request of its own to be known by.
      const twin = [...failures].find(
        ([other, its]) => fingerprints.has(other) && its.failure.message === failure.message,
      )?.[0];
      const fingerprint =
        fingerprints.get(key) ?? plan.instances.get(key as never)?.fingerprint ?? fingerprints.get(twin ?? '');
      const isAtOnce = step?.kind === 'generate' && (step.sync === true || step.model === 'C-D');
      const why = this.judge.mustFail(fingerprint ?? '', timed, onUnknown, isAtOnce);
      if (why !== undefined) breaks(`${key} failed (${failure.code}): ${failure.message}; ${why}`);
    }
  }

  async #sameAsInOneGo(film: Film, { outcome }: Runner): Promise<void> {
    const other = await inOneGo(film);
    const mine = lockedIn(this.#disk.locks.get(film.name));
    for (const key of new Set([...Object.keys(mine), ...Object.keys(other.lock)])) {
      const [here, there] = [canonical(mine[key] ?? null), canonical(other.lock[key] ?? null)];
      if (here !== there)
        this.judge.breaks(
          'one go and any resumed way give the same',
          `${film.name} ${key} is locked as ${here}, and in one go as ${there}`,
        );
    }
    const done = [...(outcome?.results.keys() ?? [])].sort().join();
    if (done !== other.done)
      this.judge.breaks('one go and any resumed way give the same', `${film.name}: ${done} instead of ${other.done}`);
  }

  #start(film: Film, given: Partial<typeof CALM> = {}): Runner {
    const how = { ...CALM, ...given };
    const life = new Life(`${film.name}#${++this.#lives}`, how.diesAfter);
    if (how.onUnknown === 'resubmit') this.#isRiskedFrom = Math.min(this.#isRiskedFrom, this.#time.now);
    count(this.tally, 'lives');
    this.say(
      `${life.name} starts${Number.isFinite(how.diesAfter) ? `, and dies after ${how.diesAfter} steps` : ''}, on_unknown ${how.onUnknown}`,
    );
    const runner = startRunner({
      ...{ disk: this.#disk, life, time: this.#time, dice: this.#dice.fork(life.name), tally: this.tally },
      ...{ network: this.#network, provider: this.#provider, film: film.name, pipeline: film.pipeline },
      ...{ params: { idea: how.idea }, onUnknown: how.onUnknown, onInterrupt: how.onInterrupt, judge: this.judge },
      newId: () => `id-${++this.#ids}`,
      isRunning: name => {
        const other = this.#running.get(name);
        return other !== undefined && !other.ended && !other.life.dead;
      },
      report: event => {
        this.judge.hears(film.name, event, event.at - life.skew);
        this.#hear(life, event);
      },
      plant: this.#options.plant,
      rates: this.#rates,
      budgets: this.judge.budgets,
      work: join(WORK, film.name),
    });
    this.#running.set(film.name, runner);
    return runner;
  }

  #interrupt(runner: Runner): void {
    if (runner.ended || runner.life.dead) return;
    count(this.tally, 'interrupted');
    this.say(`${runner.life.name} is interrupted`);
    runner.detach();
  }

  /** Until each of them has ended, or is dead. */
  async #until(runners: readonly Runner[]): Promise<void> {
    const over = () => this.judge.broken !== undefined || runners.every(({ ended, life }) => ended || life.dead);
    const how = await this.#time.pass(over, ENDLESS);
    if (this.judge.broken) throw this.judge.broken;
    for (const { life, film, bug } of runners) {
      if (life.diedAt !== undefined) {
        count(this.tally, 'deaths');
        this.say(`${life.name} died at ${life.diedAt}, after ${life.steps} steps`);
      } else if (bug !== undefined) {
        throw new Broken('no bug of ours surfaces', `${film}: ${bug instanceof Error ? bug.stack : bug}`);
      }
    }
    if (how !== 'over')
      throw new Broken('the run ends once the faults stop', `${runners.map(({ film }) => film)}: ${how}`);
    this.judge.looks();
    for (const { outcome, plan, film, lockProblem } of runners)
      if (outcome) this.judge.checks(film, plan, outcome, lockProblem());
    if (this.judge.broken) throw this.judge.broken;
  }

  async #wait(ms: number): Promise<void> {
    let over = ms === 0;
    this.#time.after(ms, 'a pause', () => {
      over = true;
    });
    await this.#time.pass(() => over, ENDLESS);
  }

  #hear(life: Life, event: RecordedEvent): void {
    if (event.type === 'over_budget') count(this.tally, 'over budget');
    if (!this.#options.trace) return;
    const { type, seq, at, ...rest } = event as RecordedEvent & { readonly key?: string };
    if (type === 'run_started' || type === 'progress' || type === 'text_written') return;
    this.say(`${life.name} ${type} ${JSON.stringify(rest).slice(0, 260)}`);
  }

  say(what: string): void {
    if (!this.#options.trace) return;
    this.trace.push(
      `${String(Math.round((this.#time.now - Date.UTC(2026, 10, 20, 12)) / 100) / 10).padStart(9)} s  ${what}`,
    );
  }
}

/** So many a minute, and now and then more numbers than that. */
const ratesWith = (per_minute: number, dice: Dice): ServiceRates => ({
  per_minute,
  ...(dice.chance(0.3) && { per_second: 1 }),
  ...(dice.chance(0.3) && { per_hour: dice.pick([6, 12]) }),
  ...(dice.chance(0.8) && { in_flight: dice.pick([1, 2]) }),
  ...(dice.chance(0.3) && { models: { 'V-T2V-A': { per_minute: 1, in_flight: 1 }, 'V-T2V-B': { per_minute: 2 } } }),
});

/** Of half of the worlds one has a budget, of the film or of the project, and mostly too little of it. */
function budgetsOf(dice: Dice): readonly AppliedBudget[] {
  const budget = (): Budget =>
    dice.chance(0.5) ? { generations: dice.between(1, 6) } : { usd: dice.between(1, 12) * 0.25, unpriced: 'allow' };
  return [
    ...(dice.chance(0.3) ? [{ of: 'film', budget: budget() } as const] : []),
    ...(dice.chance(0.3) ? [{ of: 'project', budget: budget() } as const] : []),
  ];
}

const WORK = join(tmpdir(), `shotlist-simulate-${process.pid}-${threadId}`);
mkdirSync(WORK, { recursive: true });

const films = new Map<string, Pipeline>();

function compiled({ name, text }: FilmText): Pipeline {
  const known = films.get(text);
  if (known) return known;
  const { pipeline, diagnostics } = compile({ path: `${name}.yaml`, text }, modelLibrary);
  if (!pipeline) throw new Error(formatDiagnostics(diagnostics));
  films.set(text, pipeline);
  return pipeline;
}

interface OneGo {
  readonly lock: ReturnType<typeof lockedIn>;
  readonly done: string;
}

const oneGoes = new Map<string, Promise<OneGo>>();

/** The same film, on a service with good manners, on a good day. */
function inOneGo(film: Film): Promise<OneGo> {
  const known = oneGoes.get(film.text);
  if (known) return known;
  const going = goOnce(film);
  oneGoes.set(film.text, going);
  return going;
}

async function goOnce(film: Film): Promise<OneGo> {
  const time = new Time();
  const tally: Tally = new Map();
  const dice = new Dice('a good day');
  const manners = new Manners(dice.fork('manners'), tally, 'good');
  const provider = new Provider(time, dice.fork('service'), manners, true);
  const disk = new Disk(TABLES);
  const life = new Life('one go', Number.POSITIVE_INFINITY);
  let ids = 0;
  const runner = startRunner({
    ...{ disk, life, time, dice, tally, network: { isCut: false }, provider, film: film.name, pipeline: film.pipeline },
    ...{ params: { idea: IDEAS[0] }, onUnknown: 'fail', onInterrupt: 'detach', judge: new Judge(provider, disk, time) },
    newId: () => `id-${++ids}`,
    isRunning: () => false,
    report: () => {},
    plant: undefined,
    budgets: [],
    work: join(WORK, 'one go'),
  });
  manners.isQuiet = true;
  await time.pass(() => runner.ended, ENDLESS);
  if (runner.bug !== undefined) throw runner.bug;
  if (runner.outcome?.is !== 'done')
    throw new Error(`${film.text}\nin one go: ${runner.outcome?.is} ${JSON.stringify([...runner.failures])}`);
  return { lock: lockedIn(disk.locks.get(film.name)), done: [...runner.outcome.results.keys()].sort().join() };
}
