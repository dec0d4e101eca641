/** What questions and candidates are called on the page: by what tells them apart. */
import { capital } from '../../parts/format.ts';
import type { ReviewOption, ReviewQuestion } from '../review-state.ts';

/** `best[beat=3]` → `Beat 3`; with other steps beside it, `best, beat 3`; without coordinates, `best`. */
export function titleOf({ key }: Pick<ReviewQuestion, 'key'>, all: readonly Pick<ReviewQuestion, 'key'>[]): string {
  const words = coordinateWords(key);
  if (words === '') return key;
  const step = stepIn(key);
  return all.every(one => stepIn(one.key) === step) ? capital(words) : `${step}, ${words}`;
}

/** `take 2`, where a take is all that tells it from the others; otherwise its whole name. */
export function optionName(option: ReviewOption, { options }: Pick<ReviewQuestion, 'options'>): string {
  const [name] = differing(options);
  if (name === undefined) return option.key;
  return `${name} ${option.coordinates[name]}`;
}

/** Of which step, where they are all of one: `shot[beat=3]`. */
export function groupName({ options }: Pick<ReviewQuestion, 'options'>): string | null {
  const [first] = options;
  if (!first || options.some(({ step }) => step !== first.step)) return null;
  const shared = Object.entries(first.coordinates).filter(([name, value]) =>
    options.every(({ coordinates }) => coordinates[name] === value),
  );
  const step = stepIn(first.key);
  return shared.length === 0 ? step : `${step}[${shared.map(([name, value]) => `${name}=${value}`).join(',')}]`;
}

/** The one coordinate in which candidates of one step differ; empty where there is not just one. */
function differing(options: readonly ReviewOption[]): readonly string[] {
  const [first] = options;
  if (!first || options.length < 2 || options.some(({ key }) => stepIn(key) !== stepIn(first.key))) return [];
  const names = Object.keys(first.coordinates).filter(name =>
    options.some(({ coordinates }) => coordinates[name] !== first.coordinates[name]),
  );
  return names.length === 1 ? names : [];
}

/** As it stands before the last brackets: `scene[n=1]/best`. */
const stepIn = (key: string): string => (key.endsWith(']') ? key.slice(0, key.lastIndexOf('[')) : key);

function coordinateWords(key: string): string {
  const [, inside = ''] = /\[([^[\]]*)\]$/.exec(key) ?? [];
  return inside
    .split(',')
    .map(one => one.replace('=', ' '))
    .join(', ');
}
