/** `schema` of a chat step: every mistake in it is found before anything is asked, in place or in a file of its own. */
import { describe, expect, it } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';
import type { ProjectFiles } from '../../src/language/used-files.ts';
import { processorTime } from '../support/processor-time.ts';
import { dedent, film, linesOf, told } from './said.ts';

/** A folder in memory. */
const folder = (texts: Readonly<Record<string, string>>): ProjectFiles => ({
  read: path => {
    const name = path.replace(/^\.\//, '');
    const text = texts[name];
    return text === undefined ? { problem: 'does not exist' } : { path: name, text, sha256: '' };
  },
  list: () => ({ paths: [] }),
  relativeTo: () => folder(texts),
});

const saidWith = (texts: Readonly<Record<string, string>>, lines: string) =>
  linesOf(compile({ path: 'film.yaml', text: film(lines) }, modelLibrary, { files: folder(texts) }).diagnostics);

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
      "11:67 ‹titel› \`steps.script.json\` (an answer) has no \`titel\`; did you mean \`title\`?
      11:88 ‹"\${{ steps.script.json.title }}"› \`duration\` of V-T2V-A takes a whole number, but this is a text; write \`int(…)\` around it"
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
      "5:49 ‹./gone.json› \`schema\` names \`./gone.json\`, which does not exist; check the path, which begins at the pipeline file
      6:49 ‹broken.json› a \`[\` is never closed; add \`]\`, and indent what stands between them
        note broken.json:3:24 ‹[› in this file
      6:49 ‹broken.json› a \`{\` is never closed; add \`}\`, and indent what stands between them
        note broken.json:1:1 ‹{› in this file
      7:49 ‹empty.yaml› the file is empty; write a JSON Schema into it
        note empty.yaml:1:1 ‹› in this file
      8:49 ‹list.yaml› a JSON Schema is a mapping; start it with \`type: object\`
        note list.yaml:1:1 ‹- type: object› in this file
      9:49 ‹twice.yaml› \`type\` is declared twice; keep one
        note twice.yaml:2:1 ‹type› in this file
      10:49 ‹"\${{ params.which }}"› a whole schema is written, or a file is named; an expression may stand in the place of a value in it, like \`minItems: \${{ … }}\`
      11:49 ‹[ { type: object } ]› \`steps.g.schema\` is a list, and must be a mapping or a text; write \`schema: { type: object, required: [title], properties: { title: { type: string } } }\`"
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
      "5:96 ‹beats.yaml› no JSON Schema has the type \`objekt\`; did you mean \`object\`?
        note beats.yaml:1:7 ‹objekt› in this file
      5:96 ‹beats.yaml› JSON Schema has no keyword \`propertes\`; did you mean \`properties\`?
        note beats.yaml:2:1 ‹propertes› in this file
      5:96 ‹beats.yaml› no param is called \`m\`; there are \`n\` and \`idea\`
        note beats.yaml:3:35 ‹"\${{ params.m }}"› in this file"
    `);
  });

  it('without a project has nowhere to be read from', () => {
    expect(told('steps: { a: { model: C-D, with: { prompt: x }, schema: a.json } }\n')).toMatchInlineSnapshot(
      `"3:56 ‹a.json› \`schema\` names \`a.json\`, which cannot be read here: the pipeline is no file of a project; check the path, which begins at the pipeline file"`,
    );
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
      "13:17 ‹\${{ params.n }}› \`required\` of a JSON Schema is a list of names, but this is a whole number
      15:41 ‹"\${{ params.names }}"› \`minItems\` of a JSON Schema is a whole number from 0, but this is a list of texts
      15:79 ‹param› expressions do not know \`param\`; write \`params.n\`
      15:105 ‹"\${{ params.n }}"› \`uniqueItems\` of a JSON Schema is true or false, but this is a whole number
      16:43 ‹"\${{ params.n / 2.0 }}"› \`maxLength\` of a JSON Schema is a whole number from 0, but this is a number
      16:82 ‹\${{ params.names }}› \`params.names\` is a list of texts and cannot stand inside a text; pick one (\`[0]\`) or \`join\` them"
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
      "12:13 ‹dict› no JSON Schema has the type \`dict\`; did you mean \`object\`?
      13:7 ‹propertes› JSON Schema has no keyword \`propertes\`; did you mean \`properties\`?
      15:26 ‹int› no JSON Schema has the type \`int\`; did you mean \`integer\`?
      15:31 ‹minimun› JSON Schema has no keyword \`minimun\`; did you mean \`minimum\`?
      15:43 ‹max› JSON Schema has no keyword \`max\`; did you mean \`maximum\`?
      16:25 ‹text› no JSON Schema has the type \`text\`; did you mean \`string\`?
      16:31 ‹null› \`type\` of a JSON Schema is a type, or a list of types, not nothing; write "null" with quotes
      16:38 ‹maxlength› JSON Schema has no keyword \`maxlength\`; did you mean \`maxLength\`?
      17:17 ‹typ› JSON Schema has no keyword \`typ\`; did you mean \`type\`?
      18:30 ‹item› JSON Schema has no keyword \`item\`; did you mean \`items\`?
      18:54 ‹min_items› JSON Schema has no keyword \`min_items\`; did you mean \`minItems\`?
      19:31 ‹options› JSON Schema has no keyword \`options\`; did you mean \`enum\`?"
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
      "13:17 ‹title› \`required\` of a JSON Schema is a list of names, not \`title\`; write \`required: [title]\`
      15:42 ‹true› \`required\` of a JSON Schema is a list of names, not \`true\`; name the required properties beside \`properties\`: \`required: [title, …]\`
      15:59 ‹sixty› \`maxLength\` of a JSON Schema is a whole number from 0, not \`sixty\`
      15:77 ‹-1› \`minLength\` of a JSON Schema is a whole number from 0, not -1
      16:38 ‹string› \`items\` of a JSON Schema is a schema, not \`string\`; write \`{ type: string }\`
      16:56 ‹1.5› \`minItems\` of a JSON Schema is a whole number from 0, not \`1.5\`
      17:37 ‹[ { type: string }, { type: integer } ]› \`items\` of a JSON Schema is a schema, not a list; write \`prefixItems\` for entries that differ
      18:23 ‹hero› \`enum\` of a JSON Schema is a list of values, not \`hero\`; write \`enum: [hero]\`
      19:40 ‹"("› \`(\` is no regular expression; mend it
      20:23 ‹[]› \`anyOf\` of a JSON Schema is a list of schemas, not an empty list
      21:24 ‹7› \`type\` of a JSON Schema is a type, or a list of types, not \`7\`
      22:15 ‹string› \`open\` of a JSON Schema is a schema, not \`string\`; write \`{ type: string }\`"
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
      "13:18 ‹titel› warning: \`required\` asks for \`titel\`, which is not among the properties; did you mean \`title\`?
      15:24 ‹"#/$defs/titel"› \`#/$defs/titel\` leads to nothing in this schema; did you mean \`#/$defs/title\`?
      16:46 ‹"https://example.com/beat.json"› \`https://example.com/beat.json\` is outside this schema, and nothing is fetched; copy it under \`$defs\`, and write \`#/$defs/name\`"
    `);
  });

  it('has names that are written out', () => {
    expect(
      schema(`
        type: object
        properties: { "\${{ params.n }}": { type: string } }
      `),
    ).toMatchInlineSnapshot(
      `"13:21 ‹"\${{ params.n }}"› a name in a schema is written, not computed: an expression may stand only where a value does"`,
    );
  });

  it('asks for a mapping or a list: a text alone is what an answer is without a schema', () => {
    expect(schema('type: integer\n')).toMatchInlineSnapshot(
      `"12:13 ‹integer› an answer is read as a mapping or a list, and this schema asks for \`integer\` alone; put it into a mapping: { type: object, required: [value], properties: { value: { type: integer } } }"`,
    );
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
    expect(answer('steps.script.json.beats[3].look')).toMatchInlineSnapshot(
      `"5:72 ‹3› \`steps.script.json.beats\` has at most 3 entries by its schema, counted from 0, so there is no \`[3]\`; the last is \`[2]\`"`,
    );
    expect(answer('steps.script.json.beats.filter(b, b.seconds > 2)[7].look')).toMatchInlineSnapshot(
      `"5:97 ‹7› \`steps.script.json.beats.filter(b, b.seconds > 2)\` has at most 3 entries by its schema, counted from 0, so there is no \`[7]\`; the last is \`[2]\`"`,
    );
  });

  it('is followed through loops, conditions and indices', () => {
    expect(answer("steps.script.json.beats.map(b, b.look).join(', ')")).toBe('');
    expect(answer("steps.script.json.beats.filter(b, b.seconds > 2).map(b, b.lok).join(', ')")).toMatchInlineSnapshot(
      `"5:106 ‹lok› \`b\` (an answer) has no \`lok\`; did you mean \`look\`?"`,
    );
    expect(answer("steps.script.json.beats.exists(b, b.secs > 2) ? 'x' : 'y'")).toMatchInlineSnapshot(
      `"5:84 ‹secs› \`b\` (an answer) has no \`secs\`; it has \`look\`, \`seconds\` and \`parts\`"`,
    );
    expect(answer("(steps.script.json.beats[0].lok + '!')")).toMatchInlineSnapshot(
      `"5:76 ‹lok› \`steps.script.json.beats[0]\` (an answer) has no \`lok\`; did you mean \`look\`?"`,
    );
    expect(answer("steps.script.json['titel']")).toMatchInlineSnapshot(
      `"5:66 ‹'titel'› \`steps.script.json\` (an answer) has no \`titel\`; did you mean \`title\`?"`,
    );
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
