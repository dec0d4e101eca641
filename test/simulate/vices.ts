/** How services misbehave, by name. What a seed's service does of it, and how often it did, is counted. */
import type { Dice } from './dice.ts';

/**
 * `nature`: it does not get better when the faults stop. `lie`: our own studio does not do it unless it is told to, as its history is
 * trusted. `line`: what is sent is lost on the way, or its answer on the way back.
 */
const KINDS = {
  'history-truncates': 'nature, lie',
  'history-omits-fields': 'nature, lie',
  'history-rewrites': 'nature, lie',
  'history-lags': 'nature, lie',
  'history-relabels': 'nature, lie',
  'history-without-totals': 'nature',
  'history-empty': 'nature, lie',
  'history-fails-a-page': '',
  'answers-late': '',
  'answers-408': 'line',
  'answers-502': 'line',
  'answers-504': 'line',
  'drops-answers': 'line',
  'loses-requests': 'line',
  forgets: '',
  'forgets-for-good': 'lie',
  'status-goes-back': '',
  'status-unknown': 'nature',
  'ids-repeat': '',
  'events-for-others': 'nature',
  'events-garbage': 'nature',
  'events-silent': 'nature',
  'results-expire': 'nature',
  'results-gone': '',
  'results-lie': '',
  'results-short': '',
  'results-empty': '',
  'succeeds-without-url': '',
  busy: '',
  'busy-without-retry-after': '',
  'busy-retry-after-zero': '',
  'key-refused': '',
  redirects: '',
  'echoes-the-key': 'nature',
} as const;
type Vice = keyof typeof KINDS;
const VICES = Object.keys(KINDS) as Vice[];
const is = (vice: Vice, kind: 'nature' | 'lie' | 'line'): boolean => KINDS[vice].includes(kind);
const OF_THE_LINE = VICES.filter(vice => is(vice, 'line'));

/** All that a world may meet, by the names that it is counted by. */
export const TROUBLE: readonly string[] = [
  ...VICES,
  ...['refused what it took', 'deployment up', 'deployment down', 'deaths', 'interrupted', 'asleep'],
  ...['clock jump', 'clock set right', 'cut', 'unreached', 'disk full', 'disk error'],
];

/** What happened, by name: vices, and what the machine met. */
export type Tally = Map<string, number>;
export const count = (tally: Tally, what: string): void => void tally.set(what, (tally.get(what) ?? 0) + 1);

/** The vices of one service, and how bad each is. */
export class Manners {
  readonly #chances = new Map<Vice, number>();
  readonly #dice: Dice;
  readonly #tally: Tally;
  /** The faults have stopped: what is left is its nature. */
  isQuiet = false;

  constructor(dice: Dice, tally: Tally, kind: 'hosted' | 'studio' | 'good') {
    this.#dice = dice;
    this.#tally = tally;
    // A few at a time: a service with all of them at once never gets anything done, and tells little.
    const share = kind === 'good' ? 0 : dice.pick([0, 0.08, 0.15, 0.3]);
    for (const vice of VICES) {
      const chance = dice.pick([0.05, 0.15, 0.4, 0.8]);
      if (dice.chance(share) && !(kind === 'studio' && is(vice, 'lie')))
        this.#chances.set(vice, vice === 'history-empty' ? 1 : chance);
    }
    if (kind !== 'good' && dice.chance(0.3)) this.#chances.set(dice.pick(OF_THE_LINE), dice.pick([0.4, 0.8]));
  }

  /** Whether it has it at all. */
  has(vice: Vice): boolean {
    return this.#chances.has(vice) && (!this.isQuiet || is(vice, 'nature'));
  }

  /** Whether it shows it this time. */
  shows(vice: Vice): boolean {
    if (!this.has(vice) || !this.#dice.chance(this.#chances.get(vice) ?? 0)) return false;
    count(this.#tally, vice);
    return true;
  }

  /** What it has by nature, and shows always. */
  is(vice: Vice): boolean {
    if (!this.has(vice)) return false;
    count(this.#tally, vice);
    return true;
  }

  get names(): readonly Vice[] {
    return [...this.#chances.keys()];
  }
}
