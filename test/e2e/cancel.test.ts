/** `shotlist cancel` and `--on-interrupt cancel`: whole processes against the studio, one that offers cancelling and one that does not. */
import { mkdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEPLOYING } from '../../src/studio/service/records/deployments.ts';
import { KEY, type TestStudio, testStudio } from '../studio/fake-studio.ts';
import { Stage, type Started } from './stage.ts';

const STILLS = `shotlist: 1
name: stills
steps:
  still:
    matrix: { word: [river, storm] }
    model: I-GEN-A
    with: { prompt: "\${{ matrix.word }}" }
  poster: { model: I-GEN-A, with: { prompt: poster } }
`;

/** Its model is brought up for the run. */
const LOOK =
  'shotlist: 1\nname: look\nmodels: { look: { id: fox-look, activate: true } }\nsteps:\n  shot: { model: look, with: { prompt: a fox } }\n';

describe.each([
  ['the studio', false],
  ['the strict studio', true],
] as const)('%s', (_name, strict) => {
  let stage: Stage;
  let studio: TestStudio;
  beforeEach(async () => {
    stage = new Stage();
    mkdirSync(stage.at('.shotlist'));
    stage.write('film.yaml', STILLS);
    studio = await testStudio({ strict });
    stage.env = { SHOTLIST_BASE_URL: studio.url, SHOTLIST_API_KEY: KEY };
  });
  afterEach(async () => {
    stage.killAll();
    await studio[Symbol.asyncDispose]();
    stage.dispose();
  });
  const start = (...args: readonly string[]) => stage.start(...args);
  const sent = (run: Started) => run.line(/(submitted[\s\S]*){3}/);
  /** `shotlist cancel` in the process of the test; the first case runs it as a process of its own. */
  const cancelling = (...args: readonly string[]) => stage.run('cancel', ...args);

  /** Three stills are sent; Ctrl-C lets go of them. */
  async function release(meanwhile = async () => {}): Promise<void> {
    const run = start('run', 'film.yaml');
    await sent(run);
    await meanwhile();
    run.interrupt();
    expect((await run.ended).exit).toBe(130);
  }

  const cancel = async (...args: readonly string[]) => {
    const { exit, stdout, stderr } = await cancelling('film.yaml', ...args);
    const host = studio.url.replace('http://', '');
    return {
      exit,
      stdout,
      said: stderr
        .replaceAll(host, 'HOUSE')
        .replace(/gen-\d/g, 'gen-…')
        .split('\n')
        .slice(0, -1),
    };
  };
  const statuses = async () =>
    Promise.all(
      ['gen-1', 'gen-2', 'gen-3'].map(
        async id => ((await studio.get(`/api/ai/queue/${id}`)).body as { status: string }).status,
      ),
    );

  test('ends what is open, some of it or all, and says what goes on', async () => {
    await release(async () => {
      expect(await cancel(), 'while a run is going on').toEqual({
        exit: 2,
        stdout: '',
        said: [
          'shotlist: a run of film.yaml is going on: press Ctrl-C there (it lets go), then cancel; a run started as `shotlist run --on-interrupt cancel film.yaml` cancels by itself when it is stopped',
        ],
      });
    });
    const host = studio.url.replace('http://', '');
    expect(await cancelling('film.yaml', '--service', 'studio'), 'at another service').toMatchObject({
      exit: 0,
      stderr: `nothing of film.yaml is open at studio\nsome of it is open at http://${host}: give the command again for that service\n`,
    });
    expect(await cancel('stil')).toEqual({
      exit: 2,
      stdout: '',
      said: ['shotlist: stil is not open at the service; did you mean still?'],
    });
    if (strict) {
      const goes = (key: string) =>
        `${key} (generation gen-…): still billing: HOUSE offers no cancelling; \`shotlist run film.yaml\` takes it up`;
      expect(await cancel('poster')).toEqual({ exit: 1, stdout: '', said: [goes('poster')] });
      const all = await cancel();
      expect({ ...all, said: all.said.toSorted() }).toEqual({
        exit: 1,
        stdout: '',
        said: ['poster', 'still[word=river]', 'still[word=storm]'].map(goes),
      });
      expect(await statuses()).toEqual(['pending', 'pending', 'pending']);
      return;
    }
    const still = await cancel('still[word=*]');
    expect({ ...still, said: still.said.toSorted() }).toEqual({
      exit: 0,
      stdout: '',
      said: ['still[word=river] (generation gen-…): cancelled', 'still[word=storm] (generation gen-…): cancelled'],
    });
    expect(await cancel()).toEqual({ exit: 0, stdout: '', said: ['poster (generation gen-…): cancelled'] });
    expect(await cancel()).toEqual({ exit: 0, stdout: '', said: ['nothing of film.yaml is open at HOUSE'] });
    expect(await statuses()).toEqual(['cancelled', 'cancelled', 'cancelled']);
    const again = start('run', 'film.yaml');
    await sent(again);
    again.interrupt();
    expect((await again.ended).stderr).not.toContain('not sent twice');
  });

  test('leaves what has finished to be fetched', async () => {
    await release();
    const finished = await studio.renderer.next();
    await finished.finish();
    await studio.until(finished.job.id, 'succeeded');
    const { exit, stdout } = await cancel('--json');
    const told = JSON.parse(stdout) as { generation_id: string; outcome: string; open: boolean }[];
    expect(exit).toBe(strict ? 1 : 0);
    expect(told.find(one => one.generation_id === finished.job.id)).toMatchObject({ outcome: 'finished', open: false });
    const others = told.filter(one => one.generation_id !== finished.job.id).map(one => one.outcome);
    expect(others).toEqual(Array(2).fill(strict ? 'not_offered' : 'cancelled'));
  });

  test('is done by a run that is stopped, where it was asked for: by a flag or in the settings', async () => {
    const byFlag = start('run', 'film.yaml', '--on-interrupt', 'cancel');
    await sent(byFlag);
    byFlag.interrupt();
    const { exit, stderr } = await byFlag.ended;
    expect(exit).toBe(130);
    expect(await statuses()).toEqual(Array(3).fill(strict ? 'pending' : 'cancelled'));
    expect(stderr).toContain(
      strict ? 'which offers no cancelling, and is billed; the next run takes it up' : 'was interrupted after',
    );
    if (strict) return;
    expect(stderr).toMatch(/3 cancelled, nothing known to be spent\n/);
    stage.write('shotlist.config.yaml', 'on_interrupt: cancel\n');
    const bySetting = start('run', 'film.yaml');
    await sent(bySetting);
    bySetting.interrupt();
    expect((await bySetting.ended).stderr).toMatch(/3 cancelled, nothing known to be spent\n/);
  });

  // What has nothing to do with what the service offers is told once.
  if (strict) return;

  test('ends a deployment that a killed run left up', async () => {
    stage.write('look.yaml', LOOK);
    const run = start('run', 'look.yaml');
    await run.line(/fox-look is deploying/);
    run.kill();
    await run.ended;
    await studio.clock.advance(DEPLOYING);
    const { exit, stderr } = await cancelling('look.yaml');
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: 'fox-look: deactivated, it bills no more\n' });
    const again = await cancelling('--json', 'look.yaml');
    expect(again).toMatchObject({ exit: 0, stdout: '[]\n' });
  });

  test('a second Ctrl-C does not wait for a deployment, and says that it bills', async () => {
    stage.write('look.yaml', LOOK);
    const run = start('run', 'look.yaml');
    await run.line(/fox-look is deploying/);
    run.interrupt();
    await run.line(/fox-look is on its way up, and can be ended when it is there; Ctrl-C again leaves it up/);
    run.interrupt();
    const { exit, stderr } = await run.ended;
    expect(exit).toBe(130);
    expect(stderr.split('\n').at(-2)).toBe(
      'fox-look may still be active, and bill: `shotlist models deactivate fox-look` ends it, and so does the next run of this film',
    );
  });

  test('of a film that was never run, or is not there', async () => {
    expect(await cancel()).toEqual({ exit: 0, stdout: '', said: ['nothing of film.yaml is open at HOUSE'] });
    const missing = await start('cancel', 'flim.yaml').ended;
    expect(missing).toMatchObject({
      exit: 2,
      stderr: 'shotlist: flim.yaml: there is no such file; did you mean film.yaml?\n',
    });
  });
});
