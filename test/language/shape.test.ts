import { describe, expect, it } from 'vitest';
import { said, told } from './said.ts';

const OK = 'steps:\n  a: { model: I-GEN-A, with: { prompt: x } }\n';

describe('the shape of a file', () => {
  it('what every file starts with', () => {
    expect(said('name: film\n')).toMatchInlineSnapshot(`
      "1:1 ‹› the file does not say which version of the language it is in; start it with \`shotlist: 1\`
      1:1 ‹› the file needs \`steps\`; write \`steps: { shot: { model: V-T2V-A, with: { … } } }\`"
    `);
    expect(told('steps:\n')).toMatchInlineSnapshot(
      `"3:1 ‹steps› \`steps\` is empty, and must be a mapping of names to steps; write \`steps: { shot: { model: V-T2V-A, with: { … } } }\`"`,
    );
    expect(said(`shotlist: 1\nname: ''\n${OK}`)).toMatchInlineSnapshot(`"2:7 ‹''› \`name\` is empty; give it a text"`);
  });

  it('unknown keys, with the nearest right one', () => {
    expect(told(`outputs:\n  film: { from: "\${{ steps.a }}", path: out/a.png }\n${OK}`)).toMatchInlineSnapshot(
      `"4:35 ‹path› output \`film\` has no key \`path\`; write \`to: out/a.png\`"`,
    );
    expect(told(`params:\n  idea: { tpye: string }\n${OK}`)).toMatchInlineSnapshot(
      `"4:11 ‹tpye› param \`idea\` has no key \`tpye\`; did you mean \`type\`?"`,
    );
  });

  it('a step that is both, or neither', () => {
    expect(told('steps:\n  a: { rnu: [ls], env: { A: x } }\n  b: { env: { A: x }, frob: 1 }\n')).toMatchInlineSnapshot(`
      "4:8 ‹rnu› step \`a\` has no key \`rnu\`; did you mean \`run\`?
      5:3 ‹b› step \`b\` does nothing; give it \`run\` (one command), \`tokenize\` (one tokenization), \`uses\` (another file), \`cut\` (one film made of clips), \`pick\` (one choice), \`approve\` (one approval) or \`model\` (one request)
      5:23 ‹frob› step \`b\` has no key \`frob\`; it can have \`run\`, \`shell\`, \`files\`, \`creates\`, \`effect\`, \`description\`, \`needs\`, \`if\`, \`else\`, \`each\`, \`matrix\`, \`takes\`, \`until\`, \`max\`, \`key\`, \`timeout\`, \`retry\`, \`concurrency\`, \`cache\`, \`save\`, \`tokenize\`, \`uses\`, \`with\`, \`cut\`, \`pick\`, \`count\`, \`rule\`, \`judge\`, \`approve\`, \`ask\`, \`model\`, \`only\`, \`via\`, \`schema\` and \`on_timeout\`"
    `);
    expect(
      told(
        'steps:\n  a: { tokenize: { repository: a/b, fine_tune: c }, model: V-RF, via: sync }\n  b: { run: [ls], schema: { type: object } }\n',
      ),
    ).toMatchInlineSnapshot(`
      "4:53 ‹model› step \`a\` has \`model\` and \`tokenize\`; a step is one request or one tokenization, so keep one
      5:19 ‹schema› step \`b\` is a command and takes no \`schema\`, which is for \`model\`; take it out"
    `);
  });

  it('what a later version brings is said to be missing, never ignored', () => {
    expect(
      told(`
          publish: { bucket: mine }
          steps:
            shot: { model: I-GEN-A, takes: 4, with: { prompt: x } }
            pairs: { model: I-GEN-A, zip: {}, publish: x, pin: x, with: { prompt: x } }
        `),
    ).toMatchInlineSnapshot(`
      "3:1 ‹publish› \`publish\` is not in this version yet; take it out
      6:28 ‹zip› step \`pairs\` has no key \`zip\`; rows that belong together are objects on one axis; write \`matrix: { row: [{ name: … }, …] }\` and read \`\${{ matrix.row.name }}\`
      6:37 ‹publish› \`publish\` is not in this version yet; take it out
      6:49 ‹pin› \`pin\` is not in this version yet; take it out"
    `);
  });

  it('names', () => {
    expect(
      told(
        'steps:\n  Hero-Shot: { model: I-GEN-A, with: { prompt: x } }\n  2nd: { model: I-GEN-A, with: { prompt: x } }\n',
      ),
    ).toMatchInlineSnapshot(`
      "4:3 ‹Hero-Shot› \`Hero-Shot\` cannot be a name in \`steps\`; use small letters, digits and underscores, a letter first, like \`hero_shot\`
      5:3 ‹2nd› \`2nd\` cannot be a name in \`steps\`; use small letters, digits and underscores, a letter first, like \`nd\`"
    `);
    expect(
      told(`params:\n  myIdea: { type: string }\nmodels: { The Film: V-RF }\nenv: [A-B]\n${OK}`),
    ).toMatchInlineSnapshot(`
      "4:3 ‹myIdea› \`myIdea\` cannot be a name in \`params\`; use small letters, digits and underscores, a letter first, like \`my_idea\`
      5:11 ‹The Film› \`The Film\` cannot be a name in \`models\`; use small letters, digits and underscores, a letter first, like \`the_film\`
      6:7 ‹A-B› \`A-B\` cannot name a variable; use letters, digits and underscores, no digit first"
    `);
  });

  it('a step of a bad name may still be read without a second complaint', () => {
    expect(
      told(`
          steps:
            heroShot: { model: I-GEN-A, with: { prompt: x } }
            b: { model: I-EDIT-A, with: { prompt: x, input_image: ["\${{ steps.heroShot.result_url }}"] } }
        `),
    ).toMatchInlineSnapshot(
      `"4:3 ‹heroShot› \`heroShot\` cannot be a name in \`steps\`; use small letters, digits and underscores, a letter first, like \`hero_shot\`"`,
    );
  });

  it('times that nobody can mean', () => {
    expect(
      `\n${told(
        'steps:\n  a: { model: I-GEN-A, timeout: { queue: 0.0s, run: 600h, total: 99999h }, with: { prompt: x } }\n  b: { model: I-GEN-A, timeout: 0.1ms, with: { prompt: x } }\n',
      )}\n`,
    ).toBe(`
4:42 ‹0.0s› \`0.0s\` is over before anything has begun; give it some time, like \`10m\`
4:66 ‹99999h› \`99999h\` is longer than a year (8760h); give less, or take it out to wait for as long as it takes
5:33 ‹0.1ms› \`0.1ms\` is over before anything has begun; give it some time, like \`10m\`
`);
  });

  it('timeouts and cache', () => {
    expect(
      told(
        'defaults: { timeout: 90 }\nsteps:\n  a: { model: I-GEN-A, timeout: 5 min, cache: of, with: { prompt: x } }\n',
      ),
    ).toMatchInlineSnapshot(`
      "3:22 ‹90› \`defaults.timeout\` is 90, and must be a duration like \`90s\` or a mapping; write \`timeout: 90s\`
      5:33 ‹5 min› \`5 min\` is not a duration; write \`5m\`
      5:47 ‹of› \`steps.a.cache\` is "of"; did you mean \`off\`?"
    `);
    expect(told('steps:\n  a: { model: I-GEN-A, timeout: [5m], needs: 3, with: x }\n')).toMatchInlineSnapshot(`
      "4:33 ‹[5m]› \`steps.a.timeout\` is a list, and must be a duration like \`90s\` or a mapping; write \`timeout: 10m\`
      4:46 ‹3› \`steps.a.needs\` is 3, and must be a text or a list; write \`needs: [name]\`, the name of a step
      4:55 ‹x› \`steps.a.with\` is "x", and must be a mapping; write \`with: { prompt: x }\`"
    `);
  });

  it('params', () => {
    expect(
      told(`
          params:
            a: { type: string, default: 3 }
            b: { type: integer, default: 2.5 }
            c: { type: integer, minimum: 1, maximum: 5, default: 9 }
            d: { type: string, enum: [draft, final], default: fnal }
            e: { type: text }
            f: {}
            g: { type: number, minimum: 5, maximum: 1 }
            h: { type: boolean, default: yes }
            i: { type: array, items: { type: integer }, default: [1, two] }
            j: { type: string, default: "\${{ run.id }}" }
            k: { type: integer, enum: [1, two] }
            l: { type: boolean, minLength: 2 }
            m: { type: string, default: }
            n: { type: array, maxItems: 1, default: [a, b] }
            o: { type: string, maxLength: 3, default: abcd }
          steps:
            s: { model: I-GEN-A, with: { prompt: "\${{ params.e }} \${{ params.f }}" } }
        `),
    ).toMatchInlineSnapshot(`
      "4:31 ‹3› the default of \`a\` takes a text, not \`3\`; write "3" with quotes
      5:32 ‹2.5› the default of \`b\` takes a whole number, not \`2.5\`; write 3
      6:56 ‹9› the default of \`c\` is 9; it must be 1 to 5
      7:53 ‹fnal› the default of \`d\` cannot be \`fnal\`; did you mean \`final\`? it takes \`draft\` or \`final\`
      8:14 ‹text› \`params.e.type\` is "text"; write \`string\`
      9:3 ‹f› param \`f\` needs \`type\`; write \`f: { type: string }\`
      10:31 ‹5› \`g\` can take no value: minimum is above maximum
      11:32 ‹yes› the default of \`h\` takes true or false, not \`yes\`; write true
      12:60 ‹two› an entry of the default of \`i\` takes a whole number, not \`two\`; write 2
      13:31 ‹"\${{ run.id }}"› the default of \`j\` must be a plain value; expressions go where the param is used
      14:33 ‹two› \`two\` is not a whole number, so \`k\` can never be it; take it out
      15:23 ‹minLength› \`minLength\` says nothing about a param of type \`boolean\`; take it out
      16:31 ‹› the default of \`m\` is empty; give it a value or take it out
      17:43 ‹[a, b]› the default of \`n\` has 2 entries; at most 1 are allowed
      18:45 ‹abcd› the default of \`o\` has 4 characters; at most 3 are allowed, so shorten it by 1"
    `);
  });
});
