/** A result in a few words. */
import { cleanText } from '../domain/clean.ts';
import { formatBytes, formatSeconds } from '../domain/format.ts';
import type { MediaFacts } from '../domain/media.ts';
import type { Result, TextResult, TuningResult } from '../domain/result.ts';
import { count } from './count.ts';
import { wordsIn } from './words-in.ts';

/** `1280×720, 6.0s, 4.1 MB`; for a command what it left behind. */
export function resultText(result: Result): string {
  if (result.is === 'media') return [...mediaTexts(result.media), formatBytes(result.bytes)].join(', ');
  if (result.is === 'text') return writtenText(result);
  if (result.is === 'fine_tune') return tuningText(result);
  const files = Object.keys(result.files).length;
  return files === 0 ? 'done' : `left ${count(files, 'file')}`;
}

function mediaTexts(media: MediaFacts): readonly string[] {
  const size = media.width !== undefined && media.height !== undefined ? [`${media.width}×${media.height}`] : [];
  return [...size, ...(media.duration !== undefined ? [formatSeconds(media.duration)] : [])];
}

const writtenText = ({ text, finish_reason }: TextResult): string =>
  `${count(wordsIn(text), 'word')}${finish_reason === 'length' ? ', cut off at the limit of its tokens' : ''}`;

/** What a service calls the state is its own word. */
const tuningText = ({ fine_tune: { status } }: TuningResult): string =>
  typeof status === 'string' ? `the fine-tune is ${cleanText(status)}` : 'tokenization has begun';
