/** The words of `why`, in one place. */
import { freeText } from '../../model/run/run-money.ts';
import { formatUsd, listed } from '../../model/text/format.ts';
import type { Before, Made, Ownership, Untold } from './explain.ts';

export const messages = {
  // heads
  owned: () => 'owned',
  skipped: (why: string) => `skipped: ${why}`,
  leftOut: (why: string) => `is no part of this run: ${why}`,
  toBeMade: (isCertain: boolean, isAgain: boolean, price: string) =>
    `${isAgain ? '' : 'new, '}${isCertain ? 'would' : 'may'} be made${isAgain ? ' again' : ''}: ${price}`,

  // what is owned
  ownership: ({ made, locked }: Ownership, isFree: boolean) => {
    if (made) {
      const lock = locked ? '; the lock has it too' : '; not in the lock';
      const film = made.film === undefined ? '' : ` for the film ${made.film}`;
      return `${made.how === 'made' ? 'made' : 'first used'}${film} ${when(made.at)} in run ${shortRun(made.run)}, ${costText(made.cost, isFree)}${lock}`;
    }
    if (!locked) return undefined;
    const which = locked.generation === null ? '' : ` as ${locked.generation}`;
    return `the lock has it${which}, ${costText(locked.cost, isFree)}; it does not say when it was made, or in which run`;
  },
  ownedAs: (name: string, isGone: boolean) => (isGone ? `owned as ${name}` : `asks for the same as ${name}: made once`),
  confirmed: (key: string, at: number) => `${key} was made again ${when(at)}, and gave the same bytes`,

  // what it is held against
  heldAgainst: ({ from, at, run, cost }: Before, isFree: boolean) => {
    const source = from === 'lock' ? 'the lock' : 'the journal';
    const made = at === undefined ? '' : `: made ${when(at)}${run === undefined ? '' : ` in run ${shortRun(run)}`}`;
    return `held against ${source}${made}, ${costText(cost, isFree)}`;
  },
  otherService: (name: string, service: string) =>
    `it was made on ${name}, and never on ${service}: one never replaces the other`,
  neverMade: () => 'neither the lock nor the journal has a result under this name',
  failed: (at: number, message: string) => `its last try failed ${when(at)}: ${message}`,

  rejected: ({ who, at, note }: { readonly who: string; readonly at: number; readonly note: string | null }) =>
    `rejected by ${who} ${when(at)}${note === null ? '' : `: ${note}`}`,

  // changes
  model: () => 'its model changed',
  changed: (field: string) => `${field} changed`,
  added: (field: string) => `${field} is new`,
  removed: (field: string) => `${field} is asked for no more`,
  otherMedia: (field: string, kind: string) => `${field} is another ${kind}`,
  otherPart: (field: string, part: string, from: string) => `${field} is ${part} of ${from} now`,
  partOfOther: (field: string, part: string, from: string) =>
    `${field} is ${part} of ${from}, and that is another video`,
  otherFile: (field: string, path: string) => `${field} is another file, or ${path} has other content`,
  reads: (names: readonly string[]) => `it reads ${someOf(names)}`,
  because: (key: string, at: number | undefined) =>
    `because ${key} ${at === undefined ? 'gives something else now' : `was made again ${when(at)}`}`,
  alike: (fields: readonly string[]) => `${fields.length} changes of one kind, in ${someOf(fields)}; for example:`,
  cutOff: () => 'the lock keeps the beginning of a long text, and that is the same: what changed is further on',

  // no field can be named
  untold: (why: Untold, service: string) => {
    switch (why) {
      case 'gone':
        return 'nothing it asks for has changed: its result is not on this machine, and the service cannot be asked for it';
      case 'not_kept':
        return 'something it asks for has changed; the lock and the journal are older than records of requests, so what changed is unknown';
      case 'not_shown':
        return `something has changed that is neither shown nor kept: a variable of the environment, or who answers on ${service}`;
      case 'cache_off':
        return '`cache: off` makes it in every run';
    }
  },

  // waiting
  staysIfSame: (count: number) =>
    `it stays owned if ${count === 1 ? 'that gives' : 'those give'} the same bytes as before`,
  waitsFor: (step: string, keys: readonly string[]) =>
    `it waits for ${keys.length > MOST ? `${step} × ${keys.length}: ` : ''}${someOf(keys)}`,
  forExample: (key: string, head: string) => `for example ${key}: ${head}`,
  deeper: () => 'which waits in its turn, and so on: ask for that one',
  openStep: (step: string) => `it waits for ${step}: its instances are not known yet`,
} as const;

/** `2026-11-21 14:03 UTC`: the same wherever it is read. */
const when = (at: number): string =>
  Number.isFinite(at) && Math.abs(at) < 8.64e15
    ? `on ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
    : 'at an unknown time';

/** As many characters of an id as tell one run from the next. */
const shortRun = (run: string): string => run.slice(0, 8);

/** @param isFree the built-in studio made it: a price is what a service would charge. */
function costText(cost: Made['cost'], isFree: boolean): string {
  if (cost === null) return 'cost not known';
  if (cost === 0) return 'for nothing';
  return isFree ? freeText(cost) : `for ${formatUsd(cost)}`;
}

const MOST = 6;
const someOf = (names: readonly string[]): string => {
  const shown = names.length > MOST ? [...names.slice(0, MOST - 1), `${names.length - MOST + 1} more`] : names;
  return listed(shown);
};
