/** Many at once, by what they get and not by how long it takes: `npm run bench -- --only feed` measures that. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { EventHub } from '../../src/studio/service/event-hub.ts';
import { GenerationTable, type NewGeneration } from '../../src/studio/service/records/generations.ts';
import { openStudioDatabase } from '../../src/studio/service/records/studio-database.ts';
import { RenderQueue, type RenderQueueParts } from '../../src/studio/service/render-queue.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { temporaryFolder } from '../support/temp.ts';
import { KEY, testStudio } from './fake-studio.ts';

const CROWD = 100;
const STILL = { model: 'I-GEN-A', prompt: 'a red fox' };
const NOWHERE = { target_namespace: null, target_repo: null, target_directory: null };

/** A listener that counts what it hears, by the word that is looked for. */
async function listener(url: string): Promise<{ socket: Socket; heard: Map<string, number> }> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const heard = new Map<string, number>();
  let text = '';
  socket.on('data', bytes => {
    text += bytes.toString('latin1');
    for (const [, id = ''] of text.matchAll(/"(?:generation_)?id":"([^"]+)"/g)) {
      heard.set(id, (heard.get(id) ?? 0) + 1);
    }
    text = text.slice(text.lastIndexOf('}') + 1);
  });
  socket.write(`GET /api/events HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${KEY}\r\n\r\n`);
  await once(socket, 'data');
  return { socket, heard };
}

test('a hundred listeners hear of each of fifty generations, once', async () => {
  await using studio = await testStudio({ workers: 8 });
  const listeners = await Promise.all(Array.from({ length: CROWD }, () => listener(studio.url)));
  const ids = await Promise.all(Array.from({ length: 50 }, () => studio.enqueue(STILL)));
  expect(new Set(ids).size).toBe(50);
  for (const _ of ids) await (await studio.renderer.next()).finish();
  const all = [...ids].sort();
  while (listeners.some(({ heard }) => heard.size < all.length)) await new Promise(setImmediate);
  for (const { heard } of listeners) expect([...heard].sort()).toEqual(all.map(id => [id, 1]));
  for (const { socket } of listeners) socket.destroy();
});

test('who stops reading is cut off, keeps less than a megabyte of ours, and costs nobody else a word', async () => {
  const hub = new EventHub(new FakeClock());
  const responses: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    responses.push(response);
    hub.add(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stalled = await Promise.all(Array.from({ length: 5 }, () => listener(url)));
  const theirs = [...responses];
  for (const { socket } of stalled) socket.pause();
  const readers = await Promise.all(Array.from({ length: 20 }, () => listener(url)));
  const note = 'x'.repeat(64 * 1024);
  let most = 0;
  let count = 0;
  while (theirs.some(({ destroyed }) => !destroyed)) {
    hub.publish('note', { id: `note-${++count}`, note });
    most = Math.max(most, ...responses.map(({ writableLength }) => writableLength));
    // Everybody else has read it before the next is said.
    while (readers.some(({ heard }) => heard.size < count)) await new Promise(setImmediate);
  }
  expect(most).toBeLessThanOrEqual(1024 * 1024);
  expect(responses.map(({ destroyed }) => destroyed)).toEqual([...Array(5).fill(true), ...Array(20).fill(false)]);
  hub.close();
  for (const { socket } of [...stalled, ...readers]) socket.destroy();
  server.close();
});

/** A queue over a real table that tells how often it was written to. */
async function queueOver(ids: readonly string[]) {
  const database = openStudioDatabase(join(await temporaryFolder(), 'state'));
  const table = new GenerationTable(database);
  const writes: number[] = [];
  const insert = table.insert.bind(table);
  table.insert = (rows: readonly NewGeneration[]) => {
    writes.push(rows.length);
    insert(rows);
  };
  const left = [...ids];
  const parts: Partial<RenderQueueParts> = { table, clock: new FakeClock(), newId: () => left.shift() ?? '' };
  return { queue: new RenderQueue(parts as RenderQueueParts), table, writes, close: () => database.close() };
}

test('what arrives together is written together: forty requests, one sync of the disk', async () => {
  const names = Array.from({ length: 40 }, (_, n) => `gen-${n}`);
  const { queue, table, writes, close } = await queueOver(names);
  const model = modelLibrary.get('I-GEN-A')!;
  const taken = await Promise.all(names.map(() => queue.enqueue([STILL], model, NOWHERE, undefined)));
  expect([taken.flat(), writes]).toEqual([names, [40]]);
  expect(table.page({}, 100, 1).rows.map(({ id }) => id)).toEqual([...names].reverse());
  close();
});

test('a request whose row cannot be written costs none of those it arrived with', async () => {
  const { queue, table, close } = await queueOver(['one', 'two', 'one', 'three', 'four']);
  const model = modelLibrary.get('I-GEN-A')!;
  const asked = [[STILL], [STILL], [STILL, STILL], [STILL]];
  const taken = await Promise.allSettled(asked.map(takes => queue.enqueue(takes, model, NOWHERE, undefined)));
  expect(taken.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  // All of one request or none of it.
  expect(table.page({}, 100, 1).rows.map(({ id }) => id)).toEqual(['four', 'two', 'one']);
  close();
});
