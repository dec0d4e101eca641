import { describe, expect, it } from 'vitest';
import { told } from './said.ts';

/** A file whose step `b` has this prompt, after a video step `a`, a fan-out `many` and a command `cmd`. */
const prompt = (expression: string, field = 'prompt'): string =>
  told(`
      params:
        idea: { type: string }
        count: { type: integer }
        speed: { type: number }
        draft: { type: boolean }
        words: { type: array, items: { type: string } }
      steps:
        a: { model: V-T2V-A, with: { prompt: x } }
        many: { model: V-T2V-A, matrix: { seed: [1, 2] }, with: { prompt: x } }
        cmd: { run: [ls], creates: { clip: clip.mp4 } }
        b:
          model: V-T2V-A
          with:
            ${field === 'prompt' ? '' : 'prompt: x'}
            ${field}: ${expression}
    `);

describe('expressions are typed before anything runs', () => {
  it('everything that is right', () => {
    expect(
      prompt(
        '${{ params.idea }}, ${{ params.count }}, ${{ params.speed }}, ${{ params.draft }}, ${{ steps.a.media.width }}',
      ),
    ).toBe('');
    expect(prompt('${{ params.idea + " of " + string(params.count) }}')).toBe('');
    expect(prompt(`'\${{ params.draft ? "draft" : params.idea }}'`)).toBe('');
    expect(prompt('${{ params.words.join(", ") }}')).toBe('');
    expect(prompt('${{ steps.many.map(s, s.sha256).join(" ") }}')).toBe('');
    expect(prompt('${{ steps.many[0].generation_id }}')).toBe('');
    expect(
      prompt('${{ steps.cmd.stdout }} ${{ steps.cmd.json.beats[0].text }} ${{ steps.cmd.files.clip.bytes }}'),
    ).toBe('');
    expect(prompt(`'\${{ has(steps.a.media.fps) ? "moving" : "still" }}'`)).toBe('');
    expect(prompt('${{ steps.a.request.prompt }}')).toBe('');
    expect(prompt('${{ params.count + 1 }}', 'duration')).toBe('');
    expect(prompt('${{ int(steps.a.media.duration / 2) }}', 'duration')).toBe('');
    expect(prompt('${{ params["count"] }}', 'duration')).toBe('');
    expect(prompt('${{ size(steps.many.filter(s, s.media.width > 100)) }}', 'duration')).toBe('');
  });

  it('misspelt fields, with the nearest right one', () => {
    expect(prompt('${{ steps.cmd.result_url }}')).toMatchInlineSnapshot(
      `"17:29 ‹result_url› \`steps.cmd\` (the result of a command) has no \`result_url\`; it has \`stdout\`, \`json\` and \`files\`"`,
    );
    expect(prompt('${{ steps.cmd.files.clp.file }}')).toMatchInlineSnapshot(
      `"17:35 ‹clp› \`steps.cmd.files\` (the files of a command) has no \`clp\`; did you mean \`clip\`?"`,
    );
    expect(prompt('${{ steps.many[0].reslt_url }}')).toMatchInlineSnapshot(
      `"17:33 ‹reslt_url› \`steps.many[0]\` (a video result) has no \`reslt_url\`; did you mean \`result_url\`?"`,
    );
    expect(prompt('${{ steps.many.map(s, s.media.widht).size() }}')).toMatchInlineSnapshot(
      `"17:45 ‹widht› \`s.media\` (media facts) has no \`widht\`; did you mean \`width\`?"`,
    );
  });

  it('the values of both sides of a condition are held to what the field takes', () => {
    expect(prompt(`'\${{ params.draft ? 3 : 99 }}'`, 'duration')).toMatchInlineSnapshot(
      `"17:41 ‹99› \`duration\` of V-T2V-A is 99; it must be 2 to 15"`,
    );
    expect(prompt(`'\${{ params.draft ? "720P" : "1080p" }}'`, 'resolution')).toMatchInlineSnapshot(
      `"17:48 ‹"1080p"› \`resolution\` of V-T2V-A cannot be \`1080p\`; did you mean \`1080P\`? it takes \`720P\` or \`1080P\`"`,
    );
    // What may never be chosen is not held to anything.
    expect(prompt(`'\${{ ["480P", "720P"][1] }}'`, 'resolution')).toBe('');
    expect(prompt(`'\${{ {"a": "480P", "b": "720P"}["b"] }}'`, 'resolution')).toBe('');
    expect(prompt(`'\${{ [99, 3].filter(n, n < 15)[0] }}'`, 'duration')).toBe('');
    expect(prompt(`'\${{ math.least(99, 15) }}'`, 'duration')).toBe('');
    expect(prompt(`'\${{ math.abs(-3) }}'`, 'duration')).toBe('');
    expect(prompt(`'\${{ cel.bind(n, 99, n > 15 ? 15 : n) }}'`, 'duration')).toBe('');
    expect(prompt(`'\${{ params.draft ? 3 : 5 }}'`, 'duration')).toBe('');
  });

  it('fields that are functions here', () => {
    const said = (code: string) => prompt(`\${{ ${code} }}`);
    expect(said('params.words.length')).toMatchInlineSnapshot(
      `"17:32 ‹length› \`params.words\` is a list of texts and has no \`length\`; write \`size(params.words)\`"`,
    );
    expect(said('steps.many.length')).toMatchInlineSnapshot(
      `"17:30 ‹length› step \`many\` is fanned out (seed), so it gives a list; its length is \`size(steps.many)\`"`,
    );
    expect(said('params.idea.toUpperCase')).toMatchInlineSnapshot(
      `"17:31 ‹toUpperCase› \`params.idea\` is a text and has no \`toUpperCase\`; write \`upper()\`"`,
    );
    expect(said('params.count.length')).toMatchInlineSnapshot(
      `"17:32 ‹length› \`params.count\` is a whole number and has no \`length\`; write \`params.count\` alone"`,
    );
  });

  it('a fan-out is a list', () => {
    expect(prompt('${{ steps.many.result_url }}')).toMatchInlineSnapshot(
      `"17:30 ‹result_url› step \`many\` is fanned out (seed), so it gives a list; use \`each: \${{ steps.many }}\` and \`each.result_url\`, or \`steps.many.map(s, s.result_url)\` for all of them"`,
    );
    expect(prompt('all of ${{ steps.many }}')).toMatchInlineSnapshot(
      `"17:22 ‹\${{ steps.many }}› \`steps.many\` is a list of video results and cannot stand inside a text; pick one (\`[0]\`) or \`join\` them"`,
    );
    expect(prompt('${{ steps.many }}')).toMatchInlineSnapshot(
      `"17:15 ‹\${{ steps.many }}› \`prompt\` of V-T2V-A takes a text, but this is a list of video results; use \`each\` to make one for each, or pick one with \`[0]\`"`,
    );
  });

  it('what cannot stand inside a text', () => {
    expect(prompt('see ${{ steps.a }}')).toMatchInlineSnapshot(
      `"17:19 ‹\${{ steps.a }}› \`steps.a\` is a video result and cannot stand inside a text; read one of its fields, like \`steps.a.result_url\`"`,
    );
    expect(prompt('see ${{ steps.a.media }} and ${{ null }}')).toMatchInlineSnapshot(`
      "17:19 ‹\${{ steps.a.media }}› \`steps.a.media\` is media facts and cannot stand inside a text; read one of its fields, like \`steps.a.media.kind\`
      17:44 ‹\${{ null }}› \`null\` is nothing and cannot stand inside a text; give one plain value"
    `);
  });

  it('the wrong type for the field', () => {
    expect(prompt('${{ params.speed }}', 'duration')).toMatchInlineSnapshot(
      `"17:17 ‹\${{ params.speed }}› \`duration\` of V-T2V-A takes a whole number, but this is a number; write \`int(…)\` around it"`,
    );
    expect(prompt('${{ params.count }} s', 'duration')).toMatchInlineSnapshot(
      `"17:17 ‹\${{ params.count }} s› \`duration\` of V-T2V-A takes a whole number, but an expression with text around it gives text; leave only the expression"`,
    );
    expect(prompt('${{ params.idea }}', 'watermark')).toMatchInlineSnapshot(
      `"17:18 ‹\${{ params.idea }}› \`watermark\` of V-T2V-A takes true or false, but this is a text; read something else"`,
    );
    expect(prompt('${{ params.count > 2 }}', 'watermark')).toBe('');
  });

  it('operators and functions on the wrong types', () => {
    expect(prompt(`'\${{ params.count ? "a" : "b" }}'`)).toMatchInlineSnapshot(
      `"17:20 ‹params.count› before \`?\` comes what is true or false, but this is a whole number; compare it with something"`,
    );
    expect(prompt('${{ params.count.join(",") }}')).toMatchInlineSnapshot(
      `"17:19 ‹params.count.join(",")› \`join\` does not take a whole number and a text; it is written \`list.join()\` or \`list.join(separator)\`"`,
    );
  });

  it('what a loop over an empty list runs through may be anything', () => {
    expect(prompt('${{ [].map(x, x.words).join("") }}')).toBe('');
    expect(prompt('${{ string([].map(x, -x).size()) }}')).toBe('');
  });

  it('the variable of a loop is its own', () => {
    expect(prompt('${{ params.words.map(v, v + params.idea).join("") }}')).toBe('');
    expect(prompt('${{ params.words.map(params, params + "x").join("") }}')).toBe('');
    expect(prompt('${{ [1].map(_0, _0 + params.count).size() }}', 'duration')).toBe('');
    expect(prompt('${{ cel.bind(n, params.count, n + n) }}', 'duration')).toBe('');
    expect(prompt('${{ params.words.map(v, w).size() }}', 'duration')).toMatchInlineSnapshot(
      `"17:41 ‹w› expressions do not know \`w\`; they can read \`params\`, \`data\`, \`steps\`, \`matrix\`, \`each\`, \`take\`, \`previous\`, \`run\` and \`env\`"`,
    );
  });

  it('braces and quotes inside an expression do not end it', () => {
    expect(prompt(`'\${{ {"a": {"b": "}}"}}["a"]["b"] }}'`)).toBe('');
  });

  it('a colon inside an expression needs quotes, and the message brings them', () => {
    expect(prompt('${{ params.draft ? "a" : "b" }}')).toMatchInlineSnapshot(
      `"17:15 ‹\${{ params.draft ? "a" : "b" }}› an expression that holds \`: \` must be quoted; write \`'\${{ params.draft ? "a" : "b" }}'\`"`,
    );
  });

  it('what could take for ever is not offered', () => {
    expect(prompt('${{ [1].map(a, [1].map(b, [1].map(c, a + b + c))).size() }}', 'duration')).toBe('');
    expect(prompt(`\${{ ${'('.repeat(200)}1${')'.repeat(200)} }}`, 'duration')).toMatchInlineSnapshot(
      `"17:85 ‹(› the expression is nested more than 64 deep; split it"`,
    );
    expect(prompt(`\${{ ${Array(3000).fill('1').join('+')} }}`, 'duration')).toMatchInlineSnapshot(
      `"17:21 ‹1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+…› the expression is longer than 4000 characters; split it"`,
    );
  });

  it('folded and escaped texts still have a place', () => {
    expect(
      told(`
          steps:
            a:
              model: I-GEN-A
              with:
                prompt: >
                  a long text that goes on
                  and reads \${{ params.nothing
                  }} over two lines
            b:
              model: I-GEN-A
              with: { prompt: "quoted \\"x\\" \${{ params[\\"nothing\\"] }}" }
        `),
    ).toMatchInlineSnapshot(`
      "9:30 ‹nothing› no param is called \`nothing\`; declare it under \`params:\`
      13:21 ‹"quoted \\"x\\" \${{ params[\\"nothing\\"] }}"› no param is called \`nothing\`; declare it under \`params:\`"
    `);
  });

  it('if takes true or false', () => {
    const when = (text: string) =>
      told(`params: { n: { type: integer } }\nsteps:\n  a: { model: I-GEN-A, if: ${text}, with: { prompt: x } }\n`);
    expect(when('true')).toBe('');
    expect(when('"${{ params.n > 2 }}"')).toBe('');
    expect(when('"${{ params.n }}"')).toMatchInlineSnapshot(
      `"5:28 ‹"\${{ params.n }}"› \`if\` takes true or false, but this is a whole number; compare it with something"`,
    );
  });
});
