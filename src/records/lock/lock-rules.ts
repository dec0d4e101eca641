/** What a value in the lock must be, and the words for one that is something else. */

import { isUsd } from '../../model/money.ts';
import { isObject, type Json, type JsonObject } from '../../model/text/json.ts';

/** What the value must be, in words; undefined where it is that. `: …` names what is wrong further in. */
export type Rule = (value: Json | undefined) => string | undefined;
export type Rules = Readonly<Record<string, Rule>>;

/** The first field that breaks its rule, in words; undefined where none does. Fields without a rule are not ours. */
export function wrongField(map: JsonObject, rules: Rules): string | undefined {
  for (const name of Object.keys(rules)) {
    const wrong = rules[name]!(map[name]);
    if (wrong === undefined) continue;
    if (!(name in map)) return `has no \`${name}\``;
    return wrong.startsWith(': ') ? `\`${name}\`${wrong}` : `\`${name}\` must be ${wrong}`;
  }
  return undefined;
}

const isText = (value: Json | undefined): boolean => typeof value === 'string';
const isCount = (value: Json | undefined): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isAmount = (value: Json | undefined): boolean =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

const must =
  (what: string, holds: (value: Json | undefined) => boolean): Rule =>
  value =>
    holds(value) ? undefined : what;
const optional = (what: string, holds: (value: Json | undefined) => boolean): Rule =>
  must(what, value => value === undefined || holds(value));

export const text = must('a text', isText);
export const name = must('a text', value => isText(value) && value !== '');
export const nameOrNull = must('a text, or null', value => value === null || (isText(value) && value !== ''));
export const digest = must(
  'a SHA-256: 64 lower-case hex digits',
  value => isText(value) && /^[0-9a-f]{64}$/.test(String(value)),
);
export const count = must('a whole number', isCount);
export const countOrAbsent = optional('a whole number', isCount);
export const trueOrAbsent = optional('true', value => value === true);
export const cost = must('an amount in US dollars, or null', value => value === null || isUsd(value));
/** Any map: what is in it is the service's business. */
export const map = must('a map', value => value !== undefined && isObject(value));

/** A map of texts, numbers and the like; it may be left out. */
export const scalarsIfAny = must(
  'a map of texts, numbers, true, false or null',
  value =>
    value === undefined ||
    (isObject(value) && Object.values(value).every(one => typeof one !== 'object' || one === null)),
);

/** A map with a rule for each field. */
export const within =
  (rules: Rules): Rule =>
  value =>
    value === undefined || !isObject(value) ? 'a map' : further(wrongField(value, rules));
export const withinOrNull = (rules: Rules): Rule => {
  const rule = within(rules);
  return value => {
    const wrong = value === null ? undefined : rule(value);
    return wrong === 'a map' ? 'a map, or null' : wrong;
  };
};
/** A map of any names, with one rule for all values. */
export const eachWithin =
  (rule: Rule): Rule =>
  value => {
    if (value === undefined || !isObject(value)) return 'a map';
    return further(wrongField(value, Object.fromEntries(Object.keys(value).map(key => [key, rule]))));
  };
/** A value that keeps the rule, or a list of such. */
export const oneOrMany =
  (rule: Rule): Rule =>
  value =>
    Array.isArray(value) ? (value as readonly Json[]).map(rule).find(wrong => wrong !== undefined) : rule(value);
const further = (wrong: string | undefined): string | undefined => wrong && `: ${wrong}`;

const amount = optional('a number that is not negative', isAmount);
const word = optional('a text', isText);

const FACTS: Rules = {
  kind: must('video, image or audio', value => value === 'video' || value === 'image' || value === 'audio'),
  format: word,
  width: amount,
  height: amount,
  duration: amount,
  fps: amount,
  video_codec: word,
  audio_codec: optional('a text, or null', value => value === null || isText(value)),
  source_type: word,
  c2pa: optional('true', value => value === true),
};
/** What is known of a media file. */
export const facts = within(FACTS);
export const factsOrNull = withinOrNull(FACTS);
export const usage = withinOrNull({ prompt_tokens: amount, completion_tokens: amount, total_tokens: amount });
