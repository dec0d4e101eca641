/** The same film with more said of it: what is tried again, what it may come to, and another file that brings it in. */
import type { Json, JsonObject } from '../../src/model/text/json.ts';
import type { Film } from './film.ts';
import { documentOf, formatted } from './film-yaml.ts';

/** Each request to a model of films may be asked for so often. */
export function retrying(film: Film, attempts: number): string {
  const { steps, ...rest } = documentOf(film);
  const tried = Object.entries(steps as { readonly [name: string]: JsonObject }).map(([name, step]) => [
    name,
    isRequest(step) ? { ...step, retry: { attempts, backoff: '1s', on: ['failed'] } } : step,
  ]);
  return formatted({ ...rest, steps: Object.fromEntries(tried) });
}

const isRequest = ({ model }: JsonObject): boolean => model !== undefined && model !== 'C-D';

export const budgeted = (film: Film, budget: JsonObject): string => formatted({ ...documentOf(film), budget });

/** Where the film lies, for the one that uses it. */
export const USED = 'used.yaml';

/** A film that is nothing but another one, so many times. */
export function using(film: Film, times: number): string {
  const { up, n, words } = film.params;
  const parts: Json = { up, n, words: [...words] };
  const part = { uses: `./${USED}`, with: parts, ...(times > 1 && { matrix: { part: `1..${times}` } }) };
  return formatted({ shotlist: 1, name: 'film', steps: { whole: part } });
}

/** What each instance is called in the film that is used; undefined: it is not of it. */
export const insideOf = (key: string): string | undefined => /^whole(?:\[part=\d+\])?\/(.*)$/.exec(key)?.[1];
