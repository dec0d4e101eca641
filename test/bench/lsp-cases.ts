/** What an author waits for while typing: from a key to the mistakes, and to what is offered, in a file of a thousand steps. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { longFile } from './films.ts';
import type { Bench, Case, Measured } from './measure.ts';

export const lspCases: readonly Case[] = [
  { name: 'lsp: a key in a file of 1,000 steps', isFigure: true, measure: typing },
];

async function typing({ shotlist, scratch, quick }: Bench): Promise<readonly Measured[]> {
  const child = spawn(process.execPath, [shotlist, 'tools', 'lsp', '--stdio'], { cwd: scratch });
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  let heard: ((version: number) => void) | undefined;
  connection.onNotification('textDocument/publishDiagnostics', ({ version }) => heard?.(version));
  connection.listen();
  try {
    await connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
    await connection.sendNotification('initialized', {});
    const uri = pathToFileURL(`${scratch}/typed.yaml`).href;
    const text = longFile(1_000);
    const told = (version: number) => new Promise<void>(resolve => (heard = found => found === version && resolve()));
    const opened = told(1);
    await connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version: 1, text },
    });
    await opened;
    const line = text.slice(0, text.indexOf('steps.shot_300.')).split('\n').length - 1;
    const character = text.split('\n')[line]!.indexOf('result_url');
    const range = { start: { line, character }, end: { line, character } };
    const times = { mistakes: [] as number[], offered: [] as number[] };
    for (let turn = 0; turn < (quick ? 5 : 25); turn++) {
      const version = turn * 2 + 2;
      // One letter in the middle of a name, and out again.
      const written = { ...range, end: range.start };
      const contentChanges =
        turn % 2 === 0
          ? [{ range: written, text: 'x' }]
          : [{ range: { start: range.start, end: { line, character: character + 1 } }, text: '' }];
      const began = performance.now();
      const found = told(version);
      await connection.sendNotification('textDocument/didChange', { textDocument: { uri, version }, contentChanges });
      await found;
      times.mistakes.push(performance.now() - began);
      const asked = performance.now();
      await connection.sendRequest('textDocument/completion', { textDocument: { uri }, position: range.start });
      times.offered.push(performance.now() - asked);
    }
    return [
      { name: 'lsp: mistakes after a key, 1,000 steps', ours: times.mistakes, unit: 'ms', aim: 100 },
      { name: 'lsp: completion, 1,000 steps', ours: times.offered, unit: 'ms', aim: 100 },
    ];
  } finally {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
    connection.dispose();
  }
}
