/**
 * What a trial of a team is made of, and small trials, each of which is about one thing that a team does with money:
 * `npm run chaos -- --team --shape NAME`. They last a minute, and their limits are low, so that the service's door shows what is wrong within seconds.
 */
import type { ChaosService } from './chaos-service.ts';
import { LIMITS, type TeamLimits } from './team-audit.ts';

/**
 * What happens every now and then, to any worker (`kill`) or to one that leads, if there is one. `end`: it is told to leave. `upgrade`: each is,
 * one after the other, as soon as a new one is there. `cut database`, `cut service`: nothing comes through between the two for a while.
 * `clock`: its clock is a day ahead for a while.
 */
export type Act =
  | 'kill'
  | 'kill lead'
  | 'end'
  | 'upgrade'
  | 'freeze'
  | 'cut database'
  | 'cut service'
  | 'clock'
  | 'database';

export interface TeamTrialOptions {
  readonly seed: number;
  readonly runs: number;
  /** Of each run: half are paid for, half are commands. */
  readonly steps: number;
  readonly workers: number;
  /** Seconds between two acts. */
  readonly every: number;
  /** What happens next, from 0 on; undefined: nothing any more. */
  readonly act: (n: number) => Act | undefined;
  /** Seconds after which what is not done is stuck. */
  readonly most: number;
  /** Whether a run that is led again later than it should be is a fault. Where it is none, no time passes before a killed worker is missed. */
  readonly isTimed: boolean;
  /** The first film brings a deployment up and down, all ask for the same pictures, and one more has a budget that it does not fit into. */
  readonly hasExtras?: boolean;
  /** Pictures that all films ask for, with `hasExtras`. Default: 3. */
  readonly common?: number;
  /** Absent: those of `team-audit.ts`. */
  readonly limits?: TeamLimits;
  readonly service?: Partial<Pick<ChaosService, 'making' | 'losesAnswers' | 'lag'>>;
  /** Milliseconds that everything takes between a worker and the database, each way. */
  readonly databaseDelay?: number;
  /** The trial ends at the first fault at the door that matches: that one is all that it looks for. */
  readonly until?: RegExp;
  readonly tell?: (line: string) => void;
}

export type Shape = Omit<TeamTrialOptions, 'seed' | 'act' | 'most' | 'isTimed' | 'until' | 'tell'> & {
  /** Once each, in this order. */
  readonly acts: readonly Act[];
};

/** Leaves places beside those of a lead that is gone. */
const AMPLE: TeamLimits = { ...LIMITS, inFlight: 20, ofModel: 20 };

export const SHAPES = {
  /** All films ask for the same pictures in the same moment, over a line on which the rows of a decision are old when it is kept. */
  'same requests at once': {
    ...{ runs: 4, steps: 4, workers: 3, every: 5, acts: [], hasExtras: true, common: 12, databaseDelay: 60 },
    limits: { ...LIMITS, inFlight: 40, ofModel: 40, perSecond: 40 },
  },
  /** More is ready than may be in flight, of a model and in all, and more than may be sent in a second. */
  'low limits': {
    ...{ runs: 3, steps: 16, workers: 2, every: 5, acts: [], hasExtras: true },
    limits: { ...LIMITS, inFlight: 4, ofModel: 3, perSecond: 2 },
    service: { making: [2_000, 4_000] },
  },
  /** The service takes requests and does not answer, and lists them some seconds later: until then their outcome is unknown. */
  'lost answers': {
    ...{ runs: 4, steps: 4, workers: 2, every: 5, acts: [] },
    limits: { ...LIMITS, inFlight: 3, ofModel: 3 },
    service: { making: [8_000, 12_000], losesAnswers: 0.7, lag: 5_000 },
  },
  /** A lead freezes until another worker leads its film, and wakes when that one has sent what the first one would send next. */
  'frozen lead': {
    ...{ runs: 1, steps: 120, workers: 2, every: 4, acts: ['freeze'] },
    ...{ limits: { ...AMPLE, perSecond: 2 }, service: { making: [3_000, 6_000] } },
  },
  /** A lead is killed while it has requests in flight, which its successor has places to send again. */
  'killed lead': {
    ...{ runs: 1, steps: 64, workers: 2, every: 6, acts: ['kill lead'] },
    ...{ limits: AMPLE, service: { making: [5_000, 8_000] } },
  },
  /** The lead of a film with a deployment leaves again and again while that deployment is in use. */
  'leads that leave': {
    ...{ runs: 1, steps: 20, workers: 2, every: 6, acts: ['end', 'end', 'end'], hasExtras: true },
    limits: { ...LIMITS, inFlight: 4 },
    service: { making: [3_000, 6_000] },
  },
} as const satisfies { readonly [name: string]: Shape };

export type ShapeName = keyof typeof SHAPES;
export const isShape = (name: string): name is ShapeName => Object.hasOwn(SHAPES, name);
