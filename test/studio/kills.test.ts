import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/text/json.ts';
import { temporaryFolder } from '../support/temp.ts';
import { KEY } from './fake-studio.ts';

/** A few for every day; `KILLS=40` for a change to the studio's queue. Hundreds more, of the whole program, are `npm run crash`. */
const KILLS = Number(process.env.KILLS ?? 12);

/** The studio's program as one file: it is started once for each kill, and two hundred files take four times as long to read. */
async function program(folder: string): Promise<string> {
  const outfile = join(folder, 'quick-studio.mjs');
  await build({
    ...{ entryPoints: [join(import.meta.dirname, 'quick-studio.ts')], outfile, bundle: true },
    ...{ platform: 'node', format: 'esm', external: ['@napi-rs/canvas', 'sharp', 'node-av'], logLevel: 'warning' },
  });
  return outfile;
}

async function start(studio: string, folder: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [studio, folder, KEY], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = await once(createInterface(child.stdout as NonNullable<ChildProcess['stdout']>), 'line');
  return { child, url };
}

const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };

/** The id, or undefined when the studio died before it said yes. */
async function enqueue(url: string, prompt: string): Promise<string | undefined> {
  try {
    const body = JSON.stringify({ model: 'I-GEN-A', prompt });
    const response = await fetch(`${url}/api/ai/queue`, { method: 'POST', headers, body });
    const { generations } = (await response.json()) as { generations: { generation_id: string }[] };
    return generations[0]?.generation_id;
  } catch {
    return undefined;
  }
}

/** 0 to 1, the same each time. */
function* seeded(seed: number): Generator<number, never> {
  for (;;) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    yield seed / 2 ** 32;
  }
}

test(`killed at ${KILLS} moments, the studio loses nothing it acknowledged and finishes each once`, async () => {
  const place = await temporaryFolder();
  const folder = join(place, 'state');
  const studio = await program(place);
  const random = seeded(11);
  const prompts = new Map<string, string>();
  let asked = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const { child, url } = await start(studio, folder);
    const exit = once(child, 'exit');
    // The moment of the kill is what this test is about: somewhere in the first requests and renders.
    setTimeout(() => child.kill('SIGKILL'), random.next().value * 40);
    for (;;) {
      const prompt = `take ${++asked}`;
      const id = await enqueue(url, prompt);
      if (id === undefined) break;
      prompts.set(id, prompt);
    }
    await exit;
  }

  const { child, url } = await start(studio, folder);
  const rows = new Map<string, JsonObject>();
  for (let page = 1, pages = 1; page <= pages; ) {
    const response = await fetch(`${url}/api/ai/generations?page_size=500&page_number=${page}`, { headers });
    const history = (await response.json()) as { total_pages: number; generations: JsonObject[] };
    const isOpen = history.generations.some(({ status }) => status === 'queued' || status === 'processing');
    // Whatever is left is rendered now; the page is read again until it is.
    if (isOpen) continue;
    for (const row of history.generations) rows.set(String(row.generation_id), row);
    pages = history.total_pages;
    page++;
  }
  expect([...rows.values()].filter(({ status }) => status !== 'succeeded')).toEqual([]);
  for (const [id, prompt] of prompts) expect([id, rows.get(id)?.prompt]).toEqual([id, prompt]);
  // Beyond what was acknowledged, at most the one request that each kill interrupted.
  expect(rows.size - prompts.size).toBeLessThanOrEqual(KILLS);
  expect(new Set([...rows.values()].map(({ prompt }) => prompt)).size).toBe(rows.size);
  for (const [id, { result_url }] of rows) {
    expect(await (await fetch(String(result_url))).text()).toBe(id.repeat(4000));
  }
  expect((await readdir(join(folder, 'results'))).sort()).toEqual([...rows.keys()].sort());
  expect(await readdir(join(folder, 'scratch'))).toEqual([]);
  child.kill('SIGKILL');
  await once(child, 'exit');
});
