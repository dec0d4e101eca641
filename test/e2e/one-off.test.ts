import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { isMissing } from '../support/needs.ts';
import { isPlacedFrom } from '../support/placed.ts';
import { type ReadyStudio, readyStudio } from '../support/ready-studio.ts';
import { mount, remount, unmount } from '../support/small-disk.ts';
import { json, stubServer } from '../support/stub-server.ts';
import { ends } from './ended.ts';
import { Stage } from './stage.ts';

/** Clips of a walk are given when this is fulfilled. */
const walk = Promise.withResolvers<void>();
let studio: ReadyStudio;
beforeAll(async () => {
  studio = await readyStudio({
    before: ({ request }) => (String(request.prompt).includes('walk') ? walk.promise : undefined),
  });
});
afterAll(() => studio.close());
let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

/** The studio serves all cases: a request that is looked for in its history has a prompt of its own. */
const fox = (name: string) => ['generate', 'I-GEN-A', `prompt=a red fox, ${name}`] as const;
const pictures = () => readdirSync(stage.project).filter(name => name.endsWith('.webp'));

const FOX = ['generate', 'I-GEN-A', 'prompt=a red fox'] as const;

/** Films go to the studio; gives how many requests it has accepted since. */
async function served(by = studio): Promise<() => Promise<number>> {
  stage.trust(by);
  const before = await by.submits();
  return async () => (await by.submits()) - before;
}

/** The process kills itself at that point. */
async function diesAt(point: string, ...args: readonly string[]): Promise<void> {
  const { env } = stage;
  stage.env = { ...env, SHOTLIST_FAILPOINT: point };
  const { signal, stderr } = await stage.runAsProcess(...args);
  stage.env = env;
  expect(signal, stderr).toBe('SIGKILL');
}

describe('generate, killed', () => {
  test.each([
    'intent-durable',
    'post-sent',
    'post-answered',
    'id-durable',
    'generated',
    'downloading',
    'download-placed',
  ])('at %s: the same command brings it home, and the service was given one request', async point => {
    const submits = await served();
    const command = fox(point);
    await diesAt(point, ...command);
    const again = await ends(stage.run(...command), 0);
    expect(pictures()).toEqual([again.stdout.trim()]);
    if (point !== 'intent-durable') expect(again.stderr).toMatch(/^I-GEN-A: .*, not sent twice$/m);
    expect(await submits()).toBe(1);
    await ends(stage.run(...command), 0);
    expect(await submits()).toBe(2);
  });

  test('a call that answers at once is looked for where the service lists what it was given', async () => {
    const submits = await served();
    const command = [...fox('at once'), '--sync'];
    await diesAt('post-sent', ...command);
    const again = await stage.run(...command, '--out', 'fox.webp');
    expect([again.exit, again.stdout], again.stderr).toEqual([0, 'fox.webp\n']);
    expect(await submits()).toBe(1);
  });

  test('two of the same that were killed are taken up one by one', async () => {
    const submits = await served();
    const long = ['generate', 'I-GEN-A', 'prompt=a very long walk'] as const;
    const both = [stage.start(...long), stage.start(...long)];
    await Promise.all(both.map(one => one.line(/sent to/)));
    for (const one of both) one.kill();
    await Promise.all(both.map(one => one.ended));
    walk.resolve();
    const ends = [await stage.run(...long), await stage.run(...long)];
    for (const { exit, stderr } of ends) expect([exit, /resumed as/.test(stderr)], stderr).toEqual([0, true]);
    expect(new Set(ends.map(({ stdout }) => stdout)).size).toBe(2);
    expect(await submits()).toBe(2);
  });
});

test('two equal ones at once are two', async () => {
  const submits = await served();
  const command = fox('at once, twice');
  const ends = await Promise.all([command, command, fox('beside it')].map(args => stage.runAsProcess(...args)));
  expect(
    ends.map(({ exit }) => exit),
    ends.map(({ stderr }) => stderr).join(),
  ).toEqual([0, 0, 0]);
  expect(pictures()).toHaveLength(3);
  expect(await submits()).toBe(3);
});

test('a 504 of a request that was taken: it is found, and sent once', async () => {
  const vicious = await readyStudio({ vices: ['answers-504=1'] });
  onTestFinished(() => vicious.close());
  const submits = await served(vicious);
  const { stderr } = await ends(stage.run(...fox('taken')), 0);
  expect(stderr).toMatch(/looking for it before anything is sent\n.*not sent twice\n/s);
  expect(await submits()).toBe(1);
});

test('where nobody can tell, nothing is sent until it is asked for', async () => {
  const hub = await stubServer((response, request) =>
    request.method === 'POST'
      ? json(504, { error: { message: 'upstream timed out' } })(response, request)
      : json(404, { error: { message: 'not here' } })(response, request),
  );
  const posts = () => hub.seen.filter(({ method }) => method === 'POST').length;
  stage.env = { SHOTLIST_BASE_URL: hub.url, SHOTLIST_API_KEY: 'k', SHOTLIST_HISTORY: 'trusted' };
  for (const _ of [1, 2]) {
    const { stderr } = await ends(stage.run(...FOX), 1);
    expect(stderr).toMatch(/may have been taken and paid for/);
    expect(stderr).toContain("`shotlist generate I-GEN-A 'prompt=a red fox' --forget` gives it up and sends a new one");
    expect(posts()).toBe(1);
  }
  await stage.run(...FOX, '--forget');
  expect(posts()).toBe(2);
});

describe('what was made and could not be put in its place', () => {
  test('is handed over by the same command, wherever to', async () => {
    const submits = await served();
    const command = fox('in the way');
    stage.write('in-the-way', 'a file');
    const first = await stage.run(...command, '--out', 'in-the-way/fox.webp');
    expect([first.exit, first.stdout]).toEqual([1, '']);
    expect(first.stderr).toMatch(
      /is made and paid for, and in-the-way\/fox.webp was not written: .* writes it and sends nothing\n$/,
    );
    const second = await stage.run(...command, '--out', 'fox.webp');
    expect([second.exit, second.stdout], second.stderr).toEqual([0, 'fox.webp\n']);
    expect(second.stderr).toMatch(/^I-GEN-A: made before, and not handed over then: nothing is sent\n/);
    expect(await submits()).toBe(1);
  });

  test('no link is written through, and what somebody made is kept', async () => {
    await served();
    stage.write('precious.webp', 'mine');
    symlinkSync('precious.webp', stage.at('link.webp'));
    await ends(stage.run(...FOX, '--out', 'link.webp'), 0);
    expect([stage.read('precious.webp'), lstatSync(stage.at('link.webp')).isFile()]).toEqual(['mine', true]);
    const over = await stage.run(...FOX, '--out', 'precious.webp');
    expect([over.exit, stage.read('precious.before-shotlist.webp')], over.stderr).toEqual([0, 'mine']);
  });
});

test('a call that makes several pieces gives them all, and those of a killed one are not lost', async () => {
  const pieces = await Promise.all(
    ['red', 'blue'].map(background =>
      sharp({ create: { width: 64, height: 64, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const hub = await stubServer((response, request) => {
    const nth = /^\/piece\/(\d)$/.exec(request.url ?? '')?.[1];
    if (nth !== undefined)
      return void response.writeHead(200, { 'content-type': 'image/png' }).end(pieces[Number(nth)]);
    if (request.method !== 'POST') return json(404, {})(response, request);
    return json(200, { data: [{ url: `${hub.url}/piece/0` }, { url: `${hub.url}/piece/1` }] })(response, request);
  });
  stage.env = { SHOTLIST_BASE_URL: hub.url, SHOTLIST_API_KEY: 'k', SHOTLIST_HISTORY: 'trusted' };
  await diesAt('downloading', ...FOX, '--sync', '--out', 'fox.png');
  const { exit, stdout, stderr } = await stage.run(...FOX, '--sync', '--out', 'fox.png');
  expect([exit, stdout], stderr).toEqual([0, 'fox.png\nfox-2.png\n']);
  expect(stderr).toMatch(/^I-GEN-A: resumed, not sent twice\n/);
  for (const [index, name] of ['fox.png', 'fox-2.png'].entries())
    expect(await isPlacedFrom(stage.at(name), pieces[index]!), name).toBe(true);
  expect(hub.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

describe('where the journal cannot be', () => {
  const CHAT = ['chat', 'C-D', 'hello'] as const;

  test.each([[FOX], [CHAT]])('a file in its place: nothing is sent (%s)', async command => {
    const hub = await stubServer(json(404, {}));
    stage.env = { SHOTLIST_BASE_URL: hub.url, SHOTLIST_API_KEY: 'k' };
    stage.write('.shotlist', 'a file');
    const { exit, stderr } = await stage.run(...command);
    expect([exit, stderr.split('\n').length], stderr).toEqual([2, 2]);
    expect(stderr).toMatch(/^shotlist: .*\.shotlist.*move that away/);
    expect(hub.seen.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  test.skipIf(isMissing('the right to mount a disk')).each([[FOX], [CHAT]])(
    'a folder that is read-only: nothing is sent (%s)',
    async command => {
      const hub = await stubServer(json(404, {}));
      stage.env = { SHOTLIST_BASE_URL: hub.url, SHOTLIST_API_KEY: 'k' };
      expect(mount(stage.project, 'size=1m')).toBe(true);
      try {
        expect(remount(stage.project, 'ro')).toBe(true);
        const { exit, stderr } = await stage.run(...command);
        expect([exit, stderr.split('\n').length], stderr).toEqual([2, 2]);
        expect(stderr).toMatch(/^shotlist: .*the disk can only be read; make it writable/);
        expect(hub.seen.filter(({ method }) => method === 'POST')).toEqual([]);
      } finally {
        unmount(stage.project);
      }
    },
  );

  test('outside of any project it is in the folder one stands in', async () => {
    await served();
    mkdirSync(stage.at('anywhere'));
    await ends(stage.startFrom('anywhere', ...FOX).ended, 0);
    expect(stage.has('anywhere/.shotlist/journal.db')).toBe(true);
    expect(readFileSync(stage.at('anywhere/.shotlist/.gitignore'), 'utf8')).toBe('*\n');
  });
});

test('chat, killed before it was answered, does not ask again by itself', async () => {
  await served();
  const hello = ['chat', 'C-D', 'hello'] as const;
  await diesAt('post-sent', ...hello);
  const again = await stage.run(...hello);
  expect([again.exit, again.stdout], again.stderr).toEqual([1, '']);
  expect(again.stderr).toMatch(/^shotlist: this was asked before, and its answer never came: /);
  expect(again.stderr).toContain('`shotlist chat C-D hello --on-unknown resubmit` asks it again\n');
  const asked = await stage.run(...hello, '--on-unknown', 'resubmit');
  expect([asked.exit, asked.stdout === ''], asked.stderr).toEqual([0, false]);
  const more = await stage.run(...hello);
  expect([more.exit, more.stdout], more.stderr).toEqual([0, asked.stdout]);
});

test('a conversation that was killed while it waited for an answer says so when the next one begins', async () => {
  await served();
  const talk = () => stage.startAtTerminal('chat', 'C-D');
  const { env } = stage;
  stage.env = { ...env, SHOTLIST_FAILPOINT: 'post-sent' };
  const first = talk();
  await first.shows(/> /);
  first.type('a title for a film about a fox\r');
  await first.exit;
  stage.env = env;
  const LOST = 'a question of an earlier conversation got no answer, and may have been paid for';
  for (const isTold of [true, false]) {
    const next = talk();
    await next.shows(/> /);
    next.type('a title for a film about a fox\r');
    await next.shows(/The .*Fox/);
    next.type('/bye\r');
    await next.exit;
    expect(next.text.includes(LOST), next.text).toBe(isTold);
  }
});
