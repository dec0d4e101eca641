/** Films planned and run from a program: events, outcomes, mistakes as values; nothing of the process is read or touched. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { definePipeline, plan, run, SettingError } from '../../src/sdk/index.ts';
import { temporaryFolder } from '../support/temp.ts';

const environment = { PATH: process.env.PATH, HOME: process.env.HOME };
const film = (name: string, words: string) =>
  definePipeline({
    shotlist: 1,
    name,
    params: { words: { type: 'string', default: words } },
    steps: {
      first: { run: ['echo', '${{ params.words }}'] },
      second: {
        run: 'cp /dev/null film.txt; echo "$said" > film.txt',
        env: { said: '${{ steps.first.stdout }}' },
        creates: { film: 'film.txt' },
      },
    },
    outputs: { film: { from: '${{ steps.second.files.film }}', to: `out/${name}.txt` } },
  });

describe('run', () => {
  test('gives the events as they happen, and the outcome; again it costs nothing', async () => {
    const folder = await temporaryFolder();
    const making = run(film('fox', 'a fox'), { folder, environment });
    const types: string[] = [];
    for await (const event of making) types.push('key' in event ? `${event.key} ${event.type}` : event.type);
    expect(types).toEqual([
      'run_started',
      'first command_started',
      'first succeeded',
      'second command_started',
      'second succeeded',
      'second output_written',
      'run_finished',
    ]);
    const outcome = await making.outcome;
    expect(outcome).toMatchObject({ is: 'done', usd: 0, counts: { succeeded: 2 } });
    expect(readFileSync(join(folder, 'out/fox.txt'), 'utf8')).toBe('a fox\n');
    expect(readFileSync(join(folder, 'fox.lock.yaml'), 'utf8')).toContain('stdout: a fox');
    // Only the outcome is asked for: events wait for nobody.
    expect(await run(film('fox', 'a fox'), { folder, environment }).outcome).toMatchObject({ counts: { reused: 2 } });
    const late = run(film('fox', 'a fox'), { folder, environment });
    await late.outcome;
    let seen = 0;
    for await (const _ of late) seen++;
    expect(seen).toBeGreaterThan(0);
  });

  test('is held to the budget of the project, as the settings have it; settings that cannot be read let nothing begin', async () => {
    const folder = await temporaryFolder();
    const shot = definePipeline({
      shotlist: 1,
      name: 'fox',
      steps: { shot: { model: 'V-T2V-A', with: { prompt: 'a fox', duration: 5 } } },
    });
    const settings = join(folder, 'shotlist.config.yaml');
    writeFileSync(settings, 'budget: { video_seconds: 4 }\n');
    expect(await plan(shot, { folder })).toMatchObject({
      text: expect.stringContaining('seconds of video of the project: does not fit'),
    });
    const making = run(shot, { folder, environment });
    expect(await making.outcome).toMatchObject({
      is: 'budget',
      reason: expect.stringContaining('raise `video_seconds` under `budget` in `shotlist.config.yaml`'),
    });
    writeFileSync(settings, 'budget: { video_second: 4 }\n');
    await expect(run(shot, { folder, environment }).outcome).rejects.toThrow(SettingError);
    await expect(plan(shot, { folder })).rejects.toThrow(/video_second/);
    expect(readdirSync(folder).sort()).not.toContain('fox.lock.yaml');
  });

  test('ends the wait for a service that does not answer when its signal is aborted, or its reader leaves', async () => {
    const folder = await temporaryFolder();
    const service = { baseUrl: 'http://127.0.0.1:9', key: 'a-key-of-nobody' };
    const stopping = new AbortController();
    const options = { folder, environment, service, say: () => stopping.abort() };
    const aborted = run(film('fox', 'a fox'), { ...options, signal: stopping.signal });
    expect(await aborted.outcome).toMatchObject({ is: 'interrupted', counts: { succeeded: 0 }, usd: 0 });
    const left = run(film('fox', 'a fox'), { ...options, say: () => left.detach() });
    expect(await left.outcome).toMatchObject({ is: 'interrupted' });
  });

  test('begins nothing where a number that is to bound it is none', async () => {
    const folder = await temporaryFolder();
    const given = { folder, environment, maxUsd: Number(undefined), limits: { in_flight: 0 } };
    const error = await run(film('fox', 'a fox'), given).outcome.catch(thrown => thrown);
    expect(error).toBeInstanceOf(SettingError);
    expect(error.message).toBe(
      '`maxUsd` in the options is `NaN`; write a number, 0 or more; `limits.in_flight` in the options is `0`; write a whole number, 1 or more',
    );
  });

  test('two films of one project at once, each with its own events and its params', async () => {
    const folder = await temporaryFolder();
    const makings = ['fox', 'hare'].map(name => run(film(name, '?'), { folder, environment, params: { words: name } }));
    const outcomes = await Promise.all(makings.map(making => making.outcome));
    expect(outcomes.map(({ is }) => is)).toEqual(['done', 'done']);
    expect(['fox', 'hare'].map(name => readFileSync(join(folder, `out/${name}.txt`), 'utf8'))).toEqual([
      'fox\n',
      'hare\n',
    ]);
  });

  const SLOW = definePipeline({ shotlist: 1, name: 'slow', steps: { slow: { run: ['sleep', '60'] } } });

  test('leaving the loop detaches, and is over when nothing of it is at work any more', async () => {
    const folder = await temporaryFolder();
    const making = run(SLOW, { folder, environment });
    for await (const event of making) if (event.type === 'command_started') break;
    expect(await making.outcome).toMatchObject({ is: 'interrupted', counts: { unfinished: 1 } });
    // Its lease is given back: the film may be run again.
    const again = run(SLOW, { folder, environment, signal: AbortSignal.timeout(300) });
    expect((await again.outcome).is).toBe('interrupted');
  });

  test('an aborted signal and detach() do the same; no listener stays on the process', async () => {
    const folder = await temporaryFolder();
    const before = process.eventNames().map(name => [name, process.listenerCount(name)]);
    const gone = await run(SLOW, { folder, environment, signal: AbortSignal.abort() }).outcome;
    expect(gone.is).toBe('interrupted');
    const making = run(SLOW, { folder, environment });
    for await (const event of making) if (event.type === 'command_started') making.detach();
    expect((await making.outcome).is).toBe('interrupted');
    expect(process.eventNames().map(name => [name, process.listenerCount(name)])).toEqual(before);
    expect(process.exitCode).toBeUndefined();
  });

  test('a film that is being run by another is refused to both readers, in words', async () => {
    const folder = await temporaryFolder();
    const making = run(SLOW, { folder, environment });
    onTestFinished(async () => {
      making.detach();
      await making.outcome;
    });
    for await (const event of making) {
      if (event.type !== 'command_started') continue;
      const second = run(SLOW, { folder, environment });
      await expect(second.outcome).rejects.toThrow(/is being run|another/i);
      const read = async () => {
        for await (const _ of second);
      };
      await expect(read()).rejects.toThrow(/is being run|another/i);
      break;
    }
  });

  test('a step that fails is an outcome', async () => {
    const folder = await temporaryFolder();
    const failing = definePipeline({ shotlist: 1, name: 'no', steps: { no: { run: 'echo why >&2; exit 3' } } });
    const making = run(failing, { folder, environment });
    const failures: string[] = [];
    for await (const event of making) if (event.type === 'failed') failures.push(event.failure.code);
    expect(failures).toEqual(['command_failed']);
    expect((await making.outcome).is).toBe('failed');
  });

  test('a secret reaches the command, and no event, file or outcome', async () => {
    const folder = await temporaryFolder();
    const token = 'tok_59cf1a2b77e0';
    const secret = definePipeline({
      shotlist: 1,
      name: 'secret',
      params: { token: { type: 'string', secret: true } },
      steps: { used: { run: 'echo "it is $TOKEN"; echo "$TOKEN" >&2', env: { TOKEN: '${{ params.token }}' } } },
    });
    const options = { folder, environment, params: { token } };
    const planned = await plan(secret, options);
    const making = run(secret, options);
    const events: unknown[] = [];
    for await (const event of making) events.push(event);
    const outcome = await making.outcome;
    const said = JSON.stringify([planned, events, 'results' in outcome && [...outcome.results]]);
    expect(said).toContain('it is $token');
    expect(said).not.toContain(token);
    const holding = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      path => statSync(join(folder, path)).isFile() && readFileSync(join(folder, path)).includes(token),
    );
    expect(holding).toEqual([]);
  });
});

describe('plan', () => {
  test('gives the plan as JSON and as text, and leaves nothing to pay for', async () => {
    const folder = await temporaryFolder();
    const shot = definePipeline({
      shotlist: 1,
      name: 'shot',
      steps: { shot: { model: 'V-T2V-A', with: { prompt: 'a fox', duration: 5 } } },
    });
    const planned = await plan(shot, { folder });
    if (planned.is !== 'planned') throw new Error(planned.is);
    expect(planned.plan).toMatchObject({ name: 'shot', service: 'studio', totals: { run: 1, usd: 0.75 } });
    expect(planned.text).toContain('1 run: free ($0.75 at list price)');
    expect(planned.warnings.map(({ where }) => where)).toEqual([]);
    const draft = await plan(shot, { folder, service: { studio: 'draft' } });
    expect(draft.is === 'planned' && draft.plan.service).toBe('studio-draft');
  });

  test('mistakes in an object are told by their path, all at once, and nothing is thrown', async () => {
    const folder = await temporaryFolder();
    const wrong = {
      shotlist: 1,
      name: 'wrong',
      params: { n: { type: 'integer', default: 'two' } },
      steps: {
        shot: { model: 'V-T2V-A', with: { promt: 'a fox', prompt: '${{ steps.shoot.text }}' } },
        framed: { matrix: { ratio: ['16:9', '99:1'] }, model: 'V-RF', with: { aspect_ratio: '${{ matrix.ratio }}' } },
        'Bad Name': { run: 7 },
        both: { run: ['true'], model: 'V-UP' },
      },
      outputs: { film: { from: '${{ steps.nobody }}', to: '../out.mp4' } },
    };
    const planned = await plan(wrong as never, { folder });
    if (planned.is !== 'mistaken') throw new Error(planned.is);
    const told = planned.mistakes.map(({ where, message }) => `${where}: ${message}`).sort();
    expect(told).toMatchInlineSnapshot(`
      [
        "outputs.film.from: this reads \`steps.nobody\`, which no step provides; check the name",
        "outputs.film.to: \`../out.mp4\` is not a file inside the project; use a relative path without \`..\`, like \`out/film.mp4\`",
        "params.n.default: the default of \`n\` takes a whole number, not \`two\`; write 2",
        "steps.Bad Name: \`Bad Name\` cannot be a name in \`steps\`; use small letters, digits and underscores, a letter first, like \`bad_name\`",
        "steps.both.model: step \`both\` has \`model\` and \`run\`; a step is one request or one command, so keep one",
        "steps.framed.matrix.ratio[1]: \`aspect_ratio\` of V-RF is \`99:1\`; it must be at most 3:1",
        "steps.framed.model: V-RF needs \`input_video\` and \`prompt\`; add them under \`with\`",
        "steps.shot.with.prompt: step \`shot\` reads \`steps.shoot\`, which no step provides; check the name",
        "steps.shot.with.promt: V-T2V-A has no field \`promt\`; did you mean \`prompt\`?",
      ]
    `);
    expect(await run(wrong as never, { folder }).outcome).toEqual(planned);
    expect(existsSync(join(folder, '.shotlist'))).toBe(false);
  });

  test('a param that is missing, wrong or unknown is told by its name', async () => {
    const folder = await temporaryFolder();
    const asks = definePipeline({
      shotlist: 1,
      name: 'asks',
      params: { n: { type: 'integer', minimum: 1 }, who: { type: 'string' } },
      steps: { told: { run: ['echo', '${{ params.n }}'] } },
    });
    const planned = await plan(asks, { folder, params: { n: 0, whom: 'a fox' } });
    if (planned.is !== 'mistaken') throw new Error(planned.is);
    expect(planned.mistakes.map(({ where, code }) => `${where} ${code}`).sort()).toEqual([
      'n wrong-param',
      'params.who missing-param',
      'whom unknown-param',
    ]);
  });

  test('a text and a file are told by line and column; what a file names lies beside it', async () => {
    const folder = await temporaryFolder();
    const text = 'shotlist: 1\nname: a\nsteps:\n  a: { run: [echo, "${{ params.x }}"] }\n';
    writeFileSync(join(folder, 'film.yaml'), text);
    for (const input of [{ text }, { file: 'film.yaml' }]) {
      const planned = await plan(input, { folder });
      if (planned.is !== 'mistaken') throw new Error(planned.is);
      expect(planned.mistakes.map(({ where, code }) => `${where} ${code}`)).toEqual([
        expect.stringMatching(/film\.yaml:4:32 unknown-param$/),
      ]);
    }
    await expect(plan({ file: 'nobody.yaml' }, { folder })).rejects.toThrow(/ENOENT/);
  });

  test('a service that does not answer is a value', async () => {
    const folder = await temporaryFolder();
    const service = { baseUrl: 'http://127.0.0.1:9', key: 'a-key-of-nobody' };
    const planned = await plan(film('fox', 'a fox'), { folder, service });
    expect(planned).toMatchObject({ is: 'unreachable', reason: expect.stringContaining('127.0.0.1:9') });
  });
});
