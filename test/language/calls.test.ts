import { describe, expect, it } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';
import { film, told } from './said.ts';

const SCHEMA = `
              schema:
                type: object
                required: [title, beats]
                properties:
                  title: { type: string }
                  beats:
                    type: array
                    items: { type: object, properties: { prompt: { type: string }, seconds: { type: integer } } }`;

describe('a step that asks a chat model', () => {
  it('its prompt and system are the messages of the request', () => {
    const text = film(`
      params:
        idea: { type: string, default: a fox }
      steps:
        script:
          model: C-D
          with: { temperature: 0.4, prompt: "three beats about \${{ params.idea }}", system: You write shot lists. }
    `);
    const [step] = compile({ path: 'film.yaml', text }, modelLibrary).pipeline!.steps;
    if (step?.kind !== 'generate') throw new Error('a chat step asks a model');
    const plain = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value, (name, inner) => (/^(at|codeAt|nameAt|reads)$/.test(name) ? undefined : inner)));
    expect(plain(step.with)).toEqual(
      plain({
        is: 'map',
        entries: [
          {
            name: 'messages',
            value: {
              is: 'list',
              items: [message('system', { is: 'literal', value: 'You write shot lists.' }), message('user', PROMPT)],
            },
          },
          { name: 'temperature', value: { is: 'literal', value: 0.4 } },
        ],
      }),
    );
  });

  it('its answer is typed by its schema: a slip in it is found before anything is asked', () => {
    expect(
      told(`
          steps:
            script:
              model: C-D
              with: { prompt: three beats }${SCHEMA}
            shot:
              model: V-T2V-A
              matrix: { beat: [0, 1] }
              with: { prompt: "\${{ steps.script.json.beats[matrix.beat].prompt }}", duration: 5 }
            wrong:
              model: V-T2V-A
              with: { prompt: "\${{ steps.script.json.titel }}", seed: "\${{ steps.script.json.title }}" }
            none:
              model: V-RF
              with: { input_video: "\${{ steps.script.result_url }}", prompt: "\${{ steps.script.usage.tokens }}", aspect_ratio: 1:1 }
        `),
    ).toMatchInlineSnapshot(`
      "21:44 ‹titel› \`steps.script.json\` (an answer) has no \`titel\`; did you mean \`title\`?
      21:61 ‹"\${{ steps.script.json.title }}"› \`seed\` of V-T2V-A takes a whole number, but this is a text; write \`int(…)\` around it
      24:44 ‹result_url› \`steps.script\` (a text result) has no \`result_url\`; it has \`text\`, \`json\`, \`finish_reason\`, \`usage\`, \`request\` and \`cost\`
      24:92 ‹tokens› \`steps.script.usage\` (the usage of a chat) has no \`tokens\`; it has \`prompt_tokens\`, \`completion_tokens\` and \`total_tokens\`"
    `);
  });

  it('without a schema the answer is text; its JSON is for whoever asks for JSON in the request', () => {
    const step = (asked: string, read: string) =>
      told(`
          steps:
            script: { model: C-D, with: { messages: [{ role: user, content: three beats }]${asked} } }
            shot: { model: V-T2V-A, with: { prompt: "\${{ steps.script.${read} }}" } }
        `);
    expect(step('', 'text')).toBe('');
    expect(step('', 'json.title')).toContain('the answer of `script` is only text, for it has no schema; add');
    expect(step(', response_format: { type: json_object }', 'json.title')).not.toContain('error');
  });

  it('what is said twice, or asks nothing, or is no message', () => {
    expect(
      told(`
          steps:
            both: { model: C-D, with: { prompt: x, messages: [{ role: user, content: y }] } }
            mute: { model: C-D, with: { system: You are terse. } }
            bare: { model: C-D, with: { messages: [{ role: user, contnet: y }, hello, { role: 7, content: [a] }] } }
            none: { model: C-D }
        `),
    ).toMatchInlineSnapshot(`
      "4:31 ‹prompt› \`prompt\` stands for \`messages\`, and those are given too; keep one of them
      5:31 ‹system› \`system\` sets the tone, but nothing is asked; add a \`prompt\`, or write \`messages\`
      6:42 ‹{ role: user, contnet: y }› an entry of \`messages\` of C-D needs \`content\`; add it
      6:70 ‹hello› an entry of \`messages\` of C-D takes a mapping, not \`hello\`; change it
      6:85 ‹7› \`role\` of an entry of \`messages\` of C-D cannot be \`7\`; it takes \`system\`, \`developer\`, \`user\`, \`assistant\`, \`tool\` or \`function\`
      6:97 ‹[a]› \`content\` of an entry of \`messages\` of C-D takes a text, not a list; give one plain value
      7:18 ‹C-D› C-D needs \`messages\`; add it under \`with\`"
    `);
  });

  it('a model that takes pictures takes parts', () => {
    expect(
      told(`
          steps:
            still: { model: I-GEN-A, with: { prompt: a fox } }
            words:
              model: C-B
              with:
                messages:
                  - role: user
                    content:
                      - { type: text, text: what is this? }
                      - { type: image_url, image_url: { url: "\${{ steps.still.result_url }}" } }
        `),
    ).toBe('');
  });

  it('schema and via stand where they mean something', () => {
    expect(
      told(`
          params:
            idea: { type: string, default: a fox }
          steps:
            still: { model: I-GEN-A, with: { prompt: a fox }, schema: { type: object } }
            script: { model: C-D, with: { prompt: x }, via: sync }
            typed: { model: C-D, with: { prompt: x }, schema: { const: "\${{ params.idea }}" } }
            now: { model: I-GEN-A, with: { prompt: a fox }, via: sync }
            later: { model: I-GEN-A, with: { prompt: a fox }, via: post }
        `),
    ).toMatchInlineSnapshot(`
      "6:53 ‹schema› I-GEN-A makes an image, not text; \`schema\` is for chat models, so take it out
      7:51 ‹sync› C-D is a chat model, and chat is always answered at once; take \`via\` out
      10:58 ‹post› \`steps.later.via\` is "post"; it must be \`queue\` or \`sync\`"
    `);
  });
});

describe('a step that tokenizes', () => {
  it('names a repository and a fine-tune, and gives what the service tells', () => {
    expect(
      told(`
          params:
            which: { type: string, default: ft-1 }
          steps:
            tuned: { tokenize: { repository: studio/looks, fine_tune: "\${{ params.which }}" } }
            told: { run: [echo, "\${{ steps.tuned.status }}"] }
        `),
    ).toBe('');
    expect(
      told(`
          steps:
            a: { tokenize: { repository: looks, fine_tune: 7 } }
            b: { tokenize: { repository: studio/looks }, with: { x: 1 } }
            c: { tokenize: studio/looks }
        `),
    ).toMatchInlineSnapshot(`
      "4:32 ‹looks› a repository is written \`namespace/name\`, not \`looks\`; write both parts
      4:50 ‹7› \`steps.a.tokenize.fine_tune\` is 7, and must be a text; write \`fine_tune: "7"\`
      5:8 ‹tokenize› \`tokenize\` of step \`b\` needs \`fine_tune\`; write \`fine_tune: ft-1\`
      5:48 ‹with› step \`b\` is a tokenization and takes no \`with\`, which is for \`uses\` or \`model\`; take it out
      6:18 ‹studio/looks› \`steps.c.tokenize\` is "studio/looks", and must be a mapping; write \`tokenize: { repository: studio/looks, fine_tune: ft-1 }\`"
    `);
  });
});

const PROMPT = { is: 'text', parts: ['three beats about ', { is: 'expression', code: 'params.idea' }] };
const message = (role: string, content: unknown) => ({
  is: 'map',
  entries: [
    { name: 'role', value: { is: 'literal', value: role } },
    { name: 'content', value: content },
  ],
});
