/** As many kills as were asked for, in a few trials side by side: most of a run is waiting. */
import type { Failpoint } from '../../src/model/run/failpoint.ts';
import { type Fault, falseNames } from './audit.ts';
import { type Death, deathsOf, nameOf } from './crash-film.ts';
import { CrashTrial, type Host } from './crash-trial.ts';

interface CrashOptions {
  readonly seed: number;
  /** How many kills of each. */
  readonly kills: { readonly runner: number; readonly studio: number };
  readonly vices?: readonly string[];
  /** Trials side by side. */
  readonly sideBySide?: number;
  /** Only this film: to see a fault again. */
  readonly film?: number;
  /** How the runner dies in each film, in place of deaths by the seed: as many films as there are lists. */
  readonly deaths?: readonly (readonly Death[])[];
  /** Who is asked by a runner that is killed. */
  readonly host?: Host;
  /** The project has a small disk, which is filled before each kill at any moment. */
  readonly isOnSmallDisk?: boolean;
  readonly tell?: (line: string) => void;
}

interface Crashed {
  readonly killed: { runner: number; studio: number };
  films: number;
  readonly faults: Fault[];
  /** How often the runner died at each point. */
  readonly at: Map<Failpoint | 'any moment', number>;
}

type Victim = 'runner' | 'studio';
/** Films in a row under the same vice. */
const BLOCK = 3;

export async function crash(options: CrashOptions): Promise<Crashed> {
  const { seed, kills, tell = () => {} } = options;
  const vices = options.vices ?? [];
  const crashed: Crashed = { killed: { runner: 0, studio: 0 }, films: 0, faults: [], at: new Map() };
  const next = { runner: options.film ?? 1, studio: options.film ?? 1 };
  const { deaths: given } = options;
  const isWanted = (victim: Victim) =>
    given && victim === 'runner'
      ? next.runner <= given.length
      : options.film === undefined
        ? crashed.killed[victim] < kills[victim]
        : kills[victim] > 0 && next[victim] === options.film;
  const film = async (trial: CrashTrial, victim: Victim): Promise<boolean> => {
    const number = next[victim]++;
    // The studio's films have numbers of their own: no two films ask for the same.
    const title = victim === 'runner' ? number : number + 1_000_000;
    const vice = [undefined, ...vices][Math.floor((number - 1) / BLOCK) % (vices.length + 1)];
    const deaths = (victim === 'runner' && given?.[number - 1]) || deathsOf(seed, title, victim);
    const result = await trial.run(title, deaths, victim, vice);
    crashed.killed[victim] += result.kills.length;
    crashed.films += 1;
    if (victim === 'runner') for (const point of result.kills) crashed.at.set(point, (crashed.at.get(point) ?? 0) + 1);
    crashed.faults.push(...result.faults);
    if (result.faults.length > 0)
      tell(report({ number, victim, vice, vices, seed, deaths, ...result }, trial.stage.folder));
    return result.faults.length === 0;
  };
  const atWork = async (): Promise<void> => {
    const { host = 'program', isOnSmallDisk } = options;
    let trial = new CrashTrial(host, isOnSmallDisk);
    for (const victim of ['runner', 'studio'] as const) {
      while (isWanted(victim)) {
        if (await film(trial, victim)) continue;
        await trial.close();
        trial = new CrashTrial(host, isOnSmallDisk);
      }
    }
    const wrong = falseNames(trial.stage.project);
    crashed.faults.push(...wrong);
    if (wrong.length > 0) tell(wrong.map(({ what }) => what).join('\n'));
    await trial.close();
    if (wrong.length === 0) trial.stage.dispose();
  };
  await Promise.all(Array.from({ length: options.film === undefined ? (options.sideBySide ?? 3) : 1 }, atWork));
  return crashed;
}

interface FaultyFilm {
  readonly number: number;
  readonly victim: Victim;
  readonly vice: string | undefined;
  readonly vices: readonly string[];
  readonly seed: number;
  readonly deaths: readonly Death[];
  readonly faults: readonly Fault[];
  readonly lastWords: string;
}

function report({ number, victim, vice, vices, seed, deaths, faults, lastWords }: FaultyFilm, folder: string): string {
  const given = vices.map(name => ` --vice ${name}`).join('');
  return [
    `film ${number}, the ${victim} killed (${deaths.map(nameOf).join(', ')}), ${vice === undefined ? 'no vice' : `vice ${vice}`}:`,
    ...faults.map(({ is, what }) => `  ${is}: ${what}`),
    `  again: npm run crash -- --seed ${seed} --film ${number} --of ${victim}${given}`,
    `  kept: ${folder}`,
    ...lastWords
      .trimEnd()
      .split('\n')
      .slice(-12)
      .map(line => `  | ${line}`),
  ].join('\n');
}
