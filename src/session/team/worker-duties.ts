/**
 * What a worker of a team does. It leads runs, which takes the key of the service; it does heavy work of runs, which runs commands that
 * somebody else wrote; or both. Two kinds of workers keep the key and the commands apart.
 */
type Environment = Readonly<Record<string, string | undefined>>;

export interface DutiesAsked {
  /** Runs that are led at once; absent: as many as one process leads well. */
  readonly leads?: number | undefined;
  /** Commands and cuts at once; absent: one for each core. */
  readonly hands?: number | undefined;
}

export interface WorkerDuties {
  /** 0: it leads nothing, sends no request, and needs no service and no key. */
  readonly leads: number;
  /** 0: no command runs here, and no cut is rendered. */
  readonly hands: number;
}

/** As the team's tables call them. */
export type Duty = 'lead' | 'hand';

/** A lead waits for others nearly all of its time. */
const LEADS = 16;

/** @param cores of this machine. */
export function workerDuties(
  { leads = LEADS, hands }: DutiesAsked,
  cores: number,
): { readonly is: 'ok'; readonly duties: WorkerDuties } | { readonly is: 'mistaken'; readonly message: string } {
  const duties = { leads, hands: hands ?? Math.max(1, cores) };
  if (duties.leads + duties.hands > 0) return { is: 'ok', duties };
  return { is: 'mistaken', message: 'this worker would do nothing: give it --leads or --hands above 0' };
}

export const dutiesIn = ({ leads, hands }: WorkerDuties): readonly Duty[] => [
  ...(leads > 0 ? (['lead'] as const) : []),
  ...(hands > 0 ? (['hand'] as const) : []),
];

/**
 * What a film that somebody handed in may know of this process's environment: nothing that opens the team's database, the service or a
 * bucket. Whoever may hand in a film may write into it what it reads.
 */
export function environmentForFilms(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !WITHHELD.test(name)));
}

const WITHHELD = /^(SHOTLIST_|PG(PASS|HOST|USER|PORT|DATA|SSL|SERVICE|OPTIONS)|AWS_|NODE_OPTIONS$)/i;
