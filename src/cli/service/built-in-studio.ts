/** The studio inside this process, started with the first question anyone asks it: a run that needs nothing starts nothing. */
import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Service, StreamListener } from '../../api/service.ts';
import { systemClock } from '../../host/clock.ts';
import type { ChatUpstream } from '../../studio/index.ts';
import { VERSION } from '../version.ts';

export interface BuiltIn {
  readonly name: string;
  /** Where it keeps its queue and its films. */
  readonly folder: string;
  readonly speed: 'full' | 'draft';
  /** Folders whose files a request may name. */
  readonly localFiles: readonly string[];
  /** A service that chat is passed on to. */
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
    // Nobody pays here, and each folder's studio knows its own generations alone.
    account: `studio ${options.folder}`,
    modelId: label => label,
    enqueue: async (...asked) => (await service()).enqueue(...asked),
    generation: async (...asked) => (await service()).generation(...asked),
    history: async (...asked) => (await service()).history(...asked),
    cancel: async (...asked) => (await service()).cancel(...asked),
    models: async (...asked) => (await service()).models(...asked),
    searchModels: async (...asked) => (await service()).searchModels(...asked),
    model: async (...asked) => (await service()).model(...asked),
    activate: async (...asked) => (await service()).activate(...asked),
    deactivate: async (...asked) => (await service()).deactivate(...asked),
    tokenize: async (...asked) => (await service()).tokenize(...asked),
    generateNow: async (...asked) => (await service()).generateNow(...asked),
    chat: async (...asked) => (await service()).chat(...asked),
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
    // Whoever asks it something meets the same, and cannot go on; who only listens hears that there is nothing.
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
  // Nobody but this process ever needs the key.
  const key = randomBytes(24).toString('base64url');
  mkdirSync(folder, { recursive: true });
  // What a renderer says when it breaks is for us, not for the screen.
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
