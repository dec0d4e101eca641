/**
 * Events wake, polling is the truth: whatever happens to the event stream between the real studio and the real client, the film is
 * finished. Time is the test's own: it stands still while anybody is asked or anything is made.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { HOSTED_PACE } from '../../src/app/service/service-choice.ts';
import { connect } from '../../src/client/connect.ts';
import { guardFor } from '../../src/machine/net/url-guard.ts';
import { verifyMedia } from '../../src/media/decode/verify.ts';
import { download } from '../../src/records/store/download.ts';
import { RunRig } from '../run/rig.ts';
import { readyStudio } from '../support/ready-studio.ts';
import { settled } from '../support/settled.ts';

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

/** One after the other, and two beside each other. */
const FILM = `
shotlist: 1
name: stream
steps:
  shot: { matrix: { copy: [1, 2] }, model: V-T2V-A, with: { prompt: "a fox, \${{ matrix.copy }}", resolution: 720P, duration: 2 } }
  framed: { each: "\${{ steps.shot }}", model: V-RF, with: { input_video: "\${{ each.result_url }}", aspect_ratio: "9:16", prompt: snow } }
`;

test.each(Object.entries(mischiefs))(
  'the stream %s, and the film is finished all the same',
  async (_name, mischief) => {
    const rig = new RunRig();
    const { clock } = rig;
    const studio = await readyStudio({ clock });
    const proxy = createServer((asked, answer) => {
      const isStream = asked.url?.startsWith('/api/events') === true;
      if (!isStream) open += 1;
      answer.on('close', () => {
        if (!isStream) open -= 1;
      });
      forward(studio.url, asked, answer, mischief);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    /** Questions that are not answered, and downloads. */
    let open = 0;
    const { port } = proxy.address() as AddressInfo;
    const client = connect({ name: 'house', baseUrl: `http://127.0.0.1:${port}`, key: studio.key, clock });
    onTestFinished(async () => {
      await client.close();
      proxy.close();
      proxy.closeAllConnections();
      await studio.close();
      await rig.dispose();
    });
    Object.assign(rig.service, client);
    rig.settings = { pace: HOSTED_PACE };
    rig.live = {
      clock,
      fetchResults: store => async (url, id, signal, kind) => {
        open += 1;
        try {
          const check = kind && ((path: string) => verifyMedia(path, kind));
          return await download(url, { store, id, allow: guardFor(studio.url), clock, signal, check });
        } finally {
          open -= 1;
        }
      },
    };

    const film = await rig.start(FILM);
    let isOver = false;
    const done = film.done.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await settled();
      if (open === 0 && studio.atWork === 0) await clock.advance(250);
    }
    const { is } = await done;
    const submits = await studio.submits();
    expect(is).toBe('done');
    expect(submits).toBe(4);
  },
);

function forward(url: string, asked: IncomingMessage, answer: ServerResponse, mischief: Mischief): void {
  const { hostname, port } = new URL(url);
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
