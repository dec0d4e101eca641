/** The studio inside this process. The first request starts it, so that a run without requests starts nothing. */
import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Service, StreamListener } from '../../api/service.ts';
import { systemClock } from '../../machine/time/clock.ts';
import type { ChatUpstream } from '../../studio/index.ts';
import { VERSION } from './version.ts';

interface BuiltIn {
  readonly name: string;
  /** Where it keeps its queue and its films. */
  readonly folder: string;
  readonly speed: 'full' | 'draft';
  /** Folders with files that a request may name. */
  readonly localFiles: readonly string[];
  /** Its renderers are kept warm: one film after another is asked for, and a person waits for each. */
  readonly standBy?: boolean;
  /** Where what was drawn is kept by its content, for every film. */
  readonly cache?: string;
  /** The service that chat requests are passed on to. */
  readonly chatUpstream?: ChatUpstream;
}

export function builtInStudio(options: BuiltIn): Service {
  let started: Promise<{ service: Service; close: () => Promise<void> }> | undefined;
  const service = async () => {
    started ??= start(options);
    return (await started).service;
  };
  return {
    name: options.name,
    // The account of a studio is its folder: each folder's studio knows only its own generations.
    account: `studio ${options.folder}`,
    modelId: label => label,
    enqueue: async (...args) => (await service()).enqueue(...args),
    generation: async (...args) => (await service()).generation(...args),
    history: async (...args) => (await service()).history(...args),
    cancel: async (...args) => (await service()).cancel(...args),
    models: async (...args) => (await service()).models(...args),
    searchModels: async (...args) => (await service()).searchModels(...args),
    model: async (...args) => (await service()).model(...args),
    activate: async (...args) => (await service()).activate(...args),
    deactivate: async (...args) => (await service()).deactivate(...args),
    tokenize: async (...args) => (await service()).tokenize(...args),
    fineTune: async (...args) => (await service()).fineTune(...args),
    generateNow: async (...args) => (await service()).generateNow(...args),
    chat: async (...args) => (await service()).chat(...args),
    listen: listener => listenLater(service(), listener),
    close: async () => {
      await (await started)?.close();
    },
  };
}

function listenLater(service: Promise<Service>, listener: StreamListener): () => void {
  let stop: (() => void) | undefined;
  let stopped = false;
  void service.then(
    ready => {
      if (!stopped) stop = ready.listen(listener);
    },
    // A request fails with the same error. A listener hears that the stream is down.
    (error: Error) => listener.down(error.message),
  );
  return () => {
    stopped = true;
    stop?.();
  };
}

async function start({ name, ...options }: BuiltIn) {
  const { folder } = options;
  const [{ serveStudio }, { connect }] = await Promise.all([
    import('../../studio/index.ts'),
    import('../../client/connect.ts'),
  ]);
  // Only this process needs the key.
  const key = randomBytes(24).toString('base64url');
  mkdirSync(folder, { recursive: true });
  // A renderer's error output is for finding the bug, not for the screen.
  const log = (line: string) => appendFileSync(join(folder, 'studio.log'), `${line}\n`);
  const studio = await serveStudio({ ...options, key, version: VERSION, log });
  const service = connect({ name, baseUrl: studio.url, key, clock: systemClock });
  return {
    service,
    close: async () => {
      await service.close();
      await studio.close();
    },
  };
}
