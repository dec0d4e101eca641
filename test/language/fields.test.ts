import { describe, expect, it } from 'vitest';
import { told } from './said.ts';

const shot = (fields: string): string =>
  told(`steps:\n  shot:\n    model: V-T2V-A\n    with: { prompt: x, ${fields} }\n`);

describe('request fields', () => {
  it('required ones that are missing', () => {
    expect(told('steps:\n  a: { model: V-RF, with: { prompt: x } }\n')).toMatchInlineSnapshot(
      `"4:15 ‹V-RF› V-RF needs \`input_video\` and \`aspect_ratio\`; add them under \`with\`"`,
    );
  });

  it('unknown ones: a warning where the document says that some fields are not shown, unless it looks like a slip', () => {
    expect(
      told(
        'steps:\n  a: { model: V-RF, with: { input_video: a.mp4, prompt: x, aspect_ratio: 1:1, position: left, reslution: 720p } }\n',
      ),
    ).toMatchInlineSnapshot(`
      "4:79 ‹position› warning: V-RF is not known to have a field \`position\`; it is sent as it is, the service may refuse it
      4:95 ‹reslution› V-RF has no field \`reslution\`; did you mean \`resolution\`?"
    `);
  });

  it('values of the wrong type', () => {
    expect(shot('negative_prompt: 12')).toMatchInlineSnapshot(
      `"6:41 ‹12› \`negative_prompt\` of V-T2V-A takes a text, not \`12\`; write "12" with quotes"`,
    );
    expect(shot('negative_prompt: { a: b }')).toMatchInlineSnapshot(
      `"6:41 ‹{ a: b }› \`negative_prompt\` of V-T2V-A takes a text, not a mapping; give one plain value"`,
    );
  });

  it('values that an axis brings are wrong where they are written', () => {
    expect(
      told(`
          steps:
            a:
              matrix: { seconds: [5, 20], size: [720P, 4K] }
              model: V-T2V-A
              with:
                prompt: x
                duration: \${{ matrix.seconds }}
                resolution: \${{ matrix.size }}
        `),
    ).toMatchInlineSnapshot(`
      "5:28 ‹20› \`duration\` of V-T2V-A is 20; it must be 2 to 15
        note 9:17 ‹\${{ matrix.seconds }}› used here
      5:46 ‹4K› \`resolution\` of V-T2V-A cannot be \`4K\`; it takes \`720P\` or \`1080P\`
        note 10:19 ‹\${{ matrix.size }}› used here"
    `);
  });

  it('values that a param may take', () => {
    expect(
      told(`
          params:
            size: { type: string, enum: [720P, 4K] }
          steps:
            a: { model: V-T2V-A, with: { prompt: x, resolution: "\${{ params.size }}" } }
        `),
    ).toMatchInlineSnapshot(`
      "4:38 ‹4K› \`resolution\` of V-T2V-A cannot be \`4K\`; it takes \`720P\` or \`1080P\`
        note 6:55 ‹"\${{ params.size }}"› used here"
    `);
  });

  it('defaults fill what a step leaves out, where its model has the field, and are checked once', () => {
    expect(
      told(`
          defaults:
            with: { resolution: 8K, seeed: 3 }
          steps:
            a: { model: V-T2V-A, with: { prompt: x } }
            b: { model: V-T2V-A, with: { prompt: x } }
            c: { model: V-T2V-A, with: { prompt: x, resolution: 720P } }
        `),
    ).toMatchInlineSnapshot(`
      "4:23 ‹8K› \`resolution\` of V-T2V-A cannot be \`8K\`; it takes \`720P\` or \`1080P\`
      4:27 ‹seeed› warning: no model in this file has a field \`seeed\`, so this default does nothing; did you mean \`seed\`?"
    `);
  });
});

describe('sources of media', () => {
  const upscale = (source: string): string =>
    told(`steps:\n  a:\n    model: V-UP\n    with: { input_video: ${source} }\n`);

  it('an https address, a path beside the file, and the studio on this machine are fine', () => {
    expect(upscale('"https://example.org/a.mp4"')).toBe('');
    expect(upscale('clips/a.mp4')).toBe('');
    expect(upscale('../clips/a.mp4')).toBe('');
    expect(upscale('"http://127.0.0.1:4000/a.mp4"')).toBe('');
    expect(upscale('"http://localhost/a.mp4"')).toBe('');
  });

  it('anything else is not', () => {
    expect(upscale('"https://"')).toMatchInlineSnapshot(
      `"6:26 ‹"https://"› \`https://\` is not a complete address; check it"`,
    );
  });

  it('an image where a video is wanted, a text that leads nowhere, a whole result', () => {
    expect(
      told(`
          steps:
            still: { model: I-GEN-A, with: { prompt: x } }
            a: { model: V-UP, with: { input_video: "\${{ steps.still.result_url }}" } }
            b: { model: V-UP, with: { input_video: "\${{ steps.still.sha256 }}" } }
            c: { model: V-UP, with: { input_video: "\${{ steps.still }}" } }
            d: { model: V-UP, with: { input_video: "\${{ true ? steps.still.result_url : steps.still.file }}" } }
            e: { model: I-EDIT-A, with: { prompt: x, input_image: ["\${{ steps.a.result_url }}"] } }
            f: { model: I-EDIT-A, with: { prompt: x, input_image: "\${{ steps.still.result_url }}" } }
            g: { model: I-EDIT-A, with: { prompt: x, input_image: "\${{ [steps.still, steps.still].map(s, s.result_url) }}" } }
        `),
    ).toMatchInlineSnapshot(`
      "5:42 ‹"\${{ steps.still.result_url }}"› \`input_video\` of V-UP takes a video, but this is an image; give it a step that makes a video
      6:42 ‹"\${{ steps.still.sha256 }}"› \`input_video\` of V-UP takes the address of a video, but this leads to none; read \`result_url\`
      7:42 ‹"\${{ steps.still }}"› \`input_video\` of V-UP takes an address, but this is an image result; add \`.result_url\`
      8:42 ‹"\${{ true ? steps.still.result_url : steps.still.file }}"› \`input_video\` of V-UP takes a video, but this is an image; give it a step that makes a video
      9:58 ‹"\${{ steps.a.result_url }}"› an entry of \`input_image\` of I-EDIT-A takes an image, but this is a video; give it a step that makes an image
      10:57 ‹"\${{ steps.still.result_url }}"› \`input_image\` of I-EDIT-A takes a list of addresses of images, but this is the address of an image; put it in a list: \`["\${{ … }}"]\`"
    `);
  });
});
