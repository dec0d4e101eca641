/** Which options a clip, the music, a text over the picture, the film as a whole may have: one row each. */

import type { Option } from './cut-options.ts';
import * as option from './cut-options.ts';

// biome-ignore lint/suspicious/noExplicitAny: a table of rows of different types
type Rows = { readonly [name: string]: Option<any> };

export const CLIP = {
  title: option.words,
  in: option.time,
  out: option.time,
  for: option.length,
  speed: option.speed,
  fade_in: option.time,
  fade_out: option.time,
  move: option.move,
  fit: option.fit,
  sound: option.sound,
  level: option.level,
} as const satisfies Rows;

export const FILM = {
  loudness: option.loudness,
  size: option.size,
  fps: option.rate,
  fit: option.fit,
  codec: option.codec,
} as const satisfies Rows;

export const VOICE = { level: option.level } as const satisfies Rows;

export const MUSIC = {
  level: option.level,
  duck: option.onOrOff,
  loop: option.onOrOff,
  in: option.time,
  fade_in: option.time,
  fade_out: option.time,
} as const satisfies Rows;

export const OVERLAY = {
  text: option.words,
  at: option.place,
  size: option.share,
  in: option.time,
  for: option.time,
} as const satisfies Rows;

export const SUBTITLES = {
  style: option.captionStyle,
  at: option.place,
  track: option.onOrOff,
} as const satisfies Rows;

export const DISSOLVE = { dissolve: option.time } as const satisfies Rows;

/** What a clip shows, and the options that say nothing about it. */
export type ClipKind = 'title' | 'video' | 'image' | 'beside';

const MOVING = ['in', 'out', 'speed', 'sound', 'level'] as const;

export const USELESS: { readonly [kind in ClipKind]: readonly string[] } = {
  title: [...MOVING, 'move', 'fit'],
  image: MOVING,
  video: ['move'],
  beside: ['move'],
};

/** What is seen of it has no length of its own. */
export const isStill = (kind: ClipKind): boolean => kind === 'title' || kind === 'image';
