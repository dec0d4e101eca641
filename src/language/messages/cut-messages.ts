/** What is wrong with a cut: clips, options, media of the wrong kind; and, when lengths are known, what does not fit into them. */
import { formatSeconds } from '../../model/text/format.ts';
import type { ClipKind } from '../cut/clip-options.ts';
import type { Type } from '../types/types.ts';
import { and, quoted, typeName, unquote, withSuggestion } from './foreign/wording.ts';

/** What media a place takes. */
export type WantedMedia = 'picture' | 'sound';

const WANTED: { readonly [wanted in WantedMedia]: string } = { picture: 'a video or a picture', sound: 'a sound' };

const CALLED: { readonly [kind in ClipKind]: string } = {
  title: 'a title',
  image: 'a still',
  video: 'a video',
  beside: 'pictures side by side',
};

const NAMES: Readonly<Record<string, string>> = { image: 'a picture', video: 'a video', audio: 'a sound' };

export const cutMessages = {
  cutValue: (called: string, takes: string, given: string, near: string | number | undefined) =>
    withSuggestion(
      `cut-option: ${called} is ${given}; ${near !== undefined ? `did you mean ${quoted(near)}? ` : ''}it takes ${takes}`,
      given.replaceAll(/["`]/g, ''),
      near,
    ),
  cutValueInQuotes: (called: string, takes: string, given: string) =>
    unquote(`cut-option: ${called} is \`"${given}"\`; it takes ${takes}`, given),
  cutType: (called: string, takes: string, type: Type) =>
    `wrong-type: ${called} takes ${takes}, but this is ${typeName(type)}; read something else`,
  cutTextValue: (called: string, takes: string) =>
    `wrong-type: ${called} takes ${takes}, but an expression with text around it gives text`,
  cutMedia: (called: string, wanted: WantedMedia, type: Type) =>
    `wrong-type: ${called} takes ${WANTED[wanted]}, but this is ${typeName(type)}; ${howTo(type)}`,
  cutMediaKind: (called: string, wanted: WantedMedia, given: string) =>
    `wrong-kind: ${called} takes ${WANTED[wanted]}, but this is ${NAMES[given] ?? given}; ${
      wanted === 'picture' ? 'a sound goes under `voice` or `music`' : 'give it a step that makes a sound'
    }`,
  cutMediaText: (called: string, wanted: WantedMedia) =>
    `wrong-kind: ${called} takes ${WANTED[wanted]}, but this leads to none; read \`result_url\` or \`file\``,
  cutMediaList: (called: string, wanted: WantedMedia) =>
    `wrong-type: ${called} takes ${WANTED[wanted]}, but this is a list; pick one with \`[0]\`, or make a clip of each with \`each\``,

  clipEmpty: () =>
    'clip: this clip shows nothing; give it `from` (a video or a picture), `title` or `beside`, or an `each`',
  clipTwice: (names: readonly string[]) => `clip: a clip shows one thing, and this has ${and(names)}; keep one`,
  clipEach: (type: Type, step: string) =>
    `clip: \`steps.${step}\` gives ${typeName(type)}, which is no clip by itself; say which part is: \`from: \${{ each.${
      type.is === 'record' && type.fields.has('files')
        ? `files.${nameOf(type, 'files')}`
        : `outputs.${nameOf(type, 'outputs')}`
    } }}\``,
  clipJoined: () =>
    'clip: where several meet, the clip has to say which of them it shows; write `from: ${{ each.name }}`',
  clipOption: (name: string, kind: ClipKind) =>
    `clip: ${CALLED[kind]} ${kind === 'beside' ? 'have' : 'has'} no \`${name}\`; take it out`,
  clipFor: (kind: ClipKind) =>
    `clip: ${CALLED[kind]} has no length of its own; add \`for: 2s\`, or give it a \`voice\``,
  clipForAndOut: () =>
    'clip: `for` and `out` both say how long the clip is; keep one, or write `for: voice` beside `out`',
  clipForVoice: () => 'clip: `for: voice` needs a `voice`; add it, or give a length such as `for: 4s`',
  clipVoiceWords: () =>
    'clip: the subtitles of a clip are the words of its `voice`, and it has none; add it, or put them under `subtitles` of the film',
  clipOrder: (from: number, to: number) =>
    `clip: the clip would begin at ${formatSeconds(from)} and end at ${formatSeconds(to)}; let \`out\` be after \`in\``,
  clipFirstJoin: () => 'clip: nothing comes before the first clip; write `fade_in: 0.4s` to begin it from black',
  besideCount: (count: number) => `clip: ${count} pictures cannot be seen side by side; give two to four`,
  overlayEmpty: () => 'clip: nothing is laid over the picture here; give it `text` or `from`',
  overlayTwice: () => 'clip: one thing lies over the picture, and this has `text` and `from`; make it a list of two',
  overlaySize: () => 'clip: `size` is the width of a picture, and words have none; take it out',
  subtitleSource: (given: string) =>
    `cut-option: ${given} is no subtitles but the name of a file; put the file under \`data:\` and write \`\${{ data.words }}\`, or read what a step wrote, \`\${{ steps.words.json }}\``,
  subtitleNothing: () =>
    'cut-option: nothing gives the words of these subtitles; add `from`, or `subtitles` to the clips with a voice',
};

function nameOf(type: Type, section: 'files' | 'outputs'): string {
  const inner = type.is === 'record' ? type.fields.get(section) : undefined;
  return (inner?.is === 'record' && inner.fields.keys().next().value) || 'clip';
}

function howTo(type: Type): string {
  if (type.is !== 'record') return 'read a result, a path or an address';
  if (type.fields.has('files')) return `read one of its files, like \`.files.${nameOf(type, 'files')}\``;
  if (type.fields.has('outputs')) return `read one of its outputs, like \`.outputs.${nameOf(type, 'outputs')}\``;
  return 'read the result of a step that makes one';
}
