/** The real studio on loopback, and requests that no client would send. */
import { writeFile } from 'node:fs/promises';
import { connect as dial } from 'node:net';
import { join } from 'node:path';
import type { Json } from '../../src/model/text/json.ts';
import type { Renderer } from '../../src/studio/animatic/renderer.ts';
import { serveStudio } from '../../src/studio/service/serve.ts';
import type { Studio } from '../../src/studio/service/studio-options.ts';
import type { Dice } from '../simulate/dice.ts';
import { WEBP } from '../studio/fake-studio.ts';
import { anything, mutateBytes, mutateJson, mutateText, STRINGS } from './mutate.ts';
import { slipIn } from './sentences.ts';

export type FuzzStudio = Studio;

const KEY = 'fuzz-key-1234';

/** Draws at once, the same for everybody. */
const quick: Renderer = {
  render: async job => {
    await writeFile(join(job.folder, 'result.webp'), WEBP);
    return { file: 'result.webp', facts: { kind: 'image', format: 'webp', width: 3, height: 1 } };
  },
  probe: () => Promise.reject(new Error('this file is not looked at')),
  colours: async () => [],
  close: async () => {},
};

export const fuzzStudio = (folder: string): Promise<FuzzStudio> =>
  serveStudio({ folder, key: KEY, speed: 'draft', workers: 2, renderer: quick });

const BODIES: readonly (readonly [path: string, body: Json])[] = [
  ['/api/ai/queue', { model: 'I-GEN-A', prompt: 'a fox', seed: 7, output_format: 'png', num_generations: 2 }],
  ['/api/ai/queue', { model: 'V-T2V-A', prompt: 'a fox', duration: 6, resolution: '720P', seed: 1 }],
  ['/api/ai/queue', { model: 'V-REF', prompt: 'a fox', input_images: ['https://a.example/1.png'], input_audios: [] }],
  ['/api/ai/images/generate', { model: 'I-GEN-A', prompt: 'a fox', num_inference_steps: 1 }],
  ['/api/ai/videos/generate', { model: 'V-T2V-A', prompt: 'a fox', duration: 2, resolution: '720P' }],
  [
    '/api/ai/chat/completions',
    {
      ...{ model: 'C-A', max_tokens: 20, temperature: 0.5, stream: false },
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'a fox' }] },
      ],
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object', properties: {} } } },
    },
  ],
  ['/api/ai/models/I-GEN-A/activate', {}],
  ['/api/repos/me/films/fine_tunes/1/tokenize', {}],
];

/** Every request is answered, none with a 5xx, and each refusal is JSON with a sentence. */
export async function hostileRequest(dice: Dice, { url }: FuzzStudio): Promise<string | undefined> {
  const [path, sound] = dice.pick(BODIES);
  const json = JSON.stringify(dice.chance(0.1) ? anything(dice, 4) : mutateJson(sound, dice));
  const text = dice.chance(0.2) ? mutateText(json, dice) : json;
  const body = dice.chance(0.2) ? mutateBytes(Buffer.from(text), dice) : Buffer.from(text);
  const lie = dice.chance(0.1) ? dice.pick([1, 9, 4096]) : 0;
  const method = dice.chance(0.9) ? 'POST' : dice.pick(['PUT', 'DELETE', 'GET', 'PATCH', 'OPTIONS', 'HEAD']);
  const asked = dice.chance(0.9)
    ? path
    : path + encodeURI(`/${dice.pick(STRINGS).replace(/[\ud800-\udfff]/g, '')}`).slice(0, 900);
  const { status, answer } = await send(url, method, asked, body, body.length + lie, dice);
  // Whoever promises more than he sends gets no answer, or is told so.
  if (status === undefined) return lie > 0 ? undefined : `no answer to ${method} ${asked} ${text.slice(0, 300)}`;
  if (status >= 500) return `${status} to ${method} ${asked} ${text.slice(0, 300)}: ${answer.slice(0, 300)}`;
  if (status < 400 || method === 'HEAD') return undefined;
  const sentence = sentenceIn(answer);
  if (sentence === undefined)
    return `${status} without a sentence to ${method} ${asked} ${text.slice(0, 200)}: ${answer.slice(0, 300)}`;
  return slipIn(sentence, text);
}

function sentenceIn(answer: string): string | undefined {
  try {
    const { error } = JSON.parse(answer) as { readonly error?: { readonly message?: unknown } | string };
    const message = typeof error === 'string' ? error : error?.message;
    return typeof message === 'string' && message.length > 3 ? message : undefined;
  } catch {
    return undefined;
  }
}

interface Heard {
  readonly status: number | undefined;
  readonly answer: string;
}

/** Over a socket of its own, as a client library would refuse to send most of it. */
function send(url: string, method: string, path: string, body: Buffer, length: number, dice: Dice): Promise<Heard> {
  const { hostname, port, host } = new URL(url);
  const type = dice.chance(0.9)
    ? 'application/json'
    : dice.pick(['text/plain', 'multipart/form-data', 'application/json; charset=x']);
  const head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${KEY}\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n`;
  return new Promise(resolve => {
    let heard = '';
    const socket = dial(Number(port), hostname, () => {
      socket.write(head);
      socket.write(body);
      // The lie comes out when the other side hears that this was all.
      if (length > body.length) socket.end();
    });
    socket.setEncoding('utf8').on('data', text => {
      heard += text;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      const status = /^HTTP\/1\.1 (\d{3})/.exec(heard)?.[1];
      const raw = heard.slice(heard.indexOf('\r\n\r\n') + 4);
      const isChunked = /^transfer-encoding: chunked/im.test(heard);
      const answer = isChunked ? raw.replace(/^[\da-f]+\r\n|\r\n[\da-f]+\r\n/gi, '').trim() : raw;
      resolve({ status: status === undefined ? undefined : Number(status), answer });
    });
  });
}
