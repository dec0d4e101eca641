/** Calls that answer at once: chat, `via: sync`. They leave no id, so what is lost of one stays lost. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chatAnswer } from './fake-service.ts';
import { eventLines, failureOf, ran, rig, withRig } from './rig.ts';

const SCRIPT = `
steps:
  script:
    model: C-D
    with: { prompt: three beats about a fox, max_tokens: 100 }
    schema: { type: object, required: [beats], properties: { beats: { type: array, items: { type: string } } } }
    save: out/script.json
  shot:
    model: V-T2V-A
    with: { prompt: "\${{ steps.script.json.beats[0] }}", duration: 5 }
`;

/** 10 tokens in at $0.001, 5 out at $0.002. */
const ONE_CALL = 0.02;
/** The script alone. */
const ALONE = SCRIPT.slice(0, SCRIPT.indexOf('  shot:'));
const BEATS = '{"beats":["a fox at dawn","the ice","the far bank"]}';

withRig();

describe('a chat step', () => {
  test('its answer is streamed, priced by its tokens, kept, and read by the next step', async () => {
    rig.service.chatAnswers.push(chatAnswer(BEATS));
    const film = await rig.start(SCRIPT);
    await rig.service.arrived(1);
    await film.happened('submit_accepted');
    rig.service.finish('gen-1');
    const outcome = await film.done;
    expect(outcome.usd).toBe(ONE_CALL);
    expect(eventLines(film.events).slice(0, 3)).toEqual([
      ...['script submit_intended', 'script text_written', 'script succeeded'],
    ]);
    const schema = {
      type: 'object',
      required: ['beats'],
      properties: { beats: { type: 'array', items: { type: 'string' } } },
    };
    expect(rig.service.calls).toEqual([
      {
        ...{ model: 'C-D', messages: [{ role: 'user', content: 'three beats about a fox' }], max_tokens: 100 },
        response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
        ...{ stream: true, stream_options: { include_usage: true } },
      },
    ]);
    expect(rig.service.posts[0]?.prompt).toBe('a fox at dawn');
    expect(readFileSync(join(rig.folder, 'out/script.json'), 'utf8')).toBe(
      `${JSON.stringify(JSON.parse(BEATS), null, 2)}\n`,
    );
  });

  test('an answer of 60,000 brackets is a text like any other: it is kept, and paid once', async () => {
    const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`;
    rig.service.chatAnswers.push(chatAnswer(deep));
    const text = 'steps:\n  script: { model: C-D, with: { prompt: x, max_tokens: 100 } }';
    const first = await rig.start(text);
    expect((await first.done).usd).toBe(ONE_CALL);
    expect(first.events.find(({ type }) => type === 'succeeded')).toMatchObject({ result: { text: deep, json: null } });
    expect((await (await rig.start(text)).done).counts.reused).toBe(1);
    expect(rig.service.calls).toHaveLength(1);
  });

  test('what is written is kept and costs nothing again, from the journal and from the lock file alone', async () => {
    rig.service.chatAnswers.push(chatAnswer(BEATS));
    await (await rig.start(ALONE)).done;
    expect((await (await rig.start(ALONE)).done).counts.reused).toBe(1);
    await rig.cloneAfresh();
    const elsewhere = await (await rig.start(ALONE)).done;
    expect(elsewhere.counts.reused).toBe(1);
    expect([...elsewhere.results.values()].map(({ result }) => result)).toMatchObject([
      { is: 'text', text: BEATS, json: { beats: ['a fox at dawn', 'the ice', 'the far bank'] }, cost: ONE_CALL },
    ]);
    expect(rig.service.calls).toHaveLength(1);
    // Another question is another text.
    rig.service.chatAnswers.push(chatAnswer(BEATS));
    expect((await (await rig.start(ALONE.replace('a fox', 'two foxes'))).done).counts.succeeded).toBe(1);
  });

  test('an answer that does not fit is sent back once, as a second call with an intent of its own', async () => {
    rig.service.chatAnswers.push(chatAnswer('Here are your beats!'), chatAnswer(`\`\`\`json\n${BEATS}\n\`\`\``));
    const film = await rig.start(ALONE);
    const outcome = await film.done;
    expect(
      eventLines(film.events)
        .filter(line => !line.endsWith('text_written'))
        .slice(0, 5),
    ).toEqual([
      ...['script submit_intended', 'script answer_unfit', 'script submit_intended', 'script answer_cleaned'],
      'script succeeded',
    ]);
    expect(outcome.usd).toBe(2 * ONE_CALL);
    expect(rig.service.calls[1]).toMatchObject({
      messages: [
        { role: 'user', content: 'three beats about a fox' },
        { role: 'assistant', content: 'Here are your beats!' },
        {
          role: 'user',
          content: 'Your answer does not fit the schema: it is no JSON. Answer again with JSON alone that fits it.',
        },
      ],
    });
    expect(film.events.at(-3)).toMatchObject({ result: { usage: { total_tokens: 30 }, cost: 2 * ONE_CALL } });
  });

  test('an answer that would not fit back into the context is not sent back: nothing more is paid for', async () => {
    rig.service.chatAnswers.push(chatAnswer(`Here are your beats! ${'狐'.repeat(140_000)}`), chatAnswer(BEATS));
    const film = await rig.start(ALONE.replace('C-D', 'C-C'));
    await film.done;
    expect(rig.service.calls).toHaveLength(1);
    expect(failureOf(film)).toMatchObject({
      code: 'answer_invalid',
      message: expect.stringMatching(
        /^it is no JSON \(it was not sent back: its words are about 140\d+ tokens, and C-C holds 64000 /,
      ),
    });
  });

  test('a service that is too busy to have it mended is asked for that again, and not for all of it', async () => {
    const busy = { is: 'refused', status: 429, message: 'slow down', retryAfter: 5_000 } as const;
    rig.service.chatAnswers.push(chatAnswer('Here are your beats!'), busy, chatAnswer(BEATS));
    expect((await ran(ALONE)).outcome).toMatchObject({ is: 'done', usd: 2 * ONE_CALL });
    const [first, ...more] = rig.service.calls;
    expect(more).toEqual([more[0], more[0]]);
    expect(more[0]).not.toEqual(first);
  });

  test('one that will not be mended fails with the reasons, and both calls are counted', async () => {
    rig.service.chatAnswers.push(chatAnswer('{"beats":"one"}'), chatAnswer('{"beats":[1]}'));
    const film = await rig.start(SCRIPT);
    const outcome = await film.done;
    expect(outcome).toMatchObject({ is: 'failed', usd: 2 * ONE_CALL });
    expect(failureOf(film)).toMatchObject({
      code: 'answer_invalid',
      message: 'beats[0] must be string (it was asked once to mend it)',
    });
    expect(rig.service.calls).toHaveLength(2);
    // Nothing of it is open: the next run asks anew.
    rig.service.chatAnswers.push(chatAnswer(BEATS));
    const again = await rig.start(ALONE);
    expect((await again.done).is).toBe('done');
  });

  test('one that was cut off at its limit is not asked again in the same words', async () => {
    rig.service.chatAnswers.push(chatAnswer('{"beats":["a fo', 'length'));
    const film = await rig.start(SCRIPT);
    await film.done;
    expect(failureOf(film)).toMatchObject({
      message: 'it was cut off at 100 tokens, its `max_tokens`; raise that under `with`, or ask for less at once',
    });
    expect(rig.service.calls).toHaveLength(1);
  });

  test('an answer that was lost is never asked for again, though the service lists a history without it', async () => {
    rig.service.chatAnswers.push({ is: 'unknown', message: 'house: reset' });
    const film = await rig.start(SCRIPT);
    await film.done;
    expect(failureOf(film)).toMatchObject({
      code: 'submit_unknown',
      message:
        'its answer was lost, and a call that answers at once leaves nothing to look for: ' +
        'it may have been taken and paid for. Look at the service; to send it again, run with --on-unknown resubmit; ' +
        'to give it up, `shotlist cancel film.yaml script --forget`',
    });
    const again = await rig.start(SCRIPT);
    expect((await again.done).is).toBe('failed');
    expect(rig.service.calls).toHaveLength(1);
    // Until its author says so.
    rig.onUnknown = 'resubmit';
    rig.service.chatAnswers.push(chatAnswer(BEATS));
    const asked = await rig.start(ALONE);
    await asked.happened('submit_absent');
    await rig.clock.asleep();
    await rig.clock.advance(1_000);
    expect((await asked.done).is).toBe('done');
    expect(rig.service.calls).toHaveLength(2);
  });

  test('killed while it was asked: the next run says so and sends nothing', async () => {
    rig.service.chatAnswers.push('never');
    const film = await rig.start(SCRIPT);
    await film.happened('submit_intended');
    await rig.clock.advance(1_000);
    const next = await rig.start(SCRIPT);
    expect((await next.done).is).toBe('failed');
    expect(eventLines(next.events).slice(0, 2)).toEqual(['script submit_unknown', 'script failed']);
    expect(rig.service.calls).toHaveLength(1);
  });

  test('a service that knows no stream options is asked in plain words', async () => {
    rig.service.chatAnswers.push(
      { is: 'refused', status: 400, message: 'unknown field stream_options' },
      chatAnswer('Three beats.'),
    );
    const film = await rig.start('steps:\n  script: { model: C-D, with: { prompt: three beats } }\n');
    expect((await film.done).is).toBe('done');
    expect(rig.service.calls[1]).toEqual({ model: 'C-D', messages: [{ role: 'user', content: 'three beats' }] });
  });

  test('its time limit ends the waiting, not the bill', async () => {
    rig.service.chatAnswers.push('never');
    const film = await rig.start('steps:\n  script: { model: C-D, timeout: 60s, with: { prompt: three beats } }\n');
    await film.happened('submit_intended');
    await rig.clock.advance(60_000);
    await film.done;
    expect(failureOf(film)).toMatchObject({
      code: 'timed_out',
      message: 'no answer after 60000 ms; it may be carried out and billed all the same',
    });
  });
});

const STILL = `
steps:
  still: { model: I-GEN-A, via: sync, with: { prompt: a fox } }
`;

describe('via: sync', () => {
  test('is one call and one download', async () => {
    rig.service.madeNow.push({ is: 'made', urls: ['https://house.test/now.png'] });
    const film = await rig.start(STILL);
    expect((await film.done).is).toBe('done');
    expect(eventLines(film.events)).toEqual([
      'still submit_intended',
      'still generated',
      'still succeeded',
      'run_finished',
    ]);
    expect(rig.service.calls).toEqual([{ model: 'I-GEN-A', prompt: 'a fox' }]);
    expect(rig.service.posts).toEqual([]);
    expect((await (await rig.start(STILL)).done).counts.reused).toBe(1);
  });

  test('cut off, it is found where the service lists what it made', async () => {
    rig.service.madeNow.push({ is: 'unknown', message: 'house: reset' });
    // It goes through the service's queue all the same.
    await rig.service.enqueue({ model: 'I-GEN-A', prompt: 'a fox' });
    const film = await rig.start(STILL);
    await film.happened('stream_changed');
    rig.service.finish('gen-1');
    expect((await film.done).is).toBe('done');
    expect(rig.service.calls).toHaveLength(1);
    expect(rig.service.posts).toHaveLength(1);
  });

  test('cut off and listed nowhere, it is never sent again', async () => {
    rig.service.madeNow.push({ is: 'unknown', message: 'house: reset' });
    const film = await rig.start(STILL);
    await film.done;
    expect(failureOf(film)).toMatchObject({ code: 'submit_unknown' });
    expect((await (await rig.start(STILL)).done).is).toBe('failed');
    expect(rig.service.calls).toHaveLength(1);
  });

  test('what was made and not fetched is fetched by the next run', async () => {
    rig.service.madeNow.push({ is: 'made', urls: ['https://house.test/now.png'] });
    rig.fetches.push({ is: 'failed', message: 'reset' }, 'never');
    const film = await rig.start(STILL);
    await film.happened('generated');
    await rig.clock.asleep();
    await rig.clock.advance(60_000);
    const next = await rig.start(STILL);
    expect((await next.done).is).toBe('done');
    expect(eventLines(next.events)).toEqual(['still taken_up', 'still generated', 'still succeeded', 'run_finished']);
    expect(rig.service.calls).toHaveLength(1);
  });
});
