/** What a plan says of files that would be published, and what cannot be. */
import { describe, expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import {
  localFilesInPipeline,
  localFilesInPlan,
  localMediaIn,
  publishedText,
  shortLivedAddresses,
} from '../../src/plan/media/local-file-check.ts';
import { formatPlan } from '../../src/show/plan/plan-text.ts';
import { compiled, planOf } from './support.ts';

const HOUR = 3_600_000;
const PHOTO = { url: 'file:///films/fox.png', sha256: 'a'.repeat(64), bytes: 9, facts: { kind: 'image' } } as const;
const world = { files: { 'fox.png': PHOTO, '../in/fox.png': PHOTO } };
const film = (image: string, more = '') => `
steps:
  draw: { run: 'echo >still.png', creates: { still: still.png } }
  shot: { model: V-I2V-A, with: { input_image: ${image}, prompt: it walks${more} } }
`;
const wrong = (text: string) => localFilesInPlan(planOf(text, world), modelLibrary).map(({ message }) => message);
const wrongInFile = (text: string) =>
  localFilesInPipeline(compiled(text), modelLibrary, 'house', 'are published').map(({ message }) => message);

describe('an input that is published is no mistake', () => {
  test.each(['fox.png', '../in/fox.png', '"${{ steps.draw.files.still.file }}"', '"${{ steps.draw.files.still }}"'])(
    '%s',
    image => {
      expect(wrong(film(image))).toEqual([]);
      expect(wrongInFile(film(image))).toEqual([]);
    },
  );
});

test('a path among words is told', () => {
  const inPrompt = film('fox.png').replace('prompt: it walks', 'prompt: "like /films/dog.mp4"');
  const words = 'names "/films/dog.mp4", a file of this machine, which only an input of its own may do';
  expect(wrong(inPrompt)).toEqual([expect.stringContaining(`prompt of \`shot\` ${words}`)]);
  expect(wrongInFile(inPrompt)).toEqual([expect.stringContaining(words)]);
  const read = film('fox.png').replace('prompt: it walks', 'prompt: "see ${{ steps.draw.files.still.file }}"');
  expect(wrongInFile(read)).toEqual([expect.stringContaining('reads a path of this machine from `draw`')]);
});

test('each file is counted once, and told with its place', () => {
  const plan = planOf(film('fox.png').replace('shot: {', 'shot: { takes: 3,'), world);
  expect([...localMediaIn(plan)]).toEqual([PHOTO.url]);
  const published = { to: 's3://films/in', files: 2, bytes: 3_100_000, unmeasured: 0 };
  expect(formatPlan(plan, { width: 120, published })).toContain(
    'published     2 files (3.1 MB) to s3://films/in, if not there yet; anyone with the address of one can read it',
  );
  expect(publishedText({ ...published, files: 1, unmeasured: 1, bytes: 0 })).toContain('1 file (made meanwhile) to');
  expect(formatPlan(plan, { width: 120 })).not.toContain('published');
});

test('addresses that end before a request may have waited long enough are warned of', () => {
  const slow = planOf(film('fox.png').replace('shot: {', 'shot: { timeout: { queue: 30h },'), world);
  expect(shortLivedAddresses(slow, 24 * HOUR)).toMatchObject([
    {
      severity: 'warning',
      message:
        "the files that `shot` names are published for 24h 00m, and it may wait for 30h 00m in the service's queue; raise `expires` of `publish`",
    },
  ]);
  expect(shortLivedAddresses(slow, 48 * HOUR)).toEqual([]);
});
