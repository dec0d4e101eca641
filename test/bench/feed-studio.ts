/**
 * The studio for `feed-cases.ts`, in a process of its own: what it draws takes a tenth of a second and is one byte. With `bare` as its
 * argument it is the floor instead: `node:http`, which takes the same requests, writes nothing down, and tells the same events.
 * Says where it is, then one line for each event as it is told: its id and the time.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const [kind = '', folder = '', workers = '2'] = process.argv.slice(2);
const WORK = 100;
const tell = (line: string) => process.stdout.write(`${line}\n`);
const now = () => performance.timeOrigin + performance.now();
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

process.on('disconnect', () => process.exit());
process.on('message', () => process.send?.({ rss: process.memoryUsage().rss / 2 ** 20 }));

if (kind === 'bare') {
  const listeners = new Set<ServerResponse>();
  const waiting: string[] = [];
  const work = async (): Promise<never> => {
    for (;;) {
      await pause(WORK);
      const id = waiting.shift();
      if (id === undefined) continue;
      tell(`${id} ${now()}`);
      const event = `event: media_generation_completed\ndata: {"generation_id":"${id}"}\n\n`;
      for (const listener of listeners) listener.write(event);
    }
  };
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': listening\n\n');
      listeners.add(response);
      response.on('close', () => listeners.delete(response));
      return;
    }
    let body = '';
    request.setEncoding('utf8').on('data', text => {
      body += text;
    });
    request.on('end', () => {
      JSON.parse(body);
      const id = randomUUID();
      waiting.push(id);
      const answer = JSON.stringify({ generations: [{ generation_id: id, status: 'queued' }] });
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length }).end(answer);
    });
  }).listen(0, '127.0.0.1', () => tell(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  for (let n = 0; n < Number(workers); n++) void work();
} else {
  const { serveStudio } = await import('../../src/studio/service/serve.ts');
  const studio = await serveStudio({
    folder: mkdtempSync(join(folder, 'studio-')),
    key: 'bench',
    speed: 'draft',
    workers: Number(workers),
    renderer: {
      render: async job => {
        await pause(WORK);
        writeFileSync(join(job.folder, 'result.png'), '.');
        return { file: 'result.png', facts: { kind: 'image', format: 'png', width: 1, height: 1 } };
      },
      probe: () => Promise.reject(new Error('nobody sends this studio a file')),
      colours: async () => [],
      close: async () => {},
    },
    log: line => {
      const [, id] = /^(\S+) \S+: succeeded$/.exec(line) ?? [];
      if (id) tell(`${id} ${now()}`);
    },
  });
  tell(studio.url);
}
