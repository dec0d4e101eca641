import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connect } from '../../src/client/connect.ts';
import { systemClock } from '../../src/machine/time/clock.ts';
import { reduce } from '../../src/records/views/reduce.ts';
import { emptyRunView } from '../../src/records/views/run-view.ts';
import { eventText } from '../../src/show/text/event-text.ts';
import { DEPLOYING } from '../../src/studio/service/records/deployments.ts';
import { KEY, type TestStudio, testStudio } from '../studio/fake-studio.ts';
import { ending, RunRig, type StartedRun } from './rig.ts';

const LOOK = `
models: { look: { id: fox-look, activate: true } }
steps:
  shot: { model: look, with: { prompt: a fox } }
`;
const STILLS = `
steps:
  still:
    matrix: { word: [river, storm] }
    model: I-GEN-A
    with: { prompt: "\${{ matrix.word }}" }
`;

describe.each([
  ['the studio', false],
  ['the strict studio', true],
] as const)('%s', (_name, strict) => {
  let rig: RunRig;
  let studio: TestStudio;
  let close: () => Promise<void>;
  beforeEach(async () => {
    rig = new RunRig();
    studio = await testStudio({ strict });
    const service = connect({ name: 'house', baseUrl: studio.url, key: KEY, clock: systemClock });
    Object.assign(rig.service, service);
    close = service.close;
  });
  afterEach(async () => {
    await close();
    rig.dispose();
    await studio[Symbol.asyncDispose]();
  });

  const words = (film: StartedRun): string[] => {
    const view = emptyRunView();
    return film.events.flatMap(event => {
      const line = event.type === 'stream_changed' ? null : eventText(event, null, reduce(view, event));
      return line === null ? [] : [line];
    });
  };
  const status = async () => {
    const { body } = await studio.get('/api/ai/models/fox-look?deployment_status=live');
    return (body as { deployments: { status: string }[] }).deployments[0]?.status;
  };

  test('brings a look up, shoots, brings it down, and tells what it cost', async () => {
    const film = await rig.start(LOOK);
    await film.happened('deployment_changed');
    await rig.clock.asleep(ms => ms === 250);
    await rig.clock.advance(250);
    await rig.clock.asleep(ms => ms === 500);
    expect(await status()).toBe('deploying');
    await studio.clock.advance(DEPLOYING);
    await rig.clock.advance(500);
    const render = await studio.renderer.next();
    await studio.clock.advance(10_000);
    await render.finish();
    expect((await film.done).is).toBe('done');
    expect(await status()).toBe('deactivating');
    expect(words(film)).toEqual([
      'fox-look is inactive',
      'activating fox-look, which bills from here on',
      'fox-look is deploying',
      'fox-look is active',
      'submitted',
      'made',
      'fox-look is deactivated, and bills no more',
      expect.stringMatching(/^done {2}/),
      ...(strict ? [] : ['billed $0.011']),
    ]);
    expect(ending(film)).toEqual([`film is finished in …s: 1 made, ${strict ? 'cost unknown' : '$0.011 spent'}`]);
  });

  test('killed while the look is up: the next run of the file brings it down', async () => {
    const killed = await rig.start(LOOK);
    await killed.happened('activation_intended');
    await rig.clock.asleep(ms => ms === 250);
    await studio.clock.advance(DEPLOYING);
    const next = await rig.start(LOOK.replace('model: look, with: { prompt: a fox }', 'run: echo a fox'));
    expect((await next.done).is).toBe('done');
    expect(words(next)).toContain('fox-look is deactivated, and bills no more');
    expect(await status()).toBe('deactivating');
  });

  test('interrupted, it is asked to cancel; what goes on and is billed is said', async () => {
    rig.settings = { onInterrupt: 'cancel' };
    const film = await rig.start(STILLS);
    await film.happened('submit_accepted', 'still[word=river]');
    await film.happened('submit_accepted', 'still[word=storm]');
    await studio.renderer.next();
    film.run.detach();
    expect((await film.done).is).toBe('interrupted');
    const shown = ending(film).map(line => line.replaceAll(/gen-\d/g, 'gen-…'));
    expect(shown).toEqual(
      strict
        ? [
            'film was interrupted after …s: 2 not finished, nothing spent, 2 requests in flight',
            'still[word=river] (generation gen-…) goes on at house, which offers no cancelling, and is billed; the next run takes it up',
            'still[word=storm] (generation gen-…) goes on at house, which offers no cancelling, and is billed; the next run takes it up',
            'to go on (what is done is kept, and not paid for again):',
            'shotlist run film.yaml',
          ]
        : [
            'film was interrupted after …s: 2 cancelled, nothing known to be spent',
            'still ×2',
            'still[word=river] (generation gen-…), still[word=storm] (generation gen-…)',
            'cancelled at house: cancelled on request; whether it cost anything is not known',
            'nothing is left running at the service',
            'to go on (what is done is kept, and not paid for again):',
            'shotlist run film.yaml',
          ],
    );
    const record = async (id: string) => ((await studio.get(`/api/ai/queue/${id}`)).body as { status: string }).status;
    const expected = strict ? 'pending' : 'cancelled';
    expect([await record('gen-1'), await record('gen-2')]).toEqual([expected, expected]);
  });
});
