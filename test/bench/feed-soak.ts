/**
 * `npm run soak [-- --minutes 60]`: the studio with a thousand listeners, five who never read, and a steady trickle of work. Every event has
 * to reach everybody, and memory has to stay where it was. Not part of `npm test`: it takes as long as it says.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { enqueue, feedStudio, hear, listener, memory } from './feed-cases.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } });
const minutes = Number(values.minutes);
const [CLIENTS, STALLED] = [1_000, 5];
/** Milliseconds between two pieces of work, and between two looks at the memory. */
const [BEAT, LOOK] = [500, 60_000];
/** How much larger the last third of the looks may be than the one before it. */
const FLAT = 1.1;

const scratch = await mkdtemp(join(tmpdir(), 'shotlist-soak-'));
const { child, lines, url } = await feedStudio('studio', scratch);
let told = 0;
lines.on('line', () => {
  told += 1;
});
let heard = 0;
const sockets: Socket[] = [];
for (let n = 0; n < CLIENTS + STALLED; n++) {
  const socket = await listener(url);
  sockets.push(socket);
  if (n < CLIENTS) hear(socket, () => (heard += 1));
  else socket.pause();
}

const looks: number[] = [];
const until = performance.now() + minutes * 60_000;
let looked = performance.now();
let sent = 0;
while (performance.now() < until) {
  await enqueue(url);
  sent += 1;
  await sleep(BEAT);
  if (performance.now() - looked < LOOK) continue;
  looked = performance.now();
  looks.push(Math.round(await memory(child)));
}
await sleep(5_000);
child.kill('SIGKILL');
for (const socket of sockets) socket.destroy();
await rm(scratch, { recursive: true, force: true });

const third = Math.floor(looks.length / 3);
const [before, after] = [mean(looks.slice(third, 2 * third)), mean(looks.slice(2 * third))];
const isFlat = third === 0 || after <= before * FLAT;
const missed = told * CLIENTS - heard;
console.log(`${minutes} minutes, ${sent} enqueued, ${told} events to ${CLIENTS} listeners: ${missed} missed`);
console.log(`memory, MB each minute: ${looks.join(' ')}; ${isFlat ? 'flat' : 'it grows'}`);
process.exitCode = isFlat && missed === 0 && told > 0 ? 0 : 1;

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);
}
