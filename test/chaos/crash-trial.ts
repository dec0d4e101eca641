/** One film whose runner or studio is killed again and again: it is finished all the same, and everything is audited. */
import { readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Failpoint } from '../../src/model/run/failpoint.ts';
import { type Ended, Stage, type StudioProcess } from '../e2e/stage.ts';
import { type ReadyStudio, readyStudio } from '../support/ready-studio.ts';
import { mount, unmount } from '../support/small-disk.ts';
import { acceptedBy, damagedJournals, damagedResults, type Fault, lostResults, paidTwice } from './audit.ts';
import { CRASH_FILM, type Death } from './crash-film.ts';

/** Milliseconds after which a film that is not finished never will be. */
const LONGEST = 600_000;
/** Runs that a film under a vice gets to come to its end. */
const TRIES = 5;

interface TrialResult {
  readonly kills: readonly (Failpoint | 'any moment')[];
  readonly faults: readonly Fault[];
  /** What the last run said. */
  readonly lastWords: string;
}

/** `program`: `shotlist studio` in a process of its own. `ready`: its service in this process, with ready clips; it cannot be killed. */
export type Host = 'program' | 'ready';

export class CrashTrial {
  readonly stage = new Stage();
  readonly #host: Host;
  readonly #isOnSmallDisk: boolean;
  #studio: StudioProcess | undefined;
  #ready: ReadyStudio | undefined;
  #vice: string | undefined;

  /** @param isOnSmallDisk the project has a disk of its own, which another program fills while the runner is killed. */
  constructor(host: Host, isOnSmallDisk = false) {
    this.#host = host;
    if (isOnSmallDisk && !mount(this.stage.project, 'size=64m')) throw new Error('no disk can be mounted: run as root');
    this.#isOnSmallDisk = isOnSmallDisk;
    // The runner is killed while something is drawn.
    this.stage.films = 'drawn anew';
    this.stage.write('crash.yaml', CRASH_FILM);
    this.stage.write('.shotlist/.gitignore', '*\n');
  }

  async run(
    number: number,
    deaths: readonly Death[],
    victim: 'runner' | 'studio',
    vice: string | undefined,
  ): Promise<TrialResult> {
    if (this.#host === 'ready') await this.#serveReady();
    else await this.#serveWith(vice);
    const kills: (Failpoint | 'any moment')[] = [];
    const faults: Fault[] = [];
    const last =
      victim === 'runner'
        ? await this.#killRunner(number, deaths, kills, faults)
        : await this.#killStudio(number, deaths, kills);
    const end = await this.#runToEnd(number, vice === undefined ? 1 : TRIES, last);
    faults.push(...(await this.#judge(number, end, vice)));
    return { kills, faults, lastWords: end === 'stuck' ? '' : end.stderr };
  }

  /** A studio with this vice, or none, on the state of the one before. */
  async #serveWith(vice: string | undefined): Promise<void> {
    if (this.#studio && this.#vice === vice) return;
    const port = this.#studio ? Number(new URL(this.#studio.url).port) : 0;
    await this.#killed();
    this.#vice = vice;
    await this.#serve(port);
  }

  async #serveReady(): Promise<void> {
    this.#ready ??= await readyStudio({ folder: join(this.stage.folder, 'studio') });
    this.stage.trust(this.#ready);
  }

  async #serve(port: number): Promise<void> {
    const more = this.#vice === undefined ? [] : ['--vice', this.#vice];
    this.#studio = await this.stage.studio('studio', port, more);
    this.stage.env = {
      SHOTLIST_BASE_URL: this.#studio.url,
      SHOTLIST_API_KEY: this.#studio.key,
      // A studio without a vice lists at once all it was given: a lost request need not be looked for for minutes.
      ...(this.#vice === undefined && { SHOTLIST_HISTORY: 'trusted' }),
    };
  }

  /** Ends what runs. What is on the disk stays. */
  async close(): Promise<void> {
    this.stage.killAll();
    await this.#ready?.close();
    if (this.#isOnSmallDisk) unmount(this.stage.project);
  }

  async #killed(): Promise<void> {
    this.#studio?.process.kill();
    await this.#studio?.process.ended;
  }

  #start(number: number, failpoint?: string) {
    const { env } = this.stage;
    if (failpoint !== undefined) this.stage.env = { ...env, SHOTLIST_FAILPOINT: failpoint };
    const started = this.stage.start('run', 'crash.yaml', '--param', `film=${number}`, '--ui', 'plain');
    this.stage.env = env;
    return started;
  }

  async #killRunner(
    number: number,
    deaths: readonly Death[],
    kills: (Failpoint | 'any moment')[],
    faults: Fault[],
  ): Promise<Ended | 'stuck' | undefined> {
    for (const death of deaths) {
      const runner = this.#start(number, 'point' in death ? `${death.point}:${death.nth}` : undefined);
      const after = 'after' in death ? death.after : LONGEST;
      const moment = setTimeout(() => runner.kill(), after);
      const filling =
        this.#isOnSmallDisk && 'after' in death ? setTimeout(() => this.#fillDisk(), after / 2) : undefined;
      const ended = await runner.ended;
      clearTimeout(moment);
      clearTimeout(filling);
      if (this.#isOnSmallDisk) rmSync(this.#filler, { force: true });
      // The full disk may have ended it first.
      if (ended.signal !== 'SIGKILL' && !(this.#isOnSmallDisk && ended.stderr.includes('disk is full'))) return ended;
      kills.push('point' in death ? death.point : 'any moment');
      faults.push(...damagedJournals(this.stage.project));
    }
    return undefined;
  }

  get #filler(): string {
    return join(this.stage.project, 'other-program.bin');
  }

  #fillDisk(): void {
    const { bavail, bsize } = statfsSync(this.stage.project);
    try {
      writeFileSync(this.#filler, Buffer.alloc(bavail * bsize, 1));
    } catch {
      // The runner has taken a part of it meanwhile: the disk is full all the same.
    }
  }

  async #killStudio(
    number: number,
    deaths: readonly Death[],
    kills: 'any moment'[] | string[],
  ): Promise<Ended | 'stuck'> {
    const runner = this.#start(number);
    const ended = within(LONGEST, runner.ended);
    let running = true;
    void ended.then(() => {
      running = false;
    });
    for (const death of deaths) {
      await Promise.race([new Promise(resolve => setTimeout(resolve, 'after' in death ? death.after : 0)), ended]);
      if (!running) break;
      const port = Number(new URL(this.#studio?.url ?? '').port);
      await this.#killed();
      kills.push('any moment');
      await this.#serve(port);
    }
    const end = await ended;
    if (end === 'stuck') runner.kill();
    return end;
  }

  /** What is left to do is done; under a vice a run may give up, and the next one goes on. */
  async #runToEnd(number: number, tries: number, last: Ended | 'stuck' | undefined): Promise<Ended | 'stuck'> {
    let end = last;
    for (let run = 0; run < tries && end !== 'stuck' && end?.exit !== 0; run++) {
      const runner = this.#start(number);
      end = await within(LONGEST, runner.ended);
      if (end === 'stuck') runner.kill();
    }
    return end ?? 'stuck';
  }

  async #judge(number: number, end: Ended | 'stuck', vice: string | undefined): Promise<readonly Fault[]> {
    const { project } = this.stage;
    const accepted = acceptedBy(join(this.stage.folder, 'studio'));
    const faults = [...paidTwice(number, accepted), ...damagedJournals(project)];
    if (end === 'stuck') return [...faults, { is: 'stuck', what: `not finished after ${LONGEST / 1000} s` }];
    faults.push(...lostResults(number, accepted, project, end.stderr));
    if (end.exit !== 0) {
      // A service with a vice may leave a request that nobody can tell about; what counts then is that it is told of.
      const isAllowed = vice !== undefined && (end.exit === 1 || end.exit === 6);
      return isAllowed ? faults : [...faults, { is: 'stuck', what: `ended with ${end.exit ?? end.signal}` }];
    }
    return [...faults, ...(await damagedResults(project)), ...(await this.#again(number, accepted.length))];
  }

  /** The same command once more costs nothing and changes nothing. */
  async #again(number: number, accepted: number): Promise<readonly Fault[]> {
    const lock = () => readFileSync(join(this.stage.project, 'crash.lock.yaml'), 'utf8');
    const before = lock();
    let { exit, stderr } = await this.#start(number).ended;
    // A service that is busy now and then may be so just now.
    for (let run = 1; run < TRIES && this.#vice !== undefined && exit === 6; run++)
      ({ exit, stderr } = await this.#start(number).ended);
    const now = acceptedBy(join(this.stage.folder, 'studio')).length;
    const faults: Fault[] = [];
    if (exit !== 0) faults.push({ is: 'lost', what: `run once more, it ended with ${exit}: ${stderr.slice(-400)}` });
    if (now > accepted) faults.push({ is: 'double', what: `run once more, it sent ${now - accepted} more requests` });
    if (lock() !== before) faults.push({ is: 'corrupt', what: 'run once more, it changed the lock' });
    return faults;
  }
}

const within = <T>(ms: number, promise: Promise<T>): Promise<T | 'stuck'> =>
  new Promise(resolve => {
    const timer = setTimeout(() => resolve('stuck'), ms);
    void promise.then(value => {
      clearTimeout(timer);
      resolve(value);
    });
  });
