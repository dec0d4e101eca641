// What is said between two moments of a film, timed from the first: `node excerpt.mjs film.srt FROM TO` in the JSON of whisper.
import { readFileSync } from 'node:fs';

const [srt, from, to] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const seconds = time => time.split(/[:,]/).reduce((sum, part, n) => sum + Number(part) * [3600, 60, 1, 0.001][n], 0);
const round = number => Number(number.toFixed(3));

const segments = readFileSync(srt, 'utf8')
  .trim()
  .split(/\r?\n\r?\n/)
  .map(cue => {
    const [, times, ...lines] = cue.split(/\r?\n/);
    const [start, end] = times.split(' --> ').map(seconds);
    return { start, end, text: lines.join(' ') };
  })
  .filter(cue => cue.end > from && cue.start < to - 0.1)
  .map(({ start, end, text }) => ({
    start: round(Math.max(0, start - from)),
    end: round(Math.min(end, to) - from),
    text,
  }));
console.log(JSON.stringify({ segments }));
