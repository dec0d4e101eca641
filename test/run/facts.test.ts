/** Right before a request is paid for, its real values and media are held against the limits of its model, whatever the plan expected. */
import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LocalFiles } from '../../src/app/local-files.ts';
import { plainDisk } from '../../src/machine/files/disk.ts';
import type { MediaFacts } from '../../src/model/media/media.ts';
import type { InstanceKey, RunId } from '../../src/model/run/key.ts';
import { studioPrices } from '../plan/support.ts';
import { failures, ran, rig, type StartedRun, withQuickRig } from './rig.ts';

withQuickRig(() => {
  rig.pricing = studioPrices;
});

const once = (steps: string) => ran(`steps:\n${steps}`);
const posted = () => rig.service.posts.map(({ model }) => model);

const P = 'prompt: a fox';
const step = (name: string, label: string, request: string): string =>
  `  ${name}: { model: ${label}, with: { ${request} } }\n`;
const ask = (json: object) => `  ask: { run: [echo, '${JSON.stringify(json)}'] }\n`;
const N = '"${{ steps.ask.json.n }}"';
const MAKES = (file: string, of = 'echo a fox') => `  cut: { run: '${of} >${file}', creates: { it: ${file} } }\n`;
const CUT = '"${{ steps.cut.files.it }}"';
const SHOT = step('shot', 'V-T2V-A', `${P}, duration: 10`);
const OF_SHOT = 'input_video: "${{ steps.shot.result_url }}"';
const CLIP: MediaFacts = { kind: 'video', format: 'mp4', duration: 9 };
const SOUND: MediaFacts = { kind: 'audio', format: 'wav', duration: 20 };
const STILL: MediaFacts = { kind: 'image', format: 'png', width: 64, height: 64 };
const images = (count: number, label: string) =>
  `  draw: { run: 'for n in $(seq ${count}); do echo $n >$n.png; done', creates: { it: "*.png" }, max: 40 }\n${step('made', label, `${P}, input_image: "\${{ steps.draw.files.it.map(i, i.file) }}"`)}`;

describe('what breaks a limit with its real values', () => {
  test.each([
    [
      'V-T2V-A prompt',
      `  ask: { run: [echo, ${'x'.repeat(501)}] }\n${step('made', 'V-T2V-A', 'prompt: "${{ steps.ask.stdout }}"')}`,
      CLIP,
      'prompt must have at most 500 characters, it has 50',
    ],
    [
      'V-T2V-A duration',
      ask({ n: 16 }) + step('made', 'V-T2V-A', `${P}, duration: ${N}`),
      CLIP,
      'duration must be at most 15, not 16',
    ],
    [
      'V-T2V-A audio_url, long',
      MAKES('a.wav') + step('made', 'V-T2V-A', `${P}, audio_url: ${CUT}`),
      { ...SOUND, duration: 40 },
      'audio_url (from cut) is 40 s long; V-T2V-A takes at most 30 s',
    ],
    [
      'V-T2V-A audio_url, format',
      MAKES('a.ogg') + step('made', 'V-T2V-A', `${P}, audio_url: ${CUT}`),
      { ...SOUND, format: 'ogg' },
      'audio_url (from cut) is ogg; V-T2V-A takes wav or mp3 there',
    ],
    [
      'V-T2V-A audio_url, large',
      MAKES('a.wav', 'head -c 16777216 /dev/zero') + step('made', 'V-T2V-A', `${P}, audio_url: ${CUT}`),
      SOUND,
      'audio_url (from cut) is 16 MB; V-T2V-A takes at most 15 MB there',
    ],
    [
      'V-I2V-A loop',
      `${MAKES('a.png')}${ask({ n: '10s' })}${step('made', 'V-I2V-A', `${P}, input_image: ${CUT}, loop: true, duration: ${N}`)}`,
      STILL,
      'loop is supported for 5s clips only',
    ],
    [
      'V-RF source, of a command',
      MAKES('a.mp4') + step('made', 'V-RF', `${P}, aspect_ratio: "1:1", input_video: ${CUT}`),
      { ...CLIP, duration: 90 },
      'input_video (from cut) is 90 s long; V-RF takes at most 30 s',
    ],
    [
      'V-RF source, longer than it was asked for',
      SHOT + step('made', 'V-RF', `${P}, aspect_ratio: "1:1", ${OF_SHOT}`),
      { ...CLIP, duration: 41 },
      'input_video (from shot) is 41 s long; V-RF takes at most 30 s',
    ],
    [
      'V-RT section',
      SHOT + step('made', 'V-RT', `${OF_SHOT}, retake_start_time: 7, retake_duration: 3`),
      CLIP,
      'the section to retake is 7 s to 10 s, but the clip (from shot) is 9 s long; choose a section within it',
    ],
    ['I-EDIT-C images', images(17, 'I-EDIT-C'), STILL, 'input_image must have at most 16 items, it has 17'],
    [
      'I-EDIT-C dimensions',
      ask({ n: '3840x2161' }) + step('made', 'I-EDIT-C', `${P}, resolution: ${N}`),
      CLIP,
      'resolution must be at most 4K or 3840x2160, not "3840x2161"',
    ],
    [
      'C-C context',
      `  ask: { run: "head -c 600000 /dev/zero | tr '\\\\0' x" }\n${step('made', 'C-C', 'prompt: "${{ steps.ask.stdout }}"')}`,
      CLIP,
      'its words are about 150004 tokens, and C-C holds 64000 of prompt and answer together',
    ],
    [
      'C-C context, of prompt and answer',
      `${ask({ n: 63000 })}${step('made', 'C-C', `prompt: ${'fox '.repeat(3000)}, max_tokens: ${N}`)}`,
      CLIP,
      'its words are about 3004 tokens and its answer may be 63000, and C-C holds 64000 together',
    ],
    [
      'C-F output',
      ask({ n: 128001 }) + step('made', 'C-F', `messages: [{ role: user, content: hello }], max_tokens: ${N}`),
      CLIP,
      'max_tokens must be at most 128000, not 128001',
    ],
  ] as const)('%s: is not sent, and the failure says what and where from', async (_, steps, facts, said) => {
    rig.facts = facts;
    const { film } = await once(steps);
    expect(failures(film)).toHaveLength(1);
    expect(failures(film)[0]).toContain(`made: ${said}`);
    // Only what came before it was paid for.
    expect(posted()).toEqual(steps.includes('shot:') ? ['V-T2V-A'] : []);
    expect(rig.service.calls).toEqual([]);
  });
});

describe('the price', () => {
  const told = ({ plan }: StartedRun, key: string) => plan.instances.get(key as InstanceKey)?.price;
  const paid = ({ events }: StartedRun, key: string) =>
    events.flatMap(event => (event.type === 'submit_intended' && event.key === key ? [event.price] : []));

  test('of what is made of a clip of this machine is the same in the plan, in the run and in the journal', async () => {
    const facts = { ...CLIP, duration: 12.4 };
    rig.files = { 'clip.mp4': { sha256: 'ab'.repeat(32), url: 'file:///film/clip.mp4', facts, bytes: 9 } };
    rig.facts = facts;
    const { film } = await once(
      step('framed', 'V-RF', `${P}, aspect_ratio: "1:1", input_video: clip.mp4`) +
        step('large', 'V-UP', 'input_video: "${{ steps.framed.result_url }}"'),
    );
    expect(['framed', 'large'].map(key => [told(film, key), paid(film, key)])).toEqual([
      [1.488, [1.488]],
      [1.24, [1.24]],
    ]);
    const journalled = [...rig.journal.read('id-1' as RunId).events].flatMap(event =>
      event.type === 'submit_intended' ? [event.price] : [],
    );
    expect(journalled).toEqual([1.488, 1.24]);
  });

  test('goes by what is real once it is: of a clip that came out longer, and of one whose length nobody knew', async () => {
    rig.facts = { ...CLIP, duration: 5.2 };
    const { film } = await once(
      step('shot', 'V-T2V-A', `${P}, duration: 5`) +
        step('of', 'V-UP', OF_SHOT) +
        MAKES('a.mp4') +
        step('late', 'V-UP', `input_video: ${CUT}`),
    );
    expect(['of', 'late'].map(key => [told(film, key), paid(film, key)])).toEqual([
      [0.5, [0.52]],
      [null, [0.52]],
    ]);
    // The next plan reads what there is.
    const again = await rig.start(
      `steps:\n${step('shot', 'V-T2V-A', `${P}, duration: 5`)}${step('other', 'V-UP', `${OF_SHOT}, grain: 0.1`)}`,
    );
    expect(told(again, 'other')).toBe(0.52);
  });

  test('is not known where nobody can tell the length, and never zero', async () => {
    rig.facts = { kind: 'video' };
    const { film } = await once(SHOT + step('of', 'V-UP', OF_SHOT));
    expect(failures(film)).toEqual([]);
    expect(paid(film, 'of')).toEqual([null]);
  });
});

describe("a file of the author's", () => {
  let folder: string;
  let files: LocalFiles;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'shotlist-facts-'));
    write('the first cut');
    files = new LocalFiles(folder, { disk: plainDisk, probe: async () => CLIP });
    rig.authorFiles = files;
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const path = () => join(folder, 'clip.mp4');
  const write = (text: string) => writeFileSync(path(), text);
  const known = async () => {
    files.get('clip.mp4');
    await files.load();
    const found = files.get('clip.mp4');
    if (!found || 'unusable' in found) throw new Error('the file is not there');
    rig.files = { 'clip.mp4': found };
  };
  const FILM = `${ask({ n: 0.1 })}${step('made', 'V-UP', `input_video: clip.mp4, grain: ${N}`)}`;

  test.each([
    ['that changed', () => write('another cut'), '"clip.mp4" has changed since this run was planned'],
    ['that is gone', () => rmSync(path()), '"clip.mp4" is gone since this run was planned'],
    [
      'that another took the place of, as long and as old',
      () => {
        write('the third cut');
        utimesSync(path(), 1, 1);
      },
      '"clip.mp4" has changed since this run was planned',
    ],
  ])('%s since the plan was made is not sent', async (_, happens, said) => {
    utimesSync(path(), 1, 1);
    await known();
    happens();
    const { film, outcome } = await once(FILM);
    expect(outcome.is).toBe('failed');
    expect(failures(film)).toEqual([`made: ${said}`]);
    expect(posted()).toEqual([]);
    // A new plan reads it anew.
    if (said.includes('gone')) return;
    files = new LocalFiles(folder, { disk: plainDisk, probe: async () => CLIP });
    rig.authorFiles = files;
    await known();
    expect((await once(FILM)).outcome.is).toBe('done');
  });

  test('that was only touched, or put back as it was, is what it was', async () => {
    await known();
    const other = join(folder, 'other.mp4');
    writeFileSync(other, 'the first cut');
    renameSync(other, path());
    const { outcome } = await once(FILM);
    expect(outcome.is).toBe('done');
    expect(posted()).toEqual(['V-UP']);
  });

  test('that changed is not given to a command either', async () => {
    await known();
    write('another cut');
    const { film } = await once('  read: { run: "cat $clip", files: { clip: clip.mp4 } }\n');
    expect(failures(film)).toEqual(['read: "clip.mp4" has changed since this run was planned']);
  });

  test('that only a list which was written names is read when its turn comes', async () => {
    rig.files = new Proxy({}, { get: (_, name) => files.get(String(name)) });
    const { film } = await once(`${ask({ n: ['clip.mp4'] })}  made:
    matrix: { clip: ${N} }
    max: 3
    model: V-UP
    with: { input_video: "\${{ matrix.clip }}" }
`);
    expect(failures(film)).toEqual([]);
    const prices = film.events.flatMap(event => (event.type === 'submit_intended' ? [event.price] : []));
    expect(prices).toEqual([0.9]);
  });

  test('that only a result names is read then', async () => {
    rig.files = new Proxy({}, { get: (_, name) => files.get(String(name)) });
    const { film } = await once(`${ask({ n: 'clip.mp4' })}${step('made', 'V-UP', `input_video: ${N}`)}`);
    expect(failures(film)).toEqual([]);
    expect(posted()).toEqual(['V-UP']);
    const lost = await once(`${ask({ n: 'lost.mp4' })}${step('made', 'V-UP', `input_video: ${N}`)}`);
    expect(failures(lost.film)[0]).toContain('made: input_video names "lost.mp4", which is');
  });
});
