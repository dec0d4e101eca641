import { describe, expect, it } from 'vitest';
import { compiled, film, told } from './said.ts';

const FILE = `
  steps:
    one: { model: V-T2V-A, with: { prompt: x } }
    many: { model: V-T2V-A, matrix: { seed: [1, 2], ratio: [16:9], size: [720P, 1080P] }, with: { prompt: x } }
    cmd: { run: [ls], creates: { clip: clip.mp4, log: log.txt } }
    bare: { run: [ls] }
`;
const output = (from: string, to: string): string =>
  told(`${FILE}  outputs:\n    film: { from: "${from}", to: "${to}" }\n`);

describe('outputs', () => {
  it('a step, a fan-out by its coordinates, and one file of a command', () => {
    expect(output('${{ steps.one }}', 'out/a.mp4')).toBe('');
    expect(output('${{ steps.many }}', 'out/{seed}/{size}.mp4')).toBe('');
    expect(output('${{ steps.many }}', 'out/{seed}-{ratio}-{size}.mp4')).toBe('');
    expect(output('${{ steps.cmd.files.clip }}', 'out/a.mp4')).toBe('');
  });

  it('from', () => {
    expect(output('${{ steps.cmd }}', 'out/a.mp4')).toMatchInlineSnapshot(
      `"9:17 ‹"\${{ steps.cmd }}"› step \`cmd\` is a command; say which of its files: \`\${{ steps.cmd.files.clip }}\` or \`\${{ steps.cmd.files.log }}\`"`,
    );
    expect(output('${{ steps.bare }}', 'out/a.mp4')).toMatchInlineSnapshot(
      `"9:17 ‹"\${{ steps.bare }}"› step \`bare\` creates no files; declare them under \`creates:\`"`,
    );
    expect(output('${{ params.x }}', 'out/a.mp4')).toMatchInlineSnapshot(
      `"9:17 ‹"\${{ params.x }}"› \`from\` takes a step, or one file of a command; write \`\${{ steps.name }}\` or \`\${{ steps.name.files.name }}\`"`,
    );
    expect(output('${{ steps.many[0] }}', 'out/a.mp4')).toMatchInlineSnapshot(
      `"9:17 ‹"\${{ steps.many[0] }}"› \`from\` takes a step, or one file of a command; write \`\${{ steps.name }}\` or \`\${{ steps.name.files.name }}\`"`,
    );
  });

  it('to', () => {
    expect(output('${{ steps.one }}', 'out/{seed}.mp4')).toMatchInlineSnapshot(
      `"9:46 ‹{seed}› step \`one\` has no coordinate \`seed\`; it is not fanned out, so take the braces out"`,
    );
    expect(output('${{ steps.one }}', 'out/{seed.mp4')).toMatchInlineSnapshot(
      `"9:41 ‹"out/{seed.mp4"› the braces of \`out/{seed.mp4\` do not match; write \`{name}\`"`,
    );
    expect(output('${{ steps.one }}', 'out/${{ run.name }}.mp4')).toMatchInlineSnapshot(
      `"9:41 ‹"out/\${{ run.name }}.mp4"› a path holds no expressions, only coordinates of its step in braces; its step is not fanned out, so write a plain name"`,
    );
  });

  it('two outputs for one path', () => {
    expect(
      told(`
          steps:
            one: { model: V-T2V-A, save: out/film.mp4, with: { prompt: x } }
            two: { model: V-T2V-A, with: { prompt: y } }
          outputs:
            other: { from: "\${{ steps.two }}", to: out/Film.mp4 }
        `),
    ).toMatchInlineSnapshot(`
      "7:42 ‹out/Film.mp4› two outputs write \`out/Film.mp4\`; give each its own path
        note 4:32 ‹out/film.mp4› first declared here"
    `);
  });

  it('save is an output of the same name', () => {
    const pipeline = compiled(
      film(
        'steps:\n  one: { model: V-T2V-A, save: out/film.mp4, with: { prompt: x } }\n  cmd: { run: [ls], creates: { clip: c.mp4 }, save: out/c.mp4 }\n',
      ),
    );
    expect(pipeline.outputs.map(({ name, from, file, to }) => ({ name, from, file, to }))).toEqual([
      { name: 'one', from: 'one', file: undefined, to: 'out/film.mp4' },
      { name: 'cmd', from: 'cmd', file: 'clip', to: 'out/c.mp4' },
    ]);
    expect(
      told(
        'steps:\n  cmd: { run: [ls], creates: { a: a.mp4, b: b.mp4 }, save: out/c.mp4 }\n  none: { run: [ls], save: out/d.mp4 }\n',
      ),
    ).toMatchInlineSnapshot(`
      "4:54 ‹save› \`save\` cannot tell which of these files is meant; name them under \`outputs:\`
      5:22 ‹save› \`save\` needs a file to save, and this command creates none; declare it under \`creates:\`"
    `);
    expect(
      told(
        'steps:\n  one: { model: V-T2V-A, save: out/a.mp4, with: { prompt: x } }\noutputs:\n  one: { from: "${{ steps.one }}", to: out/b.mp4 }\n',
      ),
    ).toMatchInlineSnapshot(`
      "4:26 ‹save› step \`one\` is saved here and under \`outputs\`; keep one
        note 6:3 ‹one› and here"
    `);
  });
});

describe('commands', () => {
  it('argv, script, env, files and creates', () => {
    const pipeline = compiled(
      film(`
        env: [HOME]
        steps:
          shot: { model: V-T2V-A, with: { prompt: x } }
          a:
            run: [ffmpeg, -i, "\${{ steps.shot.file }}", -t, 3, "$1"]
          b:
            run: |
              ffmpeg -i "$clip" -t "$SECONDS_MAX" out.mp4
            shell: bash
            env: { SECONDS_MAX: 3, HOME: "\${{ env.HOME }}" }
            files: { clip: "\${{ steps.shot }}", music: music.mp3 }
            creates: { out: out.mp4 }
          c: { model: V-UP, with: { input_video: "\${{ steps.b.files.out.file }}" } }
      `),
    );
    const [, a, b, c] = pipeline.steps;
    expect(a).toMatchObject({ kind: 'run', upstream: ['shot'], command: { argv: { length: 6 } } });
    expect(b).toMatchObject({ kind: 'run', upstream: ['shot'], command: { shell: 'bash' } });
    expect(c!.upstream).toEqual(['b']);
  });

  it('everything that can be wrong with one', () => {
    expect(
      told(`
          params: { words: { type: array, items: { type: string } } }
          steps:
            shot: { model: I-GEN-A, with: { prompt: x } }
            a: { run: 'echo \${{ params.words }}' }
            b: { run: [echo, "\${{ params.words }}", "\${{ steps.shot }}"], shell: bash }
            c: { run: [], env: { 1X: a, LIST: [1] } }
            d: { run: [ls], files: { clip: "\${{ steps.shot.bytes }}", other: "http://example.org/a.mp4", third: "\${{ params.words }}" } }
            e: { run: [ls], creates: { out: ../out.mp4, two: a.mp4, three: a.mp4 } }
            f: { run: 12 }
            g: { run: [ls], with: { a: 1 } }
            h: { run: [ls], creates: { clip: clip.mp4 } }
            i: { model: I-EDIT-A, with: { prompt: x, input_image: ["\${{ steps.h.files.clip.file }}"] } }
        `),
    ).toMatchInlineSnapshot(`
      "6:19 ‹\${{ params.words }}› a script never gets values pasted in; put the expression under \`env:\` and use the variable in the script
      7:20 ‹"\${{ params.words }}"› an argument is one plain value, but this is a list of texts; pick one or \`join\` them
      7:43 ‹"\${{ steps.shot }}"› an argument is one plain value, but this is an image result; read one of its fields, like \`steps.shot.result_url\`
      7:65 ‹shell› \`shell\` is for scripts, and \`run\` is a list of arguments; take \`shell\` out
      8:13 ‹[]› \`steps.c.run\` is empty; write \`run: [ffmpeg, -version]\`
      8:24 ‹1X› \`1X\` cannot name a variable; use letters, digits and underscores, no digit first
      8:37 ‹[1]› \`steps.c.env.LIST\` is a list, and must be one plain value; write \`LIST: "[1]"\`
      9:34 ‹"\${{ steps.shot.bytes }}"› a file is a result, an address or a path, but this is a whole number; give a step's result
      9:68 ‹"http://example.org/a.mp4"› \`http://\` can be read and changed on its way; use \`https://\`
      9:103 ‹"\${{ params.words }}"› a file is a result, an address or a path, but this is a list of texts; give a step's result
      10:35 ‹../out.mp4› \`../out.mp4\` leads out of its folder; use a relative path without \`..\`
      10:66 ‹a.mp4› \`a.mp4\` is created twice; give each file its own path
      11:13 ‹12› \`steps.f.run\` is 12, and must be a text or a list; write \`run: [12]\`
      12:19 ‹with› step \`g\` is a command and takes no \`with\`; use \`env\`, \`files\` or arguments
      14:58 ‹"\${{ steps.h.files.clip.file }}"› an entry of \`input_image\` of I-EDIT-A takes an image, but this is a video; give it a step that makes an image"
    `);
  });
});
