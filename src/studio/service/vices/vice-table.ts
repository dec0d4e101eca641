/**
 * The vices of the studio, by name: everything here was seen at some service of this shape. The author of a client lets it live through such a day
 * before it meets one. The same seed gives the same day.
 */

import { Refusal } from '../../../model/run/decision-page.ts';
import { nearest } from '../../../model/text/nearest.ts';

/** What each does, and the usual number of what can be counted in it. */
const TABLE = {
  'history-truncates': { does: 'the history lists only the newest few', rows: 3 },
  'history-omits-fields': { does: 'rows of the history leave out fields of their request', share: 0.5 },
  'history-rewrites': {
    does: 'rows of the history rewrite what was sent: 5 becomes "5s", texts end in a space or go on, URLs are signed again',
  },
  'history-lags': { does: 'a generation appears in the history only some seconds after it was taken', seconds: 5 },
  'history-relabels': { does: 'rows of the history call the model by another of its names' },
  'history-without-totals': { does: 'the history tells no total_pages and no total_entries' },
  'history-empty': { does: 'the history lists nothing: it is that of another namespace' },
  'history-fails-a-page': { does: 'pages of the history fail now and then', share: 0.5 },
  'answers-late': {
    does: 'a POST is answered with 504, and carried out some seconds later; every other one, by the seed',
    seconds: 2.4,
  },
  'answers-408': { does: 'a POST that was taken is answered with 408', share: 0.5 },
  'answers-502': { does: 'a POST that was taken is answered with 502', share: 0.5 },
  'answers-504': { does: 'a POST that was taken is answered with 504', share: 0.5 },
  'drops-answers': { does: 'a POST is taken, and the connection cut instead of an answer', share: 0.5 },
  forgets: { does: 'a generation is not found for some seconds after it is first asked for', seconds: 10 },
  'forgets-for-good': { does: 'some generations are never found again by their id', share: 0.5 },
  'status-goes-back': {
    does: 'every second time it is asked for, a generation that has begun or ended is queued again',
  },
  'status-unknown': { does: 'a generation that has not ended has a status that no document names' },
  'ids-repeat': { does: 'the id of the request before is answered for another', share: 0.5 },
  'events-for-others': { does: 'the event stream also reports generations of others' },
  'events-garbage': { does: 'the event stream tells garbage in between' },
  'events-silent': { does: 'the event stream opens, and says nothing from then on' },
  'results-expire': {
    does: 'the address of a result answers 403 after some seconds, as an input too; reading the record again gives a fresh one',
    seconds: 60,
  },
  'results-gone': { does: 'some results are gone for good', share: 0.5 },
  'results-lie': { does: 'instead of a result comes a login page, as 200', share: 0.5 },
  'results-short': { does: 'half of a result comes, with a matching length', share: 0.5 },
  'results-empty': { does: 'nothing of a result comes, as 200', share: 0.5 },
  'succeeds-without-url': { does: 'a generation has succeeded and does not tell where its result is', share: 0.5 },
  'tunes-stall': { does: 'a fine-tune never leaves `tokenizing`' },
  'tunes-unreadable': { does: 'a fine-tune cannot be read' },
  'tunes-forgotten': { does: 'a fine-tune is not found for some seconds after it was first read', seconds: 10 },
  'tunes-go-back': { does: 'every second time it is read, a fine-tune that is ready is tokenizing again' },
  busy: { does: 'everything is 429 for some seconds out of three times as many, with Retry-After', seconds: 2 },
  'busy-without-retry-after': {
    does: 'everything is 429 for some seconds out of three times as many, without Retry-After',
    seconds: 2,
  },
  'busy-retry-after-zero': {
    does: 'everything is 429 for some seconds out of three times as many, with Retry-After: 0',
    seconds: 2,
  },
  'key-refused': { does: 'the key is refused with 401 in the middle of a run, for some seconds', seconds: 5 },
  redirects: { does: 'requests are redirected to another origin', share: 0.2 },
  'echoes-the-key': { does: 'the key that was sent comes back in error_message and in the words of refusals' },
} as const satisfies Readonly<Record<string, Does>>;
export type ViceName = keyof typeof TABLE;

interface Does {
  readonly does: string;
  readonly rows?: number;
  readonly seconds?: number;
  /** From 0 to 1, of the requests that it could befall. */
  readonly share?: number;
}

const names = Object.keys(TABLE) as readonly ViceName[];

/** What each does, in a sentence; `NAME=VALUE` gives another number than the one in it. */
export const VICES = Object.fromEntries(names.map(name => [name, sentence(TABLE[name])])) as {
  readonly [name in ViceName]: string;
};

function sentence({ does, rows, seconds, share }: Does): string {
  if (rows !== undefined) return `${does} (=${rows} rows)`;
  if (seconds !== undefined) return `${does} (=${seconds} seconds)`;
  return share === undefined ? does : `${does} (=${share}, a share of the times)`;
}

interface Vice {
  readonly name: ViceName;
  /** Rows, seconds, or a share from 0 to 1; none where nothing can be counted. */
  readonly value: number;
}

/** @param text `answers-504` or `answers-504=0.1`. @throws {Refusal} with the nearest right name. */
export function readVice(text: string): Vice {
  const [given = '', number] = text.split(/=(.*)/s);
  const name = names.find(one => one === given);
  if (name === undefined) {
    const near = nearest(given, names) ?? names.find(one => given !== '' && one.includes(given));
    const instead = near === undefined ? 'there are' : `did you mean ${near}? There are`;
    throw new Refusal(`the studio has no vice \`${given}\`; ${instead} ${names.join(', ')}`);
  }
  const { rows, seconds, share }: Does = TABLE[name];
  const usual = rows ?? seconds ?? share;
  if (number === undefined) return { name, value: usual ?? 1 };
  if (usual === undefined) throw new Refusal(`the vice ${name} takes no number: ${VICES[name]}`);
  const value = Number(number);
  const most = share === undefined ? 86_400 : 1;
  if (number.trim() !== '' && value >= 0 && value <= most) return { name, value };
  throw new Refusal(`the vice ${name} takes a number from 0 to ${most}, and \`${number}\` is none: ${VICES[name]}`);
}

/** One line each. */
export const viceList = (): string => {
  const width = Math.max(...names.map(name => name.length));
  return names.map(name => `${name.padEnd(width)}  ${VICES[name]}`).join('\n');
};
