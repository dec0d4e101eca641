/** The endpoints from the command line: one request without a file, deployments, fine-tunes; against the built-in studio and a served one. */
import { existsSync, readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/machine/time/clock.ts';
import { probe } from '../../src/media/probe.ts';
import { WEBP } from '../studio/fake-studio.ts';
import { type ReadyStudio, type ReadyStudioOptions, readyStudio, untilCancelled } from '../support/ready-studio.ts';
import { ends } from './ended.ts';
import { Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(async () => {
  stage.dispose();
  await served?.close();
  served = undefined;
});

/** Commands ask this studio from here on, which draws nothing. */
let served: ReadyStudio | undefined;
async function serve(options: ReadyStudioOptions = {}): Promise<ReadyStudio> {
  served = await readyStudio(options);
  stage.trust(served);
  return served;
}

const films = () => readdirSync(stage.project).filter(name => /\.(mp4|webp|png)$/.test(name));

describe('shotlist generate', () => {
  test('sends one request, tells how it goes, and leaves the film here', async () => {
    const { stdout, stderr } = await ends(
      stage.run(
        'generate V-T2V-A "prompt=a red fox crosses a frozen river" duration=2 resolution=720P watermark=false --draft',
      ),
      0,
    );
    const [film = ''] = films();
    expect(stdout).toBe(`${film}\n`);
    expect(film).toMatch(/^V-T2V-A-[0-9a-f]{8}\.mp4$/);
    expect(await probe(stage.at(film))).toMatchObject({ kind: 'video', duration: expect.closeTo(2, 1) });
    const told = stderr.replace(/\d+\.\ds/g, '#s').replace(/[\d.]+ [kM]?B/g, '# kB');
    expect(told).toMatch(/^V-T2V-A: sent to studio-draft as [0-9a-f-]{36}\nV-T2V-A: /);
    expect(told).toContain(`V-T2V-A: done in #s\nV-T2V-A: ${film}, # kB\n`);
  });

  test('at once, to a path; a file of this project and a list of them are media', async () => {
    const still = await stage.run('generate', 'I-GEN-A', 'prompt=a red fox', '--sync', '--out', 'in/fox.webp');
    expect([still.exit, still.stdout]).toEqual([0, 'in/fox.webp\n']);
    const edit = await ends(
      stage.run('generate I-EDIT-B prompt=snow input_image=in/fox.webp input_image=in/fox.webp --draft --out out/'),
      0,
    );
    expect(edit.stdout).toMatch(/^out\/I-EDIT-B-[0-9a-f]{8}\.\w+\n$/);
    expect(existsSync(stage.at(edit.stdout.trim()))).toBe(true);
  });

  test('--json tells what was asked and what came of it', async () => {
    await serve();
    const { stdout } = await stage.run('generate', 'I-GEN-A', 'prompt=a red fox', '--out', 'told.webp', '--json');
    expect(JSON.parse(stdout)).toEqual({
      model: 'I-GEN-A',
      request: { prompt: 'a red fox' },
      generation_id: expect.stringMatching(/^[\da-f-]{36}$/),
      files: [
        {
          path: 'told.webp',
          sha256: expect.stringMatching(/^[\da-f]{64}$/),
          bytes: expect.any(Number),
          result_url: expect.stringMatching(/^http:/),
        },
      ],
    });
  });

  test('tells everything that is wrong before anything is sent', async () => {
    stage.write('fox.webp', WEBP);
    const { exit, stderr, stdout } = await stage.run(
      'generate V-RT input_video=fox.webp retake_start_time=soon promt=snow',
    );
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      [
        'shotlist: nothing was sent:',
        '  V-RT has no field promt; did you mean prompt?',
        '  retake_start_time must be a number, not "soon"',
        '  input_video is an image; V-RT takes a video there',
        '',
      ].join('\n'),
    );
    const twice = await stage.run('generate', 'I-GEN-A', 'prompt=a', 'prompt=b');
    expect([twice.exit, twice.stderr]).toEqual([2, 'shotlist: prompt is given twice, and I-GEN-A takes it once\n']);
    const nobody = await stage.run('generate', 'nobody', 'prompt=a');
    expect([nobody.exit, nobody.stderr]).toEqual([
      2,
      'shotlist: studio has no model `nobody`; `shotlist models` lists what it has\n',
    ]);
    const near = await stage.run('generate', 'I-GEN-B', 'prompt=a');
    expect([near.exit, near.stderr]).toEqual([2, 'shotlist: studio has no model `I-GEN-B`; did you mean `I-GEN-A`?\n']);
  });

  test('a custom model is made once it is active, and checked by the catalog’s own schema', async () => {
    await serve();
    const wrong = await stage.run('generate', 'river-look', 'prompt=a river', 'num_inference_steps=99');
    expect([wrong.exit, wrong.stderr]).toEqual([
      2,
      'shotlist: nothing was sent:\n  num_inference_steps must be at most 50, not 99\n',
    ]);
    const { exit, stdout, stderr } = await stage.run('generate river-look "prompt=a river" seed=4 --out r.webp');
    expect([exit, stdout], stderr).toEqual([0, 'r.webp\n']);
    const idle = await stage.run('generate', 'fox-look', 'prompt=a fox');
    expect([idle.exit, idle.stderr]).toEqual([
      1,
      'shotlist: model fox-look cannot be used: its deployment is inactive; activate it and wait until it is active (409): nothing was paid\n',
    ]);
  });

  test('a service that asks for patience is given some', async () => {
    // No time passes at the service until it has refused one, and much from then on.
    let isStill = true;
    const began = systemClock.now();
    const now = () => began + (isStill ? 0 : (systemClock.now() - began) * 1000);
    await serve({ rate: { perSecond: 1 }, clock: { ...systemClock, now } });
    const sent = stage.start('generate', 'I-GEN-A', 'prompt=a red fox', '--out', 'fox.webp');
    await sent.line(/too many requests/);
    isStill = false;
    const { exit, stdout, stderr } = await sent.ended;
    expect([exit, stdout], stderr).toEqual([0, 'fox.webp\n']);
    expect(stderr.split('\n')[0]).toMatch(
      /^I-GEN-A: too many requests: try again in (\d) s; sending it again in \1\.0s$/,
    );
  });

  test('interrupted, it cancels what it sent', async () => {
    await serve({ before: untilCancelled });
    const started = stage.start('generate', 'V-T2V-A', 'prompt=a very long walk', 'duration=15');
    const [, id = ''] = await started.line(/sent to \S+ as (\S+)/);
    started.child.kill('SIGINT');
    const { exit, stderr } = await started.ended;
    expect([exit, stderr.trim().split('\n').at(-1)]).toEqual([130, `shotlist: V-T2V-A: ${id} is cancelled`]);
  });
});

test('two commands at once cannot share the built-in studio, and the second says so', async () => {
  // It is stopped while it draws.
  stage.films = 'drawn anew';
  const first = stage.start('generate', 'V-T2V-A', 'prompt=a walk', 'duration=2', '--draft');
  await first.line(/sent to/);
  // It stands still, and its studio with it.
  first.child.kill('SIGSTOP');
  const second = await stage.run('generate', 'I-GEN-A', 'prompt=a red fox', '--draft');
  expect([second.exit, second.stdout, second.stderr]).toEqual([
    2,
    '',
    `shotlist: another studio is already serving from ${stage.at('.shotlist/studio-draft/one-off')}: stop it first, or give this one a folder of its own\n`,
  ]);
});

test('a wait for an answer is interrupted twice: that it may be paid for is said, and the same command finds it', async () => {
  const made = Promise.withResolvers<void>();
  const studio = await serve({ before: () => made.promise });
  const walk = ['generate', 'V-T2V-A', 'prompt=a very long walk', 'duration=15', '--sync'] as const;
  const started = stage.start(...walk);
  await started.line(/answers when it is done/);
  while ((await studio.submits()) === 0);
  started.child.kill('SIGINT');
  await started.line(/^V-T2V-A: waiting for its answer, so that nothing is lost; Ctrl-C again ends it here$/m);
  started.child.kill('SIGINT');
  const { exit, stdout, stderr } = await started.ended;
  expect([exit, stdout, stderr.split('\n').slice(2)]).toEqual([
    130,
    '',
    [
      '',
      "V-T2V-A: its answer was not awaited: it may be paid for; `shotlist generate V-T2V-A 'prompt=a very long walk' duration=15 --sync` looks for it",
      '',
    ],
  ]);
  made.resolve();
  const again = await stage.run(...walk, '--out', 'walk.mp4');
  expect([again.exit, again.stdout], again.stderr).toEqual([0, 'walk.mp4\n']);
  expect(await studio.submits()).toBe(1);
});

describe('deployments', () => {
  // They take seconds to come up: ten times as fast here.
  const began = systemClock.now();
  const clock = {
    now: () => began + (systemClock.now() - began) * 10,
    sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 10, signal),
  };
  beforeEach(() => serve({ clock }));

  // Five seconds pass between two looks at a deployment: what waits for them waits at the same time.
  test('are brought up and taken down, and say so as they go; so does one that ends in an error', async () => {
    const [up, failed] = await Promise.all(
      ['fox-look', 'storm-look'].map(model => stage.runAsProcess('models', 'activate', model)),
    );
    expect(up).toMatchObject({
      exit: 0,
      stdout: 'active\n',
      stderr: 'fox-look: deploying\nfox-look: active\nfox-look: it bills until `shotlist models deactivate fox-look`\n',
    });
    expect(failed).toMatchObject({
      exit: 1,
      stdout: '',
      stderr:
        'storm-look: deploying\nstorm-look: error\nshotlist: storm-look: its deployment ended in an error; activate it again, or ask the service why\n',
    });
    expect(await stage.run('models', 'activate', 'fox-look')).toMatchObject({
      exit: 0,
      stdout: 'active\n',
      stderr: 'fox-look: already active\nfox-look: it bills until `shotlist models deactivate fox-look`\n',
    });
    expect(await stage.run('models', 'deactivate', 'fox-look', '--no-wait')).toMatchObject({
      exit: 0,
      stdout: 'deactivating\n',
      stderr: 'fox-look: deactivating\n',
    });
    expect(await stage.run('models', 'deactivate', 'fox-look')).toMatchObject({ exit: 0, stdout: 'inactive\n' });
  });

  test('one that is active, one that is none, and one that is nobody’s', async () => {
    const { stdout } = await stage.run('models', 'activate', 'river-look', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ id: 'river-look', deployments: [{ status: 'active' }] });
    expect(await stage.run('models', 'activate', 'V-RT')).toMatchObject({
      exit: 1,
      stderr: 'shotlist: V-RT is a base model, which is always active: there is nothing to activate\n',
    });
    expect(await stage.run('models', 'deactivate', 'nobody')).toMatchObject({
      exit: 2,
      stderr: 'shotlist: Model not found: nobody\n',
    });
  });
});

test('shotlist models tokenize triggers it once, and says why not again', async () => {
  const tokenize = (...args: string[]) => stage.run('models', 'tokenize', ...args);
  expect(await tokenize('film-house/looks', 'ft-harbour')).toMatchObject({
    exit: 0,
    stderr: 'ft-harbour of film-house/looks: tokenizing\n',
  });
  const again = await tokenize('film-house/looks', 'ft-harbour');
  expect(again).toMatchObject({
    exit: 1,
    stderr: expect.stringMatching(
      /^shotlist: fine-tune ft-harbour is tokeniz(ing|ed): only one that is created can be tokenized\n$/,
    ),
  });
  expect(await tokenize('film-house/looks', 'nobody')).toMatchObject({
    exit: 2,
    stderr: 'shotlist: Fine-tune not found: film-house/looks/nobody\n',
  });
  expect(await tokenize('looks', 'ft-harbour')).toMatchObject({
    exit: 2,
    stderr: 'shotlist: which fine-tune? shotlist models tokenize NAMESPACE/REPO ID\n',
  });
});
