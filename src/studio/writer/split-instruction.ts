/**
 * An instruction in its two parts: the request ("write three beats about …") and its source text (the logline, the prompt to rewrite), so
 * that a "close-up" in a prompt is not taken for an order.
 */
import { PLACES, SUBJECTS } from '../vocabulary.ts';

export type Unit = 'beat' | 'shot' | 'scene' | 'prompt' | 'title' | 'logline' | 'line';

/** Quoted, after a colon, on lines of its own, or after `about`: what the request is about. */
export function splitInstruction(
  text: string,
  follows = false,
): { readonly request: string; readonly sourceText: string } {
  const plain = withoutJson(text).trim();
  const labelled =
    /^(?:[-*#\s]*)(?:logline|idea|story|premise|concept|subject|topic|brief|prompt|text)\s*[:=]\s*(.+)$/im.exec(plain);
  if (labelled)
    return {
      request: plain.replace(labelled[0], ' '),
      sourceText: tidy(labelled[1] ?? '').replace(/^["“«](.+)["”»]$/, '$1'),
    };
  // `"The Last Ferry" - a ferryman …`: the title is quoted, and the story follows.
  const titled = /["“«][^"“”«»]{2,40}["”»]\s*[-–—:]\s*([^\n]{12,})$/.exec(plain);
  if (titled) return { request: plain.replace(titled[0], ' '), sourceText: tidy(titled[1] ?? '') };
  const quoted =
    /```[\w]*\n?([\s\S]+?)```|(?<=^|[\s(:])["“«](?=\S)([^"“”«»]{8,})(?<=\S)["”»]|(?<=^|\s)'([^']{12,})'(?=\s|$|[.,])/.exec(
      plain,
    );
  if (quoted) {
    const sourceText = (quoted[1] ?? quoted[2] ?? quoted[3] ?? '').trim();
    return { request: plain.replace(quoted[0], ' '), sourceText };
  }
  const colon = /^([^\n:]{3,240}):\s+([\s\S]{3,})$/.exec(plain) ?? /^([^\n]{3,240}?)[:.]?\n+([\s\S]{8,})$/.exec(plain);
  if (colon && asks(colon[1] ?? '') && !/^\s*[[{]/.test(colon[2] ?? ''))
    return { request: colon[1] ?? '', sourceText: (colon[2] ?? '').trim() };
  // `for a 30-second film about …`: what comes after `about` is the source text.
  const about = SUBJECT.exec(plain) ?? ABOUT.exec(plain);
  if (about && asks(plain.slice(0, about.index))) {
    const rest = plain.slice(about.index + about[0].length);
    const sourceText = tidy(rest);
    return {
      request: `${plain.slice(0, about.index)} ${rest.slice(rest.indexOf(sourceText) + sourceText.length)}`,
      sourceText,
    };
  }
  const sentences = plain.split(/(?<=[.!?])\s+/);
  const telling = sentences.filter(sentence => !asks(sentence) && namesSubjectOrPlace(sentence));
  if (telling.length > 0 && telling.length < sentences.length) {
    return {
      request: sentences.filter(sentence => !telling.includes(sentence)).join(' '),
      sourceText: telling.join(' '),
    };
  }
  // `now five`: a word to what was talked of before.
  const isShort = follows && !namesSubjectOrPlace(plain) && plain.split(/\s+/).length <= 8;
  return asks(plain) || isShort ? { request: plain, sourceText: '' } : { request: '', sourceText: plain };
}

const SUBJECT = /\b(?:about|based on)\s+(?!(?:me|us|it|this|that|them|\d+ words)\b)(?=\S)/i;
const ABOUT =
  /\b(?:about|based on|in which|where|showing|featuring|starring|following|for a (?:film|video|clip|story|short|spot) (?:about|of)|for|of|on|from)\s+(?=(?!me\b|us\b|each\b|every\b|them\b|it\b|this\b|that\b|the (?:film|video|beats?|shots?|same|above|first|second|third|last)\b|\d+ (?:words|seconds)\b|\d+ to\b|a scale\b|(?:\w+ ){0,2}(?:beats?|shots?|scenes?|prompts?|titles?)\b)\S)/i;
/** Orders that follow a logline in one breath. */
const TAIL =
  /(?:[,.;]|\s[-–—]|\n)\s*(?:(?:each|every|all|one per line|as (?:a )?(?:json|list|bullets?)|in json|(?:no|not) more than|at most|up to \d|under \d|within \d|max(?:imum)?\b|in the style of|style:|please|answer|return|respond|reply|output|give|number(?:ed)?\b|use\b|keep\b|write\b|make\b|include\b|\d+ ?(?:s|sec|seconds?)\b|no \w+|with (?:keys|timecodes|timestamps|no|a total)|for a \d|(?:and )?(?:also|then) |do not|don't|no (?:numbers|headings|explanation)|without (?:numbers|headings|explanation))[\s\S]*)$/i;
const tidy = (text: string): string =>
  text
    .replace(TAIL, '')
    .replace(/\s+(?:in (?:exactly )?(?:\w+|\d+) (?:beats|shots|scenes|prompts)|please|as json|in json)[.!]?$/i, '')
    .replace(/[.!?\s]+$/, '')
    .trim();

export const UNITS: readonly (readonly [Unit, RegExp])[] = [
  ['beat', /\b(?:story )?beats?\b|\bstoryboards?\b(?! (?:writer|artist|assistant))|\bmoments?\b/i],
  ['shot', /\bshots?\b(?!-)|\bshot[- ]?lists?\b/i],
  ['scene', /\bscenes?\b/i],
  ['prompt', /\bprompts?\b|\bdescriptions?\b/i],
  ['title', /\btitles?\b|\bnames? for\b/i],
  ['logline', /\bloglines?\b|\bpremises?\b|\bideas?\b|\bconcepts?\b|\bpitch(?:es)?\b|\bsynops[ie]s\b/i],
  ['line', /\bvoice-?overs?\b|\bnarrations?\b|\bcaptions?\b|\btaglines?\b|\bslogans?\b|\bdialogues?\b/i],
];
/** An order stands at the start of a sentence, perhaps after some courtesy; elsewhere the same word may be told of somebody. */
const ORDERS =
  /(?:^|[.!?:\n]\s*)(?:(?:please|now|then|and|so|ok|okay|let's|(?:can|could|would|will) you|i(?:'d| would)? (?:need|want|like)(?: you to)?)[ ,]+)*(?:write|give|make|create|draft|list|suggest|propose|invent|come up with|generate|describe|plan|break|turn|rewrite|rephrase|improve|polish|shorten|tighten|trim|summari[sz]e|condense|rate|score|judge|grade|translate|expand|change|replace|answer|return|respond|reply|what|how|who|which|why|is|are|continue|hello|hi|help|another|shorter|longer|more)\b/i;
/** So many words into a sentence its unit must have come: `three short beats about …`, but not `a photographer takes one last shot`. */
const UNIT_BY = 5;
const asks = (text: string): boolean =>
  ORDERS.test(text) ||
  text.split(/[.!?\n]\s+/).some(sentence => {
    const start = sentence.trim().split(/\s+/).slice(0, UNIT_BY).join(' ');
    return UNITS.some(([, unit]) => unit.test(start));
  });
export const namesSubjectOrPlace = (text: string): boolean =>
  [...SUBJECTS, ...PLACES].some(([, said]) => text.search(new RegExp(said.source, 'i')) >= 0);

/** An example of JSON is no source text: braces and what is between them go. */
function withoutJson(text: string): string {
  let plain = text;
  for (let n = 0; n < 40 && /\{[^{}]*\}/.test(plain); n++) plain = plain.replace(/\[?\{[^{}]*\}\]?/g, ' ');
  return plain;
}
