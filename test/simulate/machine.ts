/** A machine and what its processes leave on it: the disk outlives them, everything else goes with the process. */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { CommandOutcome, CommandRunner } from '../../src/machine/process/command-runner.ts';
import type { LockDisk } from '../../src/records/lock/lock-keeper.ts';
import type { Store } from '../../src/records/store/store.ts';
import type { FetchResult } from '../../src/run/local/local-executor.ts';
import type { Dice } from './dice.ts';
import type { PlantedBug } from './planted-bugs.ts';
import { type Provider, sha256 } from './provider.ts';
import type { Network } from './service-over-network.ts';
import type { Mortal, Time } from './time.ts';
import { count, type Tally } from './vices.ts';

/** One process. It ends between two steps of its own choosing: whatever it had not written down is gone. */
export class Life implements Mortal {
  readonly name: string;
  skew = 0;
  asleepUntil = 0;
  steps = 0;
  /** What it was about to do, or to hear, when it was killed. */
  diedAt: string | undefined;
  readonly #diesAfter: number;
  #hasEnded = false;

  /** @param diesAfter so many steps; infinite: it is not killed. */
  constructor(name: string, diesAfter: number) {
    this.name = name;
    this.#diesAfter = diesAfter;
  }

  /** It is no more, killed or at its end. */
  get dead(): boolean {
    return this.#hasEnded || this.diedAt !== undefined;
  }

  end(): void {
    this.#hasEnded = true;
  }

  step(what: string): boolean {
    if (this.dead) return false;
    this.steps += 1;
    if (this.steps > this.#diesAfter) this.diedAt = what;
    return !this.dead;
  }
}

export class Disk {
  readonly database: DatabaseSync;
  /** What the store holds: digest → what it is. */
  readonly store = new Map<string, string>();
  /** Downloads that were not finished: id → pieces that are here. */
  readonly parts = new Map<string, number>();
  readonly outputs = new Map<string, string>();
  readonly locks = new Map<string, string>();
  /** Nothing more fits. */
  isFull = false;
  /** Writes fail now and then. */
  isBad = false;

  constructor(tables: readonly string[]) {
    this.database = new DatabaseSync(':memory:');
    for (const table of tables) this.database.exec(table);
  }
}

export interface Place {
  readonly disk: Disk;
  readonly life: Life;
  readonly time: Time;
  readonly dice: Dice;
  readonly tally: Tally;
  readonly network: Network;
  readonly provider: Provider;
  readonly plant?: PlantedBug | undefined;
}

const FULL = { errcode: 13, message: 'database or disk is full' };
const BROKEN = { errcode: 10, message: 'disk I/O error' };
const troubleOf = ({ errcode, message }: typeof FULL): Error => Object.assign(new Error(message), { errcode });

/** The project's one database, as one process holds it. Of a dead one nothing comes any more; what it had not committed is undone. */
export function databaseFor({
  disk,
  life,
  dice,
  tally,
  plant,
}: Pick<Place, 'disk' | 'life' | 'dice' | 'tally' | 'plant'>): DatabaseSync {
  const { database } = disk;
  const trouble = (): Error | undefined => {
    if (!disk.isFull && !(disk.isBad && dice.chance(0.2))) return undefined;
    count(tally, disk.isFull ? 'disk full' : 'disk error');
    return troubleOf(disk.isFull ? FULL : BROKEN);
  };
  const commit = () => {
    if (!life.step('a commit')) return database.exec('ROLLBACK');
    const failure = trouble();
    if (failure && plant?.hidesFailedCommits) return database.exec('ROLLBACK');
    if (failure) throw failure;
    database.exec('COMMIT');
    life.step('a commit that was made');
  };
  const open = {
    get isTransaction() {
      return !life.dead && database.isTransaction;
    },
    exec(sql: string) {
      if (life.dead) return;
      if (sql === 'COMMIT') commit();
      else database.exec(sql);
    },
    prepare(sql: string) {
      const statement = database.prepare(sql);
      const writes = /^\s*(INSERT|UPDATE|DELETE)/i.test(sql);
      const own = {
        run: (...given: never[]) => {
          if (life.dead) return { changes: 0, lastInsertRowid: 0 };
          // A write goes to memory first: it is the commit that finds no room, mostly.
          const failure = writes && dice.chance(0.1) ? trouble() : undefined;
          if (failure) throw failure;
          return statement.run(...given);
        },
        get: (...given: never[]) => (life.dead ? undefined : statement.get(...given)),
        all: (...given: never[]) => (life.dead ? [] : statement.all(...given)),
        iterate: (...given: never[]) => (life.dead ? [][Symbol.iterator]() : statement.iterate(...given)),
      };
      return own as unknown as StatementSync;
    },
    close() {},
  };
  return open as unknown as DatabaseSync;
}

/** As much of the store as a run asks for. */
export function storeFor({ disk, life, time }: Pick<Place, 'disk' | 'life' | 'time'>): Store {
  const own = {
    folder: '/store',
    partials: '/store/partial',
    has: (digest: string) => disk.store.has(digest),
    file: (digest: string) => (disk.store.has(digest) ? pathOf(digest) : undefined),
    pathOf: async (digest: string) => pathOf(digest),
    materialise: (digest: string, path: string) =>
      new Promise<boolean>((resolve, reject) => {
        if (!life.step('an output is placed')) return;
        const act = () => {
          if (disk.isFull)
            return reject(Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }));
          if (!disk.store.has(digest)) return reject(new Error(`the store has no ${digest}`));
          const isNew = disk.outputs.get(path) !== digest;
          disk.outputs.set(path, digest);
          resolve(isNew);
        };
        time.after(2, 'an output is written', act, life);
      }),
  };
  return own as unknown as Store;
}

const pathOf = (digest: string): string => `/store/${digest}.mp4`;
export const digestIn = (path: string): string => path.slice('/store/'.length, -'.mp4'.length);

/** What the download is known to do: pieces are kept, what is no media is thrown away, whole files alone get a name. */
export function fetchFor({ disk, life, time, dice, network, provider, tally }: Place): FetchResult {
  const PIECES = 3;
  const wait = (ms: number, signal: AbortSignal) =>
    new Promise<void>(resolve => {
      const off = time.after(ms, 'a piece of a download', resolve, life);
      const stop = () => {
        off();
        resolve();
      };
      signal.addEventListener('abort', stop, { once: true });
    });
  return async (url, id, signal, kind) => {
    if (!life.step('a download')) return new Promise<never>(() => {});
    for (let tries = 0; ; ) {
      await wait(dice.between(20, 400), signal);
      if (signal.aborted) return { is: 'failed', message: 'the download was called off' };
      if (disk.isFull) return { is: 'failed', message: 'ENOSPC: no space left on device; make room, then run again' };
      if (network.isCut || dice.chance(provider.manners.isQuiet ? 0 : 0.05)) {
        count(tally, 'download broken off');
        if (++tries >= 6) return { is: 'failed', message: 'the connection was cut' };
        continue;
      }
      const made = provider.madeAt(url);
      const until = Number(/until=(\w+)/.exec(url)?.[1]);
      if (!made || time.now > until) {
        if (made) count(tally, 'results-expire');
        return { is: 'gone', message: "the result's URL answers 403: it has expired, or was taken away" };
      }
      const spoilt = made.spoilt && time.now < made.spoilt.until ? made.spoilt.how : undefined;
      if (spoilt === 'gone') return { is: 'gone', message: "the result's URL answers 404" };
      if (spoilt === 'short') return { is: 'failed', message: '100 bytes came of 200' };
      if ((spoilt === 'lie' || spoilt === 'empty') && kind !== undefined) {
        return { is: 'misfit', message: spoilt === 'lie' ? 'a web page came' : 'nothing came' };
      }
      const pieces = (disk.parts.get(id) ?? 0) + 1;
      disk.parts.set(id, pieces);
      if (pieces < PIECES) continue;
      disk.parts.delete(id);
      const digest = spoilt === 'lie' || spoilt === 'empty' ? sha256(spoilt) : made.content;
      disk.store.set(digest, made.id);
      return { is: 'ok', sha256: digest, bytes: 1_000, file: pathOf(digest) };
    }
  };
}

/** Programs that print what they were told. */
export function commandsFor({ life, time, dice }: Place): CommandRunner {
  const run = (command: { readonly argv?: readonly string[] }): Promise<CommandOutcome> =>
    new Promise(resolve => {
      if (!life.step('a command')) return;
      const stdout = `counted ${(command.argv ?? []).at(-1)?.slice(0, 16)}\n`;
      const outcome = { ended: 'by itself', exit: 0, signal: null, stdout, stderr: '', truncated: false } as const;
      time.after(dice.between(1, 500), 'a command ends', () => resolve(outcome), life);
    });
  return { run, close: async () => {} } as unknown as CommandRunner;
}

/** The lock file: read, and written whole or not at all. A person or a colleague's pull may be quicker. */
export function lockFor({
  disk,
  life,
  time,
  film,
}: Pick<Place, 'disk' | 'life' | 'time'> & { readonly film: string }): LockDisk {
  const soon = <T>(what: string, act: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      if (!life.step(what)) return;
      const later = () => {
        try {
          resolve(act());
        } catch (error) {
          reject(error);
        }
      };
      time.after(1, what, later, life);
    });
  return {
    read: () => soon('the lock is read', () => disk.locks.get(film) ?? null),
    write: (text, over) =>
      soon('the lock is written', () => {
        if (disk.isFull) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
        if ((disk.locks.get(film) ?? null) !== over) return false;
        disk.locks.set(film, text);
        return true;
      }),
    writeAside: text =>
      soon('the lock is put aside', () => void disk.locks.set(`${film} aside`, text)).then(
        () => `${film}.lock.new.yaml`,
      ),
  };
}
