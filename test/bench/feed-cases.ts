/** The studio under a thousand who listen and fifty who enqueue, beside a bare `node:http` that keeps nothing. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Bench, type Case, type Measured, quantile } from './measure.ts';

const CLIENTS = 1_000;
const ENQUEUERS = 50;
/** Of the listeners, these read nothing. */
const STALLED = 5;

export const feedCases: readonly Case[] = [{ name: 'feed: 1,000 listeners and 50 enqueuers', measure: feed }];

interface Figures {
  /** Milliseconds. */
  readonly each: number;
  readonly p50: number;
  readonly p99: number;
  readonly events: number;
  readonly missed: number;
  /** MB, after a third of the time and at its end. */
  readonly memory: readonly [number, number];
}

async function feed(bench: Bench): Promise<readonly Measured[]> {
  const floor = await figures('bare', bench);
  const ours = await figures('studio', bench);
  const rate = (ms: number) => `${Math.round(1_000 / ms)} a second`;
  return [
    {
      name: 'feed: a durable enqueue of 50 senders, over bare node:http',
      floor: [floor.each],
      ours: [ours.each],
      unit: 'ms',
      note: `${rate(floor.each)} and ${rate(ours.each)}, while 1,000 listen`,
    },
    { name: 'feed: a durable enqueue of 50 senders', ours: [ours.each], unit: 'ms', aim: 0.667 },
    {
      name: 'feed: from an event to the 99th of 100 of its 1,000 listeners',
      floor: [floor.p99],
      ours: [ours.p99],
      unit: 'ms',
      note: `half of them after ${floor.p50.toFixed(1)} and ${ours.p50.toFixed(1)} ms; ${ours.events} events`,
    },
    { name: 'feed: the same, alone', ours: [ours.p99], unit: 'ms', aim: 250 },
    { name: 'feed: events that a listener missed', ours: [ours.missed], unit: 'requests', aim: 0 },
    {
      name: 'feed: memory at the end over a third of the way',
      floor: [ours.memory[0]],
      ours: [ours.memory[1]],
      unit: 'MB',
      aim: 1.25,
    },
  ];
}

async function figures(kind: 'bare' | 'studio', { scratch, quick }: Bench): Promise<Figures> {
  const { child, lines, url } = await feedStudio(kind, scratch);
  /** When each event was told, by its id. */
  const told = new Map<string, number>();
  lines.on('line', (line: string) => {
    const [id = '', at] = line.split(' ');
    told.set(id, Number(at));
  });
  const delays: { id: string; at: number }[] = [];
  const sockets = await Promise.all(Array.from({ length: CLIENTS + STALLED }, () => listener(url)));
  for (const [n, socket] of sockets.entries()) {
    if (n >= CLIENTS) socket.pause();
    else hear(socket, id => delays.push({ id, at: performance.timeOrigin + performance.now() }));
  }
  const seconds = quick ? 6 : 30;
  const until = performance.now() + seconds * 1_000;
  const third = new Promise(resolve => setTimeout(resolve, (seconds * 1_000) / 3)).then(() => memory(child));
  const sent = await Promise.all(Array.from({ length: ENQUEUERS }, () => enqueueUntil(url, until)));
  const end = await memory(child);
  // The last events are on their way.
  await new Promise(resolve => setTimeout(resolve, 1_000));
  child.kill('SIGKILL');
  await once(child, 'exit');
  for (const socket of sockets) socket.destroy();
  const count = sent.reduce((sum, one) => sum + one, 0);
  const settled = [...told].filter(([, at]) => at < performance.timeOrigin + until);
  const known = new Set(settled.map(([id]) => id));
  const heard = delays.filter(({ id }) => known.has(id));
  const waits = heard.map(({ id, at }) => at - (told.get(id) ?? 0));
  return {
    each: (seconds * 1_000) / count,
    p50: quantile(waits, 0.5),
    p99: quantile(waits, 0.99),
    events: known.size,
    missed: known.size * CLIENTS - heard.length,
    memory: [await third, end],
  };
}

/** `feed-studio.ts` in its own process: its address, and the events that it prints, one a line. */
export async function feedStudio(kind: 'bare' | 'studio', scratch: string) {
  const program = fileURLToPath(new URL('./feed-studio.ts', import.meta.url));
  const child = spawn(process.execPath, [program, kind, scratch], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const lines = createInterface(child.stdout!);
  const [url] = (await once(lines, 'line')) as [string];
  return { child, lines, url };
}

export async function memory(child: ChildProcess): Promise<number> {
  child.send('memory');
  const [{ rss }] = (await once(child, 'message')) as [{ rss: number }];
  return rss;
}

export async function listener(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.on('error', () => {});
  socket.write(`GET /api/events HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer bench\r\n\r\n`);
  await once(socket, 'data');
  return socket;
}

/** As little as finds the ids in what comes: the listeners share a processor with whom they measure. */
export function hear(socket: Socket, told: (id: string) => void): void {
  let rest = '';
  socket.on('data', (bytes: Buffer) => {
    rest += bytes.toString('latin1');
    for (const [, id = ''] of rest.matchAll(/"generation_id":"([^"]+)"/g)) told(id);
    rest = rest.slice(rest.lastIndexOf('}') + 1);
  });
}

/** One after the other over one connection; how many were taken. */
async function enqueueUntil(url: string, until: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let count = 0;
  for (; performance.now() < until; count++) await enqueue(url, agent);
  agent.destroy();
  return count;
}

/** @throws if it is not taken. */
export function enqueue(url: string, agent?: Agent): Promise<void> {
  const body = JSON.stringify({ model: 'I-GEN-A', prompt: 'a red fox' });
  const headers = { authorization: 'Bearer bench', 'content-type': 'application/json', 'content-length': body.length };
  return new Promise((resolve, reject) => {
    const post = request(`${url}/api/ai/queue`, { method: 'POST', headers, ...(agent && { agent }) }, response => {
      const { statusCode } = response;
      if (statusCode !== 200) reject(new Error(`an enqueue was answered ${statusCode}`));
      response.resume().on('end', resolve);
    });
    post.on('error', reject).end(body);
  });
}
