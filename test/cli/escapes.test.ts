/** Two hundred texts that a terminal would obey, at every place where a text leaves: nothing of them is ever obeyed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { wordWrap } from '../../src/cli/commands/chat.ts';
import { bugReport } from '../../src/cli/errors/bug-report.ts';
import { modelList } from '../../src/cli/models/model-catalog.ts';
import { modelPage } from '../../src/cli/models/model-page.ts';
import { jsonText } from '../../src/cli/outlets.ts';
import { compile } from '../../src/language/compile.ts';
import { formatDiagnostics } from '../../src/language/yaml/excerpt.ts';
import {
  asTyped,
  cleanText,
  messageInALine,
  messageText,
  safeLines,
  safePainted,
  safeUnpainted,
} from '../../src/model/text/clean.ts';
import { formatPlan, planJson } from '../../src/show/plan/plan-text.ts';
import { jsonLine } from '../../src/show/reporters/json-lines.ts';
import { plainReporter } from '../../src/show/reporters/plain.ts';
import { quietReporter } from '../../src/show/reporters/quiet.ts';
import { startScreen } from '../../src/show/terminal/screen.tsx';
import { planned as planOf } from '../plan/support.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { story } from '../support/hostile-run.ts';
import { OBEYED, PAYLOADS } from '../support/payloads.ts';
import { buffer, openTerminal, terminalOf, write } from '../terminal/terminal.ts';
import { START } from '../text/recordings.ts';
import { modelWith, wrongFile } from './hostile-inputs.ts';

const told = (reporter: typeof plainReporter, payload: string): string => {
  const lines: string[] = [];
  const told = reporter(line => lines.push(line));
  for (const event of story(payload)) told.report(event);
  // A sink is given lines: what stands in one stays in one.
  for (const line of lines) expect(line).not.toMatch(/[\n\t]/);
  return lines.join('\n');
};

const film = (payload: string): string => `shotlist: 1
name: ${JSON.stringify(`film${payload}`)}
description: ${JSON.stringify(payload)}
params:
  who: { type: string, default: ${JSON.stringify(payload)} }
steps:
  shot:
    model: V-T2V-A
    matrix: { mood: [${JSON.stringify(payload)}] }
    with: { prompt: "\${{ params.who }}", negative_prompt: ${JSON.stringify(payload)} }
  copied:
    run: [echo, ${JSON.stringify(payload)}, "\${{ params.who }}"]
    env: { who: "\${{ params.who }}" }
`;

const SINKS: readonly (readonly [string, (payload: string) => string])[] = [
  ['one line', cleanText],
  ['what a service says', messageText],
  ['what it says, in a line', messageInALine],
  ['lines', safeLines],
  ['unpainted lines', safeUnpainted],
  ['painted lines', payload => safePainted(payload).replaceAll(/\x1b\[[\d;]*m/g, '')],
  ['plain', payload => told(plainReporter, payload)],
  ['quiet', payload => told(quietReporter, payload)],
  ['a command to type', payload => asTyped(`x${payload}`)],
  [
    'plain, with the command that was typed',
    payload => told(write => plainReporter(write, { command: ['shotlist', payload].map(asTyped).join(' ') }), payload),
  ],
  ['plan text', payload => formatPlan(planOf(film(payload), { service: cleanText(payload) }).plan!, { width: 100 })],
  [
    'plan text in colour',
    payload => withoutOurs(formatPlan(planOf(film(payload)).plan!, { width: 60, color: true, all: true })),
  ],
  ['mistakes in a file', payload => mistakes(payload, false)],
  ['mistakes in a file, in colour', payload => withoutOurs(mistakes(payload, true))],
  ['the list of models', payload => modelList([modelWith(payload)], 100)],
  ['one model', payload => modelPage(modelWith(payload), 100)],
  ['chat at a terminal', payload => inPieces(payload)],
  ['a bug', payload => safeLines(bugReport(new Error(payload), payload, { KEY: payload }).join('\n'))],
];

function mistakes(payload: string, color: boolean): string {
  const { diagnostics } = compile({ path: `film${payload}.yaml`, text: wrongFile(payload) }, modelLibrary);
  expect(diagnostics.length).toBeGreaterThan(0);
  return formatDiagnostics(diagnostics, { color });
}

/** However it is cut up on its way. */
function inPieces(payload: string): string {
  const wrap = wordWrap(() => 20);
  return [...[...payload].map(piece => wrap(safeLines(piece))), wrap(safeLines(`${payload}\n`))].join('');
}

/** Our own colours: bold, faint, red, yellow, green, cyan, and back. */
const withoutOurs = (text: string): string => text.replaceAll(/\x1b\[(0|1|2|22|31|32|33|36|39)m/g, '');

test('there are two hundred and more of them, all different', () => {
  expect(new Set(PAYLOADS).size).toBe(PAYLOADS.length);
  expect(PAYLOADS.length).toBeGreaterThanOrEqual(200);
});

describe.each(SINKS)('%s', (_, sink) => {
  test('shows none of what a terminal would obey, and keeps the words around it', () => {
    for (const payload of PAYLOADS) {
      const text = sink(payload);
      expect(OBEYED.exec(text)?.[0], JSON.stringify([payload, text])).toBe(undefined);
    }
  });
});

const FOREIGN = /(\x1b\[|\x9b)35;7m/;

test('a foreign colour is taken out of what we paint', () => {
  for (const payload of ['a\x1b[35;7mb', 'a\x9b35;7mb']) {
    expect(formatPlan(planOf(film(payload)).plan!, { width: 100, color: true })).not.toMatch(FOREIGN);
    expect(mistakes(payload, true)).not.toMatch(FOREIGN);
  }
});

test('the screen draws for each of them what it draws for the text without it', async () => {
  const draw = async (payload: string, typed = payload): Promise<string> => {
    const clock = new FakeClock(START);
    const stdout = Object.assign(new PassThrough(), { columns: 100, rows: 40, isTTY: true });
    let bytes = '';
    stdout.on('data', data => {
      bytes += data;
    });
    const screen = startScreen({ terminal: terminalOf(stdout), clock, color: true });
    for (const event of story(payload, typed)) {
      await clock.advance(event.at - clock.now());
      screen.report(event);
    }
    await screen.close();
    return bytes;
  };
  const terminal = openTerminal(100, 40);
  terminal.options.scrollback = 20_000;
  const obeyed: string[] = [];
  for (const code of [0, 1, 2, 4, 7, 8, 9, 10, 50, 52, 133, 633, 777, 1337])
    terminal.parser.registerOscHandler(code, data => obeyed.push(`${code};${data}`) > 0);
  terminal.onBell(() => obeyed.push('bell'));
  terminal.onData(reply => obeyed.push(`reply ${JSON.stringify(reply)}`));
  terminal.onTitleChange(title => obeyed.push(`title ${title}`));
  for (const payload of PAYLOADS) {
    const bytes = await draw(payload);
    expect(bytes, JSON.stringify(payload)).toBe(
      await draw(cleanText(payload), safeLines(payload).replace(/[\n\t]/g, ' ')),
    );
    // What a terminal's driver makes of a line end.
    await write(terminal, bytes.replaceAll('\n', '\r\n'));
  }
  expect(obeyed).toEqual([]);
  expect(buffer(terminal)).toContain('✗ shot[a=w0z0]');
});

describe('JSON', () => {
  test.each(PAYLOADS.map((payload, n) => [n, payload]))('payload %i reads back as it was', (_, payload) => {
    for (const event of story(payload)) {
      const line = jsonLine(event, () => undefined);
      expect(line).not.toMatch(OBEYED);
      expect(line).not.toMatch(/[\n\t]/);
      const { v: _v, ...read } = JSON.parse(line);
      expect(read).toEqual(event);
    }
    for (const value of [planJson(planOf(film(payload)).plan!), modelWith(payload)]) {
      const text = jsonText(value);
      expect(text).not.toMatch(OBEYED);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      // Nothing is left for the last door, which would change what a program reads.
      expect(safeLines(text)).toBe(text);
    }
  });
});

test('a command to type is read by a shell as it was meant', async () => {
  const words = PAYLOADS.filter(payload => !payload.includes('\0') && payload.isWellFormed());
  const shell = spawn('bash', ['-c', `printf '%s\\0' ${words.map(asTyped).join(' ')}`]);
  let bytes = Buffer.alloc(0);
  shell.stdout.on('data', data => {
    bytes = Buffer.concat([bytes, data]);
  });
  await once(shell, 'close');
  expect(bytes.toString().split('\0').slice(0, -1)).toEqual(words);
});

test('a page shows the words of a painted output, and nothing of its paint', () => {
  expect(safeUnpainted('\x1b[1;31mred\x1b[0m and\n\tplain [31m')).toBe('red and\n\tplain [31m');
});
