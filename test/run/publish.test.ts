/** Files of this machine in requests to a service on another: published before, named by their place, and signed for each POST. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { ContentToPublish, PublishOutcome } from '../../src/records/store/publish/publishing.ts';
import type { Publisher } from '../../src/run/ports/publisher.ts';
import { LOST_ANSWER } from './fake-service.ts';
import { failures, type RunRig, ran, rig, type StartedRun, withQuickRig } from './rig.ts';

let bucket: FakeBucket;
withQuickRig(() => {
  rig.settings = { elsewhere: true };
  bucket = new FakeBucket(rig);
  rig.publisher = bucket;
});

/** Signs each address with the time. */
class FakeBucket implements Publisher {
  readonly to = 's3://films';
  readonly asked: ContentToPublish[] = [];
  readonly there = new Set<string>();
  /** What is answered instead. */
  outcome: PublishOutcome | undefined;
  closed = 0;
  readonly #rig: RunRig;

  constructor(of: RunRig) {
    this.#rig = of;
  }

  async publish(content: ContentToPublish, hear: (sent: number, of: number) => void): Promise<PublishOutcome> {
    this.asked.push(content);
    if (this.outcome) return this.outcome;
    if (!this.there.has(content.sha256)) for (const sent of [0, 1_550_000, 3_100_000]) hear(sent, 3_100_000);
    this.there.add(content.sha256);
    const signature = `X-Amz-Signature=${this.#rig.clock.now()}`;
    return { is: 'ok', url: `https://films.example/${content.sha256}${content.extension}?${signature}` };
  }

  async close(): Promise<void> {
    this.closed++;
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** A photo beside the pipeline. */
function photo(name = 'fox.png', content = 'a fox'): string {
  const path = join(rig.folder, name);
  writeFileSync(path, content);
  const url = pathToFileURL(path).href;
  const media = {
    sha256: sha256(content),
    url,
    bytes: content.length,
    facts: { kind: 'image', format: 'png' },
  } as const;
  rig.files = { ...rig.files, [name]: media };
  return media.sha256;
}

const SHOT = `
steps:
  shot: { model: V-I2V-A, with: { input_image: fox.png, prompt: it walks } }
`;
const intents = ({ events }: StartedRun) =>
  events.flatMap(event => (event.type === 'submit_intended' ? [event.request] : []));

describe('a photo beside the pipeline', () => {
  test('is read by the service at a signed address, and kept by its place', async () => {
    const digest = photo();
    const { film, outcome } = await ran(SHOT);
    expect(failures(film)).toEqual([]);
    expect(outcome.is).toBe('done');
    const place = `https://films.example/${digest}.png`;
    expect(rig.service.posts).toMatchObject([
      { input_image: expect.stringMatching(`^${place}\\?X-Amz-Signature=\\d+$`) },
    ]);
    expect(intents(film)).toMatchObject([{ input_image: place }]);
    expect(JSON.stringify(film.events)).not.toContain('X-Amz-Signature');
    expect(rig.lockText).not.toContain('X-Amz-Signature');
    expect(bucket.closed).toBe(1);
  });

  test('is the same request wherever it is published, or not at all', async () => {
    photo();
    await ran(SHOT);
    rig.publisher = undefined;
    rig.settings = {};
    const { outcome } = await ran(SHOT);
    expect(outcome.counts).toMatchObject({ reused: 1 });
    expect(rig.service.posts).toHaveLength(1);
  });

  test('is told while it goes', async () => {
    photo();
    const { film } = await ran(SHOT);
    const told = film.events.flatMap(event => (event.type === 'progress' ? [[event.status, event.fraction]] : []));
    expect(told.slice(0, 3)).toEqual([0, 0.5, 1].map(part => ['publishing 3.1 MB to s3://films', part]));
  });

  test.each<readonly [what: string, arrange: () => void, message: string, asked: number]>([
    [
      'cannot be published',
      () => {
        bucket.outcome = { is: 'failed', message: 's3://films: there is no bucket `films` there' };
      },
      'its media could not be published: s3://films: there is no bucket `films` there',
      1,
    ],
    [
      'has changed',
      () => {
        rig.authorFiles = { load: async () => false, changed: async () => 'has changed' };
      },
      '"fox.png" has changed since this run was planned',
      0,
    ],
    [
      'may not be paid for',
      () => {
        rig.frozen = true;
      },
      'it would have to be paid for, and --frozen allows only what is owned already',
      0,
    ],
  ])('that %s fails its step, before anything is paid for', async (_, arrange, message, asked) => {
    photo();
    arrange();
    const { film } = await ran(SHOT);
    expect(failures(film)).toEqual([`shot: ${message}`]);
    expect([bucket.asked.length, rig.service.posts]).toEqual([asked, []]);
  });

  test('stays here where its request does not fit into a budget', async () => {
    photo();
    const { film, outcome } = await ran(`budget: { usd: 0.01 }${SHOT}`);
    expect(outcome.is).toBe('budget');
    expect(film.events.some(({ type }) => type === 'over_budget')).toBe(true);
    expect([bucket.asked, rig.service.posts]).toEqual([[], []]);
  });

  /** A rate of the service holds back the request for the second photo. */
  async function heldBack() {
    rig.settings = { ...rig.settings, rates: { per_day: 1 } };
    const digests = [photo('fox.png', 'a fox'), photo('dog.png', 'a dog')];
    await ran(SHOT);
    return { digests, film: await rig.start(SHOT.replace('fox.png', 'dog.png')) };
  }
  const asked = () => [...new Set(bucket.asked.map(({ sha256: digest }) => digest))];

  test('stays here for as long as a rate of the service holds its request back', async () => {
    const { digests, film } = await heldBack();
    await rig.clock.advance(12 * 3_600_000);
    expect(asked()).toEqual(digests.slice(0, 1));
    await rig.clock.advance(13 * 3_600_000);
    expect((await film.run.done).is).toBe('done');
    expect(asked()).toEqual(digests);
    expect(film.events.filter(({ type }) => type === 'held_back')).toHaveLength(1);
  });

  test('stays here when the run is stopped meanwhile', async () => {
    const { digests, film } = await heldBack();
    await rig.clock.advance(3_600_000);
    film.run.detach();
    expect((await film.run.done).is).toBe('interrupted');
    expect(asked()).toEqual(digests.slice(0, 1));
  });

  test('stays here where a rate holds its request back, though that waits for its budget as well', async () => {
    rig.settings = { ...rig.settings, rates: { per_day: 1 } };
    rig.service.isQuick = false;
    photo();
    const film = await rig.start(`
budget: { generations: 1 }
steps:
  first: { model: V-T2V-A, with: { prompt: first } }
  words: { run: [echo, it moves] }
  shot: { model: V-I2V-A, with: { input_image: fox.png, prompt: "\${{ steps.words.stdout }}" } }
`);
    await Promise.all([film.happened('submit_accepted', 'first'), film.happened('held_back', 'shot')]);
    film.run.detach();
    await film.done;
    expect(bucket.asked).toEqual([]);
  });

  test('stays here where the service reads files of this machine', async () => {
    photo();
    rig.settings = {};
    await ran(SHOT);
    expect(bucket.asked).toEqual([]);
    expect(rig.service.posts[0]?.input_image).toMatch(/^file:/);
  });
});

test('an address is signed anew for each POST', async () => {
  photo();
  rig.service.trouble.push({
    answer: { is: 'refused', status: 429, message: 'slow down', retryAfter: 3_600_000 },
    take: false,
  });
  await ran(SHOT);
  const [first, second] = rig.service.posts.map(({ input_image }) => String(input_image).split('=')[1]);
  expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(3_600_000);
});

test('a service that quotes the address it could not fetch gives nobody its signature', async () => {
  photo();
  rig.service.enqueue = async ({ input_image }) => ({
    ...({ is: 'refused', status: 422 } as const),
    message: `cannot fetch ${input_image}`,
  });
  const { film } = await ran(SHOT);
  expect(failures(film)[0]).toContain(`cannot fetch https://films.example/${sha256('a fox')}.png`);
  expect(JSON.stringify(film.events)).not.toContain('X-Amz-Signature');
});

test('a request whose answer was lost is found in the history, where its address is signed', async () => {
  photo();
  rig.service.trouble.push({ answer: LOST_ANSWER, take: true });
  const { film, outcome } = await ran(SHOT);
  expect(outcome.is).toBe('done');
  expect(film.events.some(event => event.type === 'submit_accepted' && event.found)).toBe(true);
  expect(rig.service.posts).toHaveLength(1);
});

test('a killed run that goes on a week later signs anew, and sends no file again', async () => {
  const digest = photo();
  rig.service.trouble.push({ answer: 'never', take: false });
  await rig.start(SHOT);
  await rig.service.arrived(1);
  await rig.kill();
  await rig.clock.advance(7 * 24 * 3_600_000);
  const { outcome } = await ran(SHOT);
  expect(outcome.is).toBe('done');
  const [first, second] = rig.service.posts.map(({ input_image }) => String(input_image).split('=')[1]);
  expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(7 * 24 * 3_600_000);
  expect([...bucket.there]).toEqual([digest]);
});

describe('what exists only here is published too', () => {
  test('what a command makes, and a frame of a video', async () => {
    rig.facts = { kind: 'image', format: 'png' };
    const { film, outcome } = await ran(`
steps:
  draw: { run: 'printf still >still.png', creates: { still: still.png } }
  shot: { model: V-I2V-A, with: { input_image: "\${{ steps.draw.files.still.file }}", prompt: it walks } }
`);
    expect(failures(film)).toEqual([]);
    expect(outcome.is).toBe('done');
    expect(rig.service.posts[0]?.input_image).toContain(`https://films.example/${sha256('still')}.png?`);
    rig.facts = { kind: 'video', format: 'mp4', duration: 5 };
    const walk = await ran(`
steps:
  first: { model: V-T2V-A, with: { prompt: a fox } }
  second: { model: V-I2V-A, with: { input_image: "\${{ steps.first.last_frame }}", prompt: it walks on } }
`);
    expect(failures(walk.film)).toEqual([]);
    expect(rig.service.posts.at(-1)?.input_image).toMatch(
      /^https:\/\/films\.example\/[0-9a-f]{64}\.png\?X-Amz-Signature=/,
    );
  });

  test('an image that a chat is shown', async () => {
    const digest = photo();
    rig.service.chatAnswers.push({ is: 'answered', text: 'a fox', finish_reason: 'stop', usage: null });
    const { film } = await ran(`
steps:
  say: { model: C-B, with: { prompt: what is it, images: [ fox.png ] } }
`);
    expect(failures(film)).toEqual([]);
    expect(JSON.stringify(rig.service.calls)).toContain(`https://films.example/${digest}.png?X-Amz-Signature=`);
    expect(JSON.stringify(film.events)).not.toContain('X-Amz-Signature');
  });

  test('a result that the service keeps no more', async () => {
    const text = `
steps:
  shot: { model: V-T2V-A, with: { prompt: a fox } }
  framed: { model: V-RF, with: { input_video: "\${{ steps.shot.result_url }}", aspect_ratio: "9:16", prompt: snow } }
`;
    const first = text.replace(/ {2}framed:.*\n/, '');
    await ran(first);
    rig.service.denied.add('gen-1');
    const { film, outcome } = await ran(text);
    expect(failures(film)).toEqual([]);
    expect(outcome.is).toBe('done');
    const digest = sha256('the film at https://house.test/gen-1.mp4');
    expect(rig.service.posts.at(-1)?.input_video).toContain(`https://films.example/${digest}.mp4?X-Amz-Signature=`);
    expect(intents(film).at(-1)?.input_video).toBe(`https://films.example/${digest}.mp4`);
  });
});

test('addresses of a command that differ in their query alone are kept apart, and without it', async () => {
  const digests = [photo('fox.png', 'a fox'), photo('dog.png', 'a dog')];
  bucket.publish = async ({ sha256: digest }) => ({
    is: 'ok',
    url: `https://files.example/get?token=${digest.slice(0, 8)}`,
  });
  const { film } = await ran(
    SHOT.replace('fox.png', '"${{ matrix.photo }}"').replace(
      'shot: {',
      'shot: { matrix: { photo: [fox.png, dog.png] },',
    ),
  );
  expect(failures(film)).toEqual([]);
  expect(rig.service.posts.map(({ input_image }) => input_image).sort()).toEqual(
    digests.map(digest => `https://files.example/get?token=${digest.slice(0, 8)}`).sort(),
  );
  expect(JSON.stringify(film.events)).not.toContain('token=');
});
