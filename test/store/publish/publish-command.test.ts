/** A command that publishes: what it prints is looked at before a service is given it. */
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CommandRunner } from '../../../src/machine/process/command-runner.ts';
import { systemClock } from '../../../src/machine/time/clock.ts';
import { PublishCommand } from '../../../src/records/store/publish/publish-command.ts';
import { Publishing } from '../../../src/records/store/publish/publishing.ts';
import { temporaryFolder } from '../../support/temp.ts';

const HOUR = 3_600_000;

/** A server with a fox of five bytes, and other things. */
async function server(): Promise<string> {
  const files = createServer(({ url: asked = '' }, response) => {
    const [url] = asked.split('?');
    if (url === '/fox') response.end('a fox');
    else if (url === '/moved') response.writeHead(302, { location: '/fox' }).end();
    else if (url === '/astray') response.writeHead(302, { location: 'http://films.example/fox' }).end();
    else if (url === '/login') response.end('please sign in');
    else if (url === '/page') response.writeHead(200, { 'content-type': 'text/html' }).end('please sign in');
    else response.writeHead(403).end();
  });
  await new Promise<void>(listening => files.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    files.closeAllConnections();
    files.close();
  });
  return `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
}

async function publishing(script: string, clock = systemClock) {
  const cwd = await temporaryFolder();
  const path = join(cwd, 'fox.png');
  await writeFile(path, 'a fox');
  await writeFile(join(cwd, 'publish.sh'), `echo "$1" >>asked\n${script}\n`);
  const commands = new CommandRunner({ environment: { PATH: process.env.PATH } });
  const way = new PublishCommand({
    ...{ command: ['sh', 'publish.sh'], cwd, expires: HOUR, clock, commands },
    env: { AT: await server() },
  });
  const publishes = new Publishing(way, clock);
  onTestFinished(async () => {
    await publishes.close();
    await commands.close();
  });
  const content = { sha256: 'aa', extension: '.png', path };
  return () => publishes.publish(content, () => {}, new AbortController().signal);
}

test.each(['/fox', '/moved'])('its address is taken: %s', async path => {
  const publish = await publishing(`echo on the way >&2; echo "$AT${path}"`);
  expect(await publish()).toEqual({ is: 'ok', url: expect.stringMatching(`${path}$`) });
});

test.each([
  ['exit 3', 'it failed with exit code 3'],
  ['echo no such bucket >&2; exit 1', 'it failed with exit code 1: no such bucket'],
  ['true', 'it printed no address on its standard output; print it, and nothing else'],
  ['echo uploading; echo "$AT/fox"', 'it printed 2 lines on its standard output'],
  ['echo "$AT/gone"', 'the address that it printed answers 403'],
  ['echo "$AT/login"', 'the address that it printed leads to 14 bytes, and the file has 5'],
  ['echo "$AT/page"', 'the address that it printed leads to a page, not to the file'],
  [
    'echo "$AT/astray"',
    'it printed an address with http://, which anybody on the way could read; print one with https://',
  ],
  ['echo /srv/fox.png', 'it printed `/srv/fox.png`, which is no address; print one that begins with https://'],
  ["printf '%s' 'C:\\fox.png'", 'it printed `C:\\fox.png`, which is no address; print one that begins with https://'],
  ["echo 'javascript:alert(1)'", 'it printed an address with `javascript:`; a service reads https:// alone'],
  ['echo file:///srv/fox.png', 'it printed an address with `file:`; a service reads https:// alone'],
  ['echo http://films.example/fox.png', 'it printed an address with http://, which anybody on the way could read'],
  [
    'echo https://me:hush@films.example/fox.png',
    'it printed an address that holds a name and a password, which services refuse; sign it instead',
  ],
  [
    'echo http://127.0.0.1:9/fox',
    'the address that it printed cannot be reached (nothing answers there (connection refused))',
  ],
])('what is wrong is told: %s', async (script, words) => {
  const outcome = await (await publishing(script))();
  expect(outcome).toEqual({ is: 'failed', message: expect.stringContaining(`sh publish.sh: ${words}`) });
});

test('it is asked once, and again when half of the time of its address is over', async () => {
  let ahead = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + ahead, sleep: systemClock.sleep.bind(systemClock) };
  const publish = await publishing('echo "$AT/fox?asked=$(wc -l <asked | tr -d " ")"', clock);
  const timesAsked = async () => {
    const outcome = await publish();
    return outcome.is === 'ok' && new URL(outcome.url).searchParams.get('asked');
  };
  expect(await Promise.all([timesAsked(), timesAsked()])).toEqual(['1', '1']);
  ahead = 0.4 * HOUR;
  expect(await timesAsked()).toBe('1');
  ahead = 0.6 * HOUR;
  expect(await timesAsked()).toBe('2');
});
