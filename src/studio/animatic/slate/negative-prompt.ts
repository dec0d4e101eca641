/**
 * `negative_prompt`: what it names bare ("rain, people") stays out of every shot, even where the prompt asks for it. "Blurry" or "bad hands"
 * name nothing that a scene has: they are noted on the slate, and that is all.
 */

import {
  EXTRAS,
  PLACES,
  type Place,
  SUBJECTS,
  TIMES,
  type TimeOfDay,
  type Vocabulary,
  WEATHERS,
} from '../../shared/vocabulary.ts';
import { glyphIn } from '../prompt/glyphs.ts';
import type { Shot } from '../prompt/prompt.ts';

export function applyNegativePrompt(shots: readonly Shot[], negative: string): Shot[] {
  const clauses = negative
    .split(/[,，、;；。.\n]|\b(?:and|or)\b|和|或/i)
    .map(clause => clause.replace(/^\s*(?:no|any|the|an?|some)\s+/i, '').trim())
    // Of faces and hands one wants to see no bad ones, not none.
    .filter(clause => clause !== '' && !/^(faces?|hands|脸)$/i.test(clause));
  const weathers = named(WEATHERS, clauses);
  const extras = named(EXTRAS, clauses);
  const times = named(TIMES, clauses);
  const places = named(PLACES, clauses);
  const subjects = new Set<string>(named(SUBJECTS, clauses));
  if (subjects.has('crowd') || subjects.has('person')) for (const kind of PEOPLE) subjects.add(kind);
  const nouns = new Set(clauses.map(clause => glyphIn(clause)?.noun).filter(noun => noun !== undefined));
  return shots.map(shot => {
    const weather = shot.weather.filter(kind => !weathers.has(kind));
    return {
      ...shot,
      weather,
      storm: shot.storm && !weathers.has('rain'),
      heavy: shot.heavy && (weather.length > 0 || shot.weather.length === 0) && !weathers.has('rain'),
      extras: shot.extras.filter(extra => !extras.has(extra)),
      time: another(shot.time, times, OTHER_TIMES),
      place: another(shot.place, places, OTHER_PLACES),
      subject:
        shot.subject && (subjects.has(shot.subject.kind) || nouns.has(shot.subject.glyph?.noun ?? ''))
          ? null
          : shot.subject,
    };
  });
}

const PEOPLE = ['person', 'couple', 'crowd'];
const OTHER_TIMES: readonly TimeOfDay[] = ['golden', 'day', 'dusk', 'overcast'];
const OTHER_PLACES: readonly Place[] = ['field', 'mountain', 'coast', 'abstract'];

const another = <Word>(word: Word, unwanted: ReadonlySet<Word>, others: readonly Word[]): Word =>
  unwanted.has(word) ? (others.find(other => !unwanted.has(other)) ?? word) : word;

/** The words that are a clause by themselves. */
function named<Word extends string>(vocabulary: Vocabulary<Word>, clauses: readonly string[]): ReadonlySet<Word> {
  const isAll = (said: RegExp) => clauses.some(clause => clause.replace(said, '').trim() === '');
  return new Set(vocabulary.filter(([, said]) => isAll(said)).map(([word]) => word));
}
