/**
 * `npm run silent-call [-- --minutes 15]`: a call that answers when the media is there "typically blocks 5 to 15 minutes", and nothing
 * on the way may give up on it: not undici, not Node, not our own deadlines. Real minutes, the real client, a real socket.
 *
 * One call is silent from its first byte; the other gets its headers at once and its body a quarter of an hour later.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { connect } from '../../src/client/connect.ts';
import { systemClock } from '../../src/machine/time/clock.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '15' } } });
const silence = Number(values.minutes) * 60_000;
const BODY = JSON.stringify({ videos: [{ url: 'https://films.example/made.mp4' }] });

const HEAD = { 'content-type': 'application/json', 'content-length': String(BODY.length) };
const ways: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'without a byte': response => setTimeout(() => response.writeHead(200, HEAD).end(BODY), silence),
  'after its headers': response => {
    response.writeHead(200, HEAD).flushHeaders();
    setTimeout(() => response.end(BODY), silence);
  },
};

/** Each call comes to the server with its way as the nonce. */
const server = createServer((request, response) => {
  request.resume().on('end', () => ways[String(request.headers['idempotency-key'])]?.(response));
});
await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
const { port } = server.address() as AddressInfo;
const service = connect({
  name: 'silent',
  baseUrl: `http://127.0.0.1:${port}`,
  key: 'silent-key',
  clock: systemClock,
});

const held = await Promise.all(
  Object.keys(ways).map(async way => {
    const began = performance.now();
    const request = { model: 'V-T2V-A', prompt: 'a fox', duration: 6 };
    const answer = await service.generateNow('/videos/generate', request, new AbortController().signal, way);
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(`silent ${way}: ${answer.is} after ${seconds} s`);
    if (answer.is !== 'made') console.log(JSON.stringify(answer));
    return answer.is === 'made' && answer.urls[0] === 'https://films.example/made.mp4';
  }),
);
await service.close();
server.close();
const all = held.every(Boolean);
console.log(all ? `held for ${values.minutes} minutes` : `lost within ${values.minutes} minutes`);
process.exitCode = all ? 0 : 1;
