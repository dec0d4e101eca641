/** A film with a photo beside it at a service on another machine, as whole processes see it: published, read there, never sent twice. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { BUCKET, type BucketServer, bucketServer } from '../store/publish/bucket-server.ts';
import { readyStudio } from '../support/ready-studio.ts';
import { ends } from './ended.ts';
import { Stage } from './stage.ts';

const FILM = `shotlist: 1
name: published
steps:
  shot: { model: V-I2V-A, with: { input_image: fox.png, prompt: it walks, duration: 5s } }
`;

let stage: Stage;
let bucket: BucketServer;
let hosted: Hosted;
let photo: Buffer;
beforeEach(async () => {
  stage = new Stage();
  bucket = await bucketServer();
  const studio = await readyStudio({ localFiles: [stage.project] });
  onTestFinished(() => studio.close());
  hosted = await hostedService(studio.url);
  photo = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#b05020' } })
    .png()
    .toBuffer();
  stage.write('film.yaml', FILM);
  stage.write('fox.png', photo);
  settings(`s3: { bucket: ${BUCKET}, prefix: in, endpoint: "${bucket.url}" }`);
  stage.env = { FAR_KEY: 'stage-key', AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
});
afterEach(() => stage.dispose());

const settings = (publish: string | undefined) =>
  stage.write(
    'shotlist.config.yaml',
    `service: far\nservices: { far: { url: "${hosted.url}", key_env: FAR_KEY, remote: true } }\n${
      publish === undefined ? '' : `publish: { ${publish} }\n`
    }`,
  );

interface Hosted {
  readonly url: string;
  /** Media that it fetched: the address, and what came. */
  readonly fetched: { readonly address: string; readonly bytes: Buffer }[];
}

/** A service that reads addresses alone, in front of a studio: each that a request names is fetched, and none is a file of ours. */
async function hostedService(studio: string): Promise<Hosted> {
  const fetched: Hosted['fetched'] = [];
  const folder = stage.at('fetched');
  mkdirSync(folder);
  const atHome = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map(atHome));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        await Promise.all(Object.entries(value).map(async ([name, item]) => [name, await atHome(item)] as const)),
      );
    if (typeof value !== 'string') return value;
    if (value.startsWith('file:')) throw new Error(`a file of another machine: ${value}`);
    if (!value.startsWith('http')) return value;
    const bytes = Buffer.from(await (await fetch(value)).arrayBuffer());
    fetched.push({ address: value, bytes });
    const path = join(folder, `${fetched.length}.png`);
    writeFileSync(path, bytes);
    return pathToFileURL(path).href;
  };
  const pass = (request: IncomingMessage, response: ServerResponse, body: Buffer) => {
    const { 'content-length': _, ...headers } = request.headers;
    const onward = send(
      new URL(request.url ?? '', studio),
      { method: request.method, headers: { ...headers, ...(body.length > 0 && { 'content-length': body.length }) } },
      reply => {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    onward.end(body);
  };
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    if (request.method !== 'POST' || body.length === 0) return pass(request, response, body);
    try {
      pass(request, response, Buffer.from(JSON.stringify(await atHome(JSON.parse(body.toString('utf8'))))));
    } catch (error) {
      response.writeHead(422, { 'content-type': 'application/json' }).end(JSON.stringify({ error: String(error) }));
    }
  });
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, fetched };
}

test('it is told beforehand, published once, read by its signed address, and is nowhere kept with its signature', async () => {
  const plan = await stage.run('plan', 'film.yaml');
  expect([plan.exit, plan.stdout]).toEqual([
    0,
    expect.stringMatching(/published +1 file \(\d+ k?B\) to s3:\/\/films\/in,/),
  ]);
  expect(bucket.seen).toEqual([]);

  const run = await ends(stage.run('run', 'film.yaml', '--ui', 'plain'), 0, 'to s3://films/in');
  expect(hosted.fetched.map(({ bytes }) => bytes.equals(photo))).toEqual([true]);
  expect(bucket.seen.filter(({ presigned }) => presigned).map(({ method }) => method)).toEqual(['GET']);
  expect(bucket.uploads()).toHaveLength(1);
  for (const text of [run.stderr, run.stdout, stage.read('film.lock.yaml')])
    expect(text).not.toMatch(/X-Amz-Signature|S3RVER/);

  // Another request with the same photo.
  stage.write('film.yaml', FILM.replace('it walks', 'it runs'));
  await ends(stage.run('run', 'film.yaml'), 0);
  expect(bucket.uploads()).toHaveLength(1);
  expect(hosted.fetched.map(({ bytes }) => bytes.equals(photo))).toEqual([true, true]);
});

test('without `publish` the plan and the check say what to write, and nothing leaves', async () => {
  settings(undefined);
  for (const command of ['plan', 'check', 'run']) {
    const { exit, stderr } = await stage.run(command, 'film.yaml');
    expect([command, exit, stderr]).toEqual([
      ...[command, 2],
      expect.stringContaining('add `publish: { s3: { bucket: NAME } }` or `publish: { command: [./publish.sh] }`'),
    ]);
  }
  expect(hosted.fetched).toEqual([]);
});

test('a key that is missing or wrong, and a bucket that is not there, are told before a run begins', async () => {
  stage.env = { ...stage.env, AWS_SECRET_ACCESS_KEY: 'hush-hush-hush' };
  const wrong = await ends(
    stage.run('run', 'film.yaml', '--ui', 'plain'),
    2,
    'publish.s3 in shotlist.config.yaml: s3://films/in: the key is not the one that belongs to its id',
  );
  expect(`${wrong.stderr}${wrong.stdout}`).not.toContain('hush-hush');
  stage.env = { FAR_KEY: 'stage-key' };
  for (const [command, exit] of [
    ['run', 2],
    ['plan', 0],
    ['check', 0],
  ] as const) {
    const none = await stage.run(command, 'film.yaml');
    expect([command, none.exit, none.stderr]).toEqual([
      ...[command, exit],
      expect.stringMatching(
        /film\.yaml:4:\d+[\s\S]*to be published \(publish\.s3 in shotlist\.config\.yaml\): there is no key for the bucket; set AWS_ACCESS_KEY_ID/,
      ),
    ]);
  }
  // A film that publishes nothing needs no key.
  stage.write('words.yaml', FILM.replace(/\{ model.*/, '{ model: V-T2V-A, with: { prompt: it walks } }'));
  const words = await stage.run('run', 'words.yaml');
  expect([words.exit, words.stderr]).toEqual([0, expect.not.stringContaining('there is no key')]);
  stage.env = { FAR_KEY: 'stage-key', AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
  settings(`s3: { bucket: flims, endpoint: "${bucket.url}" }`);
  await ends(stage.run('run', 'film.yaml'), 2, 'there is no bucket `flims` there');
  expect(bucket.uploads()).toEqual([]);
  expect(hosted.fetched).toEqual([]);
});

test('a command publishes in the place of a bucket', async () => {
  settings('command: [sh, publish.sh], env: [PLACE]');
  stage.env = { FAR_KEY: 'stage-key', PLACE: `${bucket.url}/${BUCKET}/by-command.png` };
  stage.write('publish.sh', 'curl -sf -T "$1" "$PLACE" >&2 && echo "$PLACE"\n');
  await ends(stage.run('run', 'film.yaml', '--ui', 'plain'), 0, 'to sh publish.sh');
  expect(hosted.fetched.map(({ bytes }) => bytes.equals(photo))).toEqual([true]);
});
