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
    expect(output('${{ steps.cmd }}', 'out/a.mp4')).toMatchInlineSnapshot(`
      "film.yaml:9:17: error: step \`cmd\` is a command; say which of its files: \`\${{ steps.cmd.files.clip }}\` or \`\${{ steps.cmd.files.log }}\`
        9 |   film: { from: "\${{ steps.cmd }}", to: "out/a.mp4" }
          |                 ^^^^^^^^^^^^^^^^^^"
    `);
    expect(output('${{ steps.bare }}', 'out/a.mp4')).toMatchInlineSnapshot(`
      "film.yaml:9:17: error: step \`bare\` creates no files; declare them under \`creates:\`
        9 |   film: { from: "\${{ steps.bare }}", to: "out/a.mp4" }
          |                 ^^^^^^^^^^^^^^^^^^^"
    `);
    expect(output('${{ params.x }}', 'out/a.mp4')).toMatchInlineSnapshot(`
      "film.yaml:9:17: error: \`from\` takes a step, or one file of a command; write \`\${{ steps.name }}\` or \`\${{ steps.name.files.name }}\`
        9 |   film: { from: "\${{ params.x }}", to: "out/a.mp4" }
          |                 ^^^^^^^^^^^^^^^^^"
    `);
    expect(output('${{ steps.many[0] }}', 'out/a.mp4')).toMatchInlineSnapshot(`
      "film.yaml:9:17: error: \`from\` takes a step, or one file of a command; write \`\${{ steps.name }}\` or \`\${{ steps.name.files.name }}\`
        9 |   film: { from: "\${{ steps.many[0] }}", to: "out/a.mp4" }
          |                 ^^^^^^^^^^^^^^^^^^^^^^"
    `);
  });

  it('to', () => {
    expect(output('${{ steps.one }}', 'out/{seed}.mp4')).toMatchInlineSnapshot(`
      "film.yaml:9:46: error: step \`one\` has no coordinate \`seed\`; it is not fanned out, so take the braces out
        9 |   film: { from: "\${{ steps.one }}", to: "out/{seed}.mp4" }
          |                                              ^^^^^^"
    `);
    expect(output('${{ steps.one }}', 'out/{seed.mp4')).toMatchInlineSnapshot(`
      "film.yaml:9:41: error: the braces of \`out/{seed.mp4\` do not match; write \`{name}\`
        9 |   film: { from: "\${{ steps.one }}", to: "out/{seed.mp4" }
          |                                         ^^^^^^^^^^^^^^^"
    `);
    expect(output('${{ steps.one }}', 'out/${{ run.name }}.mp4')).toMatchInlineSnapshot(`
      "film.yaml:9:41: error: a path holds no expressions, only coordinates of its step in braces; its step is not fanned out, so write a plain name
        9 |   film: { from: "\${{ steps.one }}", to: "out/\${{ run.name }}.mp4" }
          |                                         ^^^^^^^^^^^^^^^^^^^^^^^^^"
    `);
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
      "film.yaml:7:42: error: two outputs write \`out/Film.mp4\`; give each its own path
        7 |   other: { from: "\${{ steps.two }}", to: out/Film.mp4 }
          |                                          ^^^^^^^^^^^^
          note: film.yaml:4:32: first declared here
        4 |   one: { model: V-T2V-A, save: out/film.mp4, with: { prompt: x } }
          |                                ^^^^^^^^^^^^"
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
      "film.yaml:4:54: error: \`save\` cannot tell which of these files is meant; name them under \`outputs:\`
        4 |   cmd: { run: [ls], creates: { a: a.mp4, b: b.mp4 }, save: out/c.mp4 }
          |                                                      ^^^^

      film.yaml:5:22: error: \`save\` needs a file to save, and this command creates none; declare it under \`creates:\`
        5 |   none: { run: [ls], save: out/d.mp4 }
          |                      ^^^^"
    `);
    expect(
      told(
        'steps:\n  one: { model: V-T2V-A, save: out/a.mp4, with: { prompt: x } }\noutputs:\n  one: { from: "${{ steps.one }}", to: out/b.mp4 }\n',
      ),
    ).toMatchInlineSnapshot(`
      "film.yaml:4:26: error: step \`one\` is saved here and under \`outputs\`; keep one
        4 |   one: { model: V-T2V-A, save: out/a.mp4, with: { prompt: x } }
          |                          ^^^^
          note: film.yaml:6:3: and here
        6 |   one: { from: "\${{ steps.one }}", to: out/b.mp4 }
          |   ^^^"
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
      "film.yaml:6:19: error: a script never gets values pasted in; put the expression under \`env:\` and use the variable in the script
        6 |   a: { run: 'echo \${{ params.words }}' }
          |                   ^^^^^^^^^^^^^^^^^^^

      film.yaml:7:20: error: an argument is one plain value, but this is a list of texts; pick one or \`join\` them
        7 |   b: { run: [echo, "\${{ params.words }}", "\${{ steps.shot }}"], shell: bash }
          |                    ^^^^^^^^^^^^^^^^^^^^^

      film.yaml:7:43: error: an argument is one plain value, but this is an image result; read one of its fields, like \`steps.shot.result_url\`
        7 |   b: { run: [echo, "\${{ params.words }}", "\${{ steps.shot }}"], shell: bash }
          |                                           ^^^^^^^^^^^^^^^^^^^

      film.yaml:7:65: error: \`shell\` is for scripts, and \`run\` is a list of arguments; take \`shell\` out
        7 |   b: { run: [echo, "\${{ params.words }}", "\${{ steps.shot }}"], shell: bash }
          |                                                                 ^^^^^

      film.yaml:8:13: error: \`steps.c.run\` is empty; write \`run: [ffmpeg, -version]\`
        8 |   c: { run: [], env: { 1X: a, LIST: [1] } }
          |             ^^

      film.yaml:8:24: error: \`1X\` cannot name a variable; use letters, digits and underscores, no digit first
        8 |   c: { run: [], env: { 1X: a, LIST: [1] } }
          |                        ^^

      film.yaml:8:37: error: \`steps.c.env.LIST\` is a list, and must be one plain value; write \`LIST: "[1]"\`
        8 |   c: { run: [], env: { 1X: a, LIST: [1] } }
          |                                     ^^^

      film.yaml:9:34: error: a file is a result, an address or a path, but this is a whole number; give a step's result
        9 | …: { run: [ls], files: { clip: "\${{ steps.shot.bytes }}", other: "http://example.org/a.mp4", third:…
          |                                ^^^^^^^^^^^^^^^^^^^^^^^^^

      film.yaml:9:68: error: \`http://\` can be read and changed on its way; use \`https://\`
        9 | … steps.shot.bytes }}", other: "http://example.org/a.mp4", third: "\${{ params.words }}" } }
          |                                ^^^^^^^^^^^^^^^^^^^^^^^^^^

      film.yaml:9:103: error: a file is a result, an address or a path, but this is a list of texts; give a step's result
        9 | …://example.org/a.mp4", third: "\${{ params.words }}" } }
          |                                ^^^^^^^^^^^^^^^^^^^^^

      film.yaml:10:35: error: \`../out.mp4\` leads out of its folder; use a relative path without \`..\`
       10 |   e: { run: [ls], creates: { out: ../out.mp4, two: a.mp4, three: a.mp4 } }
          |                                   ^^^^^^^^^^

      film.yaml:10:66: error: \`a.mp4\` is created twice; give each file its own path
       10 |   e: { run: [ls], creates: { out: ../out.mp4, two: a.mp4, three: a.mp4 } }
          |                                                                  ^^^^^

      film.yaml:11:13: error: \`steps.f.run\` is 12, and must be a text or a list; write \`run: [12]\`
       11 |   f: { run: 12 }
          |             ^^

      film.yaml:12:19: error: step \`g\` is a command and takes no \`with\`; use \`env\`, \`files\` or arguments
       12 |   g: { run: [ls], with: { a: 1 } }
          |                   ^^^^

      film.yaml:14:58: error: an entry of \`input_image\` of I-EDIT-A takes an image, but this is a video; give it a step that makes an image
       14 |   i: { model: I-EDIT-A, with: { prompt: x, input_image: ["\${{ steps.h.files.clip.file }}"] } }
          |                                                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
    `);
  });
});
