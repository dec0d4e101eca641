/** Secrets are found wherever a service or a command writes them. */
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { CommandRunner } from '../../src/machine/process/command-runner.ts';
import { BoundedOutput } from '../../src/machine/process/output-lines.ts';
import { Redactor, Secret } from '../../src/machine/redactor.ts';
import type { GenerationId } from '../../src/model/run/key.ts';
import { hideSecrets } from '../../src/run/hide-secrets.ts';
import { key } from '../text/recordings.ts';

const KEY = 'sk-live/7+"A\\b=';
const secrets = new Redactor([
  ['(key)', KEY],
  ['$SPACED', 'a spaced secret!'],
  ['$CDN_TOKEN', 'tok_1234'],
  ['$CDN_TOKEN_OLD', 'tok_1234_old'],
  ['$PEM', '-----BEGIN-----\nMIIEvQIBADANBgkqhkiG9w0B\n-----END-----\n'],
  ['SHORT', 'abc'],
  ['FLAG', 'true'],
  ['PORT', '8080'],
  ['UNSET', ''],
]);

test.each([
  ['as it is', `no ${KEY} here`, 'no (key) here'],
  ['twice', `${KEY}${KEY}`, '(key)(key)'],
  ['in JSON', JSON.stringify({ echoed: KEY }), '{"echoed":"(key)"}'],
  ['in an address', `https://host/?k=${encodeURIComponent(KEY)}`, 'https://host/?k=(key)'],
  ['in a header', `Basic ${Buffer.from(KEY).toString('base64')}`, 'Basic (key)'],
  ['in an address with small letters', 'https://host/?k=sk-live%2f7%2b%22A%5cb%3d', 'https://host/?k=(key)'],
  ['in a form', 'k=a+spaced+secret%21&b=1', 'k=$SPACED&b=1'],
  ['the longer of two that begin alike', 'tok_1234_old tok_1234', '$CDN_TOKEN_OLD $CDN_TOKEN'],
  ['a line of several', 'it said: MIIEvQIBADANBgkqhkiG9w0B.', 'it said: $PEM.'],
  ['not what is too short or too plain to be one', 'abc true 8080 null', 'abc true 8080 null'],
])('a secret is hidden: %s', (_, text, shown) => {
  expect(secrets.redact(text)).toBe(shown);
});

test.each(['', 'm', 'me', 'me:', 'user:'])("a secret is hidden in a header behind a user's name: %j", user => {
  for (const value of ['tok_1234_old', 'a spaced secret!']) {
    const header = secrets.redact(`Basic ${Buffer.from(user + value).toString('base64')}`);
    expect(header).toMatch(/\$(CDN_TOKEN_OLD|SPACED)/);
    // What is left of it are the letters that hold a part of the user's name, and a last half letter.
    expect(header.replace(/\$\w+?(OLD|SPACED)/, '').length).toBeLessThan('Basic '.length + 12 + (4 * user.length) / 3);
  }
});

test('in a value its texts are hidden, and its shape stays', () => {
  expect(secrets.redactIn({ a: [`x${KEY}`, 1, null], tok_1234: { b: true } })).toEqual({
    ...{ a: ['x(key)', 1, null], tok_1234: { b: true } },
  });
});

test('neither is shown by being looked at', () => {
  for (const one of [secrets, new Secret(KEY)])
    for (const text of [inspect(one, { showHidden: true, depth: 9 }), JSON.stringify(one), String(one)])
      expect(text).not.toContain('sk-live');
});

test('an event tells its words without them; requests, keys and results are not words', () => {
  const failure = {
    code: 'generation_failed',
    generation_id: 'tok_1234' as GenerationId,
    message: `bad ${KEY}`,
  } as const;
  expect(hideSecrets({ type: 'failed', key: key('tok_1234'), failure }, secrets, undefined)).toEqual({
    type: 'failed',
    key: 'tok_1234',
    failure: { code: 'generation_failed', generation_id: 'tok_1234', message: 'bad (key)' },
  });
  expect(
    hideSecrets({ type: 'service_changed', reachable: false, reason: `it said ${KEY}` }, secrets, undefined),
  ).toEqual({
    ...{ type: 'service_changed', reachable: false, reason: 'it said (key)' },
  });
});

test.each(['first', 'last'] as const)('a secret that the limit cuts in two is not kept by half (%s)', keep => {
  // The secret is tried at every place of a stream that is longer than the limit.
  for (let before = 0; before < 60; before += 1) {
    const capture = new BoundedOutput(30, keep, secrets);
    const text = `${'.'.repeat(before)}tok_1234_old${'.'.repeat(60 - before)}`;
    for (let at = 0; at < text.length; at += 5) capture.push(Buffer.from(text.slice(at, at + 5)));
    expect(capture.text()).toMatch(/^[.$]*[CDN_TOKENOLD$]*\.*$/);
    expect(capture.text()).not.toMatch(/tok|ok_|k_1|_12|123|234|34_|4_o|old/);
    expect(capture.text().length).toBeLessThanOrEqual(30);
    expect(capture.truncated).toBe(true);
  }
});

test('what a command says is kept without them, on both streams', async () => {
  const runner = new CommandRunner({ environment: { PATH: process.env.PATH }, secrets });
  const done = await runner.run(
    { script: 'echo "{\\"token\\": \\"$token\\"}"; echo "$token" >&2', shell: 'sh' },
    { cwd: '/', env: { token: 'tok_1234' }, signal: new AbortController().signal },
  );
  await runner.close();
  expect(done).toMatchObject({ stdout: '{"token": "$CDN_TOKEN"}\n', stderr: '$CDN_TOKEN\n' });
});
