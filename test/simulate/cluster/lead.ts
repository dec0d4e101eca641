/**
 * A run that somebody leads, in virtual time. What is admitted is decided by the code that decides it in use (`JournalAdmission`), over rows
 * that all films share; what it keeps, and waits for, is kept and waited for here as `TeamJournal` does it: one turn after the other, each
 * over one of the worker's connections, a decision under the lock of the key.
 */
import { setMaxListeners } from 'node:events';
import { NO_DEMAND } from '../../../src/model/budget.ts';
import type { InstanceKey } from '../../../src/model/run/key.ts';
import {
  type AdmissionRows,
  MAX_TOGETHER,
  type RowsFor,
  type TeamView,
} from '../../../src/records/journal/admission-rows.ts';
import type { Ledger, Submission } from '../../../src/records/views/ledger.ts';
import { JournalAdmission } from '../../../src/run/admission/journal-admission.ts';
import { admitted } from '../../support/admitted.ts';
import { plus } from './shape.ts';
import { type SimulatedTeam, type SimulatedWorker, Stations } from './team.ts';

/** Milliseconds that what is told waits for more: of what is fleeting, and of the rest. */
const PACE = 500;
const SOON = 20;
/** Rows of a paid step's events: asked for, accepted, made, its file here, owned; and those that are told of it, without its progress. */
const EVENTS = 5;
const TOLD = 6;

export async function leadRun(team: SimulatedTeam, worker: SimulatedWorker, film: string): Promise<void> {
  const { shape } = team;
  const lead = new Lead(team, worker, film);
  const places = new Stations(team.time, shape.inFlight);
  await Promise.all(
    Array.from({ length: shape.instances }, async (_, n) => {
      await places.acquire();
      const own = { model: `m${n % shape.models}`, name: `${film} ${n}` };
      await lead.paid(own);
      places.release();
      await lead.handed();
    }),
  );
  await lead.ended();
}

interface Step {
  readonly model: string;
  /** Nobody's else, in the whole team. */
  readonly name: string;
}

interface Wants {
  readonly model: string;
  readonly how: 'waits' | 'has it';
  readonly ms: number;
}

class Lead {
  readonly #team: SimulatedTeam;
  readonly #worker: SimulatedWorker;
  readonly #film: string;
  readonly #admission: JournalAdmission;
  readonly #open = new Map<string, Submission>();
  readonly #never = new AbortController().signal;
  #turn: Promise<unknown> = Promise.resolve();
  /** Requests that wait to be decided; each returns how to give its answer. */
  readonly #asking: (() => () => void)[] = [];
  #batch: Promise<void> | undefined;
  #telling: Promise<void> | undefined;
  #untold = 0;
  /** What the decision that is being made has said about the line. */
  #wants: Wants | undefined;

  constructor(team: SimulatedTeam, worker: SimulatedWorker, film: string) {
    this.#team = team;
    this.#worker = worker;
    this.#film = film;
    const { inFlight, perSecond } = team.shape;
    setMaxListeners(0, this.#never);
    this.#admission = new JournalAdmission({
      journal: this.#rows({ in_flight: inFlight, submits_per_second: perSecond, models: {} }),
      clock: { now: () => team.time.now, sleep: ms => team.pause(ms) },
      account: 'house',
      limits: { in_flight: inFlight, per_model: inFlight, submits_per_second: perSecond, attempts: 3 },
      ...{ owned: () => undefined, isRunning: () => true },
    });
  }

  /** A request, from being asked for until its result is made. */
  async paid({ model, name }: Step): Promise<void> {
    const { ledger, service } = this.#team;
    const intend = () => {
      ledger.intended(this.#film, model, name);
      const submission = { nonce: name, key: name, fingerprint: name, model, state: 'intended' } as const;
      this.#open.set(name, submission as unknown as Submission);
      return name;
    };
    const asked = { key: name as InstanceKey, fingerprint: name, model, demand: NO_DEMAND, shared: true, intend };
    service.wanted(1);
    const { is } = await admitted(this.#admission, asked, this.#never);
    service.wanted(-1);
    if (is !== 'go') throw new Error(`${name} is ${is}`);
    this.#tell(1, SOON);
    const { made } = await service.post();
    ledger.answered(name);
    void this.#progress();
    await this.#kept();
    await made;
    this.#open.delete(name);
    ledger.ended(this.#film, model);
    await this.#kept();
    this.#team.freed();
    this.#admission.settle(name, { is: 'stopped' });
    this.#tell(TOLD - 1, SOON);
  }

  /** Heavy work on what was made, which the worker does itself. */
  async handed(): Promise<void> {
    const { database, shape } = this.#team;
    await this.#worker.hands.hold(shape.handwork * 1_000);
    await this.#kept();
    database.rows.event += EVENTS;
    database.rows.submission += 1;
    this.#tell(1, SOON);
  }

  async ended(): Promise<void> {
    await this.#kept();
    while (this.#telling) await this.#telling;
  }

  /** Once for all that was written until it begins. */
  #kept(): Promise<void> {
    this.#batch ??= this.#inTurn(async () => {
      this.#batch = undefined;
      const { database, costs } = this.#team;
      await this.#worker.connections.during(() => database.does(costs.batch, this.#worker.thread));
    });
    return this.#batch;
  }

  async #progress(): Promise<void> {
    const { generation, progress } = this.#team.shape;
    for (let n = 0; n < progress; n++) {
      await this.#team.pause((generation * 1_000) / 2 / (progress + 1));
      this.#tell(1, PACE);
    }
  }

  #tell(rows: number, soon: number): void {
    this.#untold += rows;
    this.#telling ??= this.#told(soon);
  }

  /** With the next group of events. */
  async #told(soon: number): Promise<void> {
    await this.#team.pause(soon);
    this.#team.database.rows.told += this.#untold;
    this.#untold = 0;
    await this.#kept();
    this.#telling = this.#untold > 0 ? this.#told(SOON) : undefined;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work, work);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** Requests that ask within one turn are decided under one lock, as \`TeamJournal\` does it. */
  #decided<T>(decision: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#asking.push(() => {
        try {
          const decided = decision();
          return () => resolve(decided);
        } catch (error) {
          return () => reject(error);
        }
      });
      void this.#inTurn(async () => {
        const together = this.#asking.splice(0, MAX_TOGETHER);
        if (together.length > 0) await this.#decideTogether(together);
      });
    });
  }

  async #decideTogether(all: readonly (() => () => void)[]): Promise<void> {
    const team = this.#team;
    const { database, ledger, costs } = team;
    const answers = await this.#worker.connections.during(() =>
      database.lock.during(async () => {
        this.#wants = undefined;
        const [underWay, waiting, before] = [ledger.underWay, ledger.line().length, this.#open.size];
        const decided = all.map(decide => decide());
        const admitted = this.#open.size - before;
        const base = admitted > 0 ? costs.admission : costs.refusal;
        const group = plus(base, costs.eachTogether, all.length - 1);
        await database.does(
          plus(plus(group, costs.eachUnderWay, underWay), costs.eachWaiting, waiting),
          this.#worker.thread,
        );
        if (admitted > 0) team.groups += 1;
        else team.refused += 1;
        team.admitted += admitted;
        this.#stand();
        return decided;
      }),
    );
    for (const answer of answers) answer();
  }

  #stand(): void {
    const { ledger } = this.#team;
    const wants = this.#wants as Wants | undefined;
    if (!wants) return;
    if (wants.how === 'has it') ledger.waitsNoMore(this.#film, wants.model);
    else ledger.waits(this.#film, wants.model, wants.ms);
  }

  #rows(allowed: ReturnType<TeamView['allowed']>): AdmissionRows {
    const { ledger, time } = this.#team;
    const film = this.#film;
    const open = this.#open;
    const nothing = () => {
      throw new Error('no rate, budget or act is part of this simulation');
    };
    const views: AdmissionRows['views'] = {
      film,
      get ledger() {
        return { open: [...open.values()] } as unknown as Ledger;
      },
      sent: {
        underWay: () =>
          [...ledger.elsewhere(film)].flatMap(([model, n]) =>
            Array.from({ length: n }, () => ({
              film: 'others',
              nonce: '',
              model,
              state: 'accepted' as const,
              at: time.now,
              isIdle: false,
            })),
          ),
        submits: () => ledger.submits(),
        ...{ nthIntent: nothing, openElsewhere: () => undefined, timesLost: () => 0 },
      },
      charges: { spending: nothing, newest: nothing, unknownOf: nothing },
      work: { attempts: nothing, wasCutOff: nothing, actLeftOpen: nothing },
    };
    const team: TeamView = {
      allowed: () => allowed,
      line: {
        get others() {
          return ledger.line();
        },
        since: model => ledger.since(film, model),
        join: (model, ms) => {
          this.#wants = { model, how: 'waits', ms };
        },
        quit: model => ledger.waitsNoMore(film, model),
        leave: model => {
          if (ledger.since(film, model) !== undefined) this.#wants = { model, how: 'has it', ms: 0 };
        },
      },
      changed: (ms, _signal, places) => this.#team.changed(ms, places),
      ...{
        day: undefined,
        wasRefused: () => false,
        isRunning: () => true,
        lostTime: () => undefined,
        lostTimeIsOver: async () => {},
      },
    };
    return {
      ...{ views, keepCharges: nothing, takeOver: nothing },
      now: () => time.now,
      team,
      look: async () => {},
      decide: (_on: RowsFor, decision) => this.#decided(decision),
    };
  }
}
