/** A project's journal as the cases of its ports drive it: films that processes run over it, at a time that the test holds. */

import type { ServiceRates } from '../../../src/model/request-rates.ts';
import type { RunId } from '../../../src/model/run/key.ts';
import type { FilmJournal } from '../../../src/records/journal/film-journal.ts';
import type { FakeClock } from '../../support/fake-clock.ts';

export interface FilmWorld {
  readonly clock: FakeClock;
  passes(ms: number): Promise<void>;
  /** Somebody sets the clock. */
  setClock(ms: number): Promise<void>;
  /** A process that runs this film. The same film again: a later run of it, when the one before is gone. */
  process(film: string, options?: ProcessOptions): Promise<FilmProcess>;
  /** Somebody who only looks, or who decides as a person. */
  looks(film: string): Promise<FilmJournal>;
}

export interface ProcessOptions {
  /** Absent: `house`. */
  readonly account?: string;
  /** What its admissions are held to. */
  readonly rates?: ServiceRates;
}

export interface FilmProcess {
  readonly run: RunId;
  readonly account: string;
  readonly journal: FilmJournal;
  /** Whether another film is being run at the moment. */
  isRunning(film: string): boolean;
  /** Killed: nothing more comes of it. */
  dies(): Promise<void>;
}
