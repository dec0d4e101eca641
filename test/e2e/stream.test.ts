/** Events wake, polling is the truth: whatever happens to the event stream, every film is finished. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Stage, type StudioProcess } from './stage.ts';

/** What is done to one chunk of the stream; undefined swallows it. */
type Mischief = (chunk: string, answer: ServerResponse) => string | undefined;

const mischiefs: Readonly<Record<string, Mischief>> = {
  'drops after every word': (chunk, answer) => {
    setImmediate(() => answer.destroy());
    return chunk;
  },
  'never says a word': () => undefined,
  'says everything three times': chunk => chunk.repeat(3),
  'is garbled': chunk =>
    `${chunk.replaceAll('"', "'").replaceAll('data:', 'dta;')}\n\u0000event: ${'x'.repeat(5_000)}\n\n`,
  'tells of generations that are not ours, and of ours too early': chunk =>
    `event: media_generation_completed\ndata: {"generation_id":"somebody-elses"}\n\n${chunk}`,
};

let house: Stage;
let studio: StudioProcess;
beforeAll(async () => {
  house = new Stage();
  studio = await house.studio();
});
afterAll(() => house.dispose());

/** Side by side: where the stream says nothing, half a minute passes before it is doubted. */
test.concurrent.each(Object.entries(mischiefs))(
  'the stream %s, and the film is finished all the same',
  async (name, mischief) => {
    const proxy = createServer((asked, answer) => forward(asked, answer, mischief)).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const stage = new Stage();
    stage.env = {
      SHOTLIST_BASE_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      SHOTLIST_API_KEY: studio.key,
    };
    const { exit, stderr } = await stage.run(
      'run',
      'pipelines/teaser.yaml',
      '--param',
      `idea=a fox, while the stream ${name}`,
    );
    proxy.close();
    proxy.closeAllConnections();
    stage.dispose();
    expect(exit, stderr).toBe(0);
  },
);

function forward(asked: IncomingMessage, answer: ServerResponse, mischief: Mischief): void {
  const { hostname, port } = new URL(studio.url);
  const { host: _, ...headers } = asked.headers;
  const onward = request({ hostname, port, path: asked.url, method: asked.method, headers }, reply => {
    answer.writeHead(reply.statusCode ?? 502, reply.headers);
    answer.flushHeaders();
    if (!asked.url?.startsWith('/api/events')) {
      reply.pipe(answer);
      return;
    }
    reply.setEncoding('utf8').on('data', (chunk: string) => {
      const changed = mischief(chunk, answer);
      if (changed !== undefined) answer.write(changed);
    });
    reply.on('end', () => answer.end());
  });
  onward.on('error', () => answer.destroy());
  answer.on('close', () => onward.destroy());
  asked.pipe(onward);
}
