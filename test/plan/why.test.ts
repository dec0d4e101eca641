/** What `why` tells of what it cannot see, of long chains, of open steps and hostile texts. The stories of whole films are in `test/run/why.test.ts`. */
import { expect, test } from 'vitest';
import type { Plan } from '../../src/model/plan.ts';
import type { InstanceKey } from '../../src/model/run/key.ts';
import { cellWidth } from '../../src/model/text/cells.ts';
import type { JsonObject } from '../../src/model/text/json.ts';
import { beforeCut, clipped, clippedValue, flatten } from '../../src/plan/owned/asked-fields.ts';
import { plan } from '../../src/plan/plan.ts';
import { resolve } from '../../src/plan/values/resolve.ts';
import { type History, type Made, whyOf } from '../../src/plan/why/explain.ts';
import { excerpts, formatWhy, whyJson } from '../../src/show/plan/why-text.ts';
import { processorTime } from '../support/processor-time.ts';
import { expectAgreement } from './agreement.ts';
import { growing } from './growing.ts';
import { clip, contextOf, planOf, type World } from './support.ts';

const key = (name: string) => name as InstanceKey;

/** What each instance of this film asks for, as far as it is known before anything is made. */
function askedIn(text: string, world: World = {}) {
  const made = planOf(text, world);
  return new Map(
    [...made.instances].map(instance => {
      const resolved = resolve(made, instance, () => undefined, contextOf(world));
      if (!('asks' in resolved)) throw new Error(`${instance.key} is ${resolved.is}`);
      return [instance.key, flatten(resolved.asks)];
    }),
  );
}

/** A journal in which everything of this film was made once. */
function historyIn(text: string, world: World = {}): History {
  const asked = askedIn(text, world);
  const made = (of: InstanceKey): Made => ({
    ...{ fingerprint: `before ${of}`, at: 0, run: 'r1', key: of, how: 'made', cost: 0.5, contents: [] },
    asked: asked.get(of),
  });
  return {
    locked: () => undefined,
    lockedAs: () => [],
    owner: () => undefined,
    madeBy: of => (asked.has(of) ? [made(of)] : []),
    otherService: () => undefined,
    failed: () => undefined,
    hide: one => one,
  };
}

function told(made: Plan, history: History, world: World, width = 80, keys = [...made.instances].map(one => one.key)) {
  const all = keys.map(of => whyOf(of, made, contextOf(world), history));
  expectAgreement(all, made);
  return formatWhy(all, made, { width });
}

test('what only waits for an approval says so', () => {
  const film = `
steps:
  film: { run: [cut], creates: { film: film.mp4 } }
  ok: { approve: "\${{ steps.film }}" }
  up: { needs: [ok], model: V-T2V-A, with: { prompt: a fox } }
`;
  expect(told(planOf(film), historyIn('steps: { other: { run: [ls] } }'), {}, 80, [key('up')])).toMatchInlineSnapshot(`
    "up: new, may be made: $0.75 at list price (5 s × $0.15)
      if ok is approved
      neither the lock nor the journal has a result under this name"
  `);
});

const FILM = `
params: { look: { type: string, default: wide } }
steps:
  shot:
    model: V-REF
    with:
      prompt: "a fox, \${{ params.look }}"
      input_images: [ref/a.png, ref/b.png]
      duration: 5
      generate_audio: false
`;
const image = (name: string) => ({
  sha256: name.repeat(64).slice(0, 64),
  url: `file:///film/${name}.png`,
  facts: { kind: 'image' as const, format: 'png' },
  bytes: 9,
});
const files = { 'ref/a.png': image('a'), 'ref/b.png': image('b') };

test('a request is kept flat, media as its digest, nothing by its place on this machine', () => {
  expect(askedIn(FILM, { files }).get(key('shot'))).toStrictEqual({
    model: 'V-REF',
    prompt: 'a fox, wide',
    'input_images[0]': 'sha256:aaaaaaaaaaaaaaaa',
    'input_images[1]': 'sha256:bbbbbbbbbbbbbbbb',
    duration: 5,
    generate_audio: false,
  });
});

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  prompt: ['a fox', 'a red fox', `a fox ${'and another one '.repeat(20)}`, `a fox ${'and another one '.repeat(20)}!`],
  negative_prompt: ['', 'blur', 'null'],
  seed: ['0', '1', '2147483647'],
  duration: ['2', '5', '15'],
  resolution: ['720P', '1080P'],
  aspect_ratio: ['"16:9"', '"9:16"'],
  watermark: ['true', 'false'],
};

test('of any two requests, exactly the fields that differ are named, whichever of them the lock has cut', () => {
  let seed = 7;
  const below = (end: number) => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return seed % end;
  };
  const request = () =>
    Object.fromEntries(
      Object.entries(FIELDS).flatMap(([name, values]) =>
        name === 'prompt' || below(3) > 0 ? [[name, values[below(values.length)] as string]] : [],
      ),
    );
  const film = (fields: Readonly<Record<string, string>>) =>
    `\nsteps:\n  shot:\n    model: V-T2V-A\n    with:\n${Object.entries(fields)
      .map(([name, value]) => `      ${name}: ${name.endsWith('prompt') ? JSON.stringify(value) : value}\n`)
      .join('')}`;
  for (let trial = 0; trial < 200; trial++) {
    const [was, now] = [request(), request()];
    const differing = Object.keys(FIELDS).filter(name => was[name] !== now[name]);
    const kept = historyIn(film(was));
    const cut: History = {
      ...kept,
      madeBy: of => kept.madeBy(of).map(made => ({ ...made, asked: made.asked && clipped(made.asked) })),
    };
    for (const history of [kept, cut]) {
      const { changes } = whyOf(key('shot'), planOf(film(now)), contextOf(), history);
      expect(changes.map(({ field }) => field).sort()).toEqual(differing.sort());
    }
  }
});

test('a conversation, a schema, a command and a tokenization are kept the same way', () => {
  const film = `
steps:
  script:
    model: C-D
    with: { system: you write, prompt: one word }
    schema: { type: object, properties: { word: { type: string } } }
  cut:
    run: [ffmpeg, -i, clip.mp4]
    env: { LOOK: wide }
    files: { clip: in/clip.mp4 }
    creates: { film: film.mp4 }
  say: { run: "echo $LOOK", shell: bash }
  tune: { tokenize: { repository: fox/house, fine_tune: "7" } }
`;
  const asked = askedIn(film, { files: { 'in/clip.mp4': { ...clip(5), sha256: 'c'.repeat(64) } } });
  expect(Object.fromEntries(asked)).toStrictEqual({
    script: {
      model: 'C-D',
      'messages[0]': 'system: you write',
      'messages[1]': 'user: one word',
      response_format:
        '{"json_schema":{"name":"answer","schema":{"properties":{"word":{"type":"string"}},"type":"object"}},"type":"json_schema"}',
    },
    cut: {
      'run[0]': 'ffmpeg',
      'run[1]': '-i',
      'run[2]': 'clip.mp4',
      'env.LOOK': '…',
      'files.clip': 'sha256:cccccccccccccccc',
      'creates.film': 'film.mp4',
    },
    say: { run: 'echo $LOOK', shell: 'bash' },
    tune: { repository: 'fox/house', fine_tune: '7' },
  });
});

test('a variable of the environment is kept by its name alone', () => {
  const film = FILM.replace('${{ params.look }}', '${{ env.TOKEN }}').replace('steps:', 'env: [TOKEN]\nsteps:');
  const world = { files, env: { TOKEN: 'hunter2-hunter2' } };
  expect(JSON.stringify([...askedIn(film, world)])).not.toContain('hunter2');
  const history = historyIn(film, world);
  const after = { files, env: { TOKEN: 'another-secret' } };
  const why = told(planOf(film, after), history, after, 120);
  expect(why).toContain(
    'something has changed that is neither shown nor kept: a variable of the environment, or who answers on studio',
  );
  expect(why).not.toMatch(/hunter2|another-secret/);
});

test('a file of the author’s with other content is told by its path', () => {
  const after = { files: { ...files, 'ref/b.png': image('d') } };
  expect(told(planOf(FILM, after), historyIn(FILM, { files }), after)).toContain(
    '  `input_images[1]` is another file, or ref/b.png has other content\n',
  );
});

test('a list that grows says where', () => {
  const after = { files: { ...files, 'ref/c.png': image('c') } };
  const longer = FILM.replace('ref/b.png]', 'ref/b.png, ref/c.png]');
  const why = told(planOf(longer, after), historyIn(FILM, { files }), after);
  expect(why).toContain('  `input_images[2]` is new\n    now «sha256:cccccccccccccccc»\n');
  expect(why).not.toContain('input_images[0]');
});

test.each([40, 80, 200])('every line of %i columns stays within them, whatever is asked for', width => {
  const hostile = `\u001b]0;owned\u0007\u001b[31m${'日本語の長い文章'.repeat(30)}\u202e \r\n`;
  const world = { files, params: { look: hostile } };
  const why = told(planOf(FILM, world), historyIn(FILM, { files }), world, width);
  for (const line of why.split('\n')) expect(cellWidth(line)).toBeLessThanOrEqual(width);
  expect(why).not.toMatch(/[\u001b\u0007\u202e\r]/);
});

test('a chain is followed as far as an eye follows it, and a graph with many ways is told once', () => {
  const steps = Array.from(
    { length: 120 },
    (_, i) => `  s${i + 1}: { model: V-UP, with: { input_video: "\${{ steps.s${i}.result_url }}" } }\n`,
  );
  const film = `\nsteps:\n  s0: { model: V-T2V-A, with: { prompt: a fox } }\n${steps.join('')}`;
  const made = planOf(film);
  const worked = processorTime();
  const why = told(made, historyIn(film), {}, 80, [key('s120')]);
  expect(worked()).toBeLessThan(1_000);
  expect(why.split('\n').length).toBeLessThan(60);
  expect(why).toContain('which waits in its turn, and so on: ask for that one');
});

test('what is waited for in two ways is explained once, and neither of those that wait for it would be made for certain', () => {
  const film = `
steps:
  plain: { model: V-T2V-A, with: { prompt: a fox } }
  large: { model: V-UP, with: { input_video: "\${{ steps.plain.result_url }}" } }
  wide: { model: V-RF, with: { input_video: "\${{ steps.plain.result_url }}", aspect_ratio: "16:9", prompt: a } }
  film: { cut: { clips: [ { from: "\${{ steps.large }}" }, { from: "\${{ steps.wide }}" } ] } }
`;
  const why = told(planOf(film), historyIn(`\nsteps:\n  none: { model: V-T2V-A, with: { prompt: a } }\n`), {}, 80, [
    key('film'),
  ]);
  expect(why.replaceAll(/: \S*\$.*|: free/g, '')).toBe(`film: new, may be made
  it waits for large
    large: new, may be made
      it waits for plain
        plain: new, would be made
          neither the lock nor the journal has a result under this name
  it waits for wide
    wide: new, may be made
      it waits for plain`);
});

test('a step whose instances are not known yet is named', () => {
  const pipeline = growing(
    `params: { list: { type: array, default: [1] } }
steps:
  script: { run: [sh, -c, "echo 1"] }
  clip:
    matrix: { beat: "\${{ params.list }}" }
    model: V-T2V-A
    with: { prompt: "\${{ matrix.beat }}" }
  film: { run: [cat], files: { first: "\${{ steps.clip[0].file }}" }, creates: { film: f.mp4 } }
`,
    { clip: 'steps.script.json.beats' },
  );
  const made = plan(pipeline, contextOf()).plan!;
  const history = historyIn('\nsteps:\n  none: { model: V-T2V-A, with: { prompt: a } }\n');
  expect(told(made, history, {}, 80, [key('film')])).toBe(
    `film: new, may be made: free
  neither the lock nor the journal has a result under this name
  it waits for clip: its instances are not known yet`,
  );
  expect(
    (whyJson([whyOf(key('film'), made, contextOf(), history)], made).instances as readonly JsonObject[])[0],
  ).toMatchObject({ waits_for: [], waits_for_steps: ['clip'] });
});

test('a skipped one tells its condition', () => {
  const film = FILM.replace('model: V-REF', 'if: "${{ false }}"\n    model: V-REF');
  expect(told(planOf(film, { files }), historyIn(FILM, { files }), { files })).toBe(
    'shot: skipped: its condition is false',
  );
});

test('a text is cut where it differs', () => {
  const same = 'the quick brown fox jumps over the lazy dog, again and again, ';
  expect(excerpts(`${same}red`, `${same}blue`, 200)).toEqual({ was: `${same}red`, now: `${same}blue` });
  expect(excerpts(`${same}red`, `${same}blue`, 40)).toEqual({
    was: '…dog, again and again, red',
    now: '…dog, again and again, blue',
  });
  expect(excerpts(`a${'x'.repeat(90)}`, `b${'x'.repeat(90)}`, 20)).toEqual({
    was: `a${'x'.repeat(18)}…`,
    now: `b${'x'.repeat(18)}…`,
  });
  expect(excerpts(`${same}\u{1f98a}`, `${same}\u{1f43a}`, 40).now).toBe('…dog, again and again, \u{1f43a}');
});

test('a cut text still tells that something further on has changed', () => {
  const [one, two] = ['a', 'b'].map(end => `${'long '.repeat(60)}${end}`) as [string, string];
  expect(clippedValue(one)).not.toBe(clippedValue(two));
  expect(clippedValue(one)).toMatch(/^(?:long ){40}… \(301 characters, [\da-f]{16}\)$/);
  expect(beforeCut(clippedValue(one))).toBe('long '.repeat(40));
  expect(clipped({ prompt: 'short', seed: 4, on: null })).toStrictEqual({ prompt: 'short', seed: 4, on: null });
});
