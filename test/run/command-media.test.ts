/** Images, films and sounds that a command makes are media like any other: typed, measured, checked against a model before it is paid. */
import { existsSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { localFilesInPipeline, localFilesInPlan } from '../../src/plan/media/local-file-check.ts';
import { failuresWithCode, ran, rig, withQuickRig } from './rig.ts';

withQuickRig();

const DRAWN = (read: string) => `
steps:
  draw: { run: 'echo a fox >still.png', creates: { still: still.png } }
  shot: { model: V-I2V-A, with: { input_image: "\${{ ${read} }}", prompt: it walks } }
`;

describe('an image that a command makes', () => {
  beforeEach(() => {
    rig.facts = { kind: 'image', format: 'png', width: 1280, height: 720 };
  });

  test.each(['steps.draw.files.still', 'steps.draw.files.still.file', 'steps.draw.files.still.result_url'])(
    'is sent as a file of this machine, whichever way it is named: %s',
    async read => {
      const { outcome } = await ran(DRAWN(read));
      expect(outcome.is).toBe('done');
      const [post] = rig.service.posts;
      expect(post?.input_image).toMatch(/^file:\/\/.*\.png$/);
      expect(existsSync(new URL(String(post?.input_image)))).toBe(true);
    },
  );

  test('is the same request in each of these ways, and is not paid for again', async () => {
    await ran(DRAWN('steps.draw.files.still.file'));
    await ran(DRAWN('steps.draw.files.still'));
    await ran(DRAWN('steps.draw.files.still.result_url'));
    expect(rig.service.posts).toHaveLength(1);
  });

  test('is refused where a film is wanted, before anything is paid', async () => {
    rig.facts = { kind: 'video', format: 'mp4', duration: 5 };
    const text = DRAWN('steps.draw.files.still')
      .replace('echo a fox >still.png', 'echo a fox >still.bin')
      .replace('still: still.png', 'still: still.bin');
    const { film } = await ran(text);
    expect(failuresWithCode(film)).toEqual([
      'shot: request_invalid: input_image (from draw) is a video; V-I2V-A takes an image there',
    ]);
    expect(rig.service.posts).toEqual([]);
  });

  test('that is none has failed with its command', async () => {
    rig.facts = { kind: 'video', duration: 5 };
    const { film } = await ran(DRAWN('steps.draw.files.still'));
    expect(failuresWithCode(film)).toEqual([
      'draw: command_failed: the command promised `still`, but `still.png` is no picture but a film. Have the command write what the name says, or give it the name of what it is',
    ]);
  });
});

test('a list of files is an axis: one request for each, by its name, and by its content', async () => {
  const text = `
steps:
  parts: { run: 'for n in 1 2 10; do echo "part $n" >part_$n.mp4; done', creates: { clips: "part_*.mp4" } }
  framed:
    matrix: { clip: "\${{ steps.parts.files.clips }}" }
    max: 40
    key: \${{ matrix.clip.name }}
    model: V-RF
    with: { input_video: "\${{ matrix.clip.file }}", aspect_ratio: "9:16", prompt: snow }
`;
  rig.facts = { kind: 'video', format: 'mp4', duration: 12 };
  const { film, outcome } = await ran(text);
  expect(failuresWithCode(film)).toEqual([]);
  expect(outcome.is).toBe('done');
  expect([...film.plan.instances.of('framed' as never)].map(({ key }) => key)).toEqual([
    'framed[clip=part_1.mp4]',
    'framed[clip=part_2.mp4]',
    'framed[clip=part_10.mp4]',
  ]);
  expect(rig.service.posts).toHaveLength(3);
  for (const { input_video } of rig.service.posts) expect(existsSync(new URL(String(input_video)))).toBe(true);
  // Where the store lies is no part of a request: moved elsewhere, nothing is asked for again.
  const again = await ran(text);
  expect(again.outcome.counts).toMatchObject({ reused: 4, succeeded: 0 });
  rig.facts = { kind: 'video', format: 'mp4', duration: 90 };
  const long = await ran(text.replace('part $n', 'long $n'));
  expect(failuresWithCode(long.film)).toHaveLength(3);
  expect(failuresWithCode(long.film)[0]).toContain('is 90 s long; V-RF takes at most 30 s');
});

describe('a service on another machine', () => {
  test.each(['steps.draw.files.still', 'steps.draw.files.still.file', 'steps.draw.files.still.result_url'])(
    'cannot read what a command makes here, and that is told before anything is paid: %s',
    async read => {
      const { plan } = await rig.start(DRAWN(read));
      for (const diagnostics of [localFilesInPipeline(plan.pipeline, modelLibrary, 'house'), localFilesInPlan(plan)])
        expect(diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([
          'file-out-of-reach: input_image of `shot` reads a path of this machine from `draw`, and house is on another; what this machine makes stays here; have it published (add `publish: { s3: { bucket: NAME } }` or `publish: { command: [./publish.sh] }` to shotlist.config.yaml), or put it where it can be read, and write its https:// address',
        ]);
      rig.facts = { kind: 'image', format: 'png', width: 1280, height: 720 };
      rig.settings = { elsewhere: true };
      const { film } = await ran(DRAWN(read));
      expect(failuresWithCode(film)[0]).toMatch(
        /^shot: request_invalid: input_image is a file of this machine \(file:.*\), which house cannot reach; put it where it has an https:\/\/ address, and name that, or set `publish`$/,
      );
      expect(rig.service.posts).toEqual([]);
    },
  );
});
