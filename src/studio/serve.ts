/** The built-in studio: the service's own interface on loopback, over real renders. State lives in its folder and survives `kill -9`. */
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { availableParallelism, totalmem } from 'node:os';
import { modelLibrary } from '../api/models.ts';
import { Refusal } from '../domain/refusal.ts';
import { systemClock } from '../host/clock.ts';
import { catalog } from './catalog.ts';
import { upstreamRoom } from './chat/upstream.ts';
import { writersRoom } from './chat/writers-room.ts';
import { withCustomModels } from './custom-models.ts';
import { openStudioDatabase } from './database.ts';
import { Deployments } from './deployments.ts';
import { Feed } from './feed.ts';
import { FineTunes } from './fine-tunes.ts';
import { GenerationTable } from './generations.ts';
import { httpServer } from './http.ts';
import { Inputs } from './inputs.ts';
import { internet } from './network.ts';
import type { Studio, StudioOptions } from './options.ts';
import { Queue } from './queue.ts';
import { Repeats } from './repeats.ts';
import type { Rooms } from './route.ts';
import { allRoutes } from './routes/index.ts';
import { Shelf } from './shelf.ts';
import type { Network } from './source.ts';
import { tempo } from './tempo.ts';
import { misbehaving } from './vices/misbehaving.ts';
import { workers } from './workers.ts';

/** What tests bring in place of the real one. */
export interface StudioParts {
  readonly network?: Network;
}

/** @throws {Refusal} when the folder is in use or the port is taken, or a vice is none; the message is for the user. */
export async function serveStudio(options: StudioOptions & StudioParts): Promise<Studio> {
  const { folder, key, speed, strict = false, host = '127.0.0.1', port = 0 } = options;
  const { clock = systemClock, newId = randomUUID, log = () => {}, library = modelLibrary } = options;
  const { network = internet, localFiles = [], version = '0' } = options;
  const chat = options.chatUpstream ? upstreamRoom(options.chatUpstream) : writersRoom({ clock, newId, speed });
  const manners = misbehaving(options.vices ?? [], options.seed ?? 1, clock);
  const database = openStudioDatabase(folder);
  const deployments = new Deployments(database, clock);
  const fineTunes = new FineTunes(database, clock);
  const offered = withCustomModels(library, deployments);
  const table = new GenerationTable(database);
  const repeats = new Repeats({ table, database, clock });
  const shelf = new Shelf(folder);
  const feed = new Feed(clock, manners.frame);
  const renderer = options.renderer ?? workers({ clock, log, environment: options.environment ?? {} });
  const probe = options.probe ?? ((path, signal) => renderer.probe(path, signal));
  const inputs = new Inputs({ shelf, find: id => table.get(id), network, clock, localFiles, probe });
  const atOnce = options.workers ?? workersHere();
  const queue = new Queue({
    table,
    shelf,
    inputs,
    renderer,
    feed,
    library: offered,
    clock,
    newId,
    log,
    speed,
    strict,
    workers: atOnce,
  });

  let url = '';
  const parts = { library: offered, catalog: catalog(offered, deployments, { strict, chat }), deployments, fineTunes };
  const rooms = (): Rooms => ({ url, strict, version, ...parts, table, queue, feed, shelf, chat, repeats });
  const mind = options.rate === undefined ? () => {} : tempo(options.rate, clock);
  const server = httpServer({ key, host, routes: manners.routes(allRoutes), version, log, tempo: mind, rooms });

  const close = async () => {
    feed.close();
    queue.dismiss();
    repeats.close();
    await manners.close();
    await stop(server);
    await queue.close();
    await renderer.close();
    database.close();
  };
  try {
    url = await listen(server, host, port);
    await queue.start();
  } catch (error) {
    await close();
    throw error;
  }
  log(`serving at ${url}, state in ${folder}`);
  return { url, close: once(close) };
}

/** A render keeps two cores busy, drawing and encoding side by side, and takes half a gigabyte at 1080p; a 4K one takes more. */
function workersHere(): number {
  const byMemory = totalmem() / 2 ** 30;
  return Math.max(1, Math.floor(Math.min(availableParallelism() / 2, byMemory)));
}

function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      reject(taken ? new Refusal(`port ${port} on ${host} is taken: choose another, or 0 for a free one`) : error);
    });
    server.listen(port, host, () => {
      const { port: taken } = server.address() as AddressInfo;
      resolve(`http://${isIPv6(host) ? `[${host}]` : host}:${taken}`);
    });
  });
}

/** Milliseconds that answers under way get before their connections are cut. */
const GRACE = 2_000;

async function stop(server: Server): Promise<void> {
  if (!server.listening) return;
  const cut = setTimeout(() => server.closeAllConnections(), GRACE);
  await new Promise(resolve => {
    server.close(resolve);
    server.closeIdleConnections();
  });
  clearTimeout(cut);
}

function once(close: () => Promise<void>): () => Promise<void> {
  let closing: Promise<void> | undefined;
  return () => (closing ??= close());
}
