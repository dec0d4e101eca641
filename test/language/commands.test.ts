import { describe, expect, it } from 'vitest';
import { compiled, film, said, told } from './said.ts';

describe('a star under `creates`', () => {
  it('gives a list of files, typed by its ending', () => {
    const text = film(`
      steps:
        parts: { run: [./split.sh], files: { film: talk.mp4 }, creates: { clips: "parts/part_*.mp4", list: list.json }, max: 40 }
        first: { model: V-RF, with: { input_video: "\${{ steps.parts.files.clips[0].file }}", aspect_ratio: "9:16", prompt: snow } }
        same: { model: V-RF, with: { input_video: "\${{ steps.parts.files.clips[1] }}", aspect_ratio: "9:16", prompt: snow } }
        told: { run: [echo, "\${{ steps.parts.files.clips.map(c, c.name).join(', ') }}", "\${{ size(steps.parts.files.clips) }}"] }
    `);
    const [parts] = compiled(text).steps;
    expect(parts).toMatchObject({ kind: 'run', lists: ['clips'], effect: false });
  });

  it('is a star of the author, not one of arithmetic', () => {
    const [, two] = compiled(
      film(`
        steps:
          one: { run: [ls], matrix: { n: [1, 2] }, creates: { clip: "\${{ matrix.n * 2 }}.mp4" } }
          two: { run: [ls], matrix: { n: [1, 2] }, creates: { clips: "\${{ matrix.n * 2 }}_*.mp4" } }
      `),
    ).steps;
    expect(two).toMatchObject({ lists: ['clips'] });
    expect(told('steps:\n  one: { run: [ls], matrix: { n: [1] }, creates: { c: "${{ matrix.n * 2 }}.mp4" } }\n')).toBe(
      '',
    );
  });

  it('is no single file, and is of the kind that its ending says', () => {
    expect(
      told(`
          steps:
            parts: { run: [ls], creates: { stills: "still_*.png" } }
            a: { model: V-RF, with: { input_video: "\${{ steps.parts.files.stills[0].file }}", aspect_ratio: "9:16", prompt: x } }
            b: { model: V-I2V-A, with: { input_image: "\${{ steps.parts.files.stills }}", prompt: x } }
            d: { model: I-EDIT-C, with: { input_image: "\${{ steps.parts.files.stills }}", prompt: x } }
            c: { run: [echo, "\${{ steps.parts.files.stills }}", "\${{ steps.parts.files.stills[0].nam }}"] }
        `),
    ).toMatchInlineSnapshot(`
      "5:42 ‹"\${{ steps.parts.files.stills[0].file }}"› \`input_video\` of V-RF takes a video, but this is an image; give it a step that makes a video
      6:45 ‹"\${{ steps.parts.files.stills }}"› \`input_image\` of V-I2V-A takes the address of an image, but this is a list of files of a command; use \`each\` to make one for each, or pick one with \`[0]\`
      8:20 ‹"\${{ steps.parts.files.stills }}"› an argument is one plain value, but this is a list of files of a command; pick one or \`join\` them
      8:88 ‹nam› \`steps.parts.files.stills[0]\` (a file of a command) has no \`nam\`; did you mean \`name\`?"
    `);
  });

  it('is read by a command one by one, or as the paths of all', () => {
    const text = (files: string) =>
      film(`
        steps:
          parts: { run: [ls], creates: { clips: "*.mp4" } }
          whole: { run: [./join.sh, "\${{ steps.parts.files.clips.map(f, f.file).join(' ') }}"], files: { clip: "${files}" } }
      `);
    expect(said(text('${{ steps.parts.files.clips[0] }}'))).toBe('');
    expect(said(text('${{ steps.parts.files.clips }}'))).toMatchInlineSnapshot(
      `"5:104 ‹"\${{ steps.parts.files.clips }}"› a file is a result, an address or a path, but this is a list of files of a command; give one of them, \`steps.parts.files.clips[0]\`, or all their paths as an argument: \`steps.parts.files.clips.map(f, f.file).join(' ')\`"`,
    );
  });

  it('stands in the name of the file, and `max` needs one', () => {
    expect(
      told(`
          steps:
            a: { run: [ls], creates: { clips: "shots/*/clip.mp4" } }
            b: { run: [ls], creates: { clips: "**.mp4" } }
            c: { run: [ls], creates: { clip: clip.mp4 }, max: 3 }
            d: { run: [ls], creates: { clips: "*.mp4" }, max: 0 }
            e: { run: [ls], creates: { clips: "../*.mp4" } }
        `),
    ).toMatchInlineSnapshot(`
      "4:37 ‹"shots/*/clip.mp4"› a star stands for a part of the file name; have the command leave its files in one folder, like \`parts/part_*.mp4\`
      5:37 ‹"**.mp4"› a star stands for a part of the file name; have the command leave its files in one folder, like \`parts/part_*.mp4\`
      6:48 ‹max› \`max\` says how many files a star under \`creates\` may stand for, and there is none; take it out, or write \`clips: "part_*.mp4"\`
      7:53 ‹0› \`steps.d.max\` is 0; it must be at least 1
      8:37 ‹"../*.mp4"› \`../*.mp4\` leads out of its folder; use a relative path without \`..\`"
    `);
  });
});

describe('an output of a list', () => {
  const FILE = `
    steps:
      parts: { run: [ls], creates: { clips: "part_*.mp4" } }
      many: { run: [ls], matrix: { n: [1, 2] }, creates: { clips: "part_*.mp4" } }
      looks: { run: [ls], matrix: { look: [a, b] }, creates: { clips: "part_*.mp4" } }
`;
  const output = (from: string, to: string): string =>
    told(`${FILE}    outputs:\n      film: { from: "${from}", to: "${to}" }\n`);

  it('has a place for each of its files', () => {
    expect(output('${{ steps.parts.files.clips }}', 'out/part-{n}.mp4')).toBe('');
    expect(output('${{ steps.looks.files.clips }}', 'out/{look}/{n}.mp4')).toBe('');
    const pipeline = compiled(
      film('steps:\n  parts: { run: [ls], creates: { clips: "*.mp4" }, save: "out/{n}.mp4" }\n'),
    );
    expect(pipeline.outputs).toMatchObject([{ from: 'parts', file: 'clips', list: true, to: 'out/{n}.mp4' }]);
  });

  it('needs the number of each', () => {
    expect(output('${{ steps.parts.files.clips }}', 'out/part.mp4')).toMatchInlineSnapshot(
      `"8:55 ‹"out/part.mp4"› this is a list of files, and all would be written to one path; add \`{n}\`, the number of each, like \`out/part-{n}.mp4\`"`,
    );
    expect(output('${{ steps.parts.files.clips }}', 'out/part-{number}.mp4')).toMatchInlineSnapshot(
      `"8:65 ‹{number}› step \`parts\` has no coordinate \`number\`; it has \`n\`"`,
    );
    expect(output('${{ steps.many.files.clips }}', 'out/{n}.mp4')).toMatchInlineSnapshot(
      `"8:54 ‹"out/{n}.mp4"› \`{n}\` is the number of each file of the list, and step \`many\` has a coordinate called \`n\`; give that another name"`,
    );
    expect(output('${{ steps.parts.files.clips }}', 'out/part-{n}.png')).toMatchInlineSnapshot(
      `"8:55 ‹"out/part-{n}.png"› \`out/part-{n}.png\` ends like an image, and this is a video; give it the ending of a video, like \`.mp4\`"`,
    );
  });
});

describe('effect', () => {
  it('marks a command that acts outside', () => {
    const [post, plain] = compiled(
      film('steps:\n  post: { run: [./upload.sh], effect: true }\n  plain: { run: [ls], effect: false, cache: off }\n'),
    ).steps;
    expect([post, plain]).toMatchObject([
      { effect: true, cache: true },
      { effect: false, cache: false },
    ]);
  });

  it('is for commands alone, and true or false', () => {
    expect(
      told(`
          steps:
            shot: { model: V-T2V-A, with: { prompt: x }, effect: true }
            tune: { tokenize: { repository: a/b, fine_tune: c }, effect: true }
            post: { run: [ls], effect: "yes" }
            pots: { run: [ls], efect: true }
        `),
    ).toMatchInlineSnapshot(`
      "4:48 ‹effect› step \`shot\` is a request to a model and takes no \`effect\`, which is for \`run\`; take it out
      5:56 ‹effect› step \`tune\` is a tokenization and takes no \`effect\`, which is for \`run\`; take it out
      6:30 ‹"yes"› \`steps.post.effect\` is "yes", and must be true or false; write \`effect: true\`
      7:22 ‹efect› step \`pots\` has no key \`efect\`; did you mean \`effect\`?"
    `);
  });

  it('is done once: `cache: off` says the opposite', () => {
    expect(told('steps:\n  post: { run: [ls], effect: true, cache: off }\n')).toMatchInlineSnapshot(
      `"4:36 ‹cache› \`effect: true\` is done once for its inputs, and \`cache: off\` would do it again with every run; take \`cache\` out, or \`effect\` where a repetition does no harm"`,
    );
    expect(told('defaults: { cache: off }\nsteps:\n  post: { run: [ls], effect: true }\n')).toMatchInlineSnapshot(`
      "5:22 ‹effect› \`effect: true\` is done once for its inputs, and \`cache: off\` under \`defaults\` would do it again with every run; write \`cache: on\` in this step
        note 3:13 ‹cache› turned off here"
    `);
    expect(told('defaults: { cache: off }\nsteps:\n  post: { run: [ls], effect: true, cache: on }\n')).toBe('');
  });
});

describe('a file of a command in a field for media', () => {
  it('is handed over as it is, by its path, or by the address it has once it is published', () => {
    const still = (read: string) =>
      told(`
          steps:
            draw: { run: [./draw.sh], creates: { still: still.png, notes: notes.txt } }
            edit: { model: V-I2V-A, with: { input_image: "${read}", prompt: x } }
        `);
    expect(still('${{ steps.draw.files.still }}')).toBe('');
    expect(still('${{ steps.draw.files.still.file }}')).toBe('');
    expect(still('${{ steps.draw.files.still.result_url }}')).toBe('');
    expect(still('${{ steps.draw.files.still.url }}')).toMatchInlineSnapshot(
      `"5:76 ‹url› \`steps.draw.files.still\` (a file of a command) has no \`url\`; write \`steps.draw.files.still.result_url\`"`,
    );
    expect(still('${{ steps.draw.stdout }}')).toBe('');
  });

  it('must be of the right kind', () => {
    expect(
      told(`
          steps:
            draw: { run: [./draw.sh], creates: { still: still.png } }
            clip: { model: V-UP, with: { input_video: "\${{ steps.draw.files.still }}" } }
        `),
    ).toMatchInlineSnapshot(
      `"5:45 ‹"\${{ steps.draw.files.still }}"› \`input_video\` of V-UP takes a video, but this is an image; give it a step that makes a video"`,
    );
  });
});
