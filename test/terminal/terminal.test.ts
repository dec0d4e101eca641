/** The real bytes: a process of its own tells a recording on the screen of a pseudo-terminal, and a terminal draws them. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { terminalSvg } from '../support/terminal-picture.ts';
import { crowd, failing, hostile, teaser } from '../text/recordings.ts';
import { bundleReplay } from './bundle.ts';
import { seen } from './seen.ts';
import { buffer, openTerminal, type Terminal, write } from './terminal.ts';

let folder = '';
let replay = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'shotlist-screen-'));
  replay = await bundleReplay(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['teaser', teaser, 80],
  ['teaser', teaser, 200],
  ['failing', failing, 80],
])('%s ends in the scroll-back as it was told', async (name, recording, columns) => {
  const { terminal, bytes } = await replayed(name, columns, 24);
  expect(buffer(terminal)).toBe(seen(recording, 99, columns));
  expect(isCursorShown(bytes)).toBe(true);
});

test('a crowd larger than the terminal is drawn in place: no line is left behind in the scroll-back', async () => {
  const { terminal } = await replayed('crowd', 80, 24);
  expect(buffer(terminal)).toBe(seen(crowd, 9.5, 80, 24));
});

test('hostile text neither writes the clipboard, nor clears, nor renames the terminal', async () => {
  const { terminal, bytes } = await replayed('hostile', 80, 24);
  expect(buffer(terminal)).toBe(seen(hostile, 99, 80));
  expect(bytes).not.toMatch(/\x1b\]|\x1b\[2J|\x9b|\u202e/);
});

test('without colour the screen is drawn without one', async () => {
  const { bytes } = await replayed('failing', 80, 24, { NO_COLOR: '1' });
  expect(bytes.match(/\x1b\[[\d;]+m/g)).toBe(null);
});

test('a picture of the terminal holds its words where they stand, and its colours', async () => {
  const terminal = openTerminal(24, 4);
  await write(terminal, '\r\n \x1b[36m✓\x1b[0m shot <1>\r\n   \x1b[2m東京\x1b[0m');
  expect(terminalSvg(terminal, { title: 'shotlist & co' }).split('\n').slice(3, -3)).toEqual([
    `<g font-family="ui-monospace, 'JetBrains Mono', 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#d7dce3" xml:space="preserve">`,
    '<text x="119" y="26" text-anchor="middle" font-size="13" opacity="0.6">shotlist &amp; co</text>',
    '<text x="26.4" y="66" textLength="8.4" lengthAdjust="spacingAndGlyphs" fill="#5ccfe6">✓</text>',
    '<text x="43.2" y="66" textLength="33.6" lengthAdjust="spacingAndGlyphs">shot</text>',
    '<text x="85.2" y="66" textLength="25.2" lengthAdjust="spacingAndGlyphs">&lt;1&gt;</text>',
    '<text x="43.2" y="86" textLength="33.6" lengthAdjust="spacingAndGlyphs" opacity="0.55">東京</text>',
  ]);
});

async function replayed(
  name: string,
  columns: number,
  rows: number,
  env: Readonly<Record<string, string>> = {},
): Promise<{ terminal: Terminal; bytes: string }> {
  const terminal = openTerminal(columns, rows);
  const { NO_COLOR: _, ...inherited } = process.env;
  const pty = spawn(process.execPath, [replay, name], {
    cols: columns,
    rows,
    env: { ...inherited, TERM: 'xterm-256color', ...env },
  });
  let bytes = '';
  pty.onData(data => {
    bytes += data;
  });
  const { exitCode } = await new Promise<{ exitCode: number }>(resolve => pty.onExit(resolve));
  expect(exitCode, bytes).toBe(0);
  await write(terminal, bytes);
  return { terminal, bytes };
}

const isCursorShown = (bytes: string): boolean => bytes.lastIndexOf('\x1b[?25h') > bytes.lastIndexOf('\x1b[?25l');
