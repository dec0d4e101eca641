/** A result that differs from its request is no mistake of the author's, and never refuses the film. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatPlan } from '../../src/show/plan/plan-text.ts';
import { failures, ran, rig, type StartedRun, withQuickRig } from './rig.ts';

withQuickRig();

const film = (steps: string, outputs = '') => `steps:\n${steps}${outputs === '' ? '' : `outputs:\n${outputs}`}`;
const written = ({ events }: StartedRun) =>
  events.flatMap(event => (event.type === 'output_written' ? [{ path: event.path, note: event.note }] : []));

describe('a PNG where a WebP was asked for', () => {
  const FOX = film(
    '  fox: { model: I-GEN-A, with: { prompt: a fox, output_format: webp } }\n  owl: { run: [echo, owl] }\n',
    '  fox: { from: "${{ steps.fox }}", to: out/fox.webp }\n',
  );
  const place = {
    path: 'out/fox.png',
    note: 'it holds PNG, so it ends in .png, where `to:` says out/fox.webp',
  };

  test('is placed as a PNG, and a second run is free and places the same', async () => {
    rig.facts = { kind: 'image', format: 'png' };
    const first = await ran(FOX);
    expect(written(first.film)).toEqual([place]);
    expect(existsSync(join(rig.folder, 'out/fox.webp'))).toBe(false);
    const bytes = readFileSync(join(rig.folder, 'out/fox.png'));
    const { ino } = statSync(join(rig.folder, 'out/fox.png'));
    const lock = rig.lockText;
    const second = await ran(FOX);
    expect(second.outcome).toMatchObject({ is: 'done' });
    expect(written(second.film)).toEqual([place]);
    expect(rig.service.posts).toHaveLength(1);
    expect(rig.lockText).toBe(lock);
    expect(readFileSync(join(rig.folder, 'out/fox.png'))).toEqual(bytes);
    expect(statSync(join(rig.folder, 'out/fox.png')).ino).toBe(ino);
    expect(formatPlan(second.film.plan, { width: 100 })).toContain('out/fox.png ← fox, in place of out/fox.webp');
  });

  test('an ending that the request itself rules out is still a mistake, whatever is owned', async () => {
    rig.facts = { kind: 'image', format: 'webp' };
    await ran(FOX);
    const wrong = FOX.replace('out/fox.webp', 'out/fox.png');
    await expect(rig.start(wrong)).rejects.toThrow('will hold WebP, and does not end so');
  });
});

const TOO_LONG = film(
  '  shot: { model: V-T2V-A, with: { prompt: a fox, duration: 10 } }\n  made: { model: V-RF, with: { prompt: a fox, aspect_ratio: "1:1", input_video: "${{ steps.shot.result_url }}" } }\n  owl: { run: [echo, owl] }\n',
);
const said = 'made: input_video (from shot) is 41 s long; V-RF takes at most 30 s';

test('a clip longer than was asked for fails the step that reads it, in each run alike, and keeps nothing else from being made', async () => {
  rig.facts = { kind: 'video', format: 'mp4', duration: 41 };
  expect(failures((await ran(TOO_LONG)).film)).toEqual([said]);
  const second = await ran(TOO_LONG.replace('[echo, owl]', '[echo, another]'));
  expect(failures(second.film)).toEqual([said]);
  expect(second.film.events.filter(({ type }) => type === 'succeeded')).toHaveLength(1);
  expect(second.outcome).toMatchObject({ is: 'failed' });
  expect(rig.service.posts).toHaveLength(1);
  expect(formatPlan(second.film.plan, { width: 200 })).toContain(`will fail: ${said.slice('made: '.length)}`);
});

const SAME = film(
  '  list: { run: [echo, \'["a b", "a-b"]\'] }\n  shot: { matrix: { name: "${{ steps.list.json }}" }, max: 2, model: V-T2V-A, with: { prompt: "${{ matrix.name }}" } }\n  owl: { run: [echo, owl] }\n',
  '  shot: { from: "${{ steps.shot }}", to: "out/{name}.mp4" }\n',
);

test('a list that makes two outputs one fails its step in each run alike', async () => {
  const first = await ran(SAME);
  const second = await ran(SAME.replace('[echo, owl]', '[echo, another]'));
  for (const { film: started, outcome } of [first, second]) {
    expect(outcome).toMatchObject({ is: 'failed' });
    expect(JSON.stringify(started.events)).toContain('would both be written to out/a-b.mp4');
  }
});
