import { expect, it, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { localFileIn, localFilesInPipeline, localFilesInPlan } from '../../src/plan/media/local-file-check.ts';
import { linesOf } from '../language/said.ts';
import { compiled, planOf, Shelf } from './support.ts';

const FILM = `
steps:
  tall:
    matrix: { ratio: ["9:16", "1:1"] }
    model: V-RF
    with:
      input_video: media/clip.mp4
      aspect_ratio: \${{ matrix.ratio }}
      prompt: snow
  shot:
    model: V-T2V-A
    with: { prompt: a fox }
`;
const clip = {
  sha256: 'ab'.repeat(32),
  facts: { kind: 'video', duration: 5 },
  url: 'file:///films/media/clip.mp4',
} as const;
const world = { service: 'prod', files: { 'media/clip.mp4': clip } };

test('a file of this machine is said to be out of a far service’s reach once, before anything is paid for', () => {
  expect(linesOf(localFilesInPlan(planOf(FILM, world)))).toMatchInlineSnapshot(
    `"8:20 ‹media/clip.mp4› input_video of \`tall\` names "file:///films/media/clip.mp4", a file of this machine, and prod is on another; have it published (add \`publish: { s3: { bucket: NAME } }\` or \`publish: { command: [./publish.sh] }\` to shotlist.config.yaml), or put it where it can be read, and write its https:// address"`,
  );
});

test('what is owned already is not sent, and reads no file', () => {
  const shelf = new Shelf();
  shelf.make(planOf(FILM, world), world);
  expect(localFilesInPlan(planOf(FILM, { ...world, owned: shelf }))).toEqual([]);
});

/** What `check` says of a file whose service is on another machine. */
const checked = (steps: string) => linesOf(localFilesInPipeline(compiled(steps), modelLibrary, 'prod'));
const firsts = (steps: string) =>
  checked(steps)
    .split('\n')
    .map(line => line.replace(/ ‹.*?›/, '').replace(/; .*/, ''));

test('check points at every field that names a file here, in media, axes, lists and the parts of a message', () => {
  expect(
    firsts(`
steps:
  shot:
    model: V-I2V-A
    matrix: { photo: [media/fox.png, "https://host.example/hare.png"] }
    with: { prompt: snow, input_image: "\${{ matrix.photo }}" }
  lit:
    model: I-EDIT-B
    with: { prompt: relight, input_image: ["https://host.example/a.png", media/b.png] }
  told:
    model: C-B
    with:
      messages:
        - role: user
          content:
            - { type: text, text: "what is in file:///home/me/a.png, and why?" }
            - { type: image_url, image_url: { url: media/fox.png } }
            - { type: image_url, image_url: { url: "https://host.example/fox.png" } }
            - { type: image_url, image_url: { url: "data:image/png;base64,/9j/4AAQ/a.png" } }
`),
  ).toStrictEqual([
    '6:23 input_image of `shot` names "media/fox.png", a file of this machine, and prod is on another',
    '10:74 input_image[1] of `lit` names "media/b.png", a file of this machine, and prod is on another',
    '17:35 messages[0].content[0].text of `told` names "file:///home/me/a.png", a file of this machine, and prod is on another',
    '18:52 messages[0].content[1].image_url.url of `told` names "media/fox.png", a file of this machine, and prod is on another',
  ]);
});

test('what a command makes, and where a result is kept, are paths of this machine too', () => {
  expect(
    firsts(`
steps:
  cut:
    matrix: { n: [1, 2] }
    run: [cut]
    creates: { film: film.mp4 }
  shot:
    model: V-T2V-A
    with: { prompt: a fox }
  tall:
    each: \${{ steps.cut }}
    model: V-RF
    with: { input_video: "\${{ each.files.film.file }}", prompt: snow, aspect_ratio: "9:16" }
  told:
    model: C-A
    with: { prompt: "compare \${{ steps.shot.file }} with \${{ steps.cut.map(c, c.files.film.file).join(', ') }}" }
  fine:
    model: C-A
    with: { prompt: "\${{ steps.shot.result_url }} is \${{ steps.shot.media.duration }} s, \${{ steps.shot.sha256 }}" }
`),
  ).toStrictEqual([
    '14:26 input_video of `tall` reads a path of this machine from `cut`, and prod is on another',
    '17:30 messages[0].content of `told` reads a path of this machine from `shot`, and prod is on another',
    '17:58 messages[0].content of `told` reads a path of this machine from `cut`, and prod is on another',
  ]);
});

it.each([
  'file:///home/me/fox.png',
  'FILE:/home/me/fox.png',
  'look at file%3A%2F%2F%2Fhome%2Fme%2Ffox.png now',
  'f%69le:///home/me/fox.png',
  '/home/me/fox',
  '/fox.png',
  '/home/me/my fox.png',
  '~/fox.png',
  'C:\\Users\\me\\fox.png',
  'c:/Users/me/fox.png',
  'see C:\\Users\\me\\fox.png',
  '\\\\server\\share\\fox.png',
  'compare /home/me/fox.png with the sky',
  'compare (~/pictures/fox.webp) with the sky',
])('%j never leaves this machine, wherever in a request it stands', path => {
  expect(localFileIn({ prompt: path })?.field).toBe('prompt');
  expect(localFileIn({ messages: [{ role: 'user', content: [{ type: 'text', text: path }] }] })?.field).toBe(
    'messages[0].content[0].text',
  );
});

it.each([
  'a fox and/or a hare',
  '/imagine a fox',
  'the word /fɒks/ on a sign',
  'a sign that reads /exit',
  'profile: //no file',
  'open the file: it holds a fox',
  '9:16',
  'https://host.example/home/me/fox.png',
  'see https://host.example/a/fox.png?x=/b/c.png',
  'data:image/png;base64,/9j/4AAQ',
  'C: a drive, 24/7, 1/2',
  '50% of the frame',
])('%j is no file', text => {
  expect(localFileIn({ prompt: text })).toBe(undefined);
});

test('a cut stays on this machine, by whichever of its fields it is read', () => {
  const text = (field: string) => `
steps:
  shot: { model: V-T2V-A, with: { prompt: a fox } }
  film: { cut: { clips: [ "\${{ steps.shot }}" ] } }
  big: { model: V-UP, with: { input_video: "\${{ steps.film.${field} }}" } }
`;
  for (const field of ['result_url', 'file'])
    expect(localFilesInPipeline(compiled(text(field)), modelLibrary, 'house').map(({ message }) => message)).toEqual([
      'input_video of `big` reads a path of this machine from `film`, and house is on another; what this machine makes stays here; have it published (add `publish: { s3: { bucket: NAME } }` or `publish: { command: [./publish.sh] }` to shotlist.config.yaml), or put it where it can be read, and write its https:// address',
    ]);
  expect(
    localFilesInPipeline(compiled(text('result_url').replace('steps.film.', 'steps.shot.')), modelLibrary, 'house'),
  ).toEqual([]);
});
