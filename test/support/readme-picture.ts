/** `npm run picture`: the README's picture of the terminal, taken of a real run in a real pseudo-terminal. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { copyPipelines } from './pipelines.ts';
import { terminalSvg } from './terminal-picture.ts';

const SIZE = { cols: 92, rows: 18 };
const BUNDLE = resolve('dist/shotlist.cjs');
/** What the picture shows: one framing done, the other on its way. */
const MOMENT = /✓ alive\[ratio=16:9\][\s\S]*final\[ratio=16:9\].*\d\d%/;

const stage = mkdtempSync(join(tmpdir(), 'shotlist-picture-'));
copyPipelines(stage);
const terminal = new xterm.Terminal({ ...SIZE, allowProposedApi: true });
const { CI: _, ...env } = process.env;
const run = spawn(process.execPath, [BUNDLE, 'run', 'pipelines/image-to-video.yaml'], {
  ...SIZE,
  cwd: stage,
  env: { ...env, TERM: 'xterm-256color' },
});
terminal.write('$ npx shotlist run pipelines/image-to-video.yaml\r\n');
run.onData(data =>
  terminal.write(data, () => {
    if (!MOMENT.test(textOf(terminal))) return;
    writeFileSync(
      '.github/terminal.svg',
      terminalSvg(terminal, { title: 'shotlist run pipelines/image-to-video.yaml' }),
    );
    run.kill('SIGKILL');
  }),
);
run.onExit(() => rmSync(stage, { recursive: true, force: true, maxRetries: 5 }));

function textOf({ buffer, rows }: xterm.Terminal): string {
  const lines = Array.from(
    { length: rows },
    (_, row) => buffer.active.getLine(buffer.active.baseY + row)?.translateToString(true) ?? '',
  );
  return lines.join('\n');
}
