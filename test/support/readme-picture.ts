/** `npm run picture`: the pictures of the README, taken of one real run of its first command: the terminal, frames, the report and what it cost; and of the review page. */

import { execFileSync, spawn as spawnProgram, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import sharp from 'sharp';
import { freeText } from '../../src/model/run/run-money.ts';
import type { RunReport } from '../../src/model/run/run-report.ts';
import { startChromium } from './browser.ts';
import { guidePages } from './guide-pages.ts';
import { FOLDER } from './pipelines.ts';
import { terminalSvg } from './terminal-picture.ts';

const SIZE = { cols: 92, rows: 18 };
const BUNDLE = resolve('dist/shotlist.cjs');
/** In the package, beside the pages that show them. */
const PICTURES = join(FOLDER, 'guide/pictures');
const { CI: _, ...env } = process.env;
/** What the picture of the terminal shows: one shot done, another on its way. */
const MOMENT = /✓ shot[\s\S]*\d\d ?%/;
/** Seconds of the film: the middle of each shot, and its title. */
const FRAMES = [1, 3, 5, 7];
const FRAME_WIDTH = 240;

const readme = readFileSync('README.md', 'utf8');
const FILM = 'pipelines/teaser.yaml';
const film = readFileSync(FILM, 'utf8');
const stage = mkdtempSync(join(tmpdir(), 'shotlist-picture-'));
try {
  // A checkout: `out/` is at its top.
  for (const folder of ['.git', dirname(FILM)]) mkdirSync(join(stage, folder));
  writeFileSync(join(stage, FILM), film);
  await runAtTerminal();
  const report: RunReport = JSON.parse(shotlist('report', FILM, '--json'));
  await takeReport();
  await takeFrames();
  await takeReview();
  writeFileSync(
    'README.md',
    readme.replace(/<!-- cost -->.*<!-- \/cost -->/s, `<!-- cost -->${costOf(report)}<!-- /cost -->`),
  );
} finally {
  rmSync(stage, { recursive: true, force: true, maxRetries: 5 });
}

/** To its end; its picture is taken on the way. */
async function runAtTerminal(): Promise<void> {
  const terminal = new xterm.Terminal({ ...SIZE, allowProposedApi: true });
  const run = spawn(process.execPath, [BUNDLE, 'run', FILM], {
    ...{ ...SIZE, cwd: stage, env: { ...env, TERM: 'xterm-256color' } },
  });
  let isTaken = false;
  terminal.write(`$ npx shotlist run ${FILM}\r\n`);
  run.onData(data =>
    terminal.write(data, () => {
      if (isTaken || !MOMENT.test(textOf(terminal))) return;
      isTaken = true;
      writeFileSync('.github/terminal.svg', terminalSvg(terminal, { title: `shotlist run ${FILM}` }));
    }),
  );
  const exit = await new Promise<number>(ended => run.onExit(({ exitCode }) => ended(exitCode)));
  if (exit !== 0 || !isTaken) throw new Error(`the run ended with ${exit}:\n${textOf(terminal)}`);
}

/** The same film with stills of it among its outputs: nothing is made again but those. */
async function takeFrames(): Promise<void> {
  const stills = FRAMES.map(
    (at, n) => `  still${n}: { from: "\${{ steps.film.frame_at('${at}s') }}", to: out/${n}.png }`,
  );
  writeFileSync(join(stage, FILM), `${film}${stills.join('\n')}\n`);
  shotlist('run', FILM, '--frozen', '--ui', 'quiet');
  const small = await Promise.all(
    FRAMES.map((_, n) =>
      sharp(join(stage, 'out', `${n}.png`))
        .resize({ width: FRAME_WIDTH })
        .toBuffer({ resolveWithObject: true }),
    ),
  );
  const height = small[0]?.info.height ?? 0;
  await sharp({ create: { width: FRAME_WIDTH * small.length, height, channels: 3, background: '#000' } })
    .composite(small.map(({ data }, n) => ({ input: data, left: n * FRAME_WIDTH, top: 0 })))
    .jpeg({ quality: 82 })
    .toFile('.github/film.jpg');
}

async function takeReport(): Promise<void> {
  shotlist('report', FILM, '--out', 'report');
  await takePage(pathToFileURL(join(stage, 'report/index.html')).href, 'report.jpg', '#cuts');
}

/** The takes of the page about choosing, small and quick, while a person is waited for. */
async function takeReview(): Promise<void> {
  const page = guidePages().find(({ path }) => path === 'guide/choosing.md');
  for (const { name, text } of page?.files ?? []) writeFileSync(join(stage, name), text);
  spawnSync(process.execPath, [BUNDLE, 'run', 'spot.yaml', '--ui', 'quiet'], { cwd: stage, env: { ...env, CI: '1' } });
  const review = spawnProgram(process.execPath, [BUNDLE, 'review', 'spot.yaml', '--no-open'], {
    ...{ cwd: stage, env, stdio: ['ignore', 'pipe', 'inherit'] },
  });
  try {
    const [printed] = await once(review.stdout ?? review, 'data');
    await takePage(String(printed).trim(), 'review.jpg');
  } finally {
    review.kill();
  }
}

/** @param first what is at the top of the picture; absent: the page's own top. */
async function takePage(address: string, name: string, first = 'body'): Promise<void> {
  await using browser = await closing(startChromium());
  const page = await browser.it.newPage({ viewport: { width: 1280, height: 860 }, colorScheme: 'dark' });
  await page.goto(address);
  await page.evaluate(`document.querySelector('${first}').scrollIntoView()`);
  await page.waitForTimeout(3_000);
  writeFileSync(join(PICTURES, name), await page.screenshot({ type: 'jpeg', quality: 78 }));
}

async function closing<T extends { close(): Promise<void> }>(opening: Promise<T>) {
  const it = await opening;
  return { it, [Symbol.asyncDispose]: () => it.close() };
}

function shotlist(...args: readonly string[]): string {
  return execFileSync(process.execPath, [BUNDLE, ...args], { cwd: stage, env, encoding: 'utf8', maxBuffer: 64 << 20 });
}

function textOf({ buffer, rows }: xterm.Terminal): string {
  const lines = Array.from(
    { length: rows },
    (_, row) => buffer.active.getLine(buffer.active.baseY + row)?.translateToString(true) ?? '',
  );
  return lines.join('\n');
}

/** ` Made in 41 s by two cores: free ($1.52 at list price). ` */
function costOf({ run, instances }: RunReport): string {
  const seconds = Math.round(((run.ended ?? run.began) - run.began) / 1000);
  const made = instances.filter(({ state }) => state === 'made').length;
  return `${made} results in ${seconds} s by the built-in studio, ${freeText(run.list_price ?? 0)}.`;
}
