/** A prompt said again: shorter, with what it lacks, or with what the request names changed in it. */
import { CAMERAS, first, PLACES, SIZES, TIMES, type Vocabulary, WEATHERS } from '../vocabulary.ts';
import { beatsOf, capitalised, countWords, trimmed } from './beats.ts';
import type { Brief } from './brief.ts';
import { LIGHTS, WEATHER } from './place-phrases.ts';
import { readStory } from './story.ts';

export function rewrite(brief: Brief): string {
  const { task, sourceText, request, words, style, variation } = brief;
  const lines = sourceText.split('\n').filter(line => line.trim() !== '');
  const items = lines.filter(line => /^\s*(?:\d+[.)]|[-*•])\s+/.test(line));
  // A list is rewritten item by item, under its own numbers.
  if (items.length > 1 && items.length === lines.length) {
    return lines
      .map(line => {
        const [mark = ''] = /^\s*(?:\d+[.)]|[-*•])\s+/.exec(line) ?? [];
        return mark + rewrite({ ...brief, sourceText: line.slice(mark.length) });
      })
      .join('\n');
  }
  const text = sourceText.replace(/\s+/g, ' ').trim();
  if (/\b(?:in|to|as) (?:one|a single) sentence\b/i.test(request)) return text.split(/(?<=[.!?])\s/)[0] ?? text;
  if (task.is === 'rewrite' && task.how === 'shorter')
    return shortened(text, words ?? Math.max(4, Math.ceil(countWords(text) / 2)));
  const changed = changedBy(text, request);
  const added = style.filter(word => !changed.toLowerCase().includes(word.toLowerCase()));
  const full = [changed.replace(/[.\s]+$/, ''), ...added].join(', ');
  const enriched =
    changed === text || (task.is === 'rewrite' && task.how === 'longer') ? completed(full, variation) : full;
  return words === undefined ? enriched : shortened(enriched, words);
}

/** Whole clauses go from the end; what comes first is what is seen first. */
function shortened(text: string, words: number): string {
  const [, lead = '', body = text] = /^([^:]{3,60}: )?(.*)$/s.exec(text) ?? [];
  const clauses = body.split(/(?<=[,;.])\s+/);
  for (let count = clauses.length; count > 0; count--) {
    const kept = (lead + clauses.slice(0, count).join(' ')).replace(/[,;.\s]+$/, '');
    if (countWords(kept) <= words) return kept;
  }
  return trimmed(countWords(body) <= words ? body : (clauses[0] ?? body), words);
}

/** What a camera needs and the text does not say: size, camera, light. */
function completed(text: string, variation: string): string {
  const [beat] = beatsOf(readStory(text, variation), { count: 1, style: [], variation });
  if (!beat) throw new Error('one beat was asked for and none was made');
  const lead = [first(SIZES, text) ? '' : beat.size, first(CAMERAS, text) ? '' : beat.camera]
    .filter(Boolean)
    .join(', ');
  const light = first(TIMES, text) ? '' : beat.light;
  const more = [text, beat.detail, light, first(WEATHERS, text) ? '' : (beat.weather ?? '')].filter(Boolean).join(', ');
  return capitalised(lead === '' ? more : `${lead}: ${more}`);
}

/** `make it night` puts night where the text says dawn, or at its end. */
function changedBy(text: string, request: string): string {
  let changed = text;
  changed = swapped(changed, request, SIZES, 'front');
  changed = swapped(changed, request, CAMERAS, 'front');
  changed = swapped(relit(changed, request), request, TIMES, 'end');
  changed = swapped(changed, request, PLACES, 'end');
  const weather = first(WEATHERS, request);
  if (weather !== undefined && first(WEATHERS, changed) !== weather) {
    changed = swapped(changed, WEATHER[weather][0], WEATHERS, 'end');
  }
  const replace = /\b(?:replace|change|swap)\s+["“]?([^"”]+?)["”]?\s+(?:with|to|for|into)\s+["“]?([^"”.,]+)["”]?/i.exec(
    request,
  );
  if (replace?.[1] && replace[2] && changed.toLowerCase().includes(replace[1].toLowerCase())) {
    const at = changed.toLowerCase().indexOf(replace[1].toLowerCase());
    changed = changed.slice(0, at) + replace[2].trim() + changed.slice(at + replace[1].length);
  }
  return changed.replace(/\b((?:extreme )?close-up) shot\b/i, '$1');
}

/** Light that this writer wrote is written anew as a whole. */
function relit(text: string, request: string): string {
  const [wanted, had] = [first(TIMES, request), first(TIMES, text)];
  if (wanted === undefined || had === undefined) return text;
  const at = LIGHTS[had].findIndex(light => text.includes(light));
  return at < 0 ? text : text.replace(LIGHTS[had][at] ?? '', LIGHTS[wanted][at] ?? LIGHTS[wanted][0]);
}

function swapped<Word extends string>(
  text: string,
  request: string,
  vocabulary: Vocabulary<Word>,
  where: 'front' | 'end',
): string {
  const wanted = first(vocabulary, request);
  if (wanted === undefined || first(vocabulary, text) === wanted) return text;
  const said = saidFor(vocabulary, wanted, request);
  const had = first(vocabulary, text);
  if (had !== undefined) return text.replace(saidFor(vocabulary, had, text), said);
  return where === 'front' ? `${capitalised(said)}: ${text}` : `${text.replace(/[.\s]+$/, '')}, ${said}`;
}

/** The author's own word for it. */
function saidFor<Word extends string>(vocabulary: Vocabulary<Word>, word: Word, text: string): string {
  const [, said] = vocabulary.find(([name]) => name === word) ?? [];
  return (said && [...text.matchAll(said)][0]?.[0]) ?? word;
}
