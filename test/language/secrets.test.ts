/** Params with `secret: true`, and variables of the environment: how they are declared, and where they may not go. */
import { describe, expect, it } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';
import type { ProjectFiles } from '../../src/language/used-files.ts';
import { film, told } from './said.ts';

describe('a secret', () => {
  it('is declared, and handed to commands, files, addresses and conditions', () => {
    expect(
      told(`
          env: [API_TOKEN]
          params:
            token: { type: string, secret: true, description: of the shop, minLength: 20 }
            plain: { type: string, secret: false, default: a fox }
          steps:
            post:
              if: \${{ params.token != '' }}
              run: [post, "\${{ params.token }}", "\${{ 'Bearer ' + env.API_TOKEN }}"]
              env: { TOKEN: "\${{ params['token'] }}" }
              files: { clip: "https://cdn.example/clip.mp4?key=\${{ params.token }}" }
            up: { model: V-UP, with: { input_video: "https://cdn.example/clip.mp4?key=\${{ env.API_TOKEN }}" } }
        `),
    ).toBe('');
  });

  it('of Shotlist itself is read by no film, nor by a file that it uses', () => {
    const secrets = new Map([['HOUSE_KEY', '`key_env` of services.house in shotlist.config.yaml']]);
    const used = film(`
      env: [OTHER, HOUSE_KEY]
      steps:
        key: { run: [echo, "\${{ env.HOUSE_KEY }}"] }
    `);
    const files: ProjectFiles = {
      ...{ read: path => ({ path, text: used, sha256: '' }), list: () => ({ paths: [] }) },
      relativeTo: () => files,
    };
    const text = film(`
      env: [HOUSE_KEY]
      steps:
        takes: { uses: key.yaml }
    `);
    const { diagnostics } = compile({ path: 'film.yaml', text }, modelLibrary, { files, access: { secrets } });
    expect(
      diagnostics.map(({ source, code, span }) => [source.path, code, source.text.slice(span.start, span.end)]),
    ).toEqual([
      ['film.yaml', 'variable-withheld', 'HOUSE_KEY'],
      ['key.yaml', 'variable-withheld', 'HOUSE_KEY'],
    ]);
    expect(diagnostics[0]?.message).toContain('(`key_env` of services.house in shotlist.config.yaml)');
  });

  it('never stands in the file, and is a text', () => {
    expect(
      told(`
          params:
            token: { type: string, secret: true, default: tok_5f0c1e22 }
            pin: { type: integer, secret: true }
            one_of: { type: string, secret: true, enum: [tok_1, tok_2] }
            keys: { type: array, items: { type: string, secret: true } }
          steps:
            post: { run: ["true"] }
        `),
    ).toMatchInlineSnapshot(`
      "4:40 ‹default› \`token\` is a secret, and \`default\` would put it into the file and into git; take \`default\` out, and give the value with \`--params FILE\`
      5:16 ‹integer› \`pin\` is a secret, and a secret is a text, which \`integer\` is not; write \`type: string\`
      6:41 ‹enum› \`one_of\` is a secret, and \`enum\` would put it into the file and into git; take \`enum\` out, and give the value with \`--params FILE\`
      7:47 ‹secret› a param is a secret as a whole, not entry by entry; take \`secret\` out of \`keys.items\`"
    `);
  });

  it('never stands in a name; in the words of a prompt it is warned of', () => {
    expect(
      told(`
          env: [API_TOKEN]
          params: { token: { type: string, secret: true } }
          steps:
            a: { run: ["true"], creates: { film: "\${{ params.token }}.mp4" } }
            b: { tokenize: { repository: "me/\${{ params.token }}", fine_tune: "\${{ env.API_TOKEN }}" } }
            c: { matrix: { x: ["\${{ params.token }}", b] }, run: [echo, "\${{ matrix.x }}"] }
            d: { model: V-T2V-A, with: { prompt: "a fox, \${{ params.token }}" } }
            e: { model: C-D, with: { prompt: "a fox, \${{ env.API_TOKEN }}" } }
        `),
    ).toMatchInlineSnapshot(`
      "6:41 ‹\${{ params.token }}› \`params.token\` is a secret, and the name of a file is shown and kept; a secret may stand in arguments, in \`env\`, in \`files\` and in a request's fields
      7:36 ‹\${{ params.token }}› \`params.token\` is a secret, and the name of a fine-tune is shown and kept; a secret may stand in arguments, in \`env\`, in \`files\` and in a request's fields
      7:69 ‹"\${{ env.API_TOKEN }}"› \`env.API_TOKEN\` is a secret, and the name of a fine-tune is shown and kept; a secret may stand in arguments, in \`env\`, in \`files\` and in a request's fields
      8:22 ‹"\${{ params.token }}"› \`params.token\` is a secret, and the name of an instance of \`c\` is shown and kept; a secret may stand in arguments, in \`env\`, in \`files\` and in a request's fields
      9:48 ‹\${{ params.token }}› warning: \`params.token\` is a secret, and these are words for V-T2V-A: the service keeps them, and what it makes may show them; take it out, unless that is meant
      10:44 ‹\${{ env.API_TOKEN }}› warning: \`env.API_TOKEN\` is a secret, and these are words for C-D: the service keeps them, and what it makes may show them; take it out, unless that is meant"
    `);
  });
});
