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
  /** `none`: no command runs here. `only`: nothing else is done here, and no key is held. */
  readonly commands?: 'none' | 'only' | undefined;
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
  { leads, hands, commands }: DutiesAsked,
  cores: number,
): { readonly is: 'ok'; readonly duties: WorkerDuties } | { readonly is: 'mistaken'; readonly message: string } {
  if (commands === 'none' && hands !== undefined && hands > 0) return mistaken(messages.noCommandsAndHands(hands));
  if (commands === 'only' && leads !== undefined && leads > 0) return mistaken(messages.onlyCommandsAndLeads(leads));
  const duties = {
    leads: commands === 'only' ? 0 : (leads ?? LEADS),
    hands: commands === 'none' ? 0 : (hands ?? Math.max(1, cores)),
  };
  return duties.leads + duties.hands === 0 ? mistaken(messages.nothing()) : { is: 'ok', duties };
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

const mistaken = (message: string) => ({ is: 'mistaken', message }) as const;

const messages = {
  noCommandsAndHands: (hands: number) =>
    `--no-commands and --hands ${hands} contradict each other: a worker without commands does no heavy work; leave one of them out`,
  onlyCommandsAndLeads: (leads: number) =>
    `--only-commands and --leads ${leads} contradict each other: a worker that holds no key leads nothing; leave one of them out`,
  nothing: () => 'this worker would do nothing: give it --leads or --hands above 0',
};
