import { expect, test } from 'vitest';
import { parseBaseUrl } from '../../src/client/base-url.ts';
import { connect } from '../../src/client/connect.ts';
import { FakeClock } from '../support/fake-clock.ts';

test('a base address is read as people write it', () => {
  const read = (text: string) => {
    const { origin, prefix } = parseBaseUrl(text);
    return origin + prefix;
  };
  expect(
    [
      ' https://Hub.Example/ ',
      'https://hub.example:443/a/b//',
      'http://localhost:4000',
      'http://127.1:80/',
      'http://[::1]:9/x',
    ].map(read),
  ).toEqual([
    'https://hub.example',
    'https://hub.example/a/b',
    'http://localhost:4000',
    'http://127.0.0.1',
    'http://[::1]:9/x',
  ]);
});

test('an address that cannot be used is explained', () => {
  const say = (baseUrl: string, key = 'k') => {
    try {
      connect({ name: 'hub', baseUrl, key, clock: new FakeClock() });
    } catch (error) {
      return String(error);
    }
    return undefined;
  };
  const how = '; write it as https://host or https://host/path';
  expect(
    [
      'hub.example',
      'ftp://hub.example',
      'http://hub.example',
      'https://hub.example/?a=1',
      'https://me:pw@hub.example',
    ].map(url => say(url)),
  ).toEqual([
    `SettingError: the base address \`hub.example\` is no web address${how}`,
    `SettingError: the base address \`ftp://hub.example\` is no web address${how}`,
    `SettingError: the base address \`http://hub.example\` would send the key unencrypted (http is for a service on this machine only)${how}`,
    `SettingError: the base address \`https://hub.example/?a=1\` holds a \`?\` or a \`#\`${how}`,
    `SettingError: the base address holds a user name or a password${how}`,
  ]);
  expect(say('https://hub.example', 'two words\n')).toBe(
    'SettingError: the key holds a blank or a character that no header can carry; copy it again',
  );
});
