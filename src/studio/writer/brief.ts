/**
 * What the conversation asks for, read from its last instruction; what that leaves open is looked for in the system message and further
 * back.
 */
import type { ParsedChatRequest } from './chat-request.ts';
import { limitIn, pictureCount, secondsIn, stylesIn } from './constraints.ts';
import { wholeOf } from './numbers.ts';
import { coloursOf, type SeenImage } from './seen-image.ts';
import { splitInstruction } from './split-instruction.ts';
import { type Task, taskOf } from './task.ts';

export interface Brief {
  readonly task: Task;
  /** The last instruction as it was said. */
  readonly said: string;
  /** The words of the request, without the text it is about. */
  readonly request: string;
  /** The logline, or the text to work on; empty where none was given. */
  readonly sourceText: string;
  readonly style: readonly string[];
  readonly words: number | undefined;
  readonly seconds: number | undefined;
  readonly list: 'numbers' | 'bullets' | 'lines';
  readonly timecodes: boolean;
  /** Pictures that were counted beside what was asked for: `one prompt with 3 shots`. */
  readonly pictures: number | undefined;
  /** Where JSON was asked for in words alone. */
  readonly json: boolean;
  readonly variation: string;
  readonly images: readonly SeenImage[];
}

export function readBrief(chat: ParsedChatRequest): Brief {
  const { variation, images } = chat;
  const turns = chat.turns.slice(-MOST_TURNS).map(turn => ({ ...turn, text: near(turn.text) }));
  const system = near(chat.system);
  const said = turns.filter(({ by }) => by === 'person').map(({ text }) => text);
  // A turn that asks for a repair asks again for what the turn before it asked.
  const repairs = said.length > 1 ? trailing(said, text => REPAIR.test(text)) : 0;
  const asked = said.slice(0, said.length - repairs);
  const last = asked.at(-1) ?? system;
  const answers = turns.filter(({ by }) => by === 'writer').map(({ text }) => text);
  const previous = repairs > 0 ? answers.at(-1 - repairs) : answers.at(-1);
  const { request, sourceText } = splitInstruction(withoutCriticism(last), asked.length > 1);
  const told = taskOf(request, sourceText, system, previous, asked);
  const task: Task = images.length > 0 && isAboutImages(told, request) ? { is: 'look' } : told;
  const all = `${system}\n${request}`;
  const whole = `${system}\n${last}`;
  const again = /\b(?:another|other|different|more|again|new)\b/i.test(request) ? answers.length - repairs : 0;
  return {
    task,
    said: last,
    request,
    sourceText: sourceTextFor(task, request, sourceText, previous, asked),
    style: [...stylesIn(whole), ...(images[0] && task.is === 'write' ? coloursAsStyle(images[0]) : [])],
    words: limitIn(all),
    seconds: secondsIn(request),
    list: /\b(?:no|without) number|\bone per line\b|\bplain lines?\b/i.test(all)
      ? 'lines'
      : /\bbullet/i.test(whole)
        ? 'bullets'
        : 'numbers',
    timecodes:
      /\btime ?(?:stamps?|codes?)\b|\bmulti-?shot\b|\bprompt (?:with|of|in) \w+ shots\b|\[\d+(?:\.\d+)?\s*[-–]/i.test(
        all,
      ),
    pictures: pictureCount(request),
    json: /\bjson\b/i.test(whole),
    images,
    variation: [variation, again > 0 ? `again ${again}` : ''].filter(Boolean).join(' '),
  };
}

/** Whoever shows an image and orders nothing else asks about the image. */
const isAboutImages = ({ is }: Task, request: string): boolean =>
  is === 'puzzled' ||
  is === 'introduce' ||
  /\bdescribe\b[^.]*\b(?:images?|pictures?|photos?|stills?|frames?)\b/i.test(request);

const coloursAsStyle = (image: SeenImage): readonly string[] => {
  const colours = coloursOf(image);
  return colours.length === 0 ? [] : [`colours of ${colours.join(' and ')}`];
};

/** Instructions stand at the ends of what people paste; the middle of a book tells nothing new, and would be read for minutes. */
const LONGEST = 12_000;
const MOST_TURNS = 40;
const near = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST / 2)}\n${text.slice(-LONGEST / 2)}`;

const REPAIR =
  /\b(?:do(?:es)?|did) not (?:fit|match|satisfy|validate|conform|parse)\b|\b(?:doesn't|didn't) (?:fit|match|parse|validate)\b|\b(?:is|was) (?:not|no) (?:valid )?json\b|\binvalid json\b|\bfix (?:the|your) (?:json|answer)\b|\b(?:return|answer with|reply with) only (?:the )?(?:corrected )?json\b/i;

function trailing(list: readonly string[], test: (text: string) => boolean): number {
  let count = 0;
  while (count < list.length - 1 && test(list[list.length - 1 - count] ?? '')) count++;
  return count;
}

/** What was said of the round before is no part of what this one is about. */
const CRITICISM =
  /(?:^|(?<=[.!?;,]\s+|\n\s*))(?:of the (?:last|previous) (?:one|round|time|version|take)[^:\n]{0,40}|(?:the )?(?:last|previous) (?:time|round|version|notes?|criticism|critique|review)[^:\n]{0,40}|(?:the )?(?:criticism|critique|feedback)(?: so far| (?:of|on) the last \w+)?)\s*:\s*\S[\s\S]*$/i;
function withoutCriticism(text: string): string {
  const left = text.replace(CRITICISM, '').trim();
  return left === '' ? text : left;
}

const KIND_OF_FILM = String.raw`(?:an?|the|my|our|this)?\s*(?:(?:short|new|little|small|own|next|feature|animated|silent|music|\d+[- ](?:second|minute))[- ]){0,2}(?:film|video|movie|clip|spot|story|short|teaser|trailer|promo|commercial|ad|advert|advertisement)`;
/** Names the kind of film and nothing it is about. */
const NO_SUBJECT = new RegExp(`^${KIND_OF_FILM}$`, 'i');
/** `three panels of an advertisement for a bicycle` is about a bicycle. */
const KIND_BEFORE_SUBJECT = new RegExp(
  `^(?:[\\w-]+ (?:panels?|shots?|frames?|pictures?) (?:of|for) )?${KIND_OF_FILM}(?:\\s+(?:for|of|about|with)\\s+|\\s*:\\s*)(?=\\S)`,
  'i',
);

/** What a task works on: the text it came with, or what was talked of before. */
function sourceTextFor(
  task: Task,
  request: string,
  sourceText: string,
  previous: string | undefined,
  asked: readonly string[],
): string {
  if (task.is === 'write') sourceText = sourceText.replace(KIND_BEFORE_SUBJECT, '');
  if (sourceText !== '' && !NO_SUBJECT.test(sourceText)) return sourceText;
  if (task.is === 'rewrite' || task.is === 'score') return itemOf(previous ?? '', request);
  for (const text of asked.slice(0, -1).reverse()) {
    const earlier = splitInstruction(text).sourceText;
    if (earlier !== '') return earlier;
  }
  return '';
}

/** `the second one` of a list that was written; the whole of it where none is named. */
function itemOf(text: string, request: string): string {
  const named =
    /\b(?:number|beat|shot|scene|prompt|title|no\.?|#)\s*#?(\w+)\b/i.exec(request)?.[1] ??
    /\bthe (\w+)(?: one| beat| shot| scene| prompt)?\b/i.exec(request)?.[1];
  const index = named === undefined ? undefined : wholeOf(named);
  const items = text
    .split('\n')
    .filter(line => /^\s*(?:\d+[.)]|[-*•])\s+/.test(line))
    .map(line => line.replace(/^\s*(?:\d+[.)]|[-*•])\s+/, ''));
  if (named?.toLowerCase() === 'last' && items.length > 0) return items.at(-1) ?? text;
  return (index !== undefined && items[index - 1]) || text;
}
