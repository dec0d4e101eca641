/** A small picture is shown where the terminal says that it can, and nowhere else. */
import { expect, test } from 'vitest';
import { pictureProtocol } from '../../src/cli/terminal/picture-protocol.ts';
import { pictureText } from '../../src/ui/pictures.ts';

test.each([
  [{ TERM: 'xterm-kitty' }, 'kitty'],
  [{ TERM: 'xterm-ghostty' }, 'kitty'],
  [{ TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app' }, 'iterm2'],
  [{ TERM: 'xterm-256color', TERM_PROGRAM: 'WezTerm' }, 'iterm2'],
  [{ TERM: 'xterm-256color' }, undefined],
  [{ TERM: 'xterm-256color', TERM_PROGRAM: 'Apple_Terminal' }, undefined],
  [{ TERM: 'tmux-256color', KITTY_WINDOW_ID: '1' }, undefined],
  [{ TERM: 'xterm-kitty', TMUX: '/tmp/tmux' }, undefined],
  [{ TERM: 'xterm-kitty', STY: '1.pts' }, undefined],
  [{}, undefined],
])('%j shows %s', (environment, protocol) => {
  expect(pictureProtocol(environment)).toBe(protocol);
});

test('kitty is given chunks of at most 4,096 characters, which are the picture', () => {
  const png = Uint8Array.from({ length: 10_000 }, (_, n) => n % 251);
  const text = pictureText('kitty', png);
  const parts = [...text.matchAll(/\x1b_G([^;]*);([^\x1b]*)\x1b\\/g)];
  expect(parts.map(([, head]) => head)).toEqual(['a=T,f=100,r=9,q=2,m=1', 'm=1', 'm=1', 'm=0']);
  expect(Buffer.from(parts.map(([, , data]) => data).join(''), 'base64')).toEqual(Buffer.from(png));
  expect(Math.max(...parts.map(([, , data]) => data!.length))).toBeLessThanOrEqual(4096);
});

test('iTerm2 is given the whole of it', () => {
  expect(pictureText('iterm2', Uint8Array.of(1, 2, 3))).toBe(
    '\n  \x1b]1337;File=inline=1;size=3;height=9;preserveAspectRatio=1:AQID\x07\n',
  );
});
