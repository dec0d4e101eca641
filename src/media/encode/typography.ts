/**
 * Type that comes with the project: Space Grotesk for numbers and titles, Inter for words, JetBrains Mono for facts, Noto Sans SC for Chinese, Noto
 * Emoji (line drawings in the colour of the text) for emoji. System fonts are never asked, so a slate or a title looks the same on a machine that
 * has none. Chinese and emoji come in small slices by Unicode range; only those a text needs are loaded. Static weights only: the canvas ignores a
 * variable font's weight axis and fakes the bold, which is also why Chinese is set in one weight.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { GlobalFonts, type SKRSContext2D } from '@napi-rs/canvas';

export type Family = 'display' | 'sans' | 'mono';
/** 650 is read as a huge size by the canvas; these are safe. */
export type Weight = 400 | 500 | 600 | 700;

const FAMILIES: {
  readonly [family in Family]: { readonly pack: string; readonly file: string; readonly name: string };
} = {
  display: { pack: '@fontsource/space-grotesk', file: 'space-grotesk', name: 'Slate Display' },
  sans: { pack: '@fontsource/inter', file: 'inter', name: 'Slate Sans' },
  mono: { pack: '@fontsource/jetbrains-mono', file: 'jetbrains-mono', name: 'Slate Mono' },
};
const WEIGHTS: readonly Weight[] = [400, 500, 600, 700];
const ALPHABETS = ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese'] as const;

/** A CSS font for the canvas that has a glyph for every letter of `text` the project's fonts know. */
export function font(family: Family, weight: Weight, size: number, text = ''): string {
  loadAlphabets();
  const names = ALPHABETS.map(alphabet => `${FAMILIES[family].name} ${alphabet}`);
  const fallback = ALPHABETS.map(alphabet => `${FAMILIES.sans.name} ${alphabet}`);
  const stack = [...names, ...fallback, ...slicesFor(text)].map(name => `"${name}"`).join(',');
  return `${weight} ${Math.max(1, Math.round(size * 10) / 10)}px ${stack}`;
}

/** Lines no wider than `width` in the context's current font; the last of `most` lines ends in … when words are left over. */
export function wrap(context: SKRSContext2D, text: string, width: number, most: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const piece of pieces(text)) {
    if (line.trim() !== '' && context.measureText(line + piece).width > width) {
      lines.push(line.trim());
      line = piece === ' ' ? '' : piece;
    } else line += piece;
  }
  if (line.trim() !== '') lines.push(line.trim());
  if (lines.length <= most) return lines;
  const kept = lines.slice(0, most);
  kept[most - 1] = shorten(context, `${kept[most - 1]}…`, width);
  return kept;
}

/** The text, or as much of it as fits, ending in …. */
export function shorten(context: SKRSContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let kept = text.replace(/…$/, '');
  while (kept !== '' && context.measureText(`${kept.trimEnd()}…`).width > width) kept = kept.slice(0, -1);
  return `${kept.trimEnd()}…`;
}

const IDEOGRAPH = /[\u2e80-\u9fff\uac00-\ud7ff\u3000-\u30ff\uff00-\uffef]/;

/** What never begins a line: it stays with the character before it. */
const CLOSING = /[、。〉》」』】〕〗〙〛！），．：；？］｝～]/;

/** Words and single blanks; a Chinese character is a word of its own, with the mark that follows it. */
function pieces(text: string): string[] {
  const character = `${IDEOGRAPH.source}${CLOSING.source}*`;
  return text.replace(/\s+/g, ' ').match(new RegExp(`${character}| |(?:(?! )(?!${IDEOGRAPH.source}).)+`, 'gu')) ?? [];
}

const require = createRequire(import.meta.url);
const folderOf = (pack: string) => path.dirname(require.resolve(`${pack}/package.json`));

let alphabetsLoaded = false;
function loadAlphabets(): void {
  if (alphabetsLoaded) return;
  alphabetsLoaded = true;
  for (const { pack, file, name } of Object.values(FAMILIES)) {
    for (const weight of WEIGHTS) {
      for (const alphabet of ALPHABETS) {
        const font = path.join(folderOf(pack), 'files', `${file}-${alphabet}-${weight}-normal.woff2`);
        if (existsSync(font)) GlobalFonts.registerFromPath(font, `${name} ${alphabet}`);
      }
    }
  }
}

interface Slice {
  readonly file: string;
  readonly name: string;
  readonly ranges: readonly (readonly [first: number, last: number])[];
}

let slices: readonly Slice[] | undefined;
const loadedSlices = new Set<string>();

function slicesFor(text: string): string[] {
  const names = new Set<string>();
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    if (code < 0x2000) continue;
    slices ??= [...chineseSlices(), ...emojiSlices()];
    const slice = slices.find(({ ranges }) => ranges.some(([first, last]) => code >= first && code <= last));
    if (!slice) continue;
    names.add(slice.name);
    if (loadedSlices.has(slice.name)) continue;
    loadedSlices.add(slice.name);
    GlobalFonts.registerFromPath(slice.file, slice.name);
  }
  return [...names];
}

function chineseSlices(): Slice[] {
  const folder = folderOf('@fontsource-variable/noto-sans-sc');
  const sheet = readFileSync(path.join(folder, 'index.css'), 'utf8');
  return [...sheet.matchAll(/url\((\.\/files\/[^)]+)\)[\s\S]*?unicode-range:\s*([^;]+);/g)].map(
    ([, file = '', ranges = ''], i) => ({
      file: path.join(folder, file),
      name: `Slate Chinese ${i}`,
      ranges: rangesIn(ranges),
    }),
  );
}

function emojiSlices(): Slice[] {
  const folder = folderOf('@fontsource/noto-emoji');
  const ranges: Readonly<Record<string, string>> = JSON.parse(readFileSync(path.join(folder, 'unicode.json'), 'utf8'));
  return Object.entries(ranges).map(([slice, text]) => {
    const number = slice.replace(/\D/g, '');
    return {
      file: path.join(folder, 'files', `noto-emoji-${number}-400-normal.woff2`),
      name: `Slate Emoji ${number}`,
      ranges: rangesIn(text),
    };
  });
}

/** `U+1f600-1f64f, U+2764` */
const rangesIn = (text: string): Slice['ranges'] =>
  text.split(',').map(range => {
    const [first = '', last = first] = range.trim().replace(/^U\+/i, '').split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const;
  });
