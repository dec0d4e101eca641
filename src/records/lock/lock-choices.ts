/**
 * Choices in the lock: a section for each service, `choices of studio`, beside that of its results. An entry names the chosen candidate, by whom,
 * when and why; candidates have the names that they had then.
 */

import type { KeptRejection, Rejections } from '../../model/run/choice.ts';
import { CHOSEN_BY, type Choice, type ChosenBy, chosenAt, type Score } from '../../model/run/choice.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { listed } from '../../model/text/format.ts';
import { isObject, type Json, type JsonObject } from '../../model/text/json.ts';
import { nearest } from '../../model/text/nearest.ts';
import type { LockText } from './lock-text.ts';
import { shown } from './lock-yaml.ts';

/** Beside the section of the service itself. */
export const choicesSection = (service: string): string => `choices of ${service}`;

export function choiceEntry(choice: Choice): JsonObject {
  const { from, called, chosen, by, who, login, note, scores, asked } = choice;
  const name = (place: number) => called[place] ?? from[place] ?? '';
  const isApproval = asked !== undefined && by !== 'rule' && by !== 'judge';
  const names = chosen.map(one => name(from.indexOf(one)));
  return {
    ...(isApproval
      ? { approved: chosen.length > 0 }
      : { chosen: names.length === 1 ? (names[0] ?? '') : listOf(names) }),
    ...{ by, who, ...(login !== undefined && { login }), at: chosenAt(choice) },
    ...(note !== undefined && { note }),
    from: Object.fromEntries(from.map((one, place) => [name(place), one])),
    ...(scores && { scores: Object.fromEntries(scores.map((one, place) => [name(place), scoreEntry(one)])) }),
    ...(asked !== undefined && { asked }),
  };
}

/** The lock has no lists: places are names. */
const listOf = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((one, at) => [String(at + 1), one]));

const scoreEntry = ({ score, words }: Score): JsonObject => ({ score, ...(words !== undefined && { words }) });

/** @throws LockRefused, naming what is wrong with the first entries that are none. */
export const choicesIn = (lock: LockText, service: string): readonly Choice[] =>
  lock.read(
    choicesSection(service),
    (key, value) => readChoice(key as InstanceKey, value),
    key => `the choice \`${shown(key)}\``,
  );

/** What keeps it from being one, in words. */
function readChoice(key: InstanceKey, entry: Json): Choice | string {
  if (!isObject(entry)) return 'must be a map that says what was `chosen`';
  const { chosen: named, approved, by, from: given, scores: judged, asked } = entry;
  if (given === undefined || !isObject(given) || !Object.values(given).every(isText) || Object.keys(given).length === 0)
    return 'must have `from`, a map of candidates and their fingerprints';
  const called = Object.keys(given) as InstanceKey[];
  const from = Object.values(given) as string[];
  if (!isChosenBy(by)) return `\`by\` must be ${listed(CHOSEN_BY, 'or')}`;
  const authorship = readAuthorship(entry);
  if (typeof authorship === 'string') return authorship;
  if (asked !== undefined && !isText(asked)) return '`asked` must be a text';
  if (named === undefined && typeof approved !== 'boolean')
    return 'must say what was `chosen`, or whether it was `approved`';
  const names = named === undefined ? (approved === true ? called : []) : namesIn(named);
  if (!names) return '`chosen` must name one of `from`, or several by their places';
  const stranger = names.find(one => !called.includes(one as InstanceKey));
  if (stranger !== undefined) {
    const near = nearest(stranger, called);
    return `\`chosen\` names ${shown(stranger)}, which is not among \`from\`${near === undefined ? '' : `; did you mean ${shown(near)}?`}`;
  }
  if (new Set(names).size < names.length) return '`chosen` names one of them twice';
  const scores = judged === undefined ? undefined : scoresOf(judged, called);
  if (typeof scores === 'string') return scores;
  return {
    ...{ key, from, called, chosen: names.map(one => from[called.indexOf(one as InstanceKey)] ?? '') },
    ...{ by, ...authorship },
    ...(scores && { scores }),
    ...(asked !== undefined && { asked }),
  };
}

function namesIn(named: Json): readonly string[] | undefined {
  if (isText(named)) return [named];
  const listed = Array.isArray(named) ? (named as readonly Json[]) : isObject(named) ? Object.values(named) : [];
  return listed.length > 0 && listed.every(isText) ? (listed as readonly string[]) : undefined;
}

function scoresOf(judged: Json, called: readonly string[]): readonly Score[] | string {
  if (!isObject(judged)) return '`scores` must be a map of candidates';
  const scores: Score[] = [];
  for (const name of called) {
    const entry = judged[name];
    const { score, words } = isObject(entry) ? entry : {};
    if (typeof score !== 'number') return `\`scores\` must have a number for ${shown(name)}`;
    if (words !== undefined && !isText(words)) return `the words of ${shown(name)} under \`scores\` must be a text`;
    scores.push({ score, ...(words !== undefined && { words }) });
  }
  return scores;
}

const isText = (value: Json | undefined): value is string => typeof value === 'string';
const isChosenBy = (value: Json | undefined): value is ChosenBy => (CHOSEN_BY as readonly unknown[]).includes(value);

/** Beside the section of the choices: an entry for each rejected candidate, with the id that choices name it by. */
export const rejectionsSection = (service: string): string => `rejections of ${service}`;

export const rejectionEntry = (id: string, { who, login, at, note }: KeptRejection): JsonObject => ({
  ...{ who, ...(login !== undefined && { login }), at: chosenAt({ at }) },
  ...(note !== null && { note }),
  candidate: id,
});

/** By the id of the candidate. @throws LockRefused, naming what is wrong with the first entries that are none. */
export const rejectionsIn = (lock: LockText, service: string): Rejections =>
  new Map(
    lock.read(
      rejectionsSection(service),
      (key, value) => readRejection(key as InstanceKey, value),
      key => `the rejection of \`${shown(key)}\``,
    ),
  );

function readRejection(key: InstanceKey, entry: Json): readonly [string, KeptRejection] | string {
  if (!isObject(entry)) return 'must be a map that says `who`, and of which `candidate`';
  const { candidate } = entry;
  if (!isText(candidate) || candidate === '') return '`candidate` must be a text';
  const authorship = readAuthorship(entry);
  return typeof authorship === 'string' ? authorship : [candidate, { key, note: null, ...authorship }];
}

/** Who decided, when, and in which words; or what is wrong with it. */
function readAuthorship({ who, login, at, note }: JsonObject): Pick<Choice, 'who' | 'login' | 'at' | 'note'> | string {
  if (!isText(who) || who === '') return '`who` must be a text';
  if (login !== undefined && !isText(login)) return '`login` must be a text';
  const time = isText(at) ? Date.parse(at) : Number.NaN;
  if (Number.isNaN(time)) return '`at` must be a time, like 2026-11-22T18:30:00.000Z';
  if (note !== undefined && !isText(note)) return '`note` must be a text';
  return { who, ...(login !== undefined && { login }), at: time, ...(note !== undefined && { note }) };
}
