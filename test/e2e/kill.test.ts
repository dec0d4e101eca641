/**
 * Nothing is paid for twice and nothing is lost: whoever is killed, whenever. The moments are seeded, so that a failure can
 * be seen again; what is counted is what the studio was really given.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { probe } from '../../src/media/probe.ts';
import { type Ended, Stage, type StudioProcess, seeded } from './stage.ts';

const KILLS = 100;
const INSTANCES = 4;

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.strike());

async function submits(studio: StudioProcess): Promise<number> {
  const answer = await fetch(`${studio.url}/api/ai/generations`, {
    headers: { authorization: `Bearer ${studio.key}` },
  });
  return ((await answer.json()) as { total_entries: number }).total_entries;
}

/** `shotlist run` until it ends by itself; `before` may kill something meanwhile. */
const film = (number: number) => [
  'run',
  'pipelines/teaser.yaml',
  '--param',
  `idea=fox number ${number}`,
  '--ui',
  'plain',
];

async function expectFilm(): Promise<void> {
  const path = join(stage.project, 'out', 'teaser.mp4');
  expect(existsSync(path)).toBe(true);
  expect(await probe(path)).toMatchObject({
    kind: 'video',
    video_codec: 'h264',
    audio_codec: 'aac',
    duration: expect.closeTo(6, 1),
  });
}

test(`the runner is killed at ${KILLS} moments: every film is finished, each instance was submitted once`, {
  timeout: 900_000,
}, async () => {
  const random = seeded(20_261_121);
  const studio = await stage.studio();
  stage.env = { SHOTLIST_BASE_URL: studio.url, SHOTLIST_API_KEY: studio.key };
  let kills = 0;
  let films = 0;
  while (kills < KILLS) {
    films += 1;
    for (;;) {
      const runner = stage.start(...film(films));
      const moment = setTimeout(() => runner.kill(), kills < KILLS ? 40 + random() * 1_100 : 2 ** 30);
      const ended: Ended = await runner.ended;
      clearTimeout(moment);
      if (ended.signal === 'SIGKILL') {
        kills += 1;
        continue;
      }
      expect(ended.exit, ended.stderr).toBe(0);
      break;
    }
    await expectFilm();
  }
  expect(await submits(studio)).toBe(films * INSTANCES);
});

test(`the studio is killed at ${KILLS} moments: the runner waits, every film is finished, each instance was taken once`, {
  timeout: 900_000,
}, async () => {
  const random = seeded(1);
  let studio = await stage.studio();
  const port = Number(new URL(studio.url).port);
  stage.env = { SHOTLIST_BASE_URL: studio.url, SHOTLIST_API_KEY: studio.key };
  let kills = 0;
  let films = 0;
  while (kills < KILLS) {
    films += 1;
    const runner = stage.start(...film(films));
    let running = true;
    const ended = runner.ended.then(end => {
      running = false;
      return end;
    });
    while (running && kills < KILLS) {
      const moment = new Promise(resolve => setTimeout(resolve, 100 + random() * 1_500));
      await Promise.race([moment, ended]);
      if (!running) break;
      studio.process.kill();
      await studio.process.ended;
      kills += 1;
      studio = await stage.studio('studio', port);
    }
    const end = await ended;
    expect(end.exit, end.stderr).toBe(0);
    await expectFilm();
  }
  expect(await submits(studio)).toBe(films * INSTANCES);
});
