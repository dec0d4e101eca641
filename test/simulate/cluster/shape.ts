/** A team, what it has to do, and what its service allows. */
export interface Shape {
  readonly workers: number;
  /** Runs that a worker leads at once, heavy work that it does at once, and its connections for what leads keep and ask. */
  readonly leads: number;
  readonly hands: number;
  readonly connections: number;
  readonly runs: number;
  /** Paid steps of each run; each is followed by a piece of heavy work. */
  readonly instances: number;
  readonly models: number;
  /** Seconds that the service takes for one, from half of it to one and a half; and that its heavy work takes. */
  readonly generation: number;
  readonly handwork: number;
  /** Milliseconds from a POST to its answer. */
  readonly post: number;
  /** Of the service and its key, as limits and settings say. */
  readonly inFlight: number;
  readonly perSecond: number;
  /** Processors of the database's machine. */
  readonly processors: number;
  /** How far a generation is is told so often. */
  readonly progress: number;
  /** MB of a result. */
  readonly megabytes: number;
}

/** What a studio of forty people may come to. */
export const LARGE: Shape = {
  ...{ workers: 50, leads: 16, hands: 4, connections: 3, runs: 1_000, instances: 100, models: 1 },
  ...{ generation: 60, handwork: 2, post: 150, inFlight: 400, perSecond: 50, processors: 8 },
  ...{ progress: 4, megabytes: 8 },
};

/** Connections of a worker beside those that its leads and its queue share: the one by which it hears. */
export const OTHER_CONNECTIONS = 1;
