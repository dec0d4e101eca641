/** `schema` of a chat step: every mistake in it is found before anything is asked, in place or in a file of its own. */
import { describe, expect, it } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';
import type { ProjectFiles } from '../../src/language/used-files.ts';
import { processorTime } from '../support/processor-time.ts';
import { dedent, excerptsOf, film, told } from './said.ts';

/** A folder in memory. */
const folder = (texts: Readonly<Record<string, string>>): ProjectFiles => ({
  read: path => {
    const name = path.replace(/^\.\//, '');
    const text = texts[name];
    return text === undefined ? { problem: 'does not exist' } : { path: name, text, sha256: '' };
  },
  list: () => ({ paths: [] }),
  beside: () => folder(texts),
});

const saidWith = (texts: Readonly<Record<string, string>>, lines: string) =>
  excerptsOf(compile({ path: 'film.yaml', text: film(lines) }, modelLibrary, { files: folder(texts) }).diagnostics);

const BEATS = dedent(`
  type: object
  required: [beats]
  properties:
    title: { type: string }
    beats:
      type: array
      maxItems: 3
      items: { $ref: "#/$defs/beat" }
  $defs:
    beat:
      type: object
      properties: { look: { type: string }, seconds: { type: integer }, parts: { type: array, items: { $ref: "#/$defs/beat" } } }
`);

describe('a schema in a file', () => {
  it('types the answer, through its references and those that lead to themselves', () => {
    expect(
      saidWith(
        {
          'beats.yaml': BEATS,
          'beats.json': '{\n\t"type": "object",\n\t"properties": { "n": { "type": "integer" } }\n}\n',
        },
        `
        steps:
          script: { model: C-D, with: { prompt: three beats }, schema: ./beats.yaml }
          count: { model: C-D, with: { prompt: how many? }, schema: beats.json }
          shot:
            model: V-T2V-A
            with:
              prompt: "\${{ steps.script.json.beats[0].parts[1].look }}"
              duration: \${{ steps.count.json.n }}
          wrong: { model: V-T2V-A, with: { prompt: "\${{ steps.script.json.titel }}", duration: "\${{ steps.script.json.title }}" } }
      `,
      ),
    ).toMatchInlineSnapshot(`
      "film.yaml:11:67: error: \`steps.script.json\` (an answer) has no \`titel\`; did you mean \`title\`?
       11 | …rompt: "\${{ steps.script.json.titel }}", duration: "\${{ steps.script.json.title }}" } }
          |                                ^^^^^

      film.yaml:11:88: error: \`duration\` of V-T2V-A takes a whole number, but this is a text; write \`int(…)\` around it
       11 | …ipt.json.titel }}", duration: "\${{ steps.script.json.title }}" } }
          |                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
    `);
  });

  it('that is missing, broken, empty or no mapping is told where it is named, with its place in the file', () => {
    expect(
      saidWith(
        {
          'broken.json': '{\n  "type": "object",\n  "properties": { "a": [1, 2 }\n}\n',
          'empty.yaml': '# nothing yet\n',
          'list.yaml': '- type: object\n',
          'twice.yaml': 'type: object\ntype: array\n',
        },
        `
        params: { which: { type: string, default: a.json } }
        steps:
          a: { model: C-D, with: { prompt: x }, schema: ./gone.json }
          b: { model: C-D, with: { prompt: x }, schema: broken.json }
          c: { model: C-D, with: { prompt: x }, schema: empty.yaml }
          d: { model: C-D, with: { prompt: x }, schema: list.yaml }
          e: { model: C-D, with: { prompt: x }, schema: twice.yaml }
          f: { model: C-D, with: { prompt: x }, schema: "\${{ params.which }}" }
          g: { model: C-D, with: { prompt: x }, schema: [ { type: object } ] }
      `,
      ),
    ).toMatchInlineSnapshot(`
      "film.yaml:5:49: error: \`schema\` names \`./gone.json\`, which does not exist; check the path, which begins at the pipeline file
        5 |   a: { model: C-D, with: { prompt: x }, schema: ./gone.json }
          |                                                 ^^^^^^^^^^^

      film.yaml:6:49: error: a \`[\` is never closed; add \`]\`, and indent what stands between them
        6 |   b: { model: C-D, with: { prompt: x }, schema: broken.json }
          |                                                 ^^^^^^^^^^^
          note: broken.json:3:24: in this file
        3 |   "properties": { "a": [1, 2 }
          |                        ^

      film.yaml:6:49: error: a \`{\` is never closed; add \`}\`, and indent what stands between them
        6 |   b: { model: C-D, with: { prompt: x }, schema: broken.json }
          |                                                 ^^^^^^^^^^^
          note: broken.json:1:1: in this file
        1 | {
          | ^

      film.yaml:7:49: error: the file is empty; write a JSON Schema into it
        7 |   c: { model: C-D, with: { prompt: x }, schema: empty.yaml }
          |                                                 ^^^^^^^^^^
          note: empty.yaml:1:1: in this file
        1 | # nothing yet
          | ^

      film.yaml:8:49: error: a JSON Schema is a mapping; start it with \`type: object\`
        8 |   d: { model: C-D, with: { prompt: x }, schema: list.yaml }
          |                                                 ^^^^^^^^^
          note: list.yaml:1:1: in this file
        1 | - type: object
          | ^^^^^^^^^^^^^^

      film.yaml:9:49: error: \`type\` is declared twice; keep one
        9 |   e: { model: C-D, with: { prompt: x }, schema: twice.yaml }
          |                                                 ^^^^^^^^^^
          note: twice.yaml:2:1: in this file
        2 | type: array
          | ^^^^

      film.yaml:10:49: error: a whole schema is written, or a file is named; an expression may stand in the place of a value in it, like \`minItems: \${{ … }}\`
       10 |   f: { model: C-D, with: { prompt: x }, schema: "\${{ params.which }}" }
          |                                                 ^^^^^^^^^^^^^^^^^^^^^

      film.yaml:11:49: error: \`steps.g.schema\` is a list, and must be a mapping or a text; write \`schema: { type: object, required: [title], properties: { title: { type: string } } }\`
       11 |   g: { model: C-D, with: { prompt: x }, schema: [ { type: object } ] }
          |                                                 ^^^^^^^^^^^^^^^^^^^^"
    `);
  });

  it('is checked like one in place, and its expressions too', () => {
    expect(
      saidWith(
        {
          'beats.yaml': dedent(`
            type: objekt
            propertes:
              beats: { type: array, minItems: "\${{ params.m }}", maxItems: "\${{ params.idea }}" }
          `),
        },
        `
        params: { n: { type: integer, default: 3 }, idea: { type: string, default: a fox } }
        steps:
          script: { model: C-D, with: { prompt: "about \${{ params.idea }}, \${{ params.n }}" }, schema: beats.yaml }
      `,
      ),
    ).toMatchInlineSnapshot(`
      "film.yaml:5:96: error: no JSON Schema has the type \`objekt\`; did you mean \`object\`?
        5 | …, \${{ params.n }}" }, schema: beats.yaml }
          |                                ^^^^^^^^^^
          note: beats.yaml:1:7: in this file
        1 | type: objekt
          |       ^^^^^^

      film.yaml:5:96: error: JSON Schema has no keyword \`propertes\`; did you mean \`properties\`?
        5 | …, \${{ params.n }}" }, schema: beats.yaml }
          |                                ^^^^^^^^^^
          note: beats.yaml:2:1: in this file
        2 | propertes:
          | ^^^^^^^^^

      film.yaml:5:96: error: no param is called \`m\`; there are \`n\` and \`idea\`
        5 | …, \${{ params.n }}" }, schema: beats.yaml }
          |                                ^^^^^^^^^^
          note: beats.yaml:3:35: in this file
        3 |   beats: { type: array, minItems: "\${{ params.m }}", maxItems: "\${{ params.idea }}" }
          |                                   ^^^^^^^^^^^^^^^^^"
    `);
  });

  it('without a project has nowhere to be read from', () => {
    expect(told('steps: { a: { model: C-D, with: { prompt: x }, schema: a.json } }\n')).toMatchInlineSnapshot(`
      "film.yaml:3:56: error: \`schema\` names \`a.json\`, which cannot be read here: the pipeline is no file of a project; check the path, which begins at the pipeline file
        3 | steps: { a: { model: C-D, with: { prompt: x }, schema: a.json } }
          |                                                        ^^^^^^"
    `);
  });
});

describe('a schema in place', () => {
  const schema = (lines: string) =>
    told(`
        params:
          n: { type: integer, default: 3 }
          names: { type: array, items: { type: string }, default: [a, b] }
        steps:
          other: { model: C-D, with: { prompt: "\${{ params.n }} \${{ params.names[0] }}" } }
          script:
            model: C-D
            with: { prompt: x }
            schema:
${dedent(lines).replaceAll(/^(?=.)/gm, '              ')}`);

  it('may hold expressions where values stand; each must be what its keyword holds', () => {
    expect(
      schema(`
        type: object
        required: \${{ params.names }}
        properties:
          beats: { type: array, minItems: "\${{ params.n }}", maxItems: "\${{ params.n * 2 }}", items: { enum: "\${{ params.names }}" } }
          about: { type: string, description: "what \${{ steps.other.text }} is about" }
      `),
    ).toBe('');
    expect(
      schema(`
        type: object
        required: \${{ params.n }}
        properties:
          beats: { type: array, minItems: "\${{ params.names }}", maxItems: "\${{ param.n }}", uniqueItems: "\${{ params.n }}" }
          title: { type: string, maxLength: "\${{ params.n / 2.0 }}", description: "\${{ params.names }} and more" }
      `),
    ).toMatchInlineSnapshot(`
      "film.yaml:13:17: error: \`required\` of a JSON Schema is a list of names, but this is a whole number
       13 |       required: \${{ params.n }}
          |                 ^^^^^^^^^^^^^^^

      film.yaml:15:41: error: \`minItems\` of a JSON Schema is a whole number from 0, but this is a list of texts
       15 | …ats: { type: array, minItems: "\${{ params.names }}", maxItems: "\${{ param.n }}", uniqueItems: "\${{…
          |                                ^^^^^^^^^^^^^^^^^^^^^

      film.yaml:15:79: error: expressions do not know \`param\`; write \`params.n\`
       15 | …ams.names }}", maxItems: "\${{ param.n }}", uniqueItems: "\${{ params.n }}" }
          |                                ^^^^^

      film.yaml:15:105: error: \`uniqueItems\` of a JSON Schema is true or false, but this is a whole number
       15 | …\${{ param.n }}", uniqueItems: "\${{ params.n }}" }
          |                                ^^^^^^^^^^^^^^^^^

      film.yaml:16:43: error: \`maxLength\` of a JSON Schema is a whole number from 0, but this is a number
       16 | …e: { type: string, maxLength: "\${{ params.n / 2.0 }}", description: "\${{ params.names }} and more"…
          |                                ^^^^^^^^^^^^^^^^^^^^^^^

      film.yaml:16:82: error: \`params.names\` is a list of texts and cannot stand inside a text; pick one (\`[0]\`) or \`join\` them
       16 | …ms.n / 2.0 }}", description: "\${{ params.names }} and more" }
          |                                ^^^^^^^^^^^^^^^^^^^"
    `);
  });

  it('with words that JSON Schema does not have is told the nearest right one', () => {
    expect(
      schema(`
        type: dict
        propertes: { a: { type: string } }
        properties:
          seconds: { type: int, minimun: 2, max: 10 }
          title: { type: [text, null], maxlength: 60 }
          look: { typ: string, note: for the model, order: 3, x-hint: y }
          tags: { type: array, item: { type: string }, min_items: 2 }
          kind: { type: string, options: [a, b] }
      `),
    ).toMatchInlineSnapshot(`
      "film.yaml:12:13: error: no JSON Schema has the type \`dict\`; did you mean \`object\`?
       12 |       type: dict
          |             ^^^^

      film.yaml:13:7: error: JSON Schema has no keyword \`propertes\`; did you mean \`properties\`?
       13 |       propertes: { a: { type: string } }
          |       ^^^^^^^^^

      film.yaml:15:26: error: no JSON Schema has the type \`int\`; did you mean \`integer\`?
       15 |         seconds: { type: int, minimun: 2, max: 10 }
          |                          ^^^

      film.yaml:15:31: error: JSON Schema has no keyword \`minimun\`; did you mean \`minimum\`?
       15 |         seconds: { type: int, minimun: 2, max: 10 }
          |                               ^^^^^^^

      film.yaml:15:43: error: JSON Schema has no keyword \`max\`; did you mean \`maximum\`?
       15 |         seconds: { type: int, minimun: 2, max: 10 }
          |                                           ^^^

      film.yaml:16:25: error: no JSON Schema has the type \`text\`; did you mean \`string\`?
       16 |         title: { type: [text, null], maxlength: 60 }
          |                         ^^^^

      film.yaml:16:31: error: \`type\` of a JSON Schema is a type, or a list of types, not nothing; write "null" with quotes
       16 |         title: { type: [text, null], maxlength: 60 }
          |                               ^^^^

      film.yaml:16:38: error: JSON Schema has no keyword \`maxlength\`; did you mean \`maxLength\`?
       16 |         title: { type: [text, null], maxlength: 60 }
          |                                      ^^^^^^^^^

      film.yaml:17:17: error: JSON Schema has no keyword \`typ\`; did you mean \`type\`?
       17 |         look: { typ: string, note: for the model, order: 3, x-hint: y }
          |                 ^^^

      film.yaml:18:30: error: JSON Schema has no keyword \`item\`; did you mean \`items\`?
       18 |         tags: { type: array, item: { type: string }, min_items: 2 }
          |                              ^^^^

      film.yaml:18:54: error: JSON Schema has no keyword \`min_items\`; did you mean \`minItems\`?
       18 |         tags: { type: array, item: { type: string }, min_items: 2 }
          |                                                      ^^^^^^^^^

      film.yaml:19:31: error: JSON Schema has no keyword \`options\`; did you mean \`enum\`?
       19 |         kind: { type: string, options: [a, b] }
          |                               ^^^^^^^"
    `);
  });

  it('whose keywords hold the wrong thing is told what they hold', () => {
    expect(
      schema(`
        type: object
        required: title
        properties:
          title: { type: string, required: true, maxLength: sixty, minLength: -1 }
          beats: { type: array, items: string, minItems: 1.5 }
          pair: { type: array, items: [ { type: string }, { type: integer } ] }
          kind: { enum: hero }
          name: { type: string, pattern: "(" }
          any: { anyOf: [] }
          count: { type: 7 }
          open: string
      `),
    ).toMatchInlineSnapshot(`
      "film.yaml:13:17: error: \`required\` of a JSON Schema is a list of names, not \`title\`; write \`required: [title]\`
       13 |       required: title
          |                 ^^^^^

      film.yaml:15:42: error: \`required\` of a JSON Schema is a list of names, not \`true\`; name the required properties beside \`properties\`: \`required: [title, …]\`
       15 |         title: { type: string, required: true, maxLength: sixty, minLength: -1 }
          |                                          ^^^^

      film.yaml:15:59: error: \`maxLength\` of a JSON Schema is a whole number from 0, not \`sixty\`
       15 |         title: { type: string, required: true, maxLength: sixty, minLength: -1 }
          |                                                           ^^^^^

      film.yaml:15:77: error: \`minLength\` of a JSON Schema is a whole number from 0, not -1
       15 |         title: { type: string, required: true, maxLength: sixty, minLength: -1 }
          |                                                                             ^^

      film.yaml:16:38: error: \`items\` of a JSON Schema is a schema, not \`string\`; write \`{ type: string }\`
       16 |         beats: { type: array, items: string, minItems: 1.5 }
          |                                      ^^^^^^

      film.yaml:16:56: error: \`minItems\` of a JSON Schema is a whole number from 0, not \`1.5\`
       16 |         beats: { type: array, items: string, minItems: 1.5 }
          |                                                        ^^^

      film.yaml:17:37: error: \`items\` of a JSON Schema is a schema, not a list; write \`prefixItems\` for entries that differ
       17 |         pair: { type: array, items: [ { type: string }, { type: integer } ] }
          |                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

      film.yaml:18:23: error: \`enum\` of a JSON Schema is a list of values, not \`hero\`; write \`enum: [hero]\`
       18 |         kind: { enum: hero }
          |                       ^^^^

      film.yaml:19:40: error: \`(\` is no regular expression; mend it
       19 |         name: { type: string, pattern: "(" }
          |                                        ^^^

      film.yaml:20:23: error: \`anyOf\` of a JSON Schema is a list of schemas, not an empty list
       20 |         any: { anyOf: [] }
          |                       ^^

      film.yaml:21:24: error: \`type\` of a JSON Schema is a type, or a list of types, not \`7\`
       21 |         count: { type: 7 }
          |                        ^

      film.yaml:22:15: error: \`open\` of a JSON Schema is a schema, not \`string\`; write \`{ type: string }\`
       22 |         open: string
          |               ^^^^^^"
    `);
  });

  it('that refers to nothing, outside, or asks for a name it does not have', () => {
    expect(
      schema(`
        type: object
        required: [titel, beats]
        properties:
          title: { $ref: "#/$defs/titel" }
          beats: { type: array, items: { $ref: "https://example.com/beat.json" } }
        $defs: { title: { type: string } }
      `),
    ).toMatchInlineSnapshot(`
      "film.yaml:13:18: warning: \`required\` asks for \`titel\`, which is not among the properties; did you mean \`title\`?
       13 |       required: [titel, beats]
          |                  ^^^^^

      film.yaml:15:24: error: \`#/$defs/titel\` leads to nothing in this schema; did you mean \`#/$defs/title\`?
       15 |         title: { $ref: "#/$defs/titel" }
          |                        ^^^^^^^^^^^^^^^

      film.yaml:16:46: error: \`https://example.com/beat.json\` is outside this schema, and nothing is fetched; copy it under \`$defs\`, and write \`#/$defs/name\`
       16 |         beats: { type: array, items: { $ref: "https://example.com/beat.json" } }
          |                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
    `);
  });

  it('has names that are written out', () => {
    expect(
      schema(`
        type: object
        properties: { "\${{ params.n }}": { type: string } }
      `),
    ).toMatchInlineSnapshot(`
      "film.yaml:13:21: error: a name in a schema is written, not computed: an expression may stand only where a value does
       13 |       properties: { "\${{ params.n }}": { type: string } }
          |                     ^^^^^^^^^^^^^^^^^"
    `);
  });

  it('asks for a mapping or a list: a text alone is what an answer is without a schema', () => {
    expect(schema('type: integer\n')).toMatchInlineSnapshot(`
      "film.yaml:12:13: error: an answer is read as a mapping or a list, and this schema asks for \`integer\` alone; put it into a mapping: { type: object, required: [value], properties: { value: { type: integer } } }
       12 |       type: integer
          |             ^^^^^^^"
    `);
  });
});

describe('an answer that is typed', () => {
  const answer = (code: string) =>
    saidWith(
      { 'beats.yaml': BEATS },
      `
      steps:
        script: { model: C-D, with: { prompt: three beats }, schema: beats.yaml }
        shot: { model: V-T2V-A, with: { prompt: "\${{ ${code} }}" } }
    `,
    );

  it('has no entry beyond what its schema allows', () => {
    expect(answer('steps.script.json.beats[2].look')).toBe('');
    expect(answer('steps.script.json.beats[3].look')).toMatchInlineSnapshot(`
      "film.yaml:5:72: error: \`steps.script.json.beats\` has at most 3 entries by its schema, counted from 0, so there is no \`[3]\`; the last is \`[2]\`
        5 |   shot: { model: V-T2V-A, with: { prompt: "\${{ steps.script.json.beats[3].look }}" } }
          |                                                                        ^"
    `);
    expect(answer('steps.script.json.beats.filter(b, b.seconds > 2)[7].look')).toMatchInlineSnapshot(`
      "film.yaml:5:97: error: \`steps.script.json.beats.filter(b, b.seconds > 2)\` has at most 3 entries by its schema, counted from 0, so there is no \`[7]\`; the last is \`[2]\`
        5 | …eats.filter(b, b.seconds > 2)[7].look }}" } }
          |                                ^"
    `);
  });

  it('is followed through loops, conditions and indices', () => {
    expect(answer("steps.script.json.beats.map(b, b.look).join(', ')")).toBe('');
    expect(answer("steps.script.json.beats.filter(b, b.seconds > 2).map(b, b.lok).join(', ')")).toMatchInlineSnapshot(`
      "film.yaml:5:106: error: \`b\` (an answer) has no \`lok\`; did you mean \`look\`?
        5 | …er(b, b.seconds > 2).map(b, b.lok).join(', ') }}" } }
          |                                ^^^"
    `);
    expect(answer("steps.script.json.beats.exists(b, b.secs > 2) ? 'x' : 'y'")).toMatchInlineSnapshot(`
      "film.yaml:5:84: error: \`b\` (an answer) has no \`secs\`; it has \`look\`, \`seconds\` and \`parts\`
        5 | …script.json.beats.exists(b, b.secs > 2) ? 'x' : 'y' }}" } }
          |                                ^^^^"
    `);
    expect(answer("(steps.script.json.beats[0].lok + '!')")).toMatchInlineSnapshot(`
      "film.yaml:5:76: error: \`steps.script.json.beats[0]\` (an answer) has no \`lok\`; did you mean \`look\`?
        5 |   shot: { model: V-T2V-A, with: { prompt: "\${{ (steps.script.json.beats[0].lok + '!') }}" } }
          |                                                                            ^^^"
    `);
    expect(answer("steps.script.json['titel']")).toMatchInlineSnapshot(`
      "film.yaml:5:66: error: \`steps.script.json\` (an answer) has no \`titel\`; did you mean \`title\`?
        5 |   shot: { model: V-T2V-A, with: { prompt: "\${{ steps.script.json['titel'] }}" } }
          |                                                                  ^^^^^^^"
    `);
  });

  it('is typed in no time where everything in it leads back to it', () => {
    const names = Array.from({ length: 40 }, (_, n) => `p${n}`);
    const schema = {
      type: 'object',
      properties: Object.fromEntries(names.map(name => [name, { $ref: `#/$defs/${name}` }])),
      $defs: Object.fromEntries(
        names.map(name => [
          name,
          { type: 'object', properties: Object.fromEntries(names.map(other => [other, { $ref: `#/$defs/${other}` }])) },
        ]),
      ),
    };
    const worked = processorTime();
    const found = saidWith(
      { 'deep.json': JSON.stringify(schema) },
      `
        steps:
          deep: { model: C-D, with: { prompt: x }, schema: deep.json }
          shot: { model: V-T2V-A, with: { prompt: "\${{ string(steps.deep.json.p1.p2.p39.p41) }}" } }
      `,
    );
    expect(found).toContain('has no `p41`');
    expect(worked()).toBeLessThan(1_000);
  });
});
