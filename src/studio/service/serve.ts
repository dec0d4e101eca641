/** The built-in studio: the service's own interface on loopback, over real renders. State lives in its folder and survives `kill -9`. */
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { availableParallelism, totalmem } from 'node:os';
import { modelLibrary } from '../../api/model-library.ts';
import { systemClock } from '../../machine/time/clock.ts';
import { Refusal } from '../../model/run/decision-page.ts';
import { CachedRenderer, renderWorkers } from '../animatic/index.ts';
import { upstreamBackend, writerBackend } from '../writer/index.ts';
import { withCustomModels } from './custom-models.ts';
import { EventHub } from './event-hub.ts';
import { httpServer, rateLimiter } from './http/server.ts';
import { ChatImages } from './inputs/chat-images.ts';
import { internet, type Network } from './inputs/fetch-source.ts';
import { InputFiles } from './inputs/input-files.ts';
import { Deployments } from './records/deployments.ts';
import { FineTunes, TOKENIZING } from './records/fine-tunes.ts';
import { GenerationTable } from './records/generations.ts';
import { IdempotentCalls } from './records/idempotent-calls.ts';
import { ResultStore } from './records/result-store.ts';
import { openStudioDatabase } from './records/studio-database.ts';
import { RenderQueue } from './render-queue.ts';
import type { Services } from './route.ts';
import { allRoutes } from './routes/index.ts';
import { catalog } from './studio-catalog.ts';
import type { Studio, StudioOptions } from './studio-options.ts';
import { misbehaving } from './vices/misbehaving.ts';

/** What tests bring in place of the real one. */
export interface StudioParts {
  readonly network?: Network;
}

/** @throws {Refusal} when the folder is in use or the port is taken, or a vice is none; the message is for the user. */
export async function serveStudio(options: StudioOptions & StudioParts): Promise<Studio> {
  const { folder, key, speed, strict = false, host = '127.0.0.1', port = 0 } = options;
  const { clock = systemClock, newId = randomUUID, log = () => {}, library = modelLibrary } = options;
  const { network = internet, localFiles = [], version = '0' } = options;
  const chat = options.chatUpstream ? upstreamBackend(options.chatUpstream) : writerBackend({ clock, newId, speed });
  const misbehaviour = misbehaving(options.vices ?? [], options.seed ?? 1, clock);
  const database = openStudioDatabase(folder);
  const deployments = new Deployments(database, clock);
  const fineTunes = new FineTunes(database, clock, options.speed === 'draft' ? TOKENIZING / 5 : TOKENIZING);
  const offered = withCustomModels(library, deployments);
  const table = new GenerationTable(database);
  const idempotent = new IdempotentCalls({ table, database, clock });
  const results = new ResultStore(folder);
  const eventHub = new EventHub(clock, misbehaviour.frame);
  const drawing = options.renderer ?? renderWorkers({ clock, log, environment: options.environment ?? {} });
  const { cache } = options;
  const renderer = cache === undefined ? drawing : new CachedRenderer(drawing, { folder: cache, clock, log });
  const probe = options.probe ?? ((path, signal) => renderer.probe(path, signal));
  const inputs = new InputFiles({ results, find: id => table.get(id), network, clock, localFiles, probe });
  const images = new ChatImages({ inputs, results, colours: (path, signal) => renderer.colours(path, signal) });
  const queue = new RenderQueue({
    ...{ table, results, inputs, renderer, eventHub, library: offered },
    ...{ clock, newId, log, speed, strict, workers: options.workers ?? workersHere() },
  });

  let url = '';
  const listed = catalog(offered, deployments, { strict, chat });
  const services = (): Services => ({
    ...{ url, strict, version, library: offered, catalog: listed, deployments, fineTunes },
    ...{ table, queue, eventHub, results, chat, images, idempotent },
  });
  const rateLimit = options.rate === undefined ? () => {} : rateLimiter(options.rate, clock);
  const server = httpServer({ key, host, routes: misbehaviour.routes(allRoutes), version, log, rateLimit, services });

  const close = async () => {
    eventHub.close();
    queue.dismiss();
    idempotent.close();
    await misbehaviour.close();
    await stop(server);
    await queue.close();
    await renderer.close();
    database.close();
  };
  try {
    url = await listen(server, host, port);
    if (options.standBy) renderer.standBy?.();
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
