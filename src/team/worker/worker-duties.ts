/**
 * What a worker of a team does. It leads runs, which takes the key of the service; it does heavy work of runs, which runs other people's commands;
 * or both. Two kinds of workers keep the key and the commands apart.
 */
import { BASE_VARIABLES, type VariableAccess } from '../../model/variable-access.ts';

interface DutiesAsked {
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
type Duty = 'lead' | 'hand';

/** A lead waits for others nearly all of its time. */
const LEADS = 16;

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
 * What a film may read of this worker's environment: the variables that the worker lists, beside those that every command gets. Anyone
 * who may submit a film decides what it reads, and can leak it.
 * @param secrets variables that hold secrets, each with the setting that names it: none may be listed.
 */
export function accessOnWorker(
  listed: readonly string[],
  secrets: VariableAccess['secrets'],
): { readonly is: 'ok'; readonly access: VariableAccess } | { readonly is: 'mistaken'; readonly message: string } {
  for (const name of listed) {
    const where = secrets.get(name);
    if (where !== undefined)
      return {
        is: 'mistaken',
        message: `\`${name}\` holds a secret of Shotlist itself (${where}), which no film may read; take it out of --expose and of \`expose\` in the settings`,
      };
  }
  return { is: 'ok', access: { secrets, exposed: new Set([...BASE_VARIABLES, ...listed]) } };
}

/** Whether a version submitted a run that this one does not know: a newer major version, or before the first, a newer minor one. */
export function newerVersion(theirs: string, ours: string): boolean {
  const [theirMajor, theirMinor] = numbersOf(theirs);
  const [major, minor] = numbersOf(ours);
  if (theirMajor !== major) return theirMajor > major;
  return major === 0 && theirMinor > minor;
}

function numbersOf(version: string): readonly [major: number, minor: number] {
  const [, major = '0', minor = '0'] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  return [Number(major), Number(minor)];
}
