/** `frames-alone <count>`: how many rows the tallest of so many random frames has more than it may have. */
import { randomFrames } from '../terminal/random-frames.ts';

const over = [...randomFrames(Number(process.argv[2]))].map(
  ({ live, size }) => live.length - Math.max(1, size.rows - 1),
);
console.log(Math.max(...over));
