/**
 * The options of a cut: how each is written, what types an expression may give there, and what it means. A text of the file is read
 * when the file is, and what an expression gives when it is there: by the same rows.
 */

import type { CutCodec, CutFit, CutMove, CutPlace, FrameRate, Size } from '../../model/media/cut.ts';
import { fractionOf, frameRate, perSecond } from '../../model/media/cut.ts';
import type { Json } from '../../model/text/json.ts';
import { millisecondsIn, numberMeant, timeMeant } from '../messages/foreign/meant-values.ts';
import { all, own } from '../messages/foreign/wording.ts';
import type { Type } from '../types/types.ts';

export interface Option<T> {
  /** What it takes, for messages: `a time, such as \`2.5s\``. */
  readonly takes: string;
  /** Names that it may be, where there is a list of them. */
  readonly names?: readonly string[];
  readonly types: readonly Type['is'][];
  /** How a text that does not fit is written here, where that is known. */
  readonly meant?: (text: string) => string | number | undefined;
  /** Undefined where it does not fit. */
  readonly read: (given: Json) => T | undefined;
}

const NUMBER = ['int', 'double'] as const;

function seconds(given: Json): number | undefined {
  if (typeof given === 'number') return given >= 0 && given <= LONGEST ? given : undefined;
  const milliseconds = typeof given === 'string' ? millisecondsIn(given.trim()) : undefined;
  return milliseconds !== undefined && milliseconds / 1000 <= LONGEST ? milliseconds / 1000 : undefined;
}

/** Seconds of a day: a longer film is a typing mistake. */
const LONGEST = 86_400;

/** @param elsewhere names of other systems, and what each is here. */
const named = <T extends string>(names: readonly T[], elsewhere: Readonly<Record<string, T>> = {}): Option<T> => ({
  takes: `one of ${names.map(name => `\`${name}\``).join(', ')}`,
  names,
  meant: text => own(elsewhere, text.toLowerCase().replaceAll(/[-_ ]/g, '')),
  types: ['text'],
  read: given => names.find(name => name === given),
});

const numberFrom = (from: number, to: number, takes: string): Option<number> => ({
  takes,
  types: NUMBER,
  read: given => (typeof given === 'number' && given >= from && given <= to ? given : undefined),
  meant: numberMeant,
});

const isOff = (given: Json): boolean => given === 'off' || given === false;
const isOn = (given: Json): boolean => given === 'on' || given === true;

export const time: Option<number> = {
  meant: timeMeant,
  takes: 'a time, such as `2.5s`, `400ms` or a number of seconds',
  types: [...NUMBER, 'text'],
  read: seconds,
};

export const length: Option<number | 'voice'> = {
  takes: 'a time, such as `2s`, or `voice`',
  names: ['voice'],
  types: time.types,
  meant: timeMeant,
  read: given => (given === 'voice' ? given : seconds(given)),
};

export const speed = numberFrom(0.05, 100, 'a number from 0.05 to 100, 1 being as it is and 0.5 half as fast');

export const level: Option<number> = {
  ...numberFrom(-96, 24, 'decibels from -96 to 24, such as `-6`'),
  meant: text => (text.includes('%') ? undefined : numberMeant(text)),
};

export const loudness: Option<number | null> = {
  takes: 'LUFS from -40 to -5, such as `-16`, or `off`',
  names: ['off'],
  types: [...NUMBER, 'text', 'bool'],
  meant: numberMeant,
  read: given => {
    if (isOff(given)) return null;
    return typeof given === 'number' && given >= -40 && given <= -5 ? given : undefined;
  },
};

export const onOrOff: Option<boolean> = {
  takes: '`true` or `false`',
  types: ['bool', 'text'],
  read: given => (isOn(given) ? true : isOff(given) ? false : undefined),
};

export const sound: Option<boolean> = { ...onOrOff, takes: '`off`, or `on`', names: ['off', 'on'] };

export const move = named<CutMove>(['none', 'push_in', 'pull_out', 'pan_left', 'pan_right'], {
  ...all('zoom zoomin dollyin kenburns in', 'push_in'),
  ...all('zoomout dollyout out', 'pull_out'),
  ...all('left slideleft', 'pan_left'),
  ...all('right slideright', 'pan_right'),
  ...all('off no static still fixed', 'none'),
});
export const fit = named<CutFit>(['crop', 'pad', 'blur'], {
  ...all('contain letterbox pillarbox bars inside', 'pad'),
  ...all('cover fill outside zoom', 'crop'),
  ...all('blurred blurbars', 'blur'),
});
export const codec = named<CutCodec>(['h264', 'h265', 'prores']);
export const captionStyle = named(['line', 'word']);
export const hardCut = named(['cut']);

export const place = named<CutPlace>([
  'top left',
  'top',
  'top right',
  'left',
  'middle',
  'right',
  'bottom left',
  'bottom',
  'bottom right',
]);

/** Of the film's width. */
export const share: Option<number> = {
  takes: 'a share of the width from `1%` to `100%`',
  types: ['text'],
  read: given => {
    const [, percent] = (typeof given === 'string' && /^(\d+(?:\.\d+)?) ?%$/.exec(given.trim())) || [];
    return Number(percent) >= 1 && Number(percent) <= 100 ? Number(percent) / 100 : undefined;
  },
};

const SMALLEST = 16;
const LARGEST = 8_192;

export const size: Option<Size> = {
  takes: `two even numbers of pixels from ${SMALLEST} to ${LARGEST}, such as \`1920x1080\``,
  types: ['text'],
  read: given => {
    const [, width, height] = (typeof given === 'string' && /^(\d+) ?[x×] ?(\d+)$/.exec(given.trim())) || [];
    const isSide = (side: number) => side % 2 === 0 && side >= SMALLEST && side <= LARGEST;
    return isSide(Number(width)) && isSide(Number(height))
      ? { width: Number(width), height: Number(height) }
      : undefined;
  },
};

export const rate: Option<FrameRate> = {
  takes: 'frames a second from 1 to 240, such as `24`, `23.976` or `30000/1001`',
  types: [...NUMBER, 'text'],
  meant: numberMeant,
  read: given => {
    const read =
      typeof given === 'number' ? frameRate(given) : typeof given === 'string' ? fractionOf(given) : undefined;
    return read && perSecond(read) >= 1 && perSecond(read) <= 240 ? read : undefined;
  },
};

/** Characters: more are no title. */
const MOST_WORDS = 2_000;

export const words: Option<string> = {
  takes: `words, at most ${MOST_WORDS} characters of them`,
  types: ['text', ...NUMBER],
  read: given => {
    const text = typeof given === 'number' ? String(given) : given;
    return typeof text === 'string' && text.trim() !== '' && [...text].length <= MOST_WORDS ? text : undefined;
  },
};
