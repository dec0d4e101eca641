// Speaks a text with espeak-ng and prints when each word is heard, in the JSON of whisper: `node say.mjs TEXT VOICE line.wav`.
// The program tells no times, so they are measured: a word ends where the text spoken up to it ends.
import { execFileSync } from 'node:child_process';

const [text, voice, wav] = process.argv.slice(2);
const WORDS_A_MINUTE = '150';
const words = text.split(/\s+/).filter(Boolean);
const speak = (line, ...more) =>
  execFileSync('espeak-ng', ['-v', voice, '-s', WORDS_A_MINUTE, ...more, '--', line], { maxBuffer: 1e9 });

/** Seconds: 16 bits a sample, one channel, behind a header of 44 bytes. `-z` leaves the pause behind a sentence out. */
const lasts = (count, ...more) => {
  const sound = speak(words.slice(0, count).join(' '), '--stdout', ...more);
  return Number(((sound.length - 44) / 2 / sound.readUInt32LE(24)).toFixed(2));
};

speak(text, '-w', wav);
const heard = words.map((word, n) => {
  const pauses = n > 0 && /[.,:;!?]$/.test(words[n - 1]);
  const start = n === 0 ? 0 : lasts(n, ...(pauses ? [] : ['-z']));
  return { word, start, end: Math.max(start, lasts(n + 1, '-z')) };
});

const segments = [[]];
for (const spoken of heard) {
  segments.at(-1).push(spoken);
  if (/[.!?]$/.test(spoken.word)) segments.push([]);
}
console.log(
  JSON.stringify({
    segments: segments
      .filter(spoken => spoken.length > 0)
      .map(spoken => ({
        ...{ start: spoken[0].start, end: spoken.at(-1).end },
        text: spoken.map(({ word }) => word).join(' '),
        words: spoken,
      })),
  }),
);
