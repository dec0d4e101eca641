/** What a request wants done, and how many of it. */
import { numberIn, wholeOf } from './numbers.ts';
import { namesSubjectOrPlace, UNITS, type Unit } from './split-instruction.ts';

export type Task =
  | { readonly is: 'write'; readonly units: readonly { readonly unit: Unit; readonly count: number }[] }
  | { readonly is: 'rewrite'; readonly how: 'shorter' | 'longer' | 'other' }
  | { readonly is: 'score'; readonly from: number; readonly to: number; readonly bare: boolean }
  /** Say what can be seen of the images. */
  | { readonly is: 'look' }
  | { readonly is: 'translate' }
  /** In a language that the writer does not read. */
  | { readonly is: 'foreign' }
  | { readonly is: 'introduce' }
  | { readonly is: 'puzzled' };

/** More letters of another script than of ours. */
const isForeign = (text: string): boolean =>
  (text.match(/(?!\p{Script=Latin})\p{L}/gu)?.length ?? 0) > (text.match(/\p{Script=Latin}/gu)?.length ?? 0);

export function taskOf(
  request: string,
  sourceText: string,
  system: string,
  previous: string | undefined,
  asked: readonly string[],
): Task {
  const hasText = sourceText !== '' || previous !== undefined;
  if (isForeign(`${request} ${sourceText}`)) return { is: 'foreign' };
  if (
    /\btranslat\w*\b|\b(?:in|into|auf|en) (?:french|german|spanish|italian|chinese|japanese|korean|portuguese|russian|arabic|dutch|polish|turkish|deutsch|français)\b/i.test(
      request,
    )
  ) {
    return { is: 'translate' };
  }
  const scoring = scoreIn(request) ?? (request.trim() === '' || !writes(request) ? scoreIn(system) : undefined);
  if (scoring && hasText) return scoring;
  if (
    hasText &&
    /\b(?:shorten|shorter|trim|condense|tighten|cut (?:it|this|that) (?:down|to)|fewer words|summari[sz]e|more concise)\b/i.test(
      request,
    )
  )
    return { is: 'rewrite', how: 'shorter' };
  if (
    hasText &&
    /\b(?:expand|longer|enrich|more (?:vivid|cinematic|detail(?:ed)?|descriptive|visual))\b/i.test(request)
  )
    return { is: 'rewrite', how: 'longer' };
  if (
    hasText &&
    /\b(?:rewrite|rephrase|improve|polish|reword|edit|change|adapt|make (?:it|this|that|them|the \w+|number \w+)|set (?:it|this)|turn (?:it|this|that) into)\b/i.test(
      request,
    )
  )
    return { is: 'rewrite', how: 'other' };
  if (
    /\b(?:who|what) are you\b|\bwhat (?:can|do) you do\b|\bare you (?:an? )?(?:ai|human|model|real)\b|^\s*(?:hello|hi|hey|help)\b[\s!.?]*$/i.test(
      request,
    )
  )
    return { is: 'introduce' };
  const units = unitsIn(request, system, asked);
  if (units.length > 0) return { is: 'write', units };
  if (namesSubjectOrPlace(sourceText) && !/\?\s*$/.test(sourceText))
    return { is: 'write', units: [{ unit: 'prompt', count: 1 }] };
  if (request === '' && sourceText !== '' && !/\?\s*$/.test(sourceText) && system !== '')
    return { is: 'write', units: [{ unit: 'prompt', count: 1 }] };
  return { is: 'puzzled' };
}

const writes = (request: string): boolean =>
  UNITS.some(([, unit]) => unit.test(request)) && /\b(?:write|give|make|list|create|draft)\b/i.test(request);

/** `rate it from 1 to 10`, `out of 5`, `score between 0 and 1`. */
function scoreIn(text: string): Extract<Task, { is: 'score' }> | undefined {
  const isAsked = /\b(?:rate|score|grade|judge|rank|evaluate)\b/i.test(text) || /\bout of (?:5|10|100)\b/i.test(text);
  if (!isAsked) return undefined;
  const range = /\b(\d+(?:\.\d+)?)\s*(?:to|-|–|and|through)\s*(\d+(?:\.\d+)?)\b/i.exec(text);
  const outOf = /\b(?:out of|\/)\s*(\d+)\b/i.exec(text);
  const [from, to] = range ? [Number(range[1]), Number(range[2])] : outOf ? [0, Number(outOf[1])] : [1, 10];
  const bare =
    /\b(?:only|just) (?:the |a |one )?(?:number|score|digit|integer)\b|\bnumber only\b|\bnothing else\b|\bwith (?:a|one) (?:single )?number\b/i.test(
      text,
    );
  return { is: 'score', from: Math.min(from, to), to: Math.max(from, to), bare };
}

/** `a title, a logline and three beats` are three things; `a prompt for each of the three beats` is one. */
function unitsIn(request: string, system: string, asked: readonly string[]): readonly { unit: Unit; count: number }[] {
  const given = numberIn(request);
  for (const text of [request, system, ...asked.slice(0, -1).reverse()]) {
    const found = UNITS.flatMap(([unit, said]) => {
      const matches = [...text.matchAll(new RegExp(said.source, 'gi'))];
      const match = matches.find(({ index }) => (countBefore(text, index) ?? 1) > 1) ?? matches[0];
      return match ? [{ unit, at: match.index, end: match.index + match[0].length, word: match[0] }] : [];
    }).sort((a, b) => a.at - b.at);
    // `this logline` is what is given, not what is wanted.
    const wanted = found.filter(({ at }) => !GIVEN.test(text.slice(0, at)));
    const [first, ...others] = wanted.length > 0 ? wanted : found;
    if (!first) continue;
    const units = [first];
    for (const next of others) {
      const between = text.slice(units.at(-1)?.end, next.at);
      if (
        /^\s*(?:,|and|plus|&|\+|, and)[\s\w-]{0,20}$/i.test(between) &&
        !/\b(?:for|about|of|from|per)\b/i.test(between)
      )
        units.push(next);
    }
    // `for each of the three beats`, `a storyboard with 4 scenes`: the other is counted.
    const counted = found.find(
      one => one !== first && (first.unit === 'prompt' ? EACH : IN).test(text.slice(0, one.at)),
    );
    return units.map(({ unit, at, word, end }) => ({
      unit,
      count:
        (text !== request && text !== system && units.length === 1 ? given : undefined) ??
        (counted && units.length === 1 ? countBefore(text, counted.at) : undefined) ??
        countBefore(text, at) ??
        countAfter(text, end) ??
        usual(unit, word, request),
    }));
  }
  return [];
}

const GIVEN = /\b(?:this|that|these|following|given|my|your|same|above)\s+(?:an? )?(?:\w+ )?$/i;
const EACH = /\beach of (?:the |these )?(?:\w+ )?$/i;
const IN = /\b(?:each of|with|of|in) (?:the |these )?(?:\w+ )?$/i;
const MOST = 100;
export const countBefore = (text: string, at: number): number | undefined => {
  const before =
    text
      .slice(Math.max(0, at - 40), at)
      .split(/[,.;:\n]/)
      .at(-1) ?? '';
  const count = numberIn(before.trim().split(/\s+/).slice(-4).join(' '));
  return count === undefined ? undefined : Math.min(MOST, Math.max(1, count));
};
/** `beats: 3`, `beats (3)`. */
const countAfter = (text: string, end: number): number | undefined => {
  const match = /^\s*(?:[:=]|\()\s*(\d{1,3})\b/.exec(text.slice(end));
  return match ? Math.min(MOST, Math.max(1, Number(match[1]))) : undefined;
};
const usual = (unit: Unit, word: string, request: string): number => {
  if (!/s$|list/i.test(word) || unit === 'line') return 1;
  return wholeOf(/\b(\w+)[- ]part\b/i.exec(request)?.[1] ?? '') ?? 3;
};
