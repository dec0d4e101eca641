import { describe, expect, it } from 'vitest';
import { said, told } from './said.ts';

const OK = 'steps:\n  a: { model: I-GEN-A, with: { prompt: x } }\n';

describe('the shape of a file', () => {
  it('what every file starts with', () => {
    expect(said('name: film\n')).toMatchInlineSnapshot(`
      "film.yaml:1:1: error: the file does not say which version of the language it is in; start it with \`shotlist: 1\`
        1 | name: film
          | ^

      film.yaml:1:1: error: the file needs \`steps\`; write \`steps: { shot: { model: V-T2V-A, with: { … } } }\`
        1 | name: film
          | ^"
    `);
    expect(told('steps:\n')).toMatchInlineSnapshot(`
      "film.yaml:3:1: error: \`steps\` is empty, and must be a mapping of names to steps; write \`steps: { shot: { model: V-T2V-A, with: { … } } }\`
        3 | steps:
          | ^^^^^"
    `);
    expect(said(`shotlist: 1\nname: ''\n${OK}`)).toMatchInlineSnapshot(`
      "film.yaml:2:7: error: \`name\` is empty; give it a text
        2 | name: ''
          |       ^^"
    `);
  });

  it('unknown keys, with the nearest right one', () => {
    expect(told(`outputs:\n  film: { from: "\${{ steps.a }}", path: out/a.png }\n${OK}`)).toMatchInlineSnapshot(`
      "film.yaml:4:35: error: output \`film\` has no key \`path\`; write \`to: out/a.png\`
        4 |   film: { from: "\${{ steps.a }}", path: out/a.png }
          |                                   ^^^^"
    `);
    expect(told(`params:\n  idea: { tpye: string }\n${OK}`)).toMatchInlineSnapshot(`
      "film.yaml:4:11: error: param \`idea\` has no key \`tpye\`; did you mean \`type\`?
        4 |   idea: { tpye: string }
          |           ^^^^"
    `);
  });

  it('a step that is both, or neither', () => {
    expect(told('steps:\n  a: { rnu: [ls], env: { A: x } }\n  b: { env: { A: x }, frob: 1 }\n')).toMatchInlineSnapshot(`
      "film.yaml:4:8: error: step \`a\` has no key \`rnu\`; did you mean \`run\`?
        4 |   a: { rnu: [ls], env: { A: x } }
          |        ^^^

      film.yaml:5:3: error: step \`b\` does nothing; give it \`run\` (one command), \`tokenize\` (one tokenization), \`uses\` (another file), \`cut\` (one film made of clips), \`pick\` (one choice), \`approve\` (one approval) or \`model\` (one request)
        5 |   b: { env: { A: x }, frob: 1 }
          |   ^

      film.yaml:5:23: error: step \`b\` has no key \`frob\`; it can have \`run\`, \`shell\`, \`files\`, \`creates\`, \`effect\`, \`description\`, \`needs\`, \`if\`, \`else\`, \`each\`, \`matrix\`, \`takes\`, \`until\`, \`max\`, \`key\`, \`timeout\`, \`retry\`, \`concurrency\`, \`cache\`, \`save\`, \`tokenize\`, \`uses\`, \`with\`, \`cut\`, \`pick\`, \`count\`, \`rule\`, \`judge\`, \`approve\`, \`ask\`, \`model\`, \`only\`, \`via\`, \`schema\` and \`on_timeout\`
        5 |   b: { env: { A: x }, frob: 1 }
          |                       ^^^^"
    `);
    expect(
      told(
        'steps:\n  a: { tokenize: { repository: a/b, fine_tune: c }, model: V-RF, via: sync }\n  b: { run: [ls], schema: { type: object } }\n',
      ),
    ).toMatchInlineSnapshot(`
      "film.yaml:4:53: error: step \`a\` has \`model\` and \`tokenize\`; a step is one request or one tokenization, so keep one
        4 |   a: { tokenize: { repository: a/b, fine_tune: c }, model: V-RF, via: sync }
          |                                                     ^^^^^

      film.yaml:5:19: error: step \`b\` is a command and takes no \`schema\`, which is for \`model\`; take it out
        5 |   b: { run: [ls], schema: { type: object } }
          |                   ^^^^^^"
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
      "film.yaml:3:1: error: \`publish\` is not in this version yet; take it out
        3 | publish: { bucket: mine }
          | ^^^^^^^

      film.yaml:6:28: error: step \`pairs\` has no key \`zip\`; rows that belong together are objects on one axis; write \`matrix: { row: [{ name: … }, …] }\` and read \`\${{ matrix.row.name }}\`
        6 |   pairs: { model: I-GEN-A, zip: {}, publish: x, pin: x, with: { prompt: x } }
          |                            ^^^

      film.yaml:6:37: error: \`publish\` is not in this version yet; take it out
        6 |   pairs: { model: I-GEN-A, zip: {}, publish: x, pin: x, with: { prompt: x } }
          |                                     ^^^^^^^

      film.yaml:6:49: error: \`pin\` is not in this version yet; take it out
        6 |   pairs: { model: I-GEN-A, zip: {}, publish: x, pin: x, with: { prompt: x } }
          |                                                 ^^^"
    `);
  });

  it('names', () => {
    expect(
      told(
        'steps:\n  Hero-Shot: { model: I-GEN-A, with: { prompt: x } }\n  2nd: { model: I-GEN-A, with: { prompt: x } }\n',
      ),
    ).toMatchInlineSnapshot(`
      "film.yaml:4:3: error: \`Hero-Shot\` cannot be a name in \`steps\`; use small letters, digits and underscores, a letter first, like \`hero_shot\`
        4 |   Hero-Shot: { model: I-GEN-A, with: { prompt: x } }
          |   ^^^^^^^^^

      film.yaml:5:3: error: \`2nd\` cannot be a name in \`steps\`; use small letters, digits and underscores, a letter first, like \`nd\`
        5 |   2nd: { model: I-GEN-A, with: { prompt: x } }
          |   ^^^"
    `);
    expect(
      told(`params:\n  myIdea: { type: string }\nmodels: { The Film: V-RF }\nenv: [A-B]\n${OK}`),
    ).toMatchInlineSnapshot(`
      "film.yaml:4:3: error: \`myIdea\` cannot be a name in \`params\`; use small letters, digits and underscores, a letter first, like \`my_idea\`
        4 |   myIdea: { type: string }
          |   ^^^^^^

      film.yaml:5:11: error: \`The Film\` cannot be a name in \`models\`; use small letters, digits and underscores, a letter first, like \`the_film\`
        5 | models: { The Film: V-RF }
          |           ^^^^^^^^

      film.yaml:6:7: error: \`A-B\` cannot name a variable; use letters, digits and underscores, no digit first
        6 | env: [A-B]
          |       ^^^"
    `);
  });

  it('a step of a bad name may still be read without a second complaint', () => {
    expect(
      told(`
          steps:
            heroShot: { model: I-GEN-A, with: { prompt: x } }
            b: { model: I-EDIT-A, with: { prompt: x, input_image: ["\${{ steps.heroShot.result_url }}"] } }
        `),
    ).toMatchInlineSnapshot(`
      "film.yaml:4:3: error: \`heroShot\` cannot be a name in \`steps\`; use small letters, digits and underscores, a letter first, like \`hero_shot\`
        4 |   heroShot: { model: I-GEN-A, with: { prompt: x } }
          |   ^^^^^^^^"
    `);
  });

  it('times that nobody can mean', () => {
    expect(
      `\n${told(
        'steps:\n  a: { model: I-GEN-A, timeout: { queue: 0.0s, run: 600h, total: 99999h }, with: { prompt: x } }\n  b: { model: I-GEN-A, timeout: 0.1ms, with: { prompt: x } }\n',
      )}\n`,
    ).toBe(`
film.yaml:4:42: error: \`0.0s\` is over before anything has begun; give it some time, like \`10m\`
  4 |   a: { model: I-GEN-A, timeout: { queue: 0.0s, run: 600h, total: 99999h }, with: { prompt: x } }
    |                                          ^^^^

film.yaml:4:66: error: \`99999h\` is longer than a year (8760h); give less, or take it out to wait for as long as it takes
  4 |   a: { model: I-GEN-A, timeout: { queue: 0.0s, run: 600h, total: 99999h }, with: { prompt: x } }
    |                                                                  ^^^^^^

film.yaml:5:33: error: \`0.1ms\` is over before anything has begun; give it some time, like \`10m\`
  5 |   b: { model: I-GEN-A, timeout: 0.1ms, with: { prompt: x } }
    |                                 ^^^^^
`);
  });

  it('timeouts and cache', () => {
    expect(
      told(
        'defaults: { timeout: 90 }\nsteps:\n  a: { model: I-GEN-A, timeout: 5 min, cache: of, with: { prompt: x } }\n',
      ),
    ).toMatchInlineSnapshot(`
      "film.yaml:3:22: error: \`defaults.timeout\` is 90, and must be a duration like \`90s\` or a mapping; write \`timeout: 90s\`
        3 | defaults: { timeout: 90 }
          |                      ^^

      film.yaml:5:33: error: \`5 min\` is not a duration; write \`5m\`
        5 |   a: { model: I-GEN-A, timeout: 5 min, cache: of, with: { prompt: x } }
          |                                 ^^^^^

      film.yaml:5:47: error: \`steps.a.cache\` is "of"; did you mean \`off\`?
        5 |   a: { model: I-GEN-A, timeout: 5 min, cache: of, with: { prompt: x } }
          |                                               ^^"
    `);
    expect(told('steps:\n  a: { model: I-GEN-A, timeout: [5m], needs: 3, with: x }\n')).toMatchInlineSnapshot(`
      "film.yaml:4:33: error: \`steps.a.timeout\` is a list, and must be a duration like \`90s\` or a mapping; write \`timeout: 10m\`
        4 |   a: { model: I-GEN-A, timeout: [5m], needs: 3, with: x }
          |                                 ^^^^

      film.yaml:4:46: error: \`steps.a.needs\` is 3, and must be a text or a list; write \`needs: [name]\`, the name of a step
        4 |   a: { model: I-GEN-A, timeout: [5m], needs: 3, with: x }
          |                                              ^

      film.yaml:4:55: error: \`steps.a.with\` is "x", and must be a mapping; write \`with: { prompt: x }\`
        4 |   a: { model: I-GEN-A, timeout: [5m], needs: 3, with: x }
          |                                                       ^"
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
      "film.yaml:4:31: error: the default of \`a\` takes a text, not \`3\`; write "3" with quotes
        4 |   a: { type: string, default: 3 }
          |                               ^

      film.yaml:5:32: error: the default of \`b\` takes a whole number, not \`2.5\`; write 3
        5 |   b: { type: integer, default: 2.5 }
          |                                ^^^

      film.yaml:6:56: error: the default of \`c\` is 9; it must be 1 to 5
        6 |   c: { type: integer, minimum: 1, maximum: 5, default: 9 }
          |                                                        ^

      film.yaml:7:53: error: the default of \`d\` cannot be \`fnal\`; did you mean \`final\`? it takes \`draft\` or \`final\`
        7 |   d: { type: string, enum: [draft, final], default: fnal }
          |                                                     ^^^^

      film.yaml:8:14: error: \`params.e.type\` is "text"; write \`string\`
        8 |   e: { type: text }
          |              ^^^^

      film.yaml:9:3: error: param \`f\` needs \`type\`; write \`f: { type: string }\`
        9 |   f: {}
          |   ^

      film.yaml:10:31: error: \`g\` can take no value: minimum is above maximum
       10 |   g: { type: number, minimum: 5, maximum: 1 }
          |                               ^

      film.yaml:11:32: error: the default of \`h\` takes true or false, not \`yes\`; write true
       11 |   h: { type: boolean, default: yes }
          |                                ^^^

      film.yaml:12:60: error: an entry of the default of \`i\` takes a whole number, not \`two\`; change it
       12 |   i: { type: array, items: { type: integer }, default: [1, two] }
          |                                                            ^^^

      film.yaml:13:31: error: the default of \`j\` must be a plain value; expressions go where the param is used
       13 |   j: { type: string, default: "\${{ run.id }}" }
          |                               ^^^^^^^^^^^^^^^

      film.yaml:14:33: error: \`two\` is not a whole number, so \`k\` can never be it; take it out
       14 |   k: { type: integer, enum: [1, two] }
          |                                 ^^^

      film.yaml:15:23: error: \`minLength\` says nothing about a param of type \`boolean\`; take it out
       15 |   l: { type: boolean, minLength: 2 }
          |                       ^^^^^^^^^

      film.yaml:16:31: error: the default of \`m\` is empty; give it a value or take it out
       16 |   m: { type: string, default: }
          |                               ^

      film.yaml:17:43: error: the default of \`n\` has 2 entries; at most 1 are allowed
       17 |   n: { type: array, maxItems: 1, default: [a, b] }
          |                                           ^^^^^^

      film.yaml:18:45: error: the default of \`o\` has 4 characters; at most 3 are allowed, so shorten it by 1
       18 |   o: { type: string, maxLength: 3, default: abcd }
          |                                             ^^^^"
    `);
  });
});
